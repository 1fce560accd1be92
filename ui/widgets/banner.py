"""A calm line at the top of the window: something to know, never in the way."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from ui.shell.app_context import AppContext
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.surface import Paper, button, label, lie_on_top

WIDEST = 860
EDGE = 16
TOP = 44
"""Below the menus; all in pixels."""


PASSING = 12_000
"""Milliseconds that news in passing stays; a warning stays until it is put away."""


class Banner(Paper):
    """One message at a time, with at most one thing to do about it, until it is put away;
    news in passing goes by itself."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._over = parent
        self.announcer = ScreenReaderAnnouncer(self)
        self._sign = label()
        self._text = label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._act = button("quiet")
        self._away = button("quiet")
        self._away.clicked.connect(self.hide)
        self._press: Callable[[], None] | None = None
        self.passing = QTimer(self)
        self.passing.setSingleShot(True)
        self.passing.setInterval(PASSING)
        self.passing.timeout.connect(self.hide)
        self._act.clicked.connect(self._do)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 8, 6)
        row.setSpacing(12)
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        row.addWidget(self._act)
        row.addWidget(self._away)
        self.hide()

    @property
    def text(self) -> str:
        """Its text, while it is shown."""
        return "" if self.isHidden() else self._text.text()

    def tell(
        self,
        text: str,
        sign: str = "warning",
        act: str = "",
        press: Callable[[], None] | None = None,
    ) -> None:
        """Show a message; `act` is the text of a button that does `press`."""
        theme = self._context.theme
        colour = theme.warn if sign == "warning" else theme.accent_2
        self._sign.setPixmap(self._context.icon_pixmap(sign, 22, colour))
        self._text.setText(text)
        self._act.setText(act)
        self._act.setVisible(press is not None)
        self._press = press
        if sign == "info" and press is None:
            self.passing.start()
        else:
            self.passing.stop()
        self._away.setText(self._context.words("Close"))
        self.setAccessibleName(text)
        self.show()
        self.raise_()
        self.place()
        self.announcer.say(text)

    def pass_by(self) -> None:
        """Another screen comes: news in passing was of the one that goes."""
        if self.passing.isActive():
            self.hide()

    def place(self) -> None:
        """Move to the top of the parent, in the middle."""
        lie_on_top(self, self._over, WIDEST, EDGE, TOP)

    def _do(self) -> None:
        self.hide()
        if self._press is not None:
            self._press()
