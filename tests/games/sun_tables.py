"""A table of Children of the Sun as a test wants it: the field, the ghost, and the last turn."""

from collections.abc import Mapping

from tabletop.catalogue import catalogue
from tabletop.engine.events import Moved, Shown
from tabletop.engine.model import AUDIENCE, Ask, Move, State
from tabletop.engine.play import start
from tabletop.engine.scratch import FastRng
from tabletop.engine.table import SeededRng, Table
from tabletop.games.sun.places import CELLS
from tests.games.game_driver import answer, of_kind, offered

KIT = catalogue.load("sun")
GAME = KIT.rules
LETTERS = {"r": "red", "v": "violet", "b": "blue", "y": "yellow"}
FAR, FAR_RIGHT, RIGHT, NEAR_RIGHT, NEAR, NEAR_LEFT, LEFT, FAR_LEFT = range(8)


def card(name: str) -> int:
    """ "r+2" is red, two steps clockwise."""
    face = (LETTERS[name[0]], int(name[1:]))
    return next(n for n, c in enumerate(KIT.deck) if (c["colour"], c["turn"]) == face)


def cards(names: str) -> tuple[int, ...]:
    return tuple(card(name) for name in names.split())


def begin(seed: str = "test") -> State:
    return start(GAME, 2, seed, KIT.backs).state


def position(
    field: str,
    ghost: int,
    facing: int = FAR,
    hands: Mapping[int, str] | None = None,
    beds: Mapping[int, str] | None = None,
    markers: tuple[int, int] = (0, 0),
    shield: str = "",
    turn: int = 9,
    seat: int = 0,
    last: int | None = None,
    pile: int | None = None,
) -> State:
    """A table in the middle of the game: nine cells read like a page, "." where none lies.

    Cards that are not named lie in the pile, or in the stomach where `pile` limits it; shield and
    hands are filled up from them.
    """
    zones: dict[str, tuple[int, ...]] = dict.fromkeys(begin().zones, ())
    for cell, name in zip(CELLS, field.split(), strict=True):
        zones[cell] = () if name == "." else (card(name),)
    for who, names in (hands or {}).items():
        zones[f"hand/{who}"] = tuple(sorted(cards(names)))
    for who, names in (beds or {}).items():
        zones[f"bed/{who}"] = tuple(sorted(cards(names)))
    zones["shield"] = cards(shield)
    used = {c for held in zones.values() for c in held}
    rest = [c for c in range(32) if c not in used]
    while len(zones["shield"]) < 6:
        zones["shield"] += (rest.pop(),)
    if pile is not None:
        zones["stomach"] = tuple(rest[pile:])
        rest = rest[:pile]
    zones["pile"] = tuple(rest)
    shown: dict[int, tuple[int, ...]] = {}
    for who, done in enumerate(markers):
        for place in range(6)[:done] if who == 0 else range(6)[::-1][:done]:
            front = zones["shield"][place]
            shown[front] = (*shown.get(front, ()), who)
    siege = turn <= 8
    return State(
        2,
        KIT.backs,
        zones=begin().zones,
        cards=zones,
        shown=shown,
        values={
            "phase": "siege" if siege else "analysis",
            "turn": turn,
            "last": "" if last is None else CELLS[last],
            "ghost/cell": CELLS[ghost],
            "ghost/facing": facing,
            "marker/0": markers[0],
            "marker/1": markers[1],
            "score/0": 0,
            "score/1": 0,
        },
        asks=(Ask(1, seat, "place"),),
        asked=2,
    )


def place(state: State, name: str, cell: int | None = None, turn: str | None = None) -> Table:
    """The seat to move lays this card; where, and how far it turns the ghost, as the card says."""
    seat = state.asks[0].seat
    where = CELLS[cell] if cell is not None else empty(state)[0]
    spin = name[1:] if turn is None else turn
    return answer(GAME, state, seat, Move(0, "place", (card(name),), where, spin))


def empty(state: State) -> list[str]:
    return [cell for cell in CELLS if not state.cards[cell]]


def of_card(state: State, name: str) -> dict[str, tuple[str, ...]]:
    """The offers to the seat to move for this card."""
    for offer in offered(GAME, state, state.asks[0].seat):
        if offer.cards == (card(name),):
            return {"cells": offer.targets, "turns": offer.choices}
    return {"cells": (), "turns": ()}


def fate(table: Table) -> tuple[str, bool]:
    """Where the removed card went, and whether its player analysed a card of the shield."""
    moved = [event for event in of_kind(table, Moved) if event.source == "aside"]
    analysed = any(AUDIENCE not in event.seats for event in of_kind(table, Shown))
    return (moved[-1].target if moved else "", analysed)


def shorthand(number: int) -> str:
    return f"{KIT.deck[number]['colour'][0]}{KIT.deck[number]['turn']:d}"


def last_turn(bed_0: str, bed_1: str, shield: str = "", markers: tuple[int, int] = (0, 0)) -> State:
    """The second player lays the very last card, no magic, and the squads are formed."""
    field, hand = _last_field(f"{bed_0} {bed_1} {shield}")
    state = position(
        field, 1, FAR, {1: hand}, {0: bed_0, 1: bed_1}, markers, shield, turn=26, seat=1, pile=0
    )
    table = place(state, hand, turn="4" if hand[1:] == "4" else "0")
    assert fate(table) == ("stomach", False), "the position should bring no magic"
    return table.state


def _last_field(taken: str) -> tuple[str, str]:
    """A field and a last card of what is left, such that no magic comes of it."""
    free = [shorthand(n) for n in range(32) if n not in cards(taken)]
    for seed in range(2000):
        chosen = FastRng(seed).shuffled(tuple(range(len(free))))[:9]
        names = [free[n] for n in chosen]
        field = " ".join([*names[:4], ".", *names[4:8]])
        state = position(field, 1, FAR, {1: names[8]}, turn=25, seat=1)
        turn = "4" if names[8][1:] == "4" else "0"
        if fate(place(state, names[8], turn=turn))[0] == "stomach":
            return field, names[8]
    raise AssertionError("no quiet field")


def squads(state: State, *formed: str) -> Table:
    """Both players form their squads, given in order."""
    table = Table(state, SeededRng("none"))
    for seat, names in enumerate(formed):
        if names:
            table = answer(GAME, table.state, seat, Move(0, "squads", cards(names)))
    return table
