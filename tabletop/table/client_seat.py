"""A seat of a match whose authority is a table: in this process, or at a host."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tabletop.engine.model import Ask, Move, Preview, Reason
from tabletop.games.game_kit import GameKit
from tabletop.match.match import Player, Reset, Update
from tabletop.match.seat import Seat
from tabletop.protocol.messages import Concede, FromGuest, Play, UndoMove

T = TypeVar("T")


class ClientSeat(Seat):
    """A seat whose answers are requests to its table."""

    def __init__(
        self,
        say: Callable[[FromGuest], None],
        seat: int,
        players: tuple[Player, ...],
        box: GameKit,
        shown: Reset,
    ) -> None:
        """`say` sends a request and raises Illegal if the connection is down.

        Raises:
            ValueError: `shown` is no table of `box` as this seat sees it.
        """
        self.box = box
        self.at = 0
        """The length of the match's record at the shown table."""
        super().__init__(seat, players, shown, RequestAuthority(say, self))

    def hear(self, message: Update | Reset, at: int) -> Callable[[], None]:
        """Take in news of the table, whose record has `at` entries since; return the function that
        notifies the listeners.

        Raises:
            KeyError, IndexError, ValueError: the update is of another table than the shown one.
        """
        self.at = at
        self.fold_in(message)
        return partial(self.notify, message)

    def explain(self, ask: Callable[[], T]) -> T | None:
        """Return what the rules say about the shown table."""
        return ask()


class RequestAuthority:
    """The authority of a client's seat (`seat.Authority`). It explains moves from the seat's own
    view; the table alone decides."""

    def __init__(self, say: Callable[[FromGuest], None], seat: ClientSeat) -> None:
        self._say = say
        self._seat = seat

    def submit(self, seat: int, move: Move) -> None:
        self._say(Play(seat, move))

    def undo(self, seat: int) -> None:
        """Undo the seat's last move, or ask the others to agree."""
        self._say(UndoMove(seat))

    def concede(self, seat: int) -> None:
        self._say(Concede(seat))

    def why(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        question, view = self._find_ask(ask), self._seat.view
        if question is None:
            return None
        return self._seat.explain(lambda: self._seat.box.rules.why(view, question, card, to))

    def preview(self, seat: int, move: Move) -> Preview | None:
        question, view = self._find_ask(move.ask), self._seat.view
        offers = self._seat.asked.get(move.ask, ())
        if question is None or not any(o.admits(move) or o.begins(move) for o in offers):
            return None
        return self._seat.explain(lambda: self._seat.box.rules.preview(view, question, move))

    def _find_ask(self, number: int) -> Ask | None:
        view = self._seat.view
        mine = (a for a in view.asks if a.seat == view.viewer and a.id not in view.answers)
        return next((a for a in mine if a.id == number), None)
