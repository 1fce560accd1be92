"""A hint: what the hard level would do in the viewer's place, knowing no more than the viewer."""

from collections import defaultdict
from concurrent.futures import Future

from PySide6.QtCore import QObject, Signal

from tabletop.background.futures import when_ended
from tabletop.bots.decision import Decision
from tabletop.bots.memory import Memory
from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import Ask, Move
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.match.tutorial import Spoken
from ui.match.lesson.hint import Hint
from ui.shell.app_context import AppContext
from ui.shell.window_thread import in_window_thread

SECONDS = 1.5
"""Seconds of thinking for a hint."""


class Adviser(QObject):
    """Thinks for the player who looks, one question at a time."""

    found = Signal(object, object)
    """The question, and the thought about it."""
    failed = Signal()
    """There will be none."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._ask: Ask | None = None
        self._future: Future[Decision] | None = None
        self._memories: defaultdict[int, Memory] = defaultdict(Memory)

    @property
    def busy(self) -> bool:
        """Whether a thought is under way."""
        return self._future is not None

    def notice(self, seat: Seat) -> None:
        """This seat looks at its table: what it decides on is remembered, as a bot would."""
        if seat.offers:
            self._memories[seat.number].recall(seat.view, seat.log)

    def think(self, kit: Kit, seat: Seat, ask: Ask) -> None:
        """Think about an open question of this seat."""
        self.forget()
        self._ask = ask
        past = self._memories[seat.number].recall(seat.view, seat.log)
        self._future = self._context.bot_pool.think(
            kit.id, "hard", seat.view, seat.offers, ask, SECONDS, past=past
        )
        when_ended(self._future, in_window_thread(self._take), "a hint")

    def forget(self) -> None:
        """The question is not open any more, or another looks."""
        future, self._future = self._future, None
        if future is not None:
            future.cancel()

    def _take(self, future: Future[Decision]) -> None:
        if future is self._future and not future.cancelled():
            self._future = None
            if future.exception() is None:
                self.found.emit(self._ask, future.result())
            else:  # which the pool has reported
                self.failed.emit()


def hint_of(decision: Decision, seat: Seat, context: AppContext, words: Words) -> Hint:
    """The advised move, its reason, and the second best with the difference."""
    move = words.move(decision.move, seat.number, seat.view)
    reason = words.note(decision.reason, seat.number) if decision.reason else ""
    text = words.sentences((move, reason))
    return Hint(
        text,
        _describe_second_best(decision, move, seat, context, words),
        _subject_of(decision.move),
    )


def _describe_second_best(
    decision: Decision, best: str, seat: Seat, context: AppContext, words: Words
) -> str:
    """The second best move that reads otherwise than the best, and how much less it is worth."""
    first = next((e.worth for e in decision.estimates if e.move == decision.move), None)
    if first is None:
        return ""
    for estimate in decision.estimates:
        move = words.move(estimate.move, seat.number, seat.view)
        if estimate.move == decision.move or move == best:
            continue
        less = round(100 * (first - estimate.worth))
        if less < 1:
            return context.words("Second best: {move}. About as good.", move=move)
        return context.words(
            "Second best: {move}. Chance of winning: {n}% less.", move=move, n=less
        )
    return ""


def _subject_of(move: Move) -> Spoken:
    """What a move is about: its cards, and the place they go to."""
    return Spoken(zones=(move.target,) if move.target else (), cards=move.cards)
