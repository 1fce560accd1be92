"""Keyboard navigation between the table, the prompt and the sidebar."""

from itertools import pairwise

from PySide6.QtWidgets import QWidget

from ui.match.dock import Dock
from ui.match.lesson.page import LessonPage
from ui.table.view import TableView
from ui.widgets.prompt_line import PromptLine


class AnswerKeys:
    """Makes digit keys answer the prompt, and sets the tab order of the table screen."""

    def __init__(self, view: TableView, prompt: PromptLine, dock: Dock, lesson: LessonPage) -> None:
        self._view, self._prompt, self._dock, self._lesson = view, prompt, dock, lesson
        view.table.keyboard.is_question_open = lambda: prompt.first_answer is not None
        view.table.keyboard.give_answer = prompt.press_answer
        view.first_answer_button = self._first_answer
        prompt.focus_lost.connect(view.setFocus)
        dock.moves.action_list.digit_pressed.connect(self._answer_or_list)

    def set_tab_order(self) -> None:
        """Set the tab order for the current prompt. Buttons that answer a question come first."""
        view, prompt, now = self._view, self._prompt, self._dock.now
        asked = prompt.first_answer is not None
        first = (*prompt.buttons, view) if asked else (view, *prompt.buttons)
        chain = (*first, self._dock.tabs, now.replay_button, now.story, *self._lesson.buttons)
        for before, after in pairwise(each for each in chain if each.window() is view.window()):
            QWidget.setTabOrder(before, after)

    def _first_answer(self) -> QWidget | None:
        """Return the prompt button that Tab reaches before the table, or None.

        If a card in hand is a possible answer, Tab reaches the table first.
        """
        return None if self._view.table.keyboard.can_play_from_hand else self._prompt.first_answer

    def _answer_or_list(self, number: int) -> None:
        """Press the prompt's answer `number` (from 0), or select that action if there is none."""
        if not self._prompt.press_answer(number):
            self._dock.moves.go_to_row(number)
