"""Numbers of hidden cards on the wire and in files.

There the hidden card of back n is ~n, so that the first one is the number of the audience too.
Protocol 1 and the records of every version say so, and go on saying so: this is the one place that
translates.
"""

from collections.abc import Callable, Iterable
from typing import assert_never

from msgspec.structs import replace

from tabletop.engine.events import (
    Announced,
    Answered,
    Asked,
    Closed,
    Ended,
    Event,
    Moved,
    Placed,
    Planned,
    Rolled,
    Said,
    Shown,
    Shuffled,
    Thrown,
    Valued,
)
from tabletop.engine.model import State, all_faces, back_of, hidden_card, is_face

_WITHOUT_CARDS = frozenset((Answered, Valued, Rolled, Asked, Closed, Planned, Ended))
"""Most events of a move, each of which is sent to several viewers."""
_WITH_ONE = frozenset((Moved, Shown))
_WITH_SOME = frozenset((Said, Placed, Shuffled, Announced))


def encode_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with their hidden cards as they are numbered outside."""
    return _all_renumbered(events, _encoded)


def encode_event(event: Event) -> Event:
    """One event with its hidden cards as they are numbered outside."""
    kind = type(event)
    return event if kind in _WITHOUT_CARDS or _whole(event) else _renumbered(event, _encoded)


def decode_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """The events with their hidden cards as they are numbered in the program."""
    return _all_renumbered(events, _decoded)


def _all_renumbered(events: Iterable[Event], number: Callable[[int], int]) -> tuple[Event, ...]:
    renumbered = tuple(events)
    with_hidden = [
        at
        for at, event in enumerate(renumbered)
        if type(event) not in _WITHOUT_CARDS and not _whole(event)
    ]
    if not with_hidden:
        return renumbered
    numbered = list(renumbered)
    for at in with_hidden:
        numbered[at] = _renumbered(renumbered[at], number)
    return tuple(numbered)


def encode_view(view: State) -> State:
    """The view with its hidden cards as they are numbered outside."""
    return replace(view, cards=_held(view, _encoded))


def decode_view(view: State) -> State:
    """The view with its hidden cards as they are numbered in the program."""
    return replace(view, cards=_held(view, _decoded))


def _encoded(card: int) -> int:
    return card if is_face(card) else ~back_of(card)


def _decoded(card: int) -> int:
    return card if is_face(card) else hidden_card(~card)


def _whole(event: Event) -> bool:
    """Whether an event that names cards plainly has no hidden one, as in most."""
    kind = type(event)
    if kind in _WITH_ONE:
        return event.card >= 0  # type: ignore[union-attr]
    if kind in _WITH_SOME:
        cards = event.cards  # type: ignore[union-attr]
        return not cards or min(cards) >= 0
    return False


def _renumbered(event: Event, number: Callable[[int], int]) -> Event:
    match event:  # the commonest first
        case Moved(card=card) | Shown(card=card):
            return event if is_face(card) else replace(event, card=number(card))
        case (
            Said(cards=cards) | Placed(cards=cards) | Shuffled(cards=cards) | Announced(cards=cards)
        ):
            if all_faces(cards):
                return event
            return replace(event, cards=tuple([number(card) for card in cards]))
        case Thrown(dice=dice, faces=faces):
            return replace(
                event,
                dice=tuple(number(card) for card in dice),
                faces=tuple(number(card) for card in faces),
            )
        case Answered() | Valued() | Rolled() | Asked() | Closed() | Planned() | Ended():
            return event
        case _:
            assert_never(event)


def _held(view: State, number: Callable[[int], int]) -> dict[str, tuple[int, ...]]:
    return {
        zone: held if all_faces(held) else tuple(number(card) for card in held)
        for zone, held in view.cards.items()
    }
