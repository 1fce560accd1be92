"""A notice above the table that says what all players are waiting for, with buttons to respond."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from tabletop.language.prompt import Prompt, PromptChoice
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.styled_widgets import button, remove_widget
from ui.widgets.top_bar import TopBar


class NoticeBar(TopBar):
    """A bar that stays until its cause has ended. Unlike a banner, the user can't close it."""

    EDGE, TOP = 12, 8
    WARNS = ("warning", "clock")
    resized = Signal()
    """Emitted when the bar was shown, hidden or resized."""
    chosen = Signal(object)
    """Emitted with the `PromptChoice` of a pressed button."""

    def __init__(self, context: AppContext, parent: QWidget) -> None:
        super().__init__(context, parent)
        self._buttons: list[QPushButton] = []
        self._choices: tuple[PromptChoice, ...] = ()
        self.announcer = ScreenReaderAnnouncer(self)
        self._said = ""
        """The text announced last, without the countdown, whose changes aren't announced."""
        self._row.setSpacing(8)
        self._row.insertSpacing(1, 4)

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        return tuple(self._buttons)

    def show_prompt(self, prompt: Prompt | None) -> None:
        """Show `prompt` with its buttons, or hide the bar for None.

        The buttons are kept while the choices stay the same.
        """
        if prompt is None:
            self._end()
            return
        if prompt.choices != self._choices:
            self._lay(prompt.choices)
        name_widget(self, prompt.shown)
        before = self.size() if self.isVisible() else None
        self._show(prompt.shown, prompt.tone)
        if prompt.text != self._said:
            self._said = prompt.text
            self.announcer.say(prompt.shown)
        if self.size() != before:
            self.resized.emit()

    def _end(self) -> None:
        if self.isHidden():
            return
        self.hide()
        self._said = ""
        self._lay(())
        self.resized.emit()

    def _lay(self, choices: tuple[PromptChoice, ...]) -> None:
        self._choices = choices
        for each in self._buttons:
            remove_widget(each, self._row)
        self._buttons = []
        for choice in choices:
            made = button("primary" if choice.primary else "", text=choice.text)
            made.setStyleSheet("QPushButton { padding: 3px 14px; border-radius: 13px; }")
            made.setAccessibleName(choice.text)
            made.clicked.connect(lambda _=False, choice=choice: self.chosen.emit(choice))
            self._row.addWidget(made)
            self._buttons.append(made)
