"""The 36 cards, the sisters: their properties, and the published totals that a deck must match.

Only totals were ever published, not a list of the cards. A deck that doesn't match them doesn't
belong to this game and is refused with all differences (rulebook 9).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct


class Kind(StrEnum):
    """The twelve kinds of elements on the cards (2.2, 2.3, 2.4)."""

    FOOD = "food"
    PLANT = "plant"
    ANIMAL = "animal"
    POLE = "pole"
    SWORD = "sword"
    CUP = "cup"
    COIN = "coin"
    PAGE = "page"
    KING = "king"
    KNIGHT = "knight"
    QUEEN = "queen"
    ACE = "ace"


ROUND = frozenset({Kind.FOOD, Kind.PLANT, Kind.ANIMAL})
POINTED = frozenset({Kind.POLE, Kind.SWORD, Kind.CUP, Kind.COIN})
CROWN = frozenset(Kind) - ROUND - POINTED
KIND_BIT = {kind: 1 << place for place, kind in enumerate(Kind)}

EXAMPLE_HOUSE = (27, 11, 19, 31, 30, 22, 28, 36)
"""The ranks of the cards in the rulebook's example house (7.1)."""


class Sister(Struct, frozen=True):
    """A card as written in `cards.toml`: its rank, and the number of its elements of each kind."""

    rank: int
    elements: Annotated[dict[Kind, Annotated[int, Meta(ge=1)]], Meta(min_length=1)]

    @property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(self.elements)

    @property
    def pointed_alone(self) -> bool:
        return self.kinds <= POINTED

    @property
    def crowned(self) -> bool:
        return bool(self.kinds & CROWN)

    @property
    def pointed_pair(self) -> bool:
        """Whether the card has exactly two kinds of elements, at least one of them pointed."""
        return len(self.kinds) == 2 and bool(self.kinds & POINTED)


class PublishedTotal(NamedTuple):
    """A published total, and the corresponding number in a deck."""

    name: str
    published: object
    actual: object


class BrokenDeck(ValueError):
    """Raised for a deck that doesn't match the published totals; `broken` lists the differences."""

    def __init__(self, broken: tuple[PublishedTotal, ...]) -> None:
        self.broken = broken
        lines = [f"{name}: {actual} instead of {published}" for name, published, actual in broken]
        super().__init__("This isn't a deck of Planetary Sisters. " + "; ".join(lines) + ".")


