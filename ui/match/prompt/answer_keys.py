"""The keys at a table with a question: which digit answers it, and where Tab goes from it."""

from itertools import pairwise

from PySide6.QtWidgets import QWidget

from ui.match.dock import Dock
from ui.match.lesson.page import LessonPage
from ui.table.view import TableView
from ui.widgets.prompt_line import PromptLine


class AnswerKeys:
    """Leads the keys from the table to the prompt line, and on to dock and lesson."""

    def __init__(self, view: TableView, prompt: PromptLine, dock: Dock, lesson: LessonPage) -> None:
        self._view, self._prompt, self._dock, self._lesson = view, prompt, dock, lesson
        view.table.keys.asked = lambda: prompt.first_answer is not None
        view.table.keys.answer = prompt.press_answer
        view.first_answer = self._first_answer
        prompt.focus_lost.connect(view.setFocus)
        dock.moves.sentences.numbered.connect(self._answer_or_list)

    def order(self) -> None:
        """Have Tab go round as the prompt is now: a question that buttons answer comes first."""
        view, prompt, now = self._view, self._prompt, self._dock.now
        asked = prompt.first_answer is not None
        first = (*prompt.buttons, view) if asked else (view, *prompt.buttons)
        chain = (*first, self._dock.tabs, now.play_back, now.story, *self._lesson.buttons)
        for before, after in pairwise(each for each in chain if each.window() is view.window()):
            QWidget.setTabOrder(before, after)

    def _first_answer(self) -> QWidget | None:
        """The button that Tab reaches before the table: where no card in hand answers."""
        return None if self._view.table.keys.hand_plays else self._prompt.first_answer

    def _answer_or_list(self, number: int) -> None:
        """A digit in the list of actions."""
        if not self._prompt.press_answer(number):
            self._dock.moves.go_to(number)
