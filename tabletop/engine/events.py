"""The closed set of events, and `apply`, the only function that makes a new state.

The same function updates the host's whole state and a player's view. In a view, states and events
represent a hidden card by a number for its back (`model.hidden_card`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, Self

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tabletop.engine import facts
from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    Fact,
    Move,
    Name,
    Result,
    Sight,
    State,
    StepRecord,
    TableReader,
    Value,
    Whisper,
    Zone,
    hidden_card,
    is_face,
)


class TableEvent(Struct, frozen=True):
    """Base class of all events."""

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards in the event; hidden ones as `hidden_card` numbers."""
        raise AssertionError(f"no cards are declared for {self}")

    def with_cards(self, cards: tuple[int, ...]) -> Self:
        """Return a copy of the event with its `cards` replaced."""
        return replace(self, cards=cards)


class CardlessEvent(TableEvent, frozen=True):
    """Base class of events without cards. The cards of an answer are part of its move."""

    @property
    def cards(self) -> tuple[int, ...]:
        return ()


class PublicEvent(CardlessEvent, frozen=True):
    """Base class of events that every viewer sees unmasked."""


class Placed(TableEvent, frozen=True, tag="placed"):
    """A zone was put on the table, with cards from the box."""

    zone: Zone
    """The new zone."""
    cards: tuple[int, ...]
    """The cards in the zone."""


class Moved(TableEvent, frozen=True, tag="moved"):
    """A card moved from one zone to another."""

    card: int
    """The card that moved."""
    source: Name
    """The zone the card left."""
    target: Name
    """The zone the card went to."""
    at: int
    """The index in the source; -1 in a loose zone."""
    to: int
    """The index in the target; -1 in a loose zone."""

    @property
    def cards(self) -> tuple[int, ...]:
        return (self.card,)

    def with_cards(self, cards: tuple[int, ...]) -> Self:
        return replace(self, card=cards[0])


class Shuffled(TableEvent, frozen=True, tag="shuffled"):
    """The cards of a zone were shuffled."""

    zone: Name
    """The name of the shuffled zone."""
    cards: tuple[int, ...]
    """The cards in their new order, as the viewer knows them."""


class Shown(TableEvent, frozen=True, tag="shown"):
    """The set of viewers who see a card's face was replaced."""

    zone: Name
    """The zone that holds the card."""
    card: int
    """The card whose viewers changed."""
    at: int
    """The index in the zone; -1 in a loose zone."""
    seats: tuple[int, ...]
    """The seats that see the card; if AUDIENCE is among them, everyone does."""

    @property
    def cards(self) -> tuple[int, ...]:
        return (self.card,)

    def with_cards(self, cards: tuple[int, ...]) -> Self:
        return replace(self, card=cards[0])


class Announced(TableEvent, frozen=True, tag="announced"):
    """An answer about hidden cards was announced."""

    fact: Fact
    """The question and its answer."""
    cards: tuple[int, ...]
    """The cards in question, in the order of the fact's places."""


class ValueSet(PublicEvent, frozen=True, tag="valued"):
    """A public value was set."""

    key: Name
    """The name of the value."""
    value: Value
    """The new value."""


class Rolled(PublicEvent, frozen=True, tag="rolled"):
    """Dice were rolled openly."""

    what: Name
    """The purpose of the roll, as named by the rules."""
    sides: tuple[int, ...]
    """The number of sides of each die."""
    faces: tuple[int, ...]
    """The numbers rolled."""


class Thrown(TableEvent, frozen=True, tag="thrown"):
    """Dice that are cards were thrown in their zone: each of `dice` was replaced by one of `faces`.

    Each face of a die is a card, and all of a die's cards share a back of their own. The zone
    `others` holds the faces that aren't up. A throw can give the same face again.
    """

    zone: Name
    """The name of the zone with the dice."""
    others: Name
    """The zone of the faces that aren't up."""
    dice: tuple[int, ...]
    """The faces that were up before."""
    faces: tuple[int, ...]
    """The new faces, in the order of `dice`."""

    @property
    def cards(self) -> tuple[int, ...]:
        return self.dice + self.faces

    def with_cards(self, cards: tuple[int, ...]) -> Self:
        return replace(self, dice=cards[: len(self.dice)], faces=cards[len(self.dice) :])


class Asked(PublicEvent, frozen=True, tag="asked"):
    """A seat was asked a question."""

    ask: Ask
    """The question."""


