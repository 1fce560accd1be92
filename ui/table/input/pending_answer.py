"""A seat's offers as its player may use them here, and the cards put together for one. No Qt."""

from __future__ import annotations

from tabletop.engine.model import Move, Preview, Reason
from tabletop.engine.refusals import NOT_ASKED
from tabletop.match import offer_matching as offered
from tabletop.match.gathering import Gathering
from tabletop.match.offer_matching import Offers
from tabletop.match.seat import Seat

LEGAL_CAP = 300


class PendingAnswer:
    """The seat that is answered for, and the cards put together."""

    def __init__(self) -> None:
        self.link: Seat | None = None
        self.gathering = Gathering(lambda: self.offers)
        self.held = False
        """Whether nothing can be done for the time being, in spite of offers."""

    @property
    def offers(self) -> Offers:
        """The offers that may be answered now."""
        return {} if self.held or self.link is None else self.link.offers

    @property
    def pending(self) -> Move | None:
        """The answer that is on its way."""
        return self.link.pending if self.link is not None else None

    def preview(self, move: Move) -> Preview | None:
        """Return the visible outcome of a move, or of one that is only started."""
        return self.link.preview(move) if self.link is not None else None

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
        if self.held:
            return NOT_ASKED
        return self.link.why(card, to) if self.link is not None else None
