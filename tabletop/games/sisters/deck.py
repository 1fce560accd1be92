"""The 36 sisters: the figures of each card, and the published totals that a deck has to match.

The list of cards was never published; its totals were. A deck file that breaks one of them is not
this game, and is refused with the names of all that it breaks (rulebook 9).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct


class Kind(StrEnum):
    """The twelve kinds of elements (2.2, 2.3, 2.4)."""

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
BIT = {kind: 1 << place for place, kind in enumerate(Kind)}

EXAMPLE_HOUSE = (27, 11, 19, 31, 30, 22, 28, 36)
"""The ranks of the house in the rulebook's example (7.1)."""


class Sister(Struct, frozen=True):
    """A card as the deck file writes it: its rank, and how many elements of which kinds."""

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
        """Two kinds, one of them pointed."""
        return len(self.kinds) == 2 and bool(self.kinds & POINTED)


class Total(NamedTuple):
    """A published fact about the deck, with a deck's own figure."""

    name: str
    published: object
    actual: object


class BrokenDeck(ValueError):
    """A deck that breaks published totals; `broken` has all of them."""

    def __init__(self, broken: tuple[Total, ...]) -> None:
        self.broken = broken
        lines = [f"{name}: {actual} instead of {published}" for name, published, actual in broken]
        super().__init__("This isn't a deck of Planetary Sisters. " + "; ".join(lines) + ".")


class Deck:
    """A deck that obeys every published total, ready to be counted.

    Raises:
        BrokenDeck: it breaks a published total.
        msgspec.ValidationError: a card has no rank, no element, or one of an unknown kind.
    """

    def __init__(self, cards: Sequence[Mapping[str, Any]]) -> None:
        self.sisters = msgspec.convert(cards, tuple[Sister, ...])
        self.rank = tuple(sister.rank for sister in self.sisters)
        self._production = tuple(_production(sister) for sister in self.sisters)
        self._harvests = tuple(_harvests(sister) for sister in self.sisters)
        self.kinds = tuple(sum(BIT[kind] for kind in sister.kinds) for sister in self.sisters)
        # Every card has a kind, so each produces for the collectors.
        self._making = [_counting_cards(makes[at] for makes in self._production) for at in range(5)]
        self._making.append(frozenset(range(len(self.sisters))))
        self._reaping = [_counting_cards(reaps[at] for reaps in self._harvests) for at in range(6)]
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
        """Return the number of these cards that harvest in each of the six categories (7.2 to
        7.5)."""
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
        """Return the harvesters among `harvesting` in this category, and the producers among the
        rest of the houses."""
        reaping = self._reaping[category]
        making = (self._merely_making if houses is harvesting else self._making)[category]
        return (
            [card for card in harvesting if card in reaping],
            [card for card in houses if card in making],
        )

    # 9 The deck in numbers

    def _totals(self) -> Iterator[Total]:
        sisters = self.sisters

        def cards(kinds: frozenset[Kind]) -> int:
            return sum(bool(sister.kinds & kinds) for sister in sisters)

        def elements(kind: Kind) -> int:
            return sum(sister.elements.get(kind, 0) for sister in sisters)

        yield Total("cards", 36, len(sisters))
        yield Total("ranks from 1 to 36, each once", list(range(1, 37)), sorted(self.rank))
        yield Total("cards with a round element", 27, cards(ROUND))
        yield Total("cards with a pointed element", 12, cards(POINTED))
        yield Total("cards with a crown element", 5, cards(CROWN))
        for kind, count, holders in (
            (Kind.FOOD, 38, 18),
            (Kind.PLANT, 17, 12),
            (Kind.ANIMAL, 8, 7),
        ):
            yield Total(f"{kind} elements", count, elements(kind))
            yield Total(f"cards with {kind}", holders, cards(frozenset({kind})))
        mixed = sum(bool(s.kinds & POINTED) and len(s.kinds) > 1 for s in sisters)
        yield Total("cards with a pointed and another element", 8, mixed)
        yield Total("cards of two kinds", 16, sum(len(s.kinds) == 2 for s in sisters))
        yield Total("cards with a pointed element alone", 4, sum(s.pointed_alone for s in sisters))
        yield Total("cards of one kind", 19, sum(len(s.kinds) == 1 for s in sisters))
        yield Total("kinds", 12, len(frozenset[Kind]().union(*(s.kinds for s in sisters))))
        several = [s.rank for s in sisters if len(s.kinds) > 1 and not s.kinds & ROUND]
        yield Total("cards of several kinds without a round element", [], several)
        yield Total("cards against the pointed rule", [], _ranks_against(_pointed_well, sisters))
        yield Total("cards against the crown rule", [], _ranks_against(_crowned_well, sisters))
        house = [card for card, rank in enumerate(self.rank) if rank in EXAMPLE_HOUSE]
        yield Total("production of the example house", (6, 6, 1, 3, 4, 7), self.production(house))
        yield Total("harvesters of the example house", (4, 3, 1, 2, 1, 2), self.harvesters(house))
        yield Total("a field as in the example", True, self._has_example_field())

    def _has_example_field(self) -> bool:
        """7.6: a pointed card, and three more with five food together, one of them with a plant and
        one with an animal; none of them in the example house."""
        outside = [sister for sister in self.sisters if sister.rank not in EXAMPLE_HOUSE]

        def food(*others: Kind) -> list[int]:
            kinds = {Kind.FOOD, *others}
            return [sister.elements[Kind.FOOD] for sister in outside if sister.kinds == kinds]

        trios = product(food(), food(Kind.PLANT), food(Kind.ANIMAL))
        return any(sister.pointed_alone for sister in outside) and 5 in map(sum, trios)


def _counting_cards(counts: Iterable[int]) -> frozenset[int]:
    """The cards that count for something."""
    return frozenset(card for card, count in enumerate(counts) if count)


def _production(sister: Sister) -> tuple[int, ...]:
    """The production of one card: elements of the three round kinds, and whether it has two kinds,
    or one."""
    elements = sister.elements
    return (
        elements.get(Kind.FOOD, 0),
        elements.get(Kind.PLANT, 0),
        elements.get(Kind.ANIMAL, 0),
        int(len(elements) == 2),
        int(len(elements) == 1),
    )


def _harvests(sister: Sister) -> tuple[int, ...]:
    """Whether one card harvests, in each of the six categories."""
    return (
        int(Kind.FOOD in sister.kinds),
        int(Kind.PLANT in sister.kinds),
        int(Kind.ANIMAL in sister.kinds),
        int(sister.pointed_pair),
        int(sister.pointed_alone),
        int(sister.crowned),
    )


def _pointed_well(sister: Sister) -> bool:
    """2.3: a pointed element comes once, alone or with one round kind."""
    return not sister.kinds & POINTED or (
        all(sister.elements[kind] == 1 for kind in sister.kinds & POINTED)
        and (len(sister.kinds) == 1 or (sister.pointed_pair and bool(sister.kinds & ROUND)))
    )


def _crowned_well(sister: Sister) -> bool:
    """2.4: a crown element comes once and alone."""
    return not sister.crowned or list(sister.elements.values()) == [1]


def _ranks_against(rule: Callable[[Sister], bool], sisters: Iterable[Sister]) -> list[int]:
    return [sister.rank for sister in sisters if not rule(sister)]