class Answered(CardlessEvent, frozen=True, tag="answered"):
    """A seat answered."""

    ask: int
    """The ID of the question."""
    move: Move | None
    """The answer; None for every viewer except the seat itself."""


class Closed(PublicEvent, frozen=True, tag="closed"):
    """Questions were closed."""

    asks: tuple[int, ...]
    """The IDs of the questions."""


class Planned(PublicEvent, frozen=True, tag="planned"):
    """The agenda changed: a step was planned, or taken off to be run."""

    agenda: tuple[StepRecord, ...]
    """All steps still to run, with the next one last."""


class Said(TableEvent, frozen=True, tag="said"):
    """A line was logged."""

    text: str
    """An English sentence with placeholders."""
    cards: tuple[int, ...] = ()
    """The cards for the card placeholders."""
    args: dict[str, Value] = {}
    """The values of the other placeholders."""
    tag: Name = ""
    """A name for what happened, used by statistics and replays; empty in old records."""
    whisper: Whisper | UnsetType = UNSET
    """Set if only some seats receive the line. Masking removes it."""


class Ended(PublicEvent, frozen=True, tag="ended"):
    """The game ended."""

    result: Result
    """The result of the game."""


Event = (
    Placed
    | Moved
    | Shuffled
    | Shown
    | Announced
    | ValueSet
    | Rolled
    | Thrown
    | Asked
    | Answered
    | Closed
    | Planned
    | Said
    | Ended
)


def throw_as_moves(state: State, event: Thrown) -> Iterator[Moved]:
    """Yield a throw as moves: each die goes to the zone of the faces that aren't up, and its new
    face takes the die's place.
    """
    loose, held = state.zones[event.zone].loose, state.cards[event.zone]
    for die, face in zip(event.dice, event.faces, strict=True):
        at = -1 if loose else held.index(die if die in held else hidden_card(state.backs[die]))
        yield Moved(die, event.zone, event.others, at, -1)
        yield Moved(face, event.others, event.zone, -1, at)


_ALL, _OWNER, _OTHERS = Sight.ALL, Sight.OWNER, Sight.OTHERS
"""Cached because enum member access is slow in Python 3.11."""


def sees_zone(state: TableReader, viewer: int | None, zone: str) -> bool:
    """Return whether `viewer` sees every card in `zone`. None, the host, sees everything."""
    if viewer is None:
        return True
    place = state.zones[zone]
    sight = place.sight
    if sight is _OWNER:
        return place.owner == viewer
    return sight is _ALL or (sight is _OTHERS and viewer not in (AUDIENCE, place.owner))


def sees_card(state: TableReader, viewer: int | None, zone: str, card: int) -> bool:
    """Return whether `viewer` sees the face of `card` in `zone`."""
    return sees_zone(state, viewer, zone) or viewer in state.shown.get(card, ())


def visible_cards(state: TableReader, viewer: int | None, zone: str) -> tuple[int, ...]:
    """Return the cards in `zone` whose faces `viewer` sees, in order."""
    held, shown = state.cards[zone], state.shown
    if sees_zone(state, viewer, zone):
        return held
    return tuple([card for card in held if viewer in shown.get(card, ())]) if shown else ()


def apply(state: State, event: Event) -> State:
    """Return the state after `event`. `state` isn't modified."""
    folded = _FOLD_FUNCTIONS.get(type(event))
    if folded is None:
        raise AssertionError(f"no table is known after {event}")
    return folded(state, event)


def fold(state: State, events: Iterable[Event]) -> State:
    """Return the state after all of `events`."""
    return reduce(apply, events, state)


def viewers_in_view(seats: tuple[int, ...], viewer: int | None) -> tuple[int, ...]:
    """Return which of a shown card's viewers a view keeps: its own viewer, and AUDIENCE.

    Return `seats` unchanged for the host (None), and () for a viewer who doesn't see the card.
    """
    if viewer is None:
        return seats
    return tuple(s for s in seats if s in (AUDIENCE, viewer)) if viewer in seats else ()


