"""Matching offers to one card, one place, one set of cards. No Qt, no rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from tabletop.engine.model import NO_CARD, Move, Offer, State

Offers = Mapping[int, tuple[Offer, ...]]
"""The offers of each open question, by the ask's number."""


class AskedOffer(NamedTuple):
    """An offer and the question it answers."""

    ask: int
    offer: Offer


def all_of(offers: Offers) -> Iterator[AskedOffer]:
    """Every offer with its question."""
    for ask, admitted in offers.items():
        for offer in admitted:
            yield AskedOffer(ask, offer)


def gathers(offer: Offer) -> bool:
    """Whether cards are put together for it, in spots or not, and sent by a button."""
    return bool(offer.spots) or offer.most > 1


def single(offers: Offers, card: int) -> list[AskedOffer]:
    """The offers this card alone fulfils."""
    return [
        chance
        for chance in all_of(offers)
        if card in chance.offer.cards and chance.offer.least <= 1 and not gathers(chance.offer)
    ]


def gathered(offers: Offers) -> list[AskedOffer]:
    """The offers for which cards are put together."""
    return [chance for chance in all_of(offers) if gathers(chance.offer)]


def playable(offers: Offers) -> set[int]:
    """The cards some offer takes."""
    return {card for chance in all_of(offers) if chance.offer.most for card in chance.offer.cards}


def targets(chances: Sequence[AskedOffer]) -> list[str]:
    """Return the targets of these offers; "" where one needs none."""
    names: dict[str, None] = {}
    for chance in chances:
        names.update(dict.fromkeys(chance.offer.targets or ("",)))
    return list(names)


def bare(offers: Offers) -> list[AskedOffer]:
    """The offers that want no card."""
    return [chance for chance in all_of(offers) if not chance.offer.least]


def moves_to(chances: Sequence[AskedOffer], cards: tuple[int, ...], target: str) -> list[Move]:
    """The moves that bring these cards to this target: several where a choice is left."""
    moves: dict[Move, None] = {}
    for ask, offer in chances:
        if target not in (offer.targets or ("",)):
            continue
        for choice in offer.choices or ("",):
            move = Move(ask, offer.verb, cards, target, choice)
            if offer.admits(move):
                moves[move] = None
    return list(moves)


def listed(offers: Offers, cap: int) -> list[Move]:
    """The admitted moves, about as many as `cap`, but at least one of every offer."""
    chances = list(all_of(offers))
    moves: list[Move] = []
    for number, (ask, offer) in enumerate(chances, start=1):
        room = cap - len(moves) - (len(chances) - number)
        moves += islice(offer.moves(ask), max(1, room))
    return moves


def next_steps(moves: Sequence[Move], prefix: str) -> list[Move]:
    """Among moves whose choices are sequences, `prefix` itself and those one step longer."""
    begins = f"{prefix}," if prefix else ""
    return [
        move
        for move in moves
        if (prefix and move.choice == prefix)
        or (move.choice.startswith(begins) and "," not in move.choice[len(begins) :])
    ]


