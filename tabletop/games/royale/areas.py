"""The map: 21 areas in five rows and five columns without the corners, its edges and its ways."""

from collections.abc import Mapping
from typing import Final

from tabletop.engine.model import TableReader
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.places import AT, CHARACTER, turned_up

SIZE: Final = range(1, 6)
CORNERS: Final = {(1, 1), (1, 5), (5, 1), (5, 5)}
SPOTS: Final = tuple(
    (row, column) for row in SIZE for column in SIZE if (row, column) not in CORNERS
)
NAME: Final = {spot: f"area/{spot[0]},{spot[1]}" for spot in SPOTS}
CELLS: Final = tuple(NAME.values())
DIRECTIONS: Final = ((-1, 0, "N", "S"), (0, 1, "E", "W"), (1, 0, "S", "N"), (0, -1, "W", "E"))

NEIGHBOURS: Final = {
    NAME[row, column]: tuple(
        (NAME[row + down, column + right], back, forth)
        for down, right, back, forth in DIRECTIONS
        if (row + down, column + right) in NAME
    )
    for row, column in SPOTS
}
"""The cells beyond the edges of each cell, with the sides of the edge on this card and on that."""

IN_LINE: Final = {
    NAME[spot]: tuple(
        NAME[other]
        for other in SPOTS
        if other != spot and (other[0] == spot[0] or other[1] == spot[1])
    )
    for spot in SPOTS
}
"""The other cells of each cell's row and column."""

Cards = Mapping[str, tuple[int, ...]]


def areas_on_map(look: TableReader) -> tuple[str, ...]:
    """The areas that are still on the map."""
    cards = look.cards
    return tuple([cell for cell in CELLS if cards[cell]])


def adjacent(look: TableReader, cell: str) -> list[str]:
    """S5, S6: areas that share an edge and are still there; lines do not matter."""
    cards = look.cards
    return [other for other, _, _ in NEIGHBOURS[cell] if cards[other]]


def one_step(deck: Deck, cards: Cards, cell: str, free: bool) -> list[str]:
    """Return the areas one step away; `free` of lines (S6), and the escalator of gaps too (S7)."""
    here = cards[cell][0]
    if here in deck.rides:
        return [other for other in IN_LINE[cell] if cards[other]]
    if free:
        return [other for other, _, _ in NEIGHBOURS[cell] if cards[other]]
    line = deck.line
    blocked = line[here]
    return [
        other
        for other, side, back in NEIGHBOURS[cell]
        if blocked != side and (held := cards[other]) and line[held[0]] != back
    ]


def within(deck: Deck, cards: Cards, cell: str, steps: int, free: bool) -> dict[str, str]:
    """Every area within this many steps, with the one before it on a shortest way.

    S8: passing through is free, and returning home is no step at all.
    """
    before = {cell: ""}
    edge = [cell]
    for _ in range(steps):
        ahead: list[str] = []
        for here in edge:
            for other in one_step(deck, cards, here, free):
                if other not in before:
                    before[other] = here
                    ahead.append(other)
        edge = ahead
    del before[cell]
    return before


def passes_lines(deck: Deck, look: TableReader, seat: int) -> bool:
    """Whether the player's face-up gear leads over lines."""
    return any(card in deck.pass_lines for card in turned_up(look, seat))


def stride(deck: Deck, look: TableReader, seat: int) -> int:
    """5.2: two steps, and what an ability or face-up gear adds."""
    mine = [*look.cards[CHARACTER[seat]], *turned_up(look, seat)]
    return 2 + sum([deck.stride[card].extra for card in mine if card in deck.stride])


def walks(deck: Deck, look: TableReader, seat: int) -> dict[str, str]:
    """5.2: where the player may walk to, each with the area before it."""
    free = passes_lines(deck, look, seat)
    return within(deck, look.cards, AT.of(look, seat), stride(deck, look, seat), free)


def steps(deck: Deck, look: TableReader, seat: int) -> tuple[str, ...]:
    """5.4, S11: where a Move card leads: one step."""
    free = passes_lines(deck, look, seat)
    return tuple(one_step(deck, look.cards, AT.of(look, seat), free))


def way(before: Mapping[str, str], target: str) -> tuple[str, ...]:
    """The areas on a shortest way, the target last."""
    back = [target]
    while (previous := before[back[-1]]) in before:
        back.append(previous)
    return tuple(reversed(back))


def others_at(look: TableReader, seat: int, cells: tuple[str, ...] | list[str]) -> list[int]:
    """The other players whose characters are in these areas."""
    return [other for other, at in enumerate(AT.all(look)) if other != seat and at in cells]
