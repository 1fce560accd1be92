"""A calm line at the top of the window: something to know, never in the way."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from tabletop.language import labels
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.styled_widgets import button
from ui.widgets.top_bar import TopBar

PASSING = 12_000
"""Milliseconds that news in passing stays; a warning stays until it is put away."""


class Banner(TopBar):
    """One message at a time, with at most one thing to do about it, until it is put away;
    news in passing goes by itself."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.announcer = ScreenReaderAnnouncer(self)
        self._act = button("quiet")
        self._away = button("quiet")
        self._away.clicked.connect(self.hide)
        self._press: Callable[[], None] | None = None
        self._code, self._number = "", 0
        self.passing = QTimer(self, singleShot=True, interval=PASSING)
        self.passing.timeout.connect(self.hide)
        self._act.clicked.connect(self._do)
        for each in (self._act, self._away):
            self._row.addWidget(each)

    def tell(
        self,
        text: str,
        sign: str = "warning",
        act: str = "",
        press: Callable[[], None] | None = None,
        code: str = "",
    ) -> None:
        """Show a message; `act` is the text of a button that does `press`, `code` that of the
        message's Reason."""
        self._code, self._number = code, self._number + 1
        self._act.setText(act)
        self._act.setVisible(press is not None)
        self._press = press
        if sign == "info" and press is None:
            self.passing.start()
        else:
            self.passing.stop()
        self._away.setText(self._context.words(labels.CLOSE))
        name_widget(self, text)
        self._show(text, sign)
        self.announcer.say(text)

    @property
    def code(self) -> str:
        """The code of the message, while it is shown."""
        return "" if self.isHidden() else self._code

    @property
    def number(self) -> int:
        """The number of the message, of all so far, while it is shown; else 0."""
        return 0 if self.isHidden() else self._number

    def pass_by(self) -> None:
        """Another screen comes: news in passing was of the one that goes."""
        if self.passing.isActive():
            self.hide()

    def _do(self) -> None:
        self.hide()
        if self._press is not None:
            self._press()