def in_zone_order(zone: Zone, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return `cards` in the order that `zone` stores: sorted in a loose zone, so that an index
    reveals nothing, else unchanged.
    """
    return tuple(sorted(cards)) if zone.loose else cards


def without_cards(
    shown: Mapping[int, tuple[int, ...]], cards: tuple[int, ...]
) -> dict[int, tuple[int, ...]]:
    """Return `shown` without the entries of `cards`."""
    return {card: seats for card, seats in shown.items() if card not in cards}


def _set_value(state: State, event: ValueSet) -> State:
    return replace(state, values=state.values | {event.key: event.value})


def _change_nothing(state: State, _: Event) -> State:
    return state


def _place_zone(state: State, event: Placed) -> State:
    zone = event.zone
    return replace(
        state,
        zones=state.zones | {zone.name: zone},
        cards=state.cards | {zone.name: in_zone_order(zone, event.cards)},
    )


def _shuffle(state: State, event: Shuffled) -> State:
    return replace(
        state,
        cards=state.cards | {event.zone: event.cards},
        shown=without_cards(state.shown, state.cards[event.zone]),
        facts=facts.drop_zone_facts(state.facts, event.zone),
    )


def _throw(state: State, event: Thrown) -> State:
    return fold(state, throw_as_moves(state, event))


def _ask(state: State, event: Asked) -> State:
    return replace(state, asks=(*state.asks, event.ask), asked=event.ask.id + 1)


def _answer(state: State, event: Answered) -> State:
    return replace(state, answers=state.answers | {event.ask: event.move}, ply=state.ply + 1)


def _close_asks(state: State, event: Closed) -> State:
    numbers = event.asks
    return replace(
        state,
        asks=tuple([ask for ask in state.asks if ask.id not in numbers]),
        answers={n: move for n, move in state.answers.items() if n not in numbers},
    )


def _plan(state: State, event: Planned) -> State:
    return replace(state, agenda=event.agenda)


def _end(state: State, event: Ended) -> State:
    return replace(state, result=event.result, asks=(), answers={}, agenda=())


def _take_out(state: State, zone: str, card: int, at: int) -> tuple[int, ...]:
    """Return the cards of `zone` without the one at `at`, or in a loose zone without `card`.

    In a loose zone of a view, `card` may be there as a hidden card.
    """
    cards = state.cards[zone]
    if at < 0:
        at = cards.index(card if card in cards else hidden_card(state.backs[card]))
    return cards[:at] + cards[at + 1 :]


def _move(state: State, event: Moved) -> State:
    card, target = event.card, state.zones[event.target]
    cards = dict(state.cards)
    cards[event.source] = _take_out(state, event.source, card, event.at)
    if is_face(card) and not sees_zone(state, state.viewer, event.target):
        card = hidden_card(state.backs[card])
    held = cards[event.target]
    to = len(held) if event.to < 0 else event.to
    cards[event.target] = in_zone_order(target, (*held[:to], card, *held[to:]))
    shown = state.shown
    if event.card in shown:
        shown = without_cards(shown, (event.card,))
    known = state.facts
    if known:
        to = -1 if target.loose else to
        known = facts.move_facts(known, state, event.card, event.source, event.target, event.at, to)
    return replace(state, cards=cards, shown=shown, facts=known)


def _announce(state: State, event: Announced) -> State:
    fact = event.fact
    fact = replace(fact, seats=viewers_in_view(fact.seats, state.viewer))
    return replace(state, facts=facts.add_fact(state.facts, fact, state))


def _show(state: State, event: Shown) -> State:
    card, viewer = event.card, state.viewer
    if not is_face(card):
        return state
    seats = viewers_in_view(event.seats, viewer)
    shown = without_cards(state.shown, (card,)) | ({card: seats} if seats else {})
    visible_cards = bool(seats) or sees_zone(state, viewer, event.zone)
    rest = _take_out(state, event.zone, card, event.at)
    at = len(rest) if event.at < 0 else event.at
    face = card if visible_cards else hidden_card(state.backs[card])
    cards = in_zone_order(state.zones[event.zone], (*rest[:at], face, *rest[at:]))
    return replace(state, cards=state.cards | {event.zone: cards}, shown=shown)


_FOLD_FUNCTIONS: dict[type[Event], Callable[[State, Any], State]] = {
    Placed: _place_zone,
    Moved: _move,
    Shuffled: _shuffle,
    Shown: _show,
    Announced: _announce,
    ValueSet: _set_value,
    Rolled: _change_nothing,
    Thrown: _throw,
    Asked: _ask,
    Answered: _answer,
    Closed: _close_asks,
    Planned: _plan,
    Said: _change_nothing,
    Ended: _end,
}
"""The function that applies each type of event.

A dictionary is faster than `match`, which calls msgspec's metaclass for each case.
"""
