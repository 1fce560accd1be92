"""The closed set of events, and the one fold: nothing at a table changes except by `apply`.

The same fold keeps the host's whole state and a player's view. In a view a card that the player may
not see has the number of its back (`model.hidden_card`), also in an event that moves it.
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
    """The common part of all events."""

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards that the event names, hidden ones by their backs."""
        raise AssertionError(f"nobody knows which cards are in {self}")

    def with_cards(self, cards: tuple[int, ...]) -> Self:
        """Return the same event with other numbers for its `cards`."""
        return replace(self, cards=cards)


class CardlessEvent(TableEvent, frozen=True):
    """The common part of events that name no card. An answer's cards belong to its player."""

    @property
    def cards(self) -> tuple[int, ...]:
        return ()


class PublicEvent(CardlessEvent, frozen=True):
    """The common part of events that everybody sees whole: most of a move."""


class Placed(TableEvent, frozen=True, tag="placed"):
    """A zone came onto the table, with cards from the box in it."""

    zone: Zone
    """The zone."""
    cards: tuple[int, ...]
    """The cards in it."""


class Moved(TableEvent, frozen=True, tag="moved"):
    """A card went from one place to another."""

    card: int
    """The card."""
    source: Name
    """The name of the zone that it left."""
    target: Name
    """The name of the zone that it went to."""
    at: int
    """The position in the source; -1 in a loose zone."""
    to: int
    """The position in the target; -1 in a loose zone."""

    @property
    def cards(self) -> tuple[int, ...]:
        return (self.card,)

    def with_cards(self, cards: tuple[int, ...]) -> Self:
        return replace(self, card=cards[0])


class Shuffled(TableEvent, frozen=True, tag="shuffled"):
    """A zone's cards are in a new order that nobody knows."""

    zone: Name
    """The zone's name."""
    cards: tuple[int, ...]
    """All of them, as the viewer knows them."""


class Shown(TableEvent, frozen=True, tag="shown"):
    """From now on only these seats see this card at its place."""

    zone: Name
    """The zone's name."""
    card: int
    """The card."""
    at: int
    """The position in the zone; -1 in a loose zone."""
    seats: tuple[int, ...]
    """The seats; AUDIENCE among them where all see it."""

    @property
    def cards(self) -> tuple[int, ...]:
        return (self.card,)

    def with_cards(self, cards: tuple[int, ...]) -> Self:
        return replace(self, card=cards[0])


class Announced(TableEvent, frozen=True, tag="announced"):
    """An announced answer about hidden cards."""

    fact: Fact
    """The question and its answer."""
    cards: tuple[int, ...]
    """The cards asked about, in the order of the fact's places."""


class ValueSet(PublicEvent, frozen=True, tag="valued"):
    """A public value was set."""

    key: Name
    """The name of the value."""
    value: Value
    """The value."""


class Rolled(PublicEvent, frozen=True, tag="rolled"):
    """Dice were thrown."""

    what: Name
    """The purpose of the throw, a word of the rules."""
    sides: tuple[int, ...]
    """The number of sides of each."""
    faces: tuple[int, ...]
    """The faces that came up."""


class Thrown(TableEvent, frozen=True, tag="thrown"):
    """Dice of a zone were thrown there: each of `dice` was replaced by one of its `faces`.

    A die is a card for every face, all with a back of its own; `others` is the zone of those that
    are not up. A face may come up again.
    """

    zone: Name
    """The zone's name."""
    others: Name
    """The name of the zone of the faces that are not up."""
    dice: tuple[int, ...]
    """The faces that were up."""
    faces: tuple[int, ...]
    """The faces that came up, in the same order."""

    @property
    def cards(self) -> tuple[int, ...]:
        return self.dice + self.faces

    def with_cards(self, cards: tuple[int, ...]) -> Self:
        return replace(self, dice=cards[: len(self.dice)], faces=cards[len(self.dice) :])


class Asked(PublicEvent, frozen=True, tag="asked"):
    """A question was put to a seat."""

    ask: Ask
    """The question."""


