"""Updates of a turn for each viewer, and equivalent turns in worlds that the viewer can't
distinguish. The laws compare them.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from tabletop.engine.events import (
    Announced,
    Answered,
    Event,
    apply,
    sees_card,
)
from tabletop.engine.facts import is_consistent
from tabletop.engine.mask import seen_faces
from tabletop.engine.model import Fact, Move, Offer, Rng, State, is_face
from tabletop.engine.play import Illegal, get_query, submit
from tabletop.match.match import Update
from tabletop.studio.laws.random_games import GameTable, PlayedTurn, open_asks


def revealed_faces(event: Event) -> set[int]:
    """Return the cards in `event` whose faces are visible."""
    cards = set(event.cards)
    if isinstance(event, Answered) and event.move is not None:
        cards.update(event.move.cards)
    return {card for card in cards if is_face(card)}


def can_see_face(state: State, viewer: int, card: int) -> bool:
    """Return whether `viewer` sees the face of `card` in its current zone."""
    return any(
        sees_card(state, viewer, zone, card) for zone, held in state.cards.items() if card in held
    )


def offers_to(setting: GameTable, view: State, viewer: int) -> dict[int, tuple[Offer, ...]]:
    asks = [ask for ask in open_asks(view) if ask.seat == viewer]
    return {ask.id: setting.game.offers(view, ask) for ask in asks}


def update_of(setting: GameTable, turn: PlayedTurn, viewer: int) -> Update:
    """Return the update of `turn` for `viewer`."""
    state, heard = turn.before, []
    for event in turn.events:
        heard.append(setting.mask_event(state, event, viewer))
        state = apply(state, event)
    view = setting.mask(turn.after, viewer)
    return Update(turn.after.ply, tuple(heard), offers_to(setting, view, viewer))


def hidden_pairs(setting: GameTable, seen: set[int], chance: Rng) -> Iterator[tuple[int, int]]:
    """Yield some pairs of cards with the same back that aren't in `seen`."""
    hidden = tuple(card for card in range(len(setting.backs)) if card not in seen)
    for _ in range(4 if hidden else 0):
        one = hidden[chance.below(len(hidden))]
        alike = [c for c in hidden if c != one and setting.backs[c] == setting.backs[one]]
        if alike:
            yield one, alike[chance.below(len(alike))]


def indistinguishable_turns(
    setting: GameTable, turn: PlayedTurn, viewer: int, seed: str, chance: Rng
) -> Iterator[tuple[tuple[int, int], PlayedTurn]]:
    """Yield pairs of cards, and `turn` as played in the world where that pair is swapped.

    Only worlds that `viewer` can't distinguish from this one are included: neither card becomes
    visible, and all announcements to the viewer are the same.
    """
    for pair in hidden_pairs(setting, faces_seen(setting, turn, viewer), chance):
        other = play_with_swap(setting, turn, pair, seed)
        if other is None or faces_seen(setting, other, viewer) & set(pair):
            continue
        if false_facts(setting, other.before, viewer) or announced_facts(
            other, viewer
        ) != announced_facts(turn, viewer):
            continue
        yield pair, other


def announced_facts(turn: PlayedTurn, viewer: int) -> list[Fact]:
    """Return the facts about hidden cards announced to `viewer` in `turn`."""
    facts = [event.fact for event in turn.events if isinstance(event, Announced)]
    return [fact for fact in facts if viewer in fact.seats]


def false_facts(setting: GameTable, state: State, viewer: int) -> list[Fact]:
    """Return the facts known to `viewer` that aren't true in `state`."""
    query = get_query(setting.game)
    if query is None:
        return []
    known = [fact for fact in state.facts or () if viewer in fact.seats]
    return [fact for fact in known if not is_consistent(fact, state, query)]


def faces_seen(setting: GameTable, turn: PlayedTurn, viewer: int) -> set[int]:
    """Return the cards whose faces `viewer` saw before, during or after `turn`."""
    seen = seen_faces(turn.before, viewer) | seen_faces(turn.after, viewer)
    return seen.union(*map(revealed_faces, update_of(setting, turn, viewer).events))


def play_with_swap(
    setting: GameTable, turn: PlayedTurn, pair: tuple[int, int], seed: str
) -> PlayedTurn | None:
    """Return `turn` as played in the world where the cards of `pair` are swapped, or None if the
    move is illegal there.
    """
    if turn.move is None or turn.seat is None:
        return None
    before = _swap(turn.before, pair)
    move = _swapped_move(turn.move, pair)
    try:
        table = submit(setting.game, before, turn.seat, move, seed)
    except Illegal:
        return None
    return PlayedTurn(before, turn.seat, move, tuple(table.events), table.state)


def _swap(state: State, pair: tuple[int, int]) -> State:
    names = {pair[0]: pair[1], pair[1]: pair[0]}

    def cards(zone: str) -> tuple[int, ...]:
        held = tuple(names.get(card, card) for card in state.cards[zone])
        return tuple(sorted(held)) if state.zones[zone].loose else held

    return replace(
        state,
        cards={zone: cards(zone) for zone in state.cards},
        shown={names.get(card, card): seats for card, seats in state.shown.items()},
        answers={
            number: move and _swapped_move(move, pair) for number, move in state.answers.items()
        },
    )


def _swapped_move(move: Move, pair: tuple[int, int]) -> Move:
    names = {pair[0]: pair[1], pair[1]: pair[0]}
    return replace(move, cards=tuple(names.get(card, card) for card in move.cards))
