"""Several cards put together for one answer, while a question asks for them. No rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tabletop.engine.model import Move, Preview, State, Value
from tabletop.match import offer_matching as offered
from tabletop.match.offer_matching import Arrangement, AskedOffer, Offers


class Gathering:
    """The arrangement that a seat is about to answer with; it stays until the answer is opened."""

    def __init__(self, offers: Callable[[], Offers]) -> None:
        """`offers` returns what the seat may answer now."""
        self._offers = offers
        self.arrangement: Arrangement | None = None

    @property
    def active(self) -> bool:
        """Whether cards are being put together; no longer once they have been sent."""
        arrangement = self.arrangement
        return arrangement is not None and arrangement.chance.ask in self._offers()

    @property
    def ready(self) -> bool:
        """Whether the cards put together so far are an answer."""
        return self.active and any(arrangement.ready for arrangement in self._alike)

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs that the cards put together so far can be sent with."""
        ready = [each for each in self._alike if each.ready] if self.active else []
        return tuple(dict.fromkeys(each.chance.offer.verb for each in ready))

    @property
    def _alike(self) -> list[Arrangement]:
        """The arrangement, and the same cards for every other question and verb that takes them."""
        current = self.arrangement
        if current is None:
            return []
        if current.placed:
            return [current]
        others = (self._with(chance, current.chosen) for chance in self._chances)
        return [current, *(each for each in others if each and each.chance != current.chance)]

    @property
    def _chances(self) -> list[AskedOffer]:
        return offered.gathered(self._offers())

    @staticmethod
    def _with(chance: AskedOffer, chosen: Sequence[int]) -> Arrangement | None:
        """These cards chosen for another offer, where it takes them all."""
        offer = chance.offer
        if offer.spots or len(chosen) > offer.most or not set(chosen) <= set(offer.cards):
            return None
        arrangement = Arrangement(chance)
        arrangement.chosen = list(chosen)
        return arrangement

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
        """The arrangement that this card would join, where it is one of several for an answer:
        the present one, one that takes the cards chosen so far as well, else a new one."""
        current = self.arrangement
        if current is None or not self.active:
            return None
        if card in current.cards or (current.placed and card in current.chance.offer.cards):
            return current
        chances = [chance for chance in self._chances if card in chance.offer.cards]
        chances.sort(key=lambda chance: chance != current.chance)
        for chance in chances:
            if chance != current.chance and self._with(chance, [*current.chosen, card]):
                return self._with(chance, current.chosen)
            if chance == current.chance and len(current.chosen) < chance.offer.most:
                return current
        if not chances or current.chance in chances:
            return current if chances else None
        return Arrangement(chances[0])

    def turn_to(self, card: int) -> Arrangement:
        """Switch to the arrangement that this card joins.

        Raises:
            LookupError: it is not put together with others.
        """
        arrangement = self.wants(card)
        if arrangement is None:
            raise LookupError(card)
        self.arrangement = arrangement
        return arrangement

    @property
    def turning(self) -> frozenset[int]:
        """The cards that may still be turned before they are sent."""
        arrangement = self.arrangement
        if arrangement is None or not self.active:
            return frozenset()
        return frozenset(filter(arrangement.turns, arrangement.cards))

    def targets(self, card: int, home: str) -> list[str]:
        """The places where this card may be put: another spot, or back to its place in the view."""
        arrangement = self.wants(card)
        if arrangement is None:
            return []
        spot = arrangement.spot_of(card)
        return [zone for zone in arrangement.zones() if zone != spot] + ([home] if spot else [])

    def moves(self, target: str = "", verb: str = "") -> list[Move]:
        """The answers this makes (of one verb); several where a choice is left."""
        answers = [move for each in self._alike for move in each.moves(target)]
        return [move for move in answers if verb in ("", move.verb)]

    def answers(self) -> list[Move]:
        """All answers that this makes, to any place."""
        return [move for target in dict.fromkeys(["", *self.lit()]) for move in self.moves(target)]

    def lit(self) -> list[str]:
        """The places where the cards may be put together."""
        ready = [each for each in self._alike if each.ready]
        return list(dict.fromkeys(zone for each in ready for zone in each.chance.offer.targets))

    def take_up(self, view: State | None) -> bool:
        """Keep an arrangement exactly while a question asks for several cards; return whether it
        has changed."""
        chances = self._chances
        old = self.arrangement
        if not chances:
            if not (old is not None and view is not None and old.chance.ask in view.answers):
                self.arrangement = None
        elif old is None or old.chance not in chances:
            self.arrangement = Arrangement(chances[0])
        return self.arrangement is not old

    def foreseen(
        self, before: Mapping[str, Value], preview: Callable[[Move], Preview | None]
    ) -> Mapping[str, Value]:
        """The values that what is put together so far would bring; those foreseen `before` are kept
        once it has been sent."""
        arrangement = self.arrangement
        if arrangement is None:
            return {}
        if not self.active:
            return before
        moves = arrangement.moves()
        if not moves and arrangement.placed:
            moves = [arrangement.unfinished]
        foreseen = preview(moves[0]) if len(moves) == 1 else None
        return foreseen.values if foreseen else {}
