"""Hints: the move that the hard level would make at a human's seat, and the second-best move.

The desktop window and browser pages use the same service, so both give the same advice. The service
uses only what the seat knows.
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

SEARCH_TIME_S = 1.5
"""The time limit, in seconds, of the search for the best move."""
COMPARISON_TIME_S = 0.5
"""The time limit, in seconds, for comparing the best move with the second-best move.

The comparison is needed because a search visits moves so unequally that its own estimates can't be
subtracted.
"""

OnDecision = Callable[[Future[Decision]], None]


class Hint(Struct, frozen=True):
    """An advised move and its lead over the second-best move."""

    move: Move
    reason: Remark | None = None
    second: Move | None = None
    """The second-best move; None if no other move was considered."""
    lead: float = 0.0
    """The lead of `move` over `second` as a share of the victory, 0 to 1; 0 if uncertain."""


NoHint = Literal["failed", "dropped"]
"""Why there is no hint.

"failed": the bot pool failed. "dropped": the request was stopped, or its question was closed.
"""
OnHint = Callable[[Hint | NoHint], None]


class HintService:
    """Computes hints for the seats of one owner, one question at a time.

    All methods must be called in the owner's thread. `on_hint` is called in that thread too.
    """

    def __init__(
        self,
        pool: Callable[[], BotPool],
        in_own_thread: Callable[[OnDecision], Callable[[Future[Decision]], object]],
    ) -> None:
        """Create a service that thinks in a bot pool.

        Args:
            pool: Returns the bot pool; called for each question.
            in_own_thread: Wraps a method so that the result can be called in any thread, and the
                method runs in the owner's thread.
        """
        self._get_pool = pool
        self._wrap_for_owner_thread = in_own_thread
        self._seats: dict[int, _TrackedSeat] = {}
        self._request: _HintRequest | None = None
        self._future: Future[Decision] | None = None

    @property
    def is_thinking(self) -> bool:
        """Whether a hint is being computed."""
        return self._request is not None

    def track(self, seat: Seat, make_memory: Callable[[], Memory] = Memory) -> None:
        """Store the views of `seat` at its decisions from now on, for use as its memory in hints.

        A previously tracked seat with the same number is dropped. `make_memory` returns the memory
        of the seat's earlier decisions. It is called unless the seat is tracked already.
        """
        attended = self._seats.get(seat.number)
        if attended is not None and attended.seat is seat:
            return
        if attended is not None:
            attended.stop()
        stop = seat.on_update(lambda news: self._on_update(seat, news))
        self._seats[seat.number] = _TrackedSeat(seat, stop, make_memory())
        self._remember(seat)

    def think(
        self, game: str, seat: Seat, ask: Ask, describe: Callable[[Move], str], on_hint: OnHint
    ) -> None:
        """Compute a hint for `ask`, which is open to `seat`. Drop any running request.

        Args:
            game: The game's ID.
            describe: Returns the text of a move. Moves with equal texts count as one.
            on_hint: Called once, with the hint or with the reason for the lack of one.

        Raises:
            ValueError: `ask` isn't open to `seat`.
        """
        self.stop()
        self.track(seat)
        view, offers = seat.view, seat.offers
        past = self._seats[seat.number].memory.recall(view, seat.log)
        future = self._get_pool().think(game, "hard", view, offers, ask, SEARCH_TIME_S, past=past)
        question = Question(game, "hard", view, ask, offers[ask.id], COMPARISON_TIME_S, past=past)
        self._request = _HintRequest(seat, question, describe, on_hint)
        self._await(future)

    def stop(self) -> None:
        """Drop the running request, if any."""
        future, self._future = self._future, None
        if future is not None:
            future.cancel()
        self._finish("dropped")

    def close(self) -> None:
        """Drop the running request and stop tracking all seats."""
        self.stop()
        for attended in self._seats.values():
            attended.stop()
        self._seats.clear()

    def _on_update(self, seat: Seat, _news: Update | Reset) -> None:
        self._remember(seat)
        if self._request is not None and self._request.seat is seat and not self._request.is_open:
            self.stop()

    def _remember(self, seat: Seat) -> None:
        if seat.offers:
            self._seats[seat.number].memory.recall(seat.view, seat.log)

    def _await(self, future: Future[Decision]) -> None:
        self._future = future
        add_guarded_callback(future, self._wrap_for_owner_thread(self._on_decision), "a hint")

    def _on_decision(self, future: Future[Decision]) -> None:
        request = self._request
        if future is not self._future or request is None:
            return
        self._future = None
        if future.cancelled() or not request.is_open:
            self._finish("dropped")
        elif future.exception() is None:
            go_on = partial(self._process_decision, request, future.result())
            faults.run_guarded(go_on, "a hint", lambda _: self._finish("failed"))
        elif request.searched is not None:  # the pool has reported the error
            self._finish(_hint_of(request.searched))
        else:
            self._finish("failed")

    def _process_decision(self, request: _HintRequest, decision: Decision) -> None:
        """Start the comparison after a search, or report the hint after a comparison."""
        if request.searched is not None:
            self._finish(_hint_from_comparison(request.searched, decision))
            return
        second = _second_best(decision, request.describe)
        if second is None:
            self._finish(_hint_of(decision))
            return
        request.searched = decision
        question = replace(request.question, compared=(decision.move, second))
        self._await(self._get_pool().submit(question))

    def _finish(self, result: Hint | NoHint) -> None:
        request, self._request = self._request, None
        if request is not None:
            request.on_hint(result)


class _TrackedSeat:
    def __init__(self, seat: Seat, stop: Callable[[], None], memory: Memory) -> None:
        self.seat = seat
        self.stop = stop
        self.memory = memory


class _HintRequest:
    """A running request for a hint."""

    def __init__(
        self, seat: Seat, question: Question, describe: Callable[[Move], str], on_hint: OnHint
    ) -> None:
        self.seat = seat
        self.question = question
        self.describe = describe
        self.on_hint = on_hint
        self.searched: Decision | None = None
        """The result of the search, while its two best moves are compared."""

    @property
    def is_open(self) -> bool:
        """Whether the seat can still answer the question, with the same offers."""
        seat, question = self.seat, self.question
        same = seat.offers.get(question.ask.id) == question.offers
        return same and question.ask in seat.view.asks


def _second_best(decision: Decision, describe: Callable[[Move], str]) -> Move | None:
    best = describe(decision.move)
    moves = (estimate.move for estimate in decision.estimates)
    return next((move for move in moves if describe(move) != best), None)


def _hint_from_comparison(searched: Decision, compared: Decision) -> Hint:
    """Return the hint after a comparison with equally many tries.

    It advises the other move if that is certainly better, else the move that the search found.
    """
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
