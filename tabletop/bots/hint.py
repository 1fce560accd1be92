"""Hints: the move that the hard level would make at a person's seat, and the second best.

Windows and phones use the same service, so they advise the same. It knows no more than the seat.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from tabletop.background import faults
from tabletop.background.futures import add_guarded_callback
from tabletop.bots.decision import Decision, Question
from tabletop.bots.memory import Memory
from tabletop.engine.model import Ask, Move, Remark
from tabletop.match.match import Reset, Update
from tabletop.match.seat import Seat

if TYPE_CHECKING:
    from tabletop.bots.bot_pool import BotPool

SEARCH_SECONDS = 1.5
"""The time of the search for the best move."""
COMPARISON_SECONDS = 0.5
"""The time for comparing the best move with the second best. A search tries moves so unequally
often that its own estimates of them can't be subtracted."""

Take = Callable[[Future[Decision]], None]


class Hint(Struct, frozen=True):
    """An advised move, and how the second best compares with it."""

    move: Move
    reason: Remark | None = None
    second: Move | None = None
    """The second best move; None if no other move was considered."""
    lead: float = 0.0
    """By how much `move` improves the chance of winning over `second`, 0 to 1; 0 if the difference
    isn't certain."""


NoHint = Literal["failed", "dropped"]
"""The pool has failed · the hint was stopped, or its question is no longer open."""
OnHint = Callable[[Hint | NoHint], None]


class HintService:
    """Finds hints for the seats of one owner, one question at a time.

    All methods belong to the owner's thread, and `on_hint` is called there.
    """

    def __init__(
        self,
        pool: Callable[[], BotPool],
        in_own_thread: Callable[[Take], Callable[[Future[Decision]], object]],
    ) -> None:
        """
        Args:
            pool: Returns the pool that thinks; called for each question.
            in_own_thread: Wraps a method, so that any thread may call the result, and the method
                runs in the owner's thread.
        """
        self._get_pool = pool
        self._in_own_thread = in_own_thread
        self._seats: dict[int, _AttendedSeat] = {}
        self._thought: _Thought | None = None
        self._future: Future[Decision] | None = None

    @property
    def thinking(self) -> bool:
        """Whether a question has no hint yet."""
        return self._thought is not None

    def attend(self, seat: Seat) -> None:
        """Remember from now on the tables at which `seat` decides, as a bot in its place would. A
        seat of the same number that was attended before is forgotten."""
        attended = self._seats.get(seat.number)
        if attended is not None and attended.seat is seat:
            return
        if attended is not None:
            attended.stop()
        stop = seat.on_update(lambda news: self._note(seat, news))
        self._seats[seat.number] = _AttendedSeat(seat, stop)
        self._remember(seat)

    def think(
        self, game: str, seat: Seat, ask: Ask, describe: Callable[[Move], str], on_hint: OnHint
    ) -> None:
        """Think about `ask`, which is open to `seat`; the question before is dropped.

        Args:
            game: The game's id.
            describe: Returns a move as the person reads it. Moves that read alike count as one.
            on_hint: Called once, with the hint or with the reason that there is none.

        Raises:
            ValueError: `ask` isn't open to `seat`.
        """
        self.stop()
        self.attend(seat)
        view, offers = seat.view, seat.offers
        past = self._seats[seat.number].memory.recall(view, seat.log)
        future = self._get_pool().think(game, "hard", view, offers, ask, SEARCH_SECONDS, past=past)
        question = Question(game, "hard", view, ask, offers[ask.id], COMPARISON_SECONDS, past=past)
        self._thought = _Thought(seat, question, describe, on_hint)
        self._await(future)

    def stop(self) -> None:
        """Drop the question that is thought about, if any."""
        future, self._future = self._future, None
        if future is not None:
            future.cancel()
        self._finish("dropped")

    def close(self) -> None:
        """Stop, and forget all seats."""
        self.stop()
        for attended in self._seats.values():
            attended.stop()
        self._seats.clear()

    def _note(self, seat: Seat, _news: Update | Reset) -> None:
        self._remember(seat)
        if self._thought is not None and self._thought.seat is seat and not self._thought.open:
            self.stop()

    def _remember(self, seat: Seat) -> None:
        if seat.offers:
            self._seats[seat.number].memory.recall(seat.view, seat.log)

    def _await(self, future: Future[Decision]) -> None:
        self._future = future
        add_guarded_callback(future, self._in_own_thread(self._take), "a hint")

    def _take(self, future: Future[Decision]) -> None:
        thought = self._thought
        if future is not self._future or thought is None:
            return
        self._future = None
        if future.cancelled() or not thought.open:
            self._finish("dropped")
        elif future.exception() is None:
            go_on = partial(self._go_on, thought, future.result())
            faults.run_guarded(go_on, "a hint", lambda _: self._finish("failed"))
        elif thought.searched is not None:  # the pool has reported the error, also below
            self._finish(_hint_of(thought.searched))
        else:
            self._finish("failed")

    def _go_on(self, thought: _Thought, decision: Decision) -> None:
        """Compare the move that the search has found, or tell the result of the comparison."""
        if thought.searched is not None:
            self._finish(_weigh(thought.searched, decision))
            return
        second = _second_best(decision, thought.describe)
        if second is None:
            self._finish(_hint_of(decision))
            return
        thought.searched = decision
        question = replace(thought.question, compared=(decision.move, second))
        self._await(self._get_pool().ponder(question))

    def _finish(self, result: Hint | NoHint) -> None:
        thought, self._thought = self._thought, None
        if thought is not None:
            thought.on_hint(result)


class _AttendedSeat:
    def __init__(self, seat: Seat, stop: Callable[[], None]) -> None:
        self.seat = seat
        self.stop = stop
        self.memory = Memory()


class _Thought:
    """A question that is thought about."""

    def __init__(
        self, seat: Seat, question: Question, describe: Callable[[Move], str], on_hint: OnHint
    ) -> None:
        self.seat = seat
        self.question = question
        self.describe = describe
        self.on_hint = on_hint
        self.searched: Decision | None = None
        """The decision that is being compared with the second best move."""

    @property
    def open(self) -> bool:
        """Whether the seat may still answer the question, and by the same moves."""
        seat, question = self.seat, self.question
        same = seat.offers.get(question.ask.id) == question.offers
        return same and question.ask in seat.view.asks


def _second_best(decision: Decision, describe: Callable[[Move], str]) -> Move | None:
    best = describe(decision.move)
    moves = (estimate.move for estimate in decision.estimates)
    return next((move for move in moves if describe(move) != best), None)


def _weigh(searched: Decision, compared: Decision) -> Hint:
    """Return the hint after a comparison by equal tries: the other move if that is certainly
    better, else the one that the search has found."""
    if compared.trouble:
        return _hint_of(searched)
    first, second = compared.estimates
    lead, error = first.worth - second.worth, max(first.error, second.error)
    if first.move != searched.move and lead > first.error:
        best, other = compared, second
    elif first.move != searched.move:
        best, other, lead = searched, first, 0.0
    else:
        best, other = searched, second
    return Hint(best.move, best.reason, other.move, lead if lead > error else 0.0)


def _hint_of(decision: Decision) -> Hint:
    return Hint(decision.move, decision.reason)
