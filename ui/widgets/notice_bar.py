"""A notice above the table that says what all players are waiting for, with buttons to respond."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from tabletop.language.prompt import Prompt, PromptChoice
from ui.shell.app_context import AppContext, name_widget
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.styled_widgets import button, remove_widget
from ui.widgets.top_bar import TopBar
from ui.widgets.utterance import Utterance


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
        self._prompt: Prompt | None = None
        self.takes_digits: Callable[[], bool] = lambda: False
        """Returns whether digit keys press the buttons."""
        self.announcer = ScreenReaderAnnouncer(self)
        self._said = ""
        """The text announced last, without the countdown, whose changes aren't announced."""
        self._row.setSpacing(8)
        self._row.insertSpacing(1, 4)

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        return tuple(self._buttons)

    @property
    def spoken_text(self) -> str:
        """The notice with its remaining time and its choices, or "" while the bar is hidden."""
        words, prompt = self._context.words, self._prompt
        if prompt is None:
            return ""
        choices = [choice.text for choice in prompt.choices]
        if self.takes_digits():
            choices = [words.with_label(str(n), text) for n, text in enumerate(choices, start=1)]
        return words.sentences((prompt.spoken(words), words.join_list(choices)))

    def press_choice(self, number: int) -> bool:
        """Press the button at the 0-based index `number`, if digit keys do that now."""
        if number >= len(self._buttons) or not self.takes_digits():
            return False
        self._buttons[number].click()
        return True

    def show_prompt(self, prompt: Prompt | None) -> None:
        """Show `prompt` with its buttons, or hide the bar for None.

        The buttons are kept while the choices stay the same.
        """
        if prompt is None:
            self._end()
            return
        if self._prompt is None or prompt.choices != self._prompt.choices:
            self._lay(prompt.choices)
        self._prompt = prompt
        name_widget(self, prompt.shown)
        before = self.size() if self.isVisible() else None
        self._show(prompt.shown, prompt.tone)
        if prompt.text != self._said:
            self._said = said = prompt.text
            self.announcer.send(Utterance(self.spoken_text, is_current=lambda: self._said == said))
        if self.size() != before:
            self.resized.emit()

    def _end(self) -> None:
        if self.isHidden():
            return
        self.hide()
        self._prompt, self._said = None, ""
        self._lay(())
        self.resized.emit()

    def _lay(self, choices: tuple[PromptChoice, ...]) -> None:
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
