"""A seat of a match that is played at another computer."""

import logging
from collections.abc import Callable
from typing import TypeVar

from tabletop.engine.model import Ask, Move, Preview, Reason, State
from tabletop.engine.state_check import sound
from tabletop.match.match import Player, Reset, Update
from tabletop.match.seat import Seat
from tabletop.protocol.fairness import ReplayableGame
from tabletop.protocol.messages import Concede, FromGuest, Play, TakeBack

log = logging.getLogger("tabletop.net")
T = TypeVar("T")


class RemoteSeat(Seat):
    """A seat whose answers go to a host; no host is trusted with what it shows."""

    def __init__(
        self,
        say: Callable[[FromGuest], None],
        seat: int,
        players: tuple[Player, ...],
        box: ReplayableGame,
        shown: Reset,
    ) -> None:
        """Raises ValueError: what is shown is no table of this box that this seat can see."""
        self._box = box
        self.at = 0
        """The number of entries of the record that the shown table comes after."""
        self._cut = False
        """Whether the line broke since the table was last shown."""
        super().__init__(seat, players, shown, RemoteAuthority(say, box, self))

    def hear(self, message: Update | Reset, at: int) -> None:
        """Receive the table as it is after this many entries of the record.

        An answer that was pending when the line broke is sent again where nothing has happened at
        the table since: then it never came there.

        Raises:
            KeyError, IndexError, ValueError: the update is of another table than the one seen.
        """
        lost = self.pending if self._cut and at == self.at else None
        self.at, self._cut = at, False
        self.take(message)
        if lost is not None and self.pending is None:
            self.send(lost)

    def cut(self) -> None:
        """Note that the connection broke: what was sent waits until the table is shown again."""
        self._cut = True

    def _check_view(self, view: State) -> State:
        """Check a table before it is shown.

        Raises:
            ValueError: it is no table of this box, or is seen by another seat.
        """
        shape = (view.viewer, view.backs, view.seats)
        if shape != (self.number, self._box.backs, len(self.players)) or not sound(view):
            raise ValueError("no table of this box")
        return view


class RemoteAuthority:
    """The authority of a remote seat (`seat.Authority`); what it explains is worked out here, from
    the seat's own view, and decides nothing."""

    def __init__(
        self, say: Callable[[FromGuest], None], box: ReplayableGame, seat: RemoteSeat
    ) -> None:
        """`say` raises Illegal where the line is broken."""
        self._say = say
        self._box = box
        self._seat = seat

    def submit(self, seat: int, move: Move) -> None:
        self._say(Play(seat, move))

    def undo(self, seat: int) -> None:
        """Take this seat's last move back, or ask the others whether it may."""
        self._say(TakeBack(seat))

    def concede(self, seat: int) -> None:
        self._say(Concede(seat))

    def why(self, seat: int, ask: int, card: int, to: str = "") -> Reason | None:
        question, view = self._find_ask(ask), self._seat.view
        if question is None:
            return None
        return self._explain(lambda: self._box.game.why(view, question, card, to))

    def preview(self, seat: int, move: Move) -> Preview | None:
        question, view = self._find_ask(move.ask), self._seat.view
        offers = self._seat.asked.get(move.ask, ())
        if question is None or not any(o.admits(move) or o.begins(move) for o in offers):
            return None
        return self._explain(lambda: self._box.game.preview(view, question, move))

    @staticmethod
    def _explain(explain: Callable[[], T]) -> T | None:
        """Return the explanation of the rules; None where the host shows a table that they can't
        bring about, as they may then raise anything."""
        try:
            return explain()
        except Exception as error:
            log.info("The rules do not understand the table that is shown: %r", error)
            return None

    def _find_ask(self, number: int) -> Ask | None:
        view = self._seat.view
        mine = (a for a in view.asks if a.seat == view.viewer and a.id not in view.answers)
        return next((a for a in mine if a.id == number), None)
