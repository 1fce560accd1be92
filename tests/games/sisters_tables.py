"""A table of Planetary Sisters as a test wants it: who holds which ranks, and what was played."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.model import Move, Result, State
from tabletop.engine.play import start
from tabletop.engine.scratch import FastRng
from tabletop.engine.table import Table
from tabletop.games.sisters.rules import Rules
from tests.games.game_driver import answer

KIT = catalogue.load("sisters")
GAME = KIT.rules
assert isinstance(GAME, Rules)

FIELD = {2: 4, 3: 3, 4: 4}


def new(seats: int, seed: str = "test", **options: str) -> State:
    return start(GAME, seats, seed, KIT.backs, {"parent": "first", **options}).state


def card(rank: int) -> int:
    return rank - 1


def cards(*ranks: int) -> tuple[int, ...]:
    return tuple(rank - 1 for rank in ranks)


def ranks(held: Sequence[int]) -> tuple[int, ...]:
    return tuple(number + 1 for number in held)


def to_move(state: State) -> int:
    (ask,) = state.asks
    return ask.seat


def field(state: State) -> tuple[int, ...]:
    """The ranks in the field; 0 where a place is empty."""
    places = [state.cards[f"field/{place}"] for place in range(FIELD[state.seats])]
    return tuple(held[0] + 1 if held else 0 for held in places)


def trade(used: int, place: int) -> Move:
    return Move(0, "trade", cards(used), f"field/{place}")


def any_trade(state: State) -> Move:
    """The first thing that is offered."""
    (offer,) = GAME.offers(state, state.asks[0])
    return next(offer.moves(state.asks[0].id))


def turn(state: State, move: Move | None = None) -> State:
    """The table after the waiting player's move, by default the first one offered."""
    return answer(GAME, state, to_move(state), move or any_trade(state)).state


def to_round(state: State, number: int) -> State:
    while state.values["round"] != number:
        state = turn(state)
    return state


def dealt(state: State, places: Mapping[str, tuple[int, ...]], **values: int | str) -> State:
    """The table with these cards in these zones, all others changing places with what lay there.

    `places` names zones and ranks; as many as lie there, in the zone's order.
    """
    held = {name: list(lying) for name, lying in state.cards.items()}
    taken = [number for wanted in places.values() for number in cards(*wanted)]
    free = iter(
        n for name in places for n in sorted(held[name]) if n not in taken
    )  # the cards that have to leave these zones
    for name, lying in held.items():
        if name not in places:
            held[name] = [next(free) if n in taken else n for n in lying]
    for name, wanted in places.items():
        assert len(wanted) == len(state.cards[name]), name
        held[name] = list(cards(*wanted))
    whole = {
        name: tuple(sorted(lying)) if state.zones[name].loose else tuple(lying)
        for name, lying in held.items()
    }
    return replace(state, cards=whole, values=state.values | values)


def played(seats: int, number: int, moves: Sequence[tuple[int, int]], **values: int | str) -> Table:
    """The table after a whole round: each turn's used and gained rank, from seat 0, the parent."""
    state = to_round(new(seats), number)
    state = replace(state, values=state.values | {"parent": 0})
    state = replace(state, asks=(replace(state.asks[0], seat=0),))
    hands: dict[int, list[int]] = {seat: [] for seat in range(seats)}
    for place, (used, _) in enumerate(moves):
        hands[place % seats].append(used)
    spare = iter(
        [r for r in range(36, 0, -1) if r not in {rank for pair in moves for rank in pair}]
    )
    places = {}
    for seat, hand in hands.items():
        missing = len(state.cards[f"hand/{seat}"]) - len(hand)
        places[f"hand/{seat}"] = (*hand, *(next(spare) for _ in range(missing)))
    for place, (_, gained) in enumerate(moves):
        places[f"field/{place}"] = (gained,)
    state = dealt(state, places, **values)
    for place, (used, gained) in enumerate(moves):
        table = answer(GAME, state, place % seats, trade(used, place))
        state = table.state
        assert gained
    return table


def final(seats: int, places: Mapping[str, tuple[int, ...]], lasting: tuple[int, ...]) -> Result:
    """The result of a game that ends with these ranks in these zones, `lasting` in the field."""
    result = scored(seats, places, lasting).state.result
    assert result is not None
    return result


def scored(seats: int, places: Mapping[str, tuple[int, ...]], lasting: tuple[int, ...]) -> Table:
    """The table of such a game, and all that scoring wrote."""
    state = to_round(new(seats), 8)
    while state.values["turn"] != FIELD[seats]:
        state = turn(state)
    spare = [r for r in range(1, 37) if r not in [*lasting, *sum(places.values(), ())]]
    held: dict[str, tuple[int, ...]] = {}
    for name in state.cards:
        wanted = cards(*places.get(name, ()))
        if name.startswith("field/"):
            wanted = cards(lasting[int(name[-1])])
        held[name] = tuple(sorted(wanted))
    held["rest"] = cards(*spare)
    table = Table(replace(state, cards=held), FastRng(0))
    GAME._score(table)
    return table
