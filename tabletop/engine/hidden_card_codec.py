"""Conversion between the program's numbers for hidden cards and those on the wire and in files.

Outside the program, a hidden card with back n has the number ~n, so that the first one equals
AUDIENCE. Protocol 1 and all records use these numbers, so they can't change. Only this module
converts them.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from tabletop.engine.events import CardlessEvent, Event
from tabletop.engine.model import State, all_faces, back_of, hidden_card, is_face


def encode_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return `events` with hidden cards numbered as on the wire and in files."""
    return _renumber_all(events, _encode)


def decode_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return `events` from the wire or a file with hidden cards numbered as in the program."""
    return _renumber_all(events, _decode)


def encode_view(view: State) -> State:
    """Return `view` with hidden cards numbered as on the wire and in files."""
    return replace(view, cards=_renumber_zones(view, _encode))


def decode_view(view: State) -> State:
    """Return `view` from the wire or a file with hidden cards numbered as in the program."""
    return replace(view, cards=_renumber_zones(view, _decode))


def _encode(card: int) -> int:
    return card if is_face(card) else ~back_of(card)


def _decode(card: int) -> int:
    return card if is_face(card) else hidden_card(~card)


def _renumber_all(events: Iterable[Event], number: Callable[[int], int]) -> tuple[Event, ...]:
    """Return `events` renumbered; usually no card is hidden and the same tuple is returned."""
    whole = tuple(events)
    hidden = [
        at
        for at, event in enumerate(whole)
        if not isinstance(event, CardlessEvent) and not all_faces(event.cards)
    ]
    if not hidden:
        return whole
    renumbered = list(whole)
    for at in hidden:
        event = whole[at]
        renumbered[at] = event.with_cards(tuple([number(card) for card in event.cards]))
    return tuple(renumbered)


def _renumber_zones(view: State, number: Callable[[int], int]) -> dict[str, tuple[int, ...]]:
    return {
        zone: held if all_faces(held) else tuple(number(card) for card in held)
        for zone, held in view.cards.items()
    }
