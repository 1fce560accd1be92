"""Several cards put together for one answer, while a question asks for them. No Qt, no rules."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop import offered
from tabletop.engine.model import Move, State, Value
from tabletop.offered import Arrangement
from ui.table.input.pending_answer import PendingAnswer


class Gathering:
    """The arrangement that a seat is about to answer with; it stays until the answer is opened."""

    def __init__(self, answer: PendingAnswer) -> None:
        self._answer = answer
        self.arrangement: Arrangement | None = None

    @property
    def active(self) -> bool:
        """Whether cards are being put together; no longer once they have been sent."""
        arrangement = self.arrangement
        return arrangement is not None and arrangement.chance.ask in self._answer.offers

    @property
    def ready(self) -> bool:
        """Whether the cards put together so far are an answer."""
        return self.arrangement is not None and self.active and self.arrangement.ready

    @property
    def chosen(self) -> list[int]:
        """The cards that are chosen, in that order."""
        return self.arrangement.chosen if self.arrangement else []

    @property
    def placed(self) -> list[int | None]:
        """The card at each spot."""
        return self.arrangement.placed if self.arrangement else []

    @property
    def zones(self) -> list[str]:
        """The zones of the spots."""
        return self.arrangement.zones() if self.arrangement else []

    def wants(self, card: int) -> Arrangement | None:
        """The arrangement, where this card is one of those that are being put together."""
        arrangement = self.arrangement
        if arrangement is None or not self.active:
            return None
        return arrangement if card in arrangement.chance.offer.cards else None

    def turns(self, card: int) -> bool:
        """Whether this card lies where it may be turned before it is sent."""
        arrangement = self.wants(card)
        return arrangement is not None and arrangement.turns(card)

    def targets(self, card: int, home: str) -> list[str]:
        """Where this card may be put: another spot, or back to where it lies in the view."""
        arrangement = self.wants(card)
        if arrangement is None:
            return []
        spot = arrangement.spot_of(card)
        return [zone for zone in arrangement.zones() if zone != spot] + ([home] if spot else [])

    def moves(self, target: str = "") -> list[Move]:
        """The answers this makes; several where a choice is left."""
        return self.arrangement.moves(target) if self.arrangement else []

    def take_up(self, view: State | None) -> bool:
        """Have an arrangement while, and only while, a question asks for several cards; gives
        whether it is another one than before."""
        chance = offered.several(self._answer.offers)
        old = self.arrangement
        if chance is None:
            if not (old is not None and view is not None and old.chance.ask in view.answers):
                self.arrangement = None
        elif old is None or old.chance != chance:
            self.arrangement = Arrangement(chance)
        return self.arrangement is not old

    def foreseen(self, before: Mapping[str, Value]) -> Mapping[str, Value]:
        """The values that what is put together so far would bring; those foreseen `before` are kept
        once it has been sent."""
        arrangement = self.arrangement
        if arrangement is None:
            return {}
        if not self.active:
            return before
        moves = arrangement.moves()
        if not moves and arrangement.placed:
            moves = [arrangement.begun]
        preview = self._answer.preview(moves[0]) if len(moves) == 1 else None
        return preview.values if preview else {}
