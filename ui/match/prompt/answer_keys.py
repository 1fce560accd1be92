"""Keyboard navigation between the table, the prompt and the sidebar."""

from itertools import pairwise

from PySide6.QtWidgets import QWidget

from ui.match.dock import Dock
from ui.match.lesson.page import LessonPage
from ui.table.view import TableView
from ui.widgets.notice_bar import NoticeBar
from ui.widgets.prompt_line import PromptLine


class AnswerKeys:
    """Makes digit keys answer the prompt, and sets the tab order of the table screen."""

    def __init__(self, view: TableView, prompt: PromptLine, dock: Dock, lesson: LessonPage) -> None:
        self._view, self._prompt, self._dock, self._lesson = view, prompt, dock, lesson
        self._notice_bar: NoticeBar | None = None
        view.table.keyboard.is_question_open = lambda: prompt.first_answer is not None
        view.table.keyboard.give_answer = self._answer
        view.table.keyboard.give_only_answer = prompt.press_only_answer
        view.first_answer_button = self._first_answer
        prompt.focus_lost.connect(view.setFocus)
        dock.moves.action_list.digit_pressed.connect(self._answer_or_list)

    def add_notice_bar(self, bar: NoticeBar) -> None:
        """Make digit keys press the buttons of `bar` while the game doesn't ask the viewer."""
        self._notice_bar, choice = bar, self._view.table.choice
        bar.takes_digits = lambda: self._prompt.first_answer is None and not choice.offers

    def _answer(self, number: int) -> bool:
        """Press the answer `number` (from 0) of the prompt, or else of the notice.

        Return whether either of them takes digits now.
        """
        bar = self._notice_bar
        return self._prompt.press_answer(number) or (bar is not None and bar.press_choice(number))

    def set_tab_order(self) -> None:
        """Set the tab order for the current prompt. Buttons that answer a question come first."""
        view, prompt, now = self._view, self._prompt, self._dock.now
        asked = prompt.first_answer is not None
        notice = self._notice_bar.buttons if self._notice_bar is not None else ()
        buttons = (*prompt.buttons, *notice)
        first = (*buttons, view) if asked else (view, *buttons)
        chain = (*first, self._dock.tabs, now.replay_button, now.story, *self._lesson.buttons)
        for before, after in pairwise(each for each in chain if each.window() is view.window()):
            QWidget.setTabOrder(before, after)

    def _first_answer(self) -> QWidget | None:
        """Return the prompt button that Tab reaches before the table, or None.

        If a card in hand is a possible answer, Tab reaches the table first.
        """
        if self._view.table.keyboard.can_play_from_hand:
            return None
        notice = self._notice_bar.buttons if self._notice_bar is not None else ()
        return self._prompt.first_answer or next(iter(notice), None)

    def _answer_or_list(self, number: int) -> None:
        """Press the prompt's answer `number` (from 0), or select that action if there is none."""
        if not self._answer(number):
            self._dock.moves.go_to_row(number)
