"""What a seat holds of a match that is played at another computer."""

from collections.abc import Callable

from tabletop.engine.events import Said, apply
from tabletop.engine.model import Ask, Move, Offer, Preview, Reason, State
from tabletop.match import Player, Reset, Update
from tabletop.net.fairness import Box
from tabletop.net.protocol import FromGuest, Play, TakeBack


class Far:
    """A link to a match at another computer (`tabletop.link.Link`).

    It keeps its view up by folding what it is told. `why` and `preview` are worked out here, from
    the own view: they explain and decide nothing.
    """

    def __init__(
        self,
        say: Callable[[FromGuest], None],
        seat: int,
        players: tuple[Player, ...],
        box: Box,
    ) -> None:
        self.seat = seat
        self.players = players
        self.view = State(len(players), box.backs)
        self.offers: dict[int, tuple[Offer, ...]] = {}
        self.log: list[Said] = []
        self.undoable = False
        self.sent: Move | None = None
        """The answer that the host has not spoken about yet: it waits on its place, dimmed."""
        self._say = say
        self._box = box
        self._listeners: list[Callable[[Update | Reset], None]] = []
        self._refused: list[Callable[[Reason], None]] = []

    def send(self, move: Move) -> None:
        """Answer.

        Raises:
            Illegal: the line is broken. The host's own refusals come through `on_refused`.
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

    def on_update(self, listener: Callable[[Update | Reset], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def on_refused(self, listener: Callable[[Reason], None]) -> Callable[[], None]:
        """Hear why the host refused what this seat sent; gives the way to stop."""
        self._refused.append(listener)
        return lambda: self._refused.remove(listener)

    def close(self) -> None:
        self._listeners.clear()
        self._refused.clear()

    def hear(self, message: Update | Reset) -> None:
        """Take in what the host told this seat."""
        match message:
            case Reset(view=view, log=log):
                self.view = view
                self.log = list(log)
                self.sent = None  # whatever it was, the table is as it is shown
            case Update(events=events):
                for event in events:
                    self.view = apply(self.view, event)
                    if isinstance(event, Said):
                        self.log.append(event)
        self.offers = message.offers
        self.undoable = message.undoable
        if self.sent is not None and self.sent.ask not in self.offers:
            self.sent = None
        for listener in tuple(self._listeners):
            listener(message)

    def refuse(self, reason: Reason) -> None:
        """The host did not take what this seat sent."""
        self.sent = None
        for listener in tuple(self._refused):
            listener(reason)

    def _ask(self, number: int) -> Ask | None:
        mine = (a for a in self.view.asks if a.seat == self.seat and a.id not in self.view.answers)
        return next((a for a in mine if a.id == number), None)
