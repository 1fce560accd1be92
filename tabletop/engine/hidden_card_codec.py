"""Numbers of hidden cards on the wire and in files.

There the hidden card of back n is ~n, so that the first one is the number of the audience too.
Protocol 1 and the records of every version say so, and go on saying so: this is the one place that
translates.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from tabletop.engine.events import CardlessEvent, Event
from tabletop.engine.model import State, all_faces, back_of, hidden_card, is_face


def encode_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with their hidden cards as they are numbered outside."""
    return _renumber_all(events, _encode)


def decode_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with their hidden cards as they are numbered in the program."""
    return _renumber_all(events, _decode)


def encode_view(view: State) -> State:
    """The view with its hidden cards as they are numbered outside."""
    return replace(view, cards=_renumber_zones(view, _encode))


def decode_view(view: State) -> State:
    """The view with its hidden cards as they are numbered in the program."""
    return replace(view, cards=_renumber_zones(view, _decode))


def _encode(card: int) -> int:
    return card if is_face(card) else ~back_of(card)


def _decode(card: int) -> int:
    return card if is_face(card) else hidden_card(~card)


def _renumber_all(events: Iterable[Event], number: Callable[[int], int]) -> tuple[Event, ...]:
    """The events renumbered; the same tuple where no card is hidden, as in most."""
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
