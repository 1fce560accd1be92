"""Facts about hidden cards: how they follow moving cards, and whether a table agrees with them.

A fact stores the positions of its cards instead of the cards, so that the whole table and every
view update it by the same rules.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, product
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from tabletop.engine.model import (
    CardPlace,
    Fact,
    Facts,
    Rng,
    Sight,
    State,
    TableReader,
    Value,
    back_of,
    is_face,
)

Query = Callable[[str, tuple[int, ...], tuple[Value, ...]], Value]
"""Returns the answer to a question about cards, given its arguments (`Deduction.query`)."""

_ALL: Final = Sight.ALL


def places_of(table: TableReader, cards: tuple[int, ...]) -> tuple[CardPlace, ...]:
    """Return the position of each of `cards`.

    Raises:
        ValueError: a card is in no zone.
    """
    return tuple([_place_of(table, card) for card in cards])


def add_fact(facts: Facts, fact: Fact, table: TableReader) -> Facts:
    """Return `facts` with `fact`, unless its answer is unknown or all its cards are face up."""
    return facts if fact.answer is None else hidden_facts((*(facts or ()), fact), table)


def move_facts(
    facts: Facts, table: TableReader, card: int, source: str, target: str, at: int, to: int
) -> Facts:
    """Return `facts` after a card (or hidden card) moved. `table` is the state before the move.

    `at` and `to` are indices as in `events.Moved`. Other players can't tell which of several cards
    with the same back left a loose zone, so facts about those cards are dropped. A fact about two
    cards is dropped once the two can't be told apart.
    """
    if not facts:
        return facts
    left = CardPlace(source, at, _back(table, card))
    kept: Iterable[Fact] = facts
    if at < 0 and len(_alike(table, left)) > 1:
        kept = [fact for fact in facts if left not in fact.places]
    arrived = CardPlace(target, to, left.back)

    def now(place: CardPlace) -> CardPlace:
        if place == left:
            return arrived
        zone, position = place.zone, place.at
        if zone == source and 0 <= at < position:
            position -= 1
        if zone == target and 0 <= to <= position:
            position += 1
        return place if position == place.at else CardPlace(zone, position, place.back)

    moved = [(fact, tuple(map(now, fact.places))) for fact in kept]
    return hidden_facts(
        [
            fact if places == fact.places else replace(fact, places=places)
            for fact, places in moved
            if len(set(places)) == len(set(fact.places))
        ],
        table,
    )


def drop_zone_facts(facts: Facts, zone: str) -> Facts:
    """Return `facts` without those about cards in `zone`, after the zone was shuffled."""
    if not facts:
        return facts
    kept = [fact for fact in facts if all(place.zone != zone for place in fact.places)]
    return tuple(kept) or UNSET


def hidden_facts(facts: Iterable[Fact], table: TableReader) -> Facts:
    """Return `facts` without duplicates and without those whose cards are all face up."""
    zones = table.zones
    hidden = [
        fact
        for fact in dict.fromkeys(facts)
        if any(zones[place.zone].sight is not _ALL for place in fact.places)
    ]
    return tuple(hidden) or UNSET


def is_consistent(fact: Fact, table: TableReader, query: Query) -> bool:
    """Return whether the cards at the fact's positions can give the fact's answer.

    In a loose zone, any cards with the right backs may be the ones meant.
    """
    question, args, answer = fact.question, fact.args, fact.answer
    return any(
        query(question, cards, args) == answer for cards in _possible_cards(table, fact.places)
    )


def deal_known_cards(view: State, query: Query, chance: Rng) -> State:
    """Return `view` with cards dealt to the hidden positions of its facts so that all facts hold.

    The search backtracks one position at a time. Return `view` unchanged if no deal is consistent.
    """
    facts = view.facts or ()
    seen = set(chain.from_iterable(view.cards.values()))
    unseen: dict[int, list[int]] = {}
    for card in chance.shuffled(tuple([c for c in range(len(view.backs)) if c not in seen])):
        unseen.setdefault(view.backs[card], []).append(card)
    spots: list[tuple[str, int]] = []
    complete: list[list[Fact]] = [[]]
    """The facts that become checkable once a number of positions are dealt, by that number."""
    for fact in facts:
        for spot in chain.from_iterable(_hidden_spots(view, place) for place in fact.places):
            if spot not in spots:
                spots.append(spot)
                complete.append([])
        complete[-1].append(fact)

    def deal(world: State, count: int) -> State | None:
        """Return `world` with the positions from index `count` on dealt; None if impossible."""
        if not all(is_consistent(fact, world, query) for fact in complete[count]):
            return None
        if count == len(spots):
            return world
        zone, at = spots[count]
        held = world.cards[zone]
        left = unseen[back_of(held[at])]
        for _ in range(len(left)):
            card = left.pop(0)
            dealt = world.cards | {zone: (*held[:at], card, *held[at + 1 :])}
            fitting = deal(replace(world, cards=dealt), count + 1)
            if fitting is not None:
                return fitting
            left.append(card)
        return None

    found = deal(view, 0)
    if found is None:
        return view
    sorted_hands = {
        zone: tuple(sorted(found.cards[zone])) for zone, _ in spots if view.zones[zone].loose
    }
    return replace(found, cards=found.cards | sorted_hands)


def _hidden_spots(view: State, place: CardPlace) -> Iterator[tuple[str, int]]:
    """Yield (zone, index) for each hidden card that may be the one at `place`."""
    held = view.cards[place.zone]
    for at in range(len(held)) if place.at < 0 else (place.at,):
        if not is_face(held[at]) and back_of(held[at]) == place.back:
            yield place.zone, at


def in_query_order(places: tuple[CardPlace, ...], cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return `cards` in the order that `query` expects: cards in the same loose zone are sorted."""
    order = list(cards)
    for place in set(places):
        numbers = [number for number, other in enumerate(places) if other == place]
        for number, card in zip(numbers, sorted(cards[n] for n in numbers), strict=True):
            order[number] = card
    return tuple(order)


def _possible_cards(table: TableReader, places: tuple[CardPlace, ...]) -> Iterator[tuple[int, ...]]:
    """Yield each tuple of cards that may be at `places`.

    Cards in the same loose zone are sorted.
    """
    alike: dict[CardPlace, list[int]] = {}
    for number, place in enumerate(places):
        alike.setdefault(place, []).append(number)
    drawn = [combinations(_alike(table, place), len(some)) for place, some in alike.items()]
    order = list(chain.from_iterable(alike.values()))
    for drawn_cards in product(*drawn):
        cards = dict(zip(order, chain.from_iterable(drawn_cards), strict=True))
        yield tuple([cards[number] for number in range(len(places))])


def _alike(table: TableReader, place: CardPlace) -> tuple[int, ...]:
    """Return the cards that may be at `place`: in a loose zone, all cards with its back."""
    held = table.cards[place.zone]
    if place.at >= 0:
        return held[place.at : place.at + 1]
    return tuple(sorted([card for card in held if _back(table, card) == place.back]))


def _place_of(table: TableReader, card: int) -> CardPlace:
    for zone, held in table.cards.items():
        if card in held:
            at = -1 if table.zones[zone].loose else held.index(card)
            return CardPlace(zone, at, _back(table, card))
    raise ValueError(f"card {card} is in no zone")


def _back(table: TableReader, card: int) -> int:
    return table.backs[card] if is_face(card) else back_of(card)
