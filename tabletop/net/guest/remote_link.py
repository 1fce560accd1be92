"""What a seat holds of a match that is played at another computer."""

from collections.abc import Callable

from tabletop.engine.model import Ask, Move, Preview, Reason
from tabletop.match import Player, Reset, Update
from tabletop.net.fairness import ReplayableGame
from tabletop.net.protocol import FromGuest, Play, TakeBack
from tabletop.viewed_table import ViewedTable


class RemoteLink(ViewedTable):
    """A link to a match at another computer (`tabletop.link.Link`).

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
        super().__init__(shown)
        self.seat = seat
        self.players = players
        self.sent: Move | None = None
        """The answer that the host has not spoken about yet: it waits on its place, dimmed."""
        self._say = say
        self._box = box

    def send(self, move: Move) -> None:
        """Answer.

        Raises:
            Illegal: the line is broken. The host's own refusals are told by the guest.
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
        found = self._ask(ask)
        return self._box.game.why(self.view, found, card, to) if found else None

    def preview(self, move: Move) -> Preview | None:
        found = self._ask(move.ask)
        offers = self.offers.get(move.ask, ())
        if found is None or not any(o.admits(move) or o.begins(move) for o in offers):
            return None
        return self._box.game.preview(self.view, found, move)

    def take(self, message: Update | Reset) -> None:
        answered = self.sent is not None and self.sent.ask not in message.offers
        if answered or isinstance(message, Reset):  # after which the table is as it is shown
            self.sent = None
        super().take(message)

    def refused(self) -> None:
        """The host did not take what this seat sent; the guest tells its listeners why."""
        self.sent = None

    def _ask(self, number: int) -> Ask | None:
        mine = (a for a in self.view.asks if a.seat == self.seat and a.id not in self.view.answers)
        return next((a for a in mine if a.id == number), None)
