"""Plausibility checks of states and events from files or other computers.

Views and events are applied without the rules, so only these checks notice cards or seats that
don't exist.
"""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import chain

from tabletop.engine.events import Event
from tabletop.engine.model import State, back_of, is_face
from tabletop.engine.teams import teams_of


def fits_deck(backs: tuple[int, ...], events: Iterable[Event]) -> bool:
    """Return whether all cards and backs in `events` exist in the deck with these `backs`."""
    cards = {card for event in events for card in event.cards}
    return all(card < len(backs) if is_face(card) else back_of(card) in backs for card in cards)


def is_plausible(table: State) -> bool:
    """Return whether a received state is consistent with its own deck and number of seats.

    Each card must occur exactly once, every seat mentioned must exist, and each list of scores must
    have an entry for every seat.
    """
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
    """Return whether the cards at each fact's positions have the backs that the fact gives."""
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