class Arrangement:
    """Cards being put together for one answer: into spots, or just chosen. Nothing is sent yet."""

    def __init__(self, chance: AskedOffer) -> None:
        self.chance = chance
        self.placed: list[int | None] = [None] * len(chance.offer.spots)
        """With spots: the card at each."""
        self.chosen: list[int] = []
        """Without spots: the cards in the order they were chosen."""
        self._ways = ways_of(chance.offer)
        self.turned: dict[int, int] = {}
        """The number of times each card was turned."""

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards put so far, in the order of a move."""
        if self.placed:
            return tuple(card for card in self.placed if card is not None)
        return tuple(sorted(self.chosen, key=self.chance.offer.cards.index))

    @property
    def ready(self) -> bool:
        """Whether the cards make an answer."""
        if self._ways and self.choice not in self.chance.offer.choices:
            return False
        filled = [card is not None for card in self.placed]
        gap = False in filled and any(filled[filled.index(False) :])
        offer = self.chance.offer
        return not gap and offer.least <= len(self.cards) <= offer.most and bool(self.cards)

    def moves(self, target: str = "") -> list[Move]:
        """The answers this makes; several where a choice is left."""
        moves = moves_to([self.chance], self.cards, target) if self.ready else []
        return [move for move in moves if not self._ways or move.choice == self.choice]

    @property
    def unfinished(self) -> Move:
        """The move so far, with NO_CARD at empty spots."""
        ask, offer = self.chance
        cards = tuple(NO_CARD if card is None else card for card in self.placed)
        return Move(ask, offer.verb, cards, "", self.choice)

    @property
    def choice(self) -> str:
        """The choice that the cards' turns make, one sign for each spot."""
        turned = [self.turned.get(card, 0) if card is not None else 0 for card in self.placed]
        return "".join(ways[n % len(ways)] for n, ways in zip(turned, self._ways, strict=False))

    def turns(self, card: int) -> bool:
        """Whether this card is at a spot where it may be turned."""
        if not self._ways or card not in self.placed:
            return False
        return len(self._ways[self.placed.index(card)]) > 1

    def turn(self, card: int) -> None:
        """Lay a card the next way round."""
        self.turned[card] = self.turned.get(card, 0) + 1

    @property
    def angles(self) -> dict[int, float]:
        """The turned cards, with their angles in degrees."""
        degrees = {}
        for card, ways in zip(self.placed, self._ways, strict=False):
            if card is not None:
                degrees[card] = self.turned.get(card, 0) % len(ways) * 360 / len(ways)
        return degrees

    def zones(self) -> list[str]:
        """The zones of the spots, each once."""
        return list(dict.fromkeys(self.chance.offer.spots))

    def spot_of(self, card: int) -> str | None:
        """The zone this card has been put into."""
        spots = zip(self.placed, self.chance.offer.spots, strict=False)
        return next((zone for placed, zone in spots if placed == card), None)

    def put(self, card: int, zone: str) -> None:
        """Put a card into a zone: into its first free spot, else in place of its last card."""
        here = [i for i, name in enumerate(self.chance.offer.spots) if name == zone]
        if here and self.spot_of(card) != zone:
            free = [i for i in here if self.placed[i] is None]
            self.lay(card, free[0] if free else here[-1])

    def lay(self, card: int, spot: int) -> None:
        """Lay a card into the spot of this number; a card there goes back to its own place."""
        if card in self.placed:
            self.placed[self.placed.index(card)] = self.placed[spot]
        self.placed[spot] = card
        self._close_up()

    def take(self, card: int) -> None:
        """Take a card back."""
        if card in self.placed:
            self.placed[self.placed.index(card)] = None
            self._close_up()
        if card in self.chosen:
            self.chosen.remove(card)

    def toggle(self, card: int) -> None:
        """Put the card into the first free spot, or choose it; take it back if it is there."""
        if card in self.placed or card in self.chosen:
            self.take(card)
        elif None in self.placed:
            self.placed[self.placed.index(None)] = card
        elif not self.placed and len(self.chosen) < self.chance.offer.most:
            self.chosen.append(card)

    def applied(self, view: State) -> State:
        """The view with the cards in their spots."""
        cards = dict(view.cards)
        for card, zone in zip(self.placed, self.chance.offer.spots, strict=False):
            if card is not None:
                cards = carried(cards, card, zone)
        return replace(view, cards=cards)

    def _close_up(self) -> None:
        """Within a zone the free spots are the last ones."""
        spots = self.chance.offer.spots
        for zone in set(spots):
            here = [i for i, name in enumerate(spots) if name == zone]
            cards = [self.placed[i] for i in here if self.placed[i] is not None]
            for place, i in enumerate(here):
                self.placed[i] = cards[place] if place < len(cards) else None


def ways_of(offer: Offer) -> tuple[str, ...]:
    """The signs a choice may have for each spot; none where choices say something else."""
    spots = len(offer.spots)
    if not spots or not offer.choices or any(len(choice) != spots for choice in offer.choices):
        return ()
    return tuple("".join(dict.fromkeys(signs)) for signs in zip(*offer.choices, strict=True))


def carried(
    cards: Mapping[str, tuple[int, ...]], card: int, target: str
) -> dict[str, tuple[int, ...]]:
    """The cards of all zones once this one is the last of the target."""
    moved = {zone: tuple(c for c in held if c != card) for zone, held in cards.items()}
    if target in moved:
        moved[target] = (*moved[target], card)
    return moved
