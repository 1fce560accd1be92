"""What one viewer may know: masked states and events, and deals of unseen cards into a view.

Players receive information about a table only through these functions. The laws in
`tests/studio/laws` check that applying masked events to a masked state gives the masked new state.
Every event type is listed explicitly, so an unknown type isn't sent to anyone.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, assert_never

from msgspec import UNSET
from msgspec.structs import replace

from tabletop.engine.events import (
    Announced,
    Answered,
    Event,
    Moved,
    Placed,
    PublicEvent,
    Said,
    Shown,
    Shuffled,
    Thrown,
    apply,
    in_zone_order,
    sees_card,
    sees_zone,
    throw_as_moves,
    viewers_in_view,
)
from tabletop.engine.facts import Query, deal_known_cards, hidden_facts, is_consistent
from tabletop.engine.model import (
    AUDIENCE,
    Ask,
    Facts,
    Move,
    Rng,
    Sight,
    State,
    TableReader,
    Whisper,
    all_faces,
    hidden_card,
    is_face,
)

_ALL: Final = Sight.ALL  # cached, as in `events`

MAX_DEAL_ATTEMPTS: Final = 20
"""The number of random deals tried before `deal_known_cards` searches for a consistent one."""


def mask(state: State, viewer: int) -> State:
    """Return the table as `viewer` (a seat or `AUDIENCE`) sees it; return a view unchanged.

    >>> table.place(Zone("hand/1", Sight.OWNER, 1), (7,))
    >>> mask(table.state, 1).cards["hand/1"], is_face(mask(table.state, 0).cards["hand/1"][0])
    ((7,), False)
    """
    if state.viewer is not None:
        return state
    hidden, shown = _hidden_numbers(state.backs), state.shown
    cards = dict(state.cards)
    for name, zone in state.zones.items():
        held = cards[name]
        sight = zone.sight
        if held and sight is not _ALL and not sees_zone(state, viewer, name):
            if shown:
                faces = [c if viewer in shown.get(c, ()) else hidden[c] for c in held]
            else:
                faces = [hidden[c] for c in held]
            cards[name] = in_zone_order(zone, tuple(faces))
    seat_of = {ask.id: ask.seat for ask in state.asks}
    return replace(
        state,
        viewer=viewer,
        cards=cards,
        shown={
            c: viewers_in_view(seats, viewer) for c, seats in state.shown.items() if viewer in seats
        },
        answers={
            number: move if seat_of[number] == viewer else None
            for number, move in state.answers.items()
        },
        facts=_facts_known_to(state, viewer),
    )


def public_view(state: State) -> State:
    """Return the public part of a table. Every viewer's view of the table gives the same result.

    >>> table.place(Zone("hand/0", Sight.OWNER, 0), (7,))
    >>> public_view(mask(table.state, 0)) == public_view(mask(table.state, 1))
    True
    """
    if state.viewer is None:
        return mask(state, AUDIENCE)
    if state.viewer == AUDIENCE:
        return state
    hidden, shown = _hidden_numbers(state.backs), state.shown
    cards = dict(state.cards)
    for name, zone in state.zones.items():
        held = cards[name]
        if held and zone.sight is not _ALL:
            known = [
                c if not is_face(c) or AUDIENCE in shown.get(c, ()) else hidden[c] for c in held
            ]
            cards[name] = in_zone_order(zone, tuple(known))
    return replace(
        state,
        viewer=AUDIENCE,
        cards=cards,
        shown={
            c: viewers_in_view(seats, AUDIENCE) for c, seats in shown.items() if AUDIENCE in seats
        },
        answers=dict.fromkeys(state.answers),
        facts=_facts_known_to(state, AUDIENCE),
    )


def _facts_known_to(state: State, viewer: int) -> Facts:
    """Return the facts of `state` that `viewer` knows and that concern hidden cards."""
    facts = state.facts
    if not facts:
        return facts
    own = [
        replace(fact, seats=viewers_in_view(fact.seats, viewer))
        for fact in facts
        if viewer in fact.seats
    ]
    return hidden_facts(own, state)


@lru_cache(32)
def _hidden_numbers(backs: tuple[int, ...]) -> tuple[int, ...]:
    """Return, for each card of a game, the number that represents it while it is hidden."""
    return tuple([hidden_card(back) for back in backs])


def mask_event(state: State, event: Event, viewer: int) -> Event:
    """Return `event` as `viewer` sees it.

    `state` is the whole table just before the event. If `state` is a view, `event` is returned
    unchanged.
    """
    if state.viewer is not None:
        return event
    match event:  # most common types first
        case Moved():
            card = event.card
            if sees_card(state, viewer, event.source, card) or sees_zone(
                state, viewer, event.target
            ):
                return event
            return replace(event, card=hidden_card(state.backs[card]))
        case PublicEvent():
            return event
        case Answered(ask=number):
            for ask in state.asks:
                if ask.id == number and ask.seat == viewer:
                    return event
            return replace(event, move=None)
        case Said():
            return _mask_sentence(viewer, state, event, zones_of(state, event.cards))
        case Announced(fact=fact, cards=cards):
            lay = zones_of(state, cards)
            return Announced(
                fact if viewer in fact.seats else replace(fact, answer=None),
                tuple([_as_seen(state, viewer, lay[card], card) for card in cards]),
            )
        case Placed(zone, cards):
            seen = sees_zone(_with_zone(state, event), viewer, zone.name)
            # sort again, so that the order of the backs doesn't reveal that of the faces
            return (
                event
                if seen
                else replace(event, cards=in_zone_order(zone, _hidden_cards(state, cards)))
            )
        case Shuffled(zone=name, cards=cards):
            return (
                event
                if sees_zone(state, viewer, name)
                else replace(event, cards=_hidden_cards(state, cards))
            )
        case Shown(zone=name, card=card, seats=seats):
            if viewer in seats or sees_card(state, viewer, name, card):
                return event
            return replace(event, card=hidden_card(state.backs[card]))
        case Thrown():
            return _mask_throw(viewer, state, event)
        case _:
            assert_never(event)


def _mask_throw(viewer: int, state: State, event: Thrown) -> Thrown:
    """Return the throw, masked like the moves that it is equivalent to."""
    moves = []
    for move in throw_as_moves(state, event):
        heard = mask_event(state, move, viewer)
        assert isinstance(heard, Moved)
        moves.append(heard.card)
        state = apply(state, move)
    return replace(event, dice=tuple(moves[::2]), faces=tuple(moves[1::2]))


def _mask_sentence(viewer: int, state: State, event: Said, lay: Mapping[int, str]) -> Said:
    """Return the log line for `viewer`, in which cards that the viewer can't see are hidden.

    `lay` maps cards to their zones.
    """
    event = _sentence_for(viewer, event)
    cards = event.cards
    shown = tuple([_as_seen(state, viewer, lay[c], c) if c in lay else c for c in cards])
    return event if shown == cards else replace(event, cards=shown)


def _sentence_for(viewer: int, event: Said) -> Said:
    """Return the line that `viewer` receives: the event, or the version for other viewers."""
    whisper = event.whisper
    if not isinstance(whisper, Whisper):
        return event
    if viewer in whisper.seats:
        return replace(event, whisper=UNSET)
    text = whisper.others
    args = {name: value for name, value in event.args.items() if f"{{{name}}}" in text}
    cards = event.cards if "{card" in text else ()
    return Said(text, cards, args, event.tag)


def masked(state: State, events: Iterable[Event], viewer: int) -> tuple[Event, ...]:
    """Return `events` as `viewer` sees them. `state` is the whole table before the first event."""
    theirs = []
    for event in events:
        theirs.append(mask_event(state, event, viewer))
        state = apply(state, event)
    return tuple(theirs)


def events_by_viewer(
    befores: Iterable[State], events: Iterable[Event], viewers: Iterable[int]
) -> dict[int, tuple[Event, ...]]:
    """Return the events as each of `viewers` sees them.

    `befores` holds the state before each event.

    Viewers whose events are equal share one tuple.
    """
    whole = tuple(events)
    masked = {viewer: list(whole) for viewer in viewers}
    for at, (state, event) in enumerate(zip(befores, whole, strict=True)):
        if isinstance(event, PublicEvent):
            continue
        if type(event) is Said:
            lay = zones_of(state, event.cards) if event.cards else {}
            if event.whisper or not _all_zones_public(state, lay):
                for viewer, theirs in masked.items():
                    theirs[at] = _mask_sentence(viewer, state, event, lay)
        elif not _is_fully_public(state, event):
            for viewer, theirs in masked.items():
                theirs[at] = mask_event(state, event, viewer)
    different = [whole]
    return {viewer: _reuse_equal(different, tuple(theirs)) for viewer, theirs in masked.items()}


def _reuse_equal(
    different: list[tuple[Event, ...]], theirs: tuple[Event, ...]
) -> tuple[Event, ...]:
    """Return the tuple in `different` that equals `theirs`; if there is none, append `theirs`."""
    for known in different:
        if known == theirs:
            return known
    different.append(theirs)
    return theirs


def _is_fully_public(state: State, event: Event) -> bool:
    """Return whether every viewer sees all cards of `event`, given the `state` before it."""
    zones = state.zones
    match event:
        case Moved():
            return zones[event.source].sight is _ALL or zones[event.target].sight is _ALL
        case Placed(zone=zone):
            return zone.sight is _ALL
        case Shuffled(zone=name) | Shown(zone=name) | Thrown(zone=name):
            return zones[name].sight is _ALL
        case _:
            return False


def _all_zones_public(state: State, lay: Mapping[int, str]) -> bool:
    """Return whether every viewer sees all cards of the zones in `lay`."""
    for zone in lay.values():  # noqa: SIM110
        if state.zones[zone].sight is not _ALL:
            return False
    return True


def zones_of(state: TableReader, cards: Iterable[int]) -> dict[int, str]:
    """Return the zone of each of `cards`, without cards that are in no zone."""
    wanted = set(cards)
    lay: dict[int, str] = {}
    if wanted:
        for zone, held in state.cards.items():
            if held and not wanted.isdisjoint(held):
                for card in wanted.intersection(held):
                    lay[card] = zone
                if len(lay) == len(wanted):
                    break
    return lay


def seen_faces(state: State, viewer: int) -> set[int]:
    """Return the cards whose faces `viewer` sees anywhere on the table."""
    seen = {card for card, seats in state.shown.items() if viewer in seats}
    for name, held in state.cards.items():
        if sees_zone(state, viewer, name):
            seen.update(held)
    return {card for card in seen if is_face(card)}


def revealed_faces(event: Event) -> tuple[int, ...]:
    """Return the cards whose faces `event` contains."""
    cards = event.cards
    return cards if all_faces(cards) else tuple([card for card in cards if is_face(card)])


def deal_hidden(
    view: State,
    chance: Rng,
    answer: Callable[[State, Ask], Move],
    query: Query | None = None,
) -> State:
    """Return a random whole table consistent with `view`.

    Unseen cards are dealt to the hidden cards with the same back, so that the known facts hold
    according to `query`. Unrevealed answers of other seats are replaced by `answer(world, ask)`,
    which may return any legal move.
    """
    world = _deal(view, chance) if query is None else _deal_to_facts(view, chance, query)
    asks = {ask.id: ask for ask in view.asks}
    filled = {
        number: answer(world, asks[number]) if move is None else move
        for number, move in view.answers.items()
    }
    return replace(world, answers=filled)


def _deal_to_facts(view: State, chance: Rng, query: Query) -> State:
    """Return a random whole table consistent with the facts of `view`.

    Rejection sampling makes all such tables about equally likely. If it finds none, the search of
    `deal_known_cards` is used.
    """
    facts = view.facts or ()
    for _ in range(MAX_DEAL_ATTEMPTS):
        world = _deal(view, chance)
        if all(is_consistent(fact, world, query) for fact in facts):
            return world
    return _deal(deal_known_cards(view, query, chance), chance)


def _deal(view: State, chance: Rng) -> State:
    """Return a random whole table, ignoring facts."""
    backs = view.backs
    seen: set[int] = set().union(*view.cards.values())
    unseen: dict[int, list[int]] = {}
    for card in chance.shuffled(tuple([c for c in range(len(backs)) if c not in seen])):
        unseen.setdefault(hidden_card(backs[card]), []).append(card)
    cards = view.cards.copy()
    for name, held in view.cards.items():
        if held and not is_face(min(held)):
            dealt = [card if is_face(card) else unseen[card].pop() for card in held]
            cards[name] = in_zone_order(view.zones[name], tuple(dealt))
    return replace(view, viewer=None, cards=cards)


def _as_seen(state: State, viewer: int, zone: str, card: int) -> int:
    return card if sees_card(state, viewer, zone, card) else hidden_card(state.backs[card])


def _hidden_cards(state: State, cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(hidden_card(state.backs[card]) for card in cards)


def _with_zone(state: State, event: Placed) -> State:
    return replace(state, zones=state.zones | {event.zone.name: event.zone})
