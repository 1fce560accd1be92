"""A notice over the table that says what everybody waits for, and what can be done about it."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from ui.shell.app_context import AppContext, named
from ui.widgets.boxes import lay
from ui.widgets.prompt_button import PromptButton
from ui.widgets.surface import Paper, button, label, lie_on_top

WIDEST = 860
EDGE = 12
TOP = 8
"""All in pixels."""


class NoticeBar(Paper):
    """It stays as long as its cause; unlike a banner it cannot be closed."""

    resized = Signal()
    """The bar was shown or hidden, or its height has changed."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._over = parent
        self._sign = label()
        self._text = label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons: list[QPushButton] = []
        self._shown: tuple[str, ...] = ()
        self._row = lay(
            QHBoxLayout(self), [self._sign, 4, (self._text, 1)], spacing=8, margins=(16, 6, 8, 6)
        )
        self.hide()

    @property
    def text(self) -> str:
        """Its text, while it is shown."""
        return "" if self.isHidden() else self._text.text()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        return tuple(self._buttons)

    def tell(self, text: str, sign: str, choices: Sequence[PromptButton] = ()) -> None:
        """Say this with these buttons. Only the text may change while the buttons stay."""
        theme = self._context.theme
        colour = theme.warn if sign in ("warning", "clock") else theme.accent_2
        self._sign.setPixmap(self._context.icon_pixmap(sign, 22, colour))
        if self._text.text() != text:
            self._text.setText(text)
        texts = tuple(choice.text for choice in choices)
        if texts != self._shown:
            self._shown = texts
            self._lay(choices)
        named(self, text)
        before = self.size() if self.isVisible() else None
        self.show()
        self.raise_()
        self.place()
        if self.size() != before:
            self.resized.emit()

    def end(self) -> None:
        """Hide the bar."""
        if self.isHidden():
            return
        self.hide()
        self._shown = ()
        self._lay(())
        self.resized.emit()

    def place(self) -> None:
        """Move to the top of the parent, in the middle."""
        lie_on_top(self, self._over, WIDEST, EDGE, TOP)

    def _lay(self, choices: Sequence[PromptButton]) -> None:
        for each in self._buttons:
            self._row.removeWidget(each)
            each.hide()
            each.deleteLater()
        self._buttons = []
        for choice in choices:
            made = button("primary" if choice.primary else "")
            made.setStyleSheet("QPushButton { padding: 3px 14px; border-radius: 13px; }")
            made.setText(choice.text)
            made.setAccessibleName(choice.text)
            made.clicked.connect(lambda _=False, press=choice.press: press())
            self._row.addWidget(made)
            self._buttons.append(made)
