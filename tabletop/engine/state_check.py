"""Checks of a table from a file or another computer: views and events are folded without rules, so
that nothing else notices cards or seats that the box doesn't have."""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import chain

from tabletop.engine.events import Event
from tabletop.engine.model import State, back_of, is_face
from tabletop.engine.teams import teams_of


def fits_deck(backs: tuple[int, ...], events: Iterable[Event]) -> bool:
    """Whether all cards and backs that these events name are in the box."""
    cards = {card for event in events for card in event.cards}
    return all(card < len(backs) if is_face(card) else back_of(card) in backs for card in cards)


def is_plausible(table: State) -> bool:
    """Whether the cards of a received table are those of the box, each once, and whether it names
    only seats that exist, and has values for each."""
    return _cards_match_deck(table) and _seats_exist(table) and _facts_are_placed(table)


def _cards_match_deck(table: State) -> bool:
    lying = sorted(chain.from_iterable(table.cards.values()))
    if table.viewer is None:
        return lying == list(range(len(table.backs)))
    first = bisect_left(lying, 0)  # hidden cards are negative
    hidden, known = lying[:first], lying[first:]
    if len(set(known)) < len(known) or (known and known[-1] >= len(table.backs)):
        return False
    backs = [*map(back_of, hidden), *[table.backs[card] for card in known]]
    return sorted(backs) == sorted(table.backs)


def _facts_are_placed(table: State) -> bool:
    """Whether every fact names places where, by their backs, its cards can be."""
    for place in [place for fact in table.facts or () for place in fact.places]:
        held = table.cards.get(place.zone, ())
        backs = [table.backs[card] if is_face(card) else back_of(card) for card in held]
        if place.at >= 0:
            backs = backs[place.at : place.at + 1]
        if place.back not in backs:
            return False
    return True


def _seats_exist(table: State) -> bool:
    seats = {ask.seat for ask in table.asks}
    seats.update(zone.owner for zone in table.zones.values() if zone.owner is not None)
    counted: list[tuple[int, ...]] = []
    if table.result is not None:
        seats.update(table.result.winners)
        counted = [table.result.scores, *(line.points for line in table.result.sheet)]
        teams = teams_of(table.result, table.seats)
        together = sorted(seat for team in teams for seat in team)
        if together != list(range(table.seats)) or not all(teams):
            return False
    return seats <= set(range(table.seats)) and all(
        len(points) in (0, table.seats) for points in counted
    )