class Deck:
    """A deck that matches all published totals,
    with the production and the harvesters of its cards.

    Raises:
        BrokenDeck: the deck doesn't match a published total.
        msgspec.ValidationError: a card lacks its rank or elements, or has an unknown kind.
    """

    def __init__(self, cards: Sequence[Mapping[str, Any]]) -> None:
        self.sisters = msgspec.convert(cards, tuple[Sister, ...])
        self.rank = tuple(sister.rank for sister in self.sisters)
        self._production = tuple(_production(sister) for sister in self.sisters)
        self._harvests = tuple(_harvest_flags(sister) for sister in self.sisters)
        self.kinds = tuple(sum(KIND_BIT[kind] for kind in sister.kinds) for sister in self.sisters)
        # Every card has a kind, so each produces for the collectors.
        self._making = [
            _nonzero_indexes(makes[at] for makes in self._production) for at in range(5)
        ]
        self._making.append(frozenset(range(len(self.sisters))))
        self._reaping = [_nonzero_indexes(reaps[at] for reaps in self._harvests) for at in range(6)]
        self._merely_making = [
            making - reaping for making, reaping in zip(self._making, self._reaping, strict=True)
        ]
        broken = tuple(total for total in self._totals() if total.published != total.actual)
        if broken:
            raise BrokenDeck(broken)

    def production(self, cards: Iterable[int]) -> tuple[int, ...]:
        """Return the production of these cards in each of the six categories (7.2 to 7.5)."""
        food = plant = animal = two = one = kinds = 0
        for card in cards:
            makes = self._production[card]
            food += makes[0]
            plant += makes[1]
            animal += makes[2]
            two += makes[3]
            one += makes[4]
            kinds |= self.kinds[card]
        return food, plant, animal, two, one, kinds.bit_count()

    def harvesters(self, cards: Iterable[int]) -> tuple[int, ...]:
        """Return how many of these cards are harvesters in each
        of the six categories (7.2 to 7.5).
        """
        food = plant = animal = two = one = crown = 0
        for card in cards:
            reaps = self._harvests[card]
            food += reaps[0]
            plant += reaps[1]
            animal += reaps[2]
            two += reaps[3]
            one += reaps[4]
            crown += reaps[5]
        return food, plant, animal, two, one, crown

    def parted(
        self, houses: Sequence[int], harvesting: Sequence[int], category: int
    ) -> tuple[list[int], list[int]]:
        """Return the cards in `harvesting` that harvest in this category, and the other cards in
        `houses` that produce in it.
        """
        reaping = self._reaping[category]
        making = (self._merely_making if houses is harvesting else self._making)[category]
        return (
            [card for card in harvesting if card in reaping],
            [card for card in houses if card in making],
        )

    # 9 The deck in numbers

    def _totals(self) -> Iterator[PublishedTotal]:
        sisters = self.sisters

        def cards(kinds: frozenset[Kind]) -> int:
            return sum(bool(sister.kinds & kinds) for sister in sisters)

        def elements(kind: Kind) -> int:
            return sum(sister.elements.get(kind, 0) for sister in sisters)

        yield PublishedTotal("cards", 36, len(sisters))
        yield PublishedTotal("ranks from 1 to 36, each once", list(range(1, 37)), sorted(self.rank))
        yield PublishedTotal("cards with a round element", 27, cards(ROUND))
        yield PublishedTotal("cards with a pointed element", 12, cards(POINTED))
        yield PublishedTotal("cards with a crown element", 5, cards(CROWN))
        for kind, count, holders in (
            (Kind.FOOD, 38, 18),
            (Kind.PLANT, 17, 12),
            (Kind.ANIMAL, 8, 7),
        ):
            yield PublishedTotal(f"{kind} elements", count, elements(kind))
            yield PublishedTotal(f"cards with {kind}", holders, cards(frozenset({kind})))
        mixed = sum(bool(s.kinds & POINTED) and len(s.kinds) > 1 for s in sisters)
        yield PublishedTotal("cards with a pointed and another element", 8, mixed)
        yield PublishedTotal("cards of two kinds", 16, sum(len(s.kinds) == 2 for s in sisters))
        yield PublishedTotal(
            "cards with a pointed element alone", 4, sum(s.pointed_alone for s in sisters)
        )
        yield PublishedTotal("cards of one kind", 19, sum(len(s.kinds) == 1 for s in sisters))
        yield PublishedTotal("kinds", 12, len(frozenset[Kind]().union(*(s.kinds for s in sisters))))
        several = [s.rank for s in sisters if len(s.kinds) > 1 and not s.kinds & ROUND]
        yield PublishedTotal("cards of several kinds without a round element", [], several)
        yield PublishedTotal(
            "cards against the pointed rule", [], _ranks_against(_obeys_pointed_rule, sisters)
        )
        yield PublishedTotal(
            "cards against the crown rule", [], _ranks_against(_obeys_crown_rule, sisters)
        )
        house = [card for card, rank in enumerate(self.rank) if rank in EXAMPLE_HOUSE]
        yield PublishedTotal(
            "production of the example house", (6, 6, 1, 3, 4, 7), self.production(house)
        )
        yield PublishedTotal(
            "harvesters of the example house", (4, 3, 1, 2, 1, 2), self.harvesters(house)
        )
        yield PublishedTotal("a field as in the example", True, self._has_example_field())

    def _has_example_field(self) -> bool:
        """Return whether the deck allows a field like the one in the rulebook's example (7.6).

        It takes a card with only pointed elements, and three more with five food in all, one of
        them with a plant and one with an animal. None of them may be in the example house.
        """
        outside = [sister for sister in self.sisters if sister.rank not in EXAMPLE_HOUSE]

        def food(*others: Kind) -> list[int]:
            kinds = {Kind.FOOD, *others}
            return [sister.elements[Kind.FOOD] for sister in outside if sister.kinds == kinds]

        trios = product(food(), food(Kind.PLANT), food(Kind.ANIMAL))
        return any(sister.pointed_alone for sister in outside) and 5 in map(sum, trios)


def _nonzero_indexes(counts: Iterable[int]) -> frozenset[int]:
    """Return the indexes of the `counts` other than 0."""
    return frozenset(card for card, count in enumerate(counts) if count)


def _production(sister: Sister) -> tuple[int, ...]:
    """Return a card's production in each category except the last, in which every card produces."""
    elements = sister.elements
    return (
        elements.get(Kind.FOOD, 0),
        elements.get(Kind.PLANT, 0),
        elements.get(Kind.ANIMAL, 0),
        int(len(elements) == 2),
        int(len(elements) == 1),
    )


def _harvest_flags(sister: Sister) -> tuple[int, ...]:
    """Return for each of the six categories 1 if the card harvests in it, else 0."""
    return (
        int(Kind.FOOD in sister.kinds),
        int(Kind.PLANT in sister.kinds),
        int(Kind.ANIMAL in sister.kinds),
        int(sister.pointed_pair),
        int(sister.pointed_alone),
        int(sister.crowned),
    )


def _obeys_pointed_rule(sister: Sister) -> bool:
    """Return whether a pointed element occurs once, and alone or with one round kind (2.3)."""
    return not sister.kinds & POINTED or (
        all(sister.elements[kind] == 1 for kind in sister.kinds & POINTED)
        and (len(sister.kinds) == 1 or (sister.pointed_pair and bool(sister.kinds & ROUND)))
    )


def _obeys_crown_rule(sister: Sister) -> bool:
    """Return whether a crown element occurs once and alone (2.4)."""
    return not sister.crowned or list(sister.elements.values()) == [1]


def _ranks_against(rule: Callable[[Sister], bool], sisters: Iterable[Sister]) -> list[int]:
    return [sister.rank for sister in sisters if not rule(sister)]