class Answered(CardlessEvent, frozen=True, tag="answered"):
    """A seat answered."""

    ask: int
    """The number of the question."""
    move: Move | None
    """The answer, which is known to that seat alone; None for all others."""


class Closed(PublicEvent, frozen=True, tag="closed"):
    """Questions are no longer open."""

    asks: tuple[int, ...]
    """The numbers of the questions."""


class Planned(PublicEvent, frozen=True, tag="planned"):
    """Steps were planned, or one was taken to be run."""

    agenda: tuple[StepRecord, ...]
    """All steps still to run, the next one last."""


class Said(TableEvent, frozen=True, tag="said"):
    """A line of the log."""

    text: str
    """An English text with gaps."""
    cards: tuple[int, ...] = ()
    """The cards in its gaps."""
    args: dict[str, Value] = {}
    """The arguments for its other gaps."""
    tag: Name = ""
    """A name of the happening for statistics and replays; programs before tags leave it out."""
    whisper: Whisper | UnsetType = UNSET
    """Set where only some seats hear it; every viewer hears a plain sentence."""


class Ended(PublicEvent, frozen=True, tag="ended"):
    """The game is over."""

    result: Result
    """How it ended."""


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
    """A throw as moves: each die goes to the other faces, and what came up to where it lay."""
    loose, held = state.zones[event.zone].loose, state.cards[event.zone]
    for die, face in zip(event.dice, event.faces, strict=True):
        at = -1 if loose else held.index(die if die in held else hidden_card(state.backs[die]))
        yield Moved(die, event.zone, event.others, at, -1)
        yield Moved(face, event.others, event.zone, -1, at)


_ALL, _OWNER, _OTHERS = Sight.ALL, Sight.OWNER, Sight.OTHERS
"""Looked up once: Python 3.11 takes ten times as long for a member of an enumeration."""


def sees_zone(state: TableReader, viewer: int | None, zone: str) -> bool:
    """Whether the viewer sees every card of this zone; None, the host, sees all."""
    if viewer is None:
        return True
    place = state.zones[zone]
    sight = place.sight
    if sight is _OWNER:
        return place.owner == viewer
    return sight is _ALL or (sight is _OTHERS and viewer not in (AUDIENCE, place.owner))


def sees_card(state: TableReader, viewer: int | None, zone: str, card: int) -> bool:
    """Whether the viewer sees this card's face at its place."""
    return sees_zone(state, viewer, zone) or viewer in state.shown.get(card, ())


def visible_cards(state: TableReader, viewer: int | None, zone: str) -> tuple[int, ...]:
    """The cards of a zone whose faces the viewer sees, in their order."""
    held, shown = state.cards[zone], state.shown
    if sees_zone(state, viewer, zone):
        return held
    return tuple([card for card in held if viewer in shown.get(card, ())]) if shown else ()


def apply(state: State, event: Event) -> State:
    """The table after the event; the given one stays as it was."""
    folded = _FOLD_FUNCTIONS.get(type(event))
    if folded is None:
        raise AssertionError(f"no table is known after {event}")
    return folded(state, event)


def fold(state: State, events: Iterable[Event]) -> State:
    """The table after all these events, in their order."""
    return reduce(apply, events, state)


def viewers_in_view(seats: tuple[int, ...], viewer: int | None) -> tuple[int, ...]:
    """The part of a card's viewers that a view keeps: its own viewer, and AUDIENCE where all see
    it."""
    if viewer is None:
        return seats
    return tuple(s for s in seats if s in (AUDIENCE, viewer)) if viewer in seats else ()


def in_zone_order(zone: Zone, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The cards in the zone's order: sorted where it is loose, so that a place reveals nothing."""
    return tuple(sorted(cards)) if zone.loose else cards


def without_cards(
    shown: Mapping[int, tuple[int, ...]], cards: tuple[int, ...]
) -> dict[int, tuple[int, ...]]:
    """Return the cards that are still shown once these have left their places."""
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
    """The zone's cards less one: the one at a place, or in a loose zone the card or its hidden
    card."""
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
"""The change of a table by each event. A `match` would ask msgspec's metaclass at every case that
doesn't fit, which takes longer than most of these."""
