"""A client's seat. Its table decides about its moves, in this process or on another host."""

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
    """A seat whose moves are sent to its table as requests."""

    def __init__(
        self,
        say: Callable[[FromGuest], None],
        seat: int,
        players: tuple[Player, ...],
        box: GameKit,
        shown: Reset,
    ) -> None:
        """`say`: sends a request; raises Illegal if the client isn't connected.

        `shown`: the first view of the match.

        Raises:
            ValueError: `shown` isn't a valid view of `box` for this seat.
        """
        self.box = box
        self.at = 0
        """The number of entries in the match's record as of the displayed table."""
        super().__init__(seat, players, shown, RequestAuthority(say, self))

    def apply_news(self, message: Update | Reset, at: int) -> Callable[[], None]:
        """Apply news of the match. Return a function that notifies listeners.

        `at`: the number of entries that the match's record has after the news.

        Raises:
            KeyError, IndexError, ValueError: the update doesn't fit the displayed table.
        """
        self.at = at
        self.apply(message)
        return partial(self.notify, message)

    def explain(self, ask: Callable[[], T]) -> T | None:
        """Return the result of `ask`, which queries the rules about the displayed table."""
        return ask()


class RequestAuthority:
    """The authority of a client's seat (`seat.Authority`).

    It explains moves from the seat's own view, but the table decides about them.
    """

    def __init__(self, say: Callable[[FromGuest], None], seat: ClientSeat) -> None:
        self._say = say
        self._seat = seat

    def submit(self, seat: int, move: Move) -> None:
        self._say(Play(seat, move))

    def undo(self, seat: int) -> None:
        """Request an undo of the seat's last move. The other players may have to agree."""
        self._say(UndoMove(seat))

    def concede(self, seat: int) -> None:
        self._say(Concede(seat))

    def explain_refusal(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        question, view = self._find_ask(ask), self._seat.view
        if question is None:
            return None
        return self._seat.explain(lambda: self._seat.box.rules.why(view, question, card, to))

    def preview(self, seat: int, move: Move) -> Preview | None:
        question, view = self._find_ask(move.ask), self._seat.view
        offers = self._seat.open_offers.get(move.ask, ())
        if question is None or not any(o.admits(move) or o.begins(move) for o in offers):
            return None
        return self._seat.explain(lambda: self._seat.box.rules.preview(view, question, move))

    def _find_ask(self, number: int) -> Ask | None:
        view = self._seat.view
        mine = (a for a in view.asks if a.seat == view.viewer and a.id not in view.answers)
        return next((a for a in mine if a.id == number), None)
