"""Searches for hints and shows them on the table and in the sidebar."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from tabletop.bots.hint import Hint, HintService, NoHint
from tabletop.bots.memory import Memory
from tabletop.engine.model import Ask, Move
from tabletop.language.hint_text import describe_advice, describe_second_best
from tabletop.match.seat import Seat
from tabletop.match.tutorial import ResolvedSubject
from tabletop.match.viewer_switch import ViewerSwitch
from ui.match.lesson.page import ShownHint
from ui.match.seated_table import SeatedTable
from ui.match.table_frame import TableFrame
from ui.match.tutor import Tutor
from ui.shell.window_thread import call_in_gui_thread
from ui.widgets.prompt_line import PromptLine


class HintController(QObject):
    """Searches for hints for the viewer, and shows the advised move and the reason for it."""

    failed = Signal()
    """The search ended without a hint."""

    def __init__(
        self,
        frame: TableFrame,
        seated: SeatedTable,
        switch: ViewerSwitch,
        prompt: PromptLine,
        tutor: Tutor,
    ) -> None:
        super().__init__(frame)
        self._frame, self._seated, self._switch = frame, seated, switch
        self._prompt, self._tutor = prompt, tutor
        self._hints = HintService(
            lambda: frame.context.bot_pool, partial(call_in_gui_thread, owner=self)
        )
        for seat in seated.people:
            self.watch_seat(seated.seat(seat))

    @property
    def is_searching(self) -> bool:
        """Whether a search is running."""
        return self._hints.is_thinking

    def watch_seat(self, seat: Seat) -> None:
        """Track the questions of `seat`, if it belongs to a local player.

        This includes players who took their seat after the start of the match.
        """
        if seat.number in self._seated.people:
            match = self._seated.match  # None at a table of another computer
            recall = partial(Memory.of_match, match, seat.number) if match else Memory
            self._hints.track(seat, recall)

    def start_search(self, seat: Seat, ask: Ask) -> None:
        """Search for a hint on `ask`, an open question of `seat`, and show a notice meanwhile."""
        words = self._frame.words
        describe = partial(words.move, viewer=seat.number, view=seat.view)
        self._hints.think(self._frame.kit.id, seat, ask, describe, partial(self._take, ask))
        self._tutor.show_hint(ShownHint(self._frame.context.words("Thinking…")))

    def clear_hint(self) -> None:
        """Stop the search and remove the hint."""
        self.stop_search()
        self._prompt.highlight_answer(None)
        self._tutor.clear_hint()

    def stop_search(self) -> None:
        """Stop the search for a hint."""
        self._hints.stop()

    def close(self) -> None:
        """Stop the search and stop tracking the seats."""
        self._hints.close()

    def _take(self, ask: Ask, hint: Hint | NoHint) -> None:
        if isinstance(hint, Hint):
            self.show_hint(ask, hint)
            return
        self._tutor.clear_hint()
        if hint == "failed":
            self.failed.emit()

    def show_hint(self, ask: Ask, hint: Hint) -> None:
        """Show `hint`, unless the viewer's question `ask` has been closed."""
        frame, seat = self._frame, self._switch.shown_seat
        if seat is None or ask not in seat.view.asks or ask.id not in seat.offers:
            return
        frame.scene.choice.show_advice(hint.move)
        self._prompt.highlight_answer(hint.move)
        text = frame.words.sentences(describe_advice(hint, seat, frame.words))
        second = describe_second_best(hint, seat, frame.words)
        self._tutor.show_hint(ShownHint(text, second, _subject_of(hint.move)))


def _subject_of(move: Move) -> ResolvedSubject:
    """Return the cards and the target zone of `move` as the subject to highlight."""
    return ResolvedSubject(zones=(move.target,) if move.target else (), cards=move.cards)
