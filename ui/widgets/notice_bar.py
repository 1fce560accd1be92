"""A notice over the table that says what everybody waits for, and what can be done about it."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from ui.shell.app_context import AppContext, named
from ui.widgets.prompt_button import PromptButton
from ui.widgets.surface import button, discard
from ui.widgets.top_bar import TopBar


class NoticeBar(TopBar):
    """It stays as long as its cause; unlike a banner it cannot be closed."""

    EDGE, TOP = 12, 8
    WARNS = ("warning", "clock")
    resized = Signal()
    """The bar was shown or hidden, or its height has changed."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._buttons: list[QPushButton] = []
        self._shown: tuple[str, ...] = ()
        self._row.setSpacing(8)
        self._row.insertSpacing(1, 4)

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        return tuple(self._buttons)

    def tell(self, text: str, sign: str, choices: Sequence[PromptButton] = ()) -> None:
        """Say this with these buttons. Only the text may change while the buttons stay."""
        texts = tuple(choice.text for choice in choices)
        if texts != self._shown:
            self._shown = texts
            self._lay(choices)
        named(self, text)
        before = self.size() if self.isVisible() else None
        self._show(text, sign)
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

    def _lay(self, choices: Sequence[PromptButton]) -> None:
        for each in self._buttons:
            discard(each, self._row)
        self._buttons = []
        for choice in choices:
            made = button("primary" if choice.primary else "", text=choice.text)
            made.setStyleSheet("QPushButton { padding: 3px 14px; border-radius: 13px; }")
            made.setAccessibleName(choice.text)
            made.clicked.connect(lambda _=False, press=choice.press: press())
            self._row.addWidget(made)
            self._buttons.append(made)
