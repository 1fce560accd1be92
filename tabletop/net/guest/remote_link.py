"""A seat's link to a match that is played at another computer."""

import logging
from collections.abc import Callable
from typing import TypeVar

from tabletop.engine.model import Ask, Move, Preview, Reason, State
from tabletop.engine.state_check import sound
from tabletop.match.match import Player, Reset, Update
from tabletop.match.viewed_table import ViewedTable
from tabletop.net.fairness import ReplayableGame
from tabletop.net.protocol import FromGuest, Play, TakeBack

log = logging.getLogger("tabletop.net")
T = TypeVar("T")


class RemoteLink(ViewedTable):
    """A link to a match at another computer (`tabletop.match.link.Link`).

    `why` and `preview` are worked out here, from the own view: they explain and decide nothing.
    """

    def __init__(
        self,
        say: Callable[[FromGuest], None],
        seat: int,
        players: tuple[Player, ...],
        box: ReplayableGame,
        shown: Reset,
    ) -> None:
        """Raises ValueError: what is shown is no table of this box that this seat can see."""
        self.seat = seat
        self.players = players
        self._box = box
        super().__init__(shown)
        self.sent: Move | None = None
        """The answer that the host has not spoken about yet: it waits on its place, dimmed."""
        self.at = 0
        """After how many entries of the record the table is as it is seen."""
        self._cut = False
        """Whether the line broke since the table was last shown."""
        self._say = say

    def send(self, move: Move) -> None:
        """Answer.

        Raises:
            Illegal: the line is broken. The host's own refusals are reported by the guest.
        """
        self._say(Play(self.seat, move))
        self.sent = move

    def undo(self) -> None:
        """Take this seat's last move back, or ask the others whether it may.

        Raises:
            Illegal: the line is broken.
        """
        self._say(TakeBack(self.seat))

    def why(self, ask: int, card: int, to: str = "") -> Reason | None:
        question = self._ask(ask)
        if question is None:
            return None
        return self._explained(lambda: self._box.game.why(self.view, question, card, to))

    def preview(self, move: Move) -> Preview | None:
        question = self._ask(move.ask)
        offers = self.offers.get(move.ask, ())
        if question is None or not any(o.admits(move) or o.begins(move) for o in offers):
            return None
        return self._explained(lambda: self._box.game.preview(self.view, question, move))

    def hear(self, message: Update | Reset, at: int) -> None:
        """Receive the table as it is after so many entries of the record.

        An answer that was under way when the line broke is sent again where nothing has happened at
        the table since: then it never came there.

        Raises:
            KeyError, IndexError, ValueError: the update is of another table than the one seen.
        """
        sent = self.sent if self._cut and at == self.at else None
        self.at, self._cut = at, False
        self.take(message)
        if sent is not None:
            self.send(sent)

    def cut(self) -> None:
        """Note that the connection broke: what was sent waits until the table is shown again."""
        self._cut = True

    def take(self, message: Update | Reset) -> None:
        answered = self.sent is not None and self.sent.ask not in message.offers
        if answered or isinstance(message, Reset):  # after which the table is as it is shown
            self.sent = None
        super().take(message)

    def _admitted(self, view: State) -> State:
        """Check a table before it is shown: no host is trusted.

        Raises:
            ValueError: it is no table of this box, or is seen by another seat.
        """
        shape = (view.viewer, view.backs, view.seats)
        if shape != (self.seat, self._box.backs, len(self.players)) or not sound(view):
            raise ValueError("no table of this box")
        return view

    def refused(self) -> None:
        """Forget the answer that the host refused; the guest's listeners get the reason."""
        self.sent = None

    @staticmethod
    def _explained(explain: Callable[[], T]) -> T | None:
        """Return the explanation of the rules; None where the host shows a table that they can't
        bring about, as they may then raise anything."""
        try:
            return explain()
        except Exception as error:
            log.info("The rules do not understand the table that is shown: %r", error)
            return None

    def _ask(self, number: int) -> Ask | None:
        mine = (a for a in self.view.asks if a.seat == self.seat and a.id not in self.view.answers)
        return next((a for a in mine if a.id == number), None)
