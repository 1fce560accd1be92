"""A seat's question, and its answer until that is confirmed. No Qt, no rules."""

from __future__ import annotations

from tabletop.engine.model import Move, Preview, Reason
from tabletop.engine.refusals import NOT_ASKED, NOT_OFFERED
from tabletop.match import offer_matching as offered
from tabletop.match.gathering import Gathering
from tabletop.match.link import Link
from tabletop.match.offer_matching import Offers

LEGAL_CAP = 300


class PendingAnswer:
    """One seat's side of its link: the offers, the cards put together, the answer that was sent."""

    def __init__(self) -> None:
        self.link: Link | None = None
        self.offers: Offers = {}
        self.gathering = Gathering(lambda: self.offers)
        self.sent: Move | None = None
        """The answer that was sent and is not confirmed yet."""
        self.held = False
        """Whether nothing can be done for the time being, in spite of offers."""

    def take(self, link: Link | None) -> None:
        """Answer by this link from now on, or with None by none."""
        self.link, self.sent = link, None
        self._renew()

    def hold(self, held: bool) -> None:
        """Nothing can be done until the table goes on, or it goes on."""
        self.held = held
        self._renew()

    def hear(self, offers: Offers) -> None:
        """Take in new offers: the move that was sent has been heard."""
        self.sent = None
        self.offers = {} if self.held else offers

    def send(self, move: Move) -> None:
        """Answer with this move; until it is heard nothing more can be done.

        Raises:
            Illegal: it was refused at once.
        """
        assert self.link is not None
        self.sent = move
        self.link.send(move)
        if self.sent is not None:
            self.offers = {}

    def refuse(self) -> None:
        """Open the question again: the answer was not taken."""
        self.sent = None
        self._renew()

    def _renew(self) -> None:
        waits = self.held or self.sent is not None
        self.offers = {} if waits or self.link is None else self.link.offers

    def legal(self) -> list[Move]:
        """Return the legal moves, at most LEGAL_CAP of them."""
        return offered.listed(self.offers, LEGAL_CAP)

    def legal_of(self, card: int) -> list[Move]:
        """Return the legal moves with this card alone."""
        chances = offered.single(self.offers, card)
        return [
            move
            for target in offered.targets(chances)
            for move in offered.moves_to(chances, (card,), target)
        ]

    def why(self, card: int, to: str = "") -> Reason | None:
        """Return why this card cannot go there (or anywhere); None if nothing is against it."""
        if self.link is None:
            return None
        if not self.offers:
            return NOT_ASKED
        reasons = (self.link.why(ask, card, to) for ask in self.offers)
        return next((reason for reason in reasons if reason is not None), NOT_OFFERED)

    def preview(self, move: Move) -> Preview | None:
        """Return the visible outcome of a move, or of one that is only started."""
        return self.link.preview(move) if self.link is not None else None
