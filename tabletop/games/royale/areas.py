"""The map: 21 areas in a 5 × 5 grid without corners, with their borders and paths."""

from collections.abc import Mapping
from typing import Final

from tabletop.engine.model import TableReader
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.places import AT, CHARACTER, face_up_items

GRID_RANGE: Final = range(1, 6)
CORNERS: Final = {(1, 1), (1, 5), (5, 1), (5, 5)}
GRID_POSITIONS: Final = tuple(
    (row, column) for row in GRID_RANGE for column in GRID_RANGE if (row, column) not in CORNERS
)
NAME: Final = {spot: f"area/{spot[0]},{spot[1]}" for spot in GRID_POSITIONS}
CELLS: Final = tuple(NAME.values())
DIRECTIONS: Final = ((-1, 0, "N", "S"), (0, 1, "E", "W"), (1, 0, "S", "N"), (0, -1, "W", "E"))

NEIGHBOURS: Final = {
    NAME[row, column]: tuple(
        (NAME[row + down, column + right], back, forth)
        for down, right, back, forth in DIRECTIONS
        if (row + down, column + right) in NAME
    )
    for row, column in GRID_POSITIONS
}
"""The adjacent cells of each cell,
each with the side of the border on this card and on the other card.
"""

IN_LINE: Final = {
    NAME[spot]: tuple(
        NAME[other]
        for other in GRID_POSITIONS
        if other != spot and (other[0] == spot[0] or other[1] == spot[1])
    )
    for spot in GRID_POSITIONS
}
"""For each cell, the other cells in its row and column."""

Cards = Mapping[str, tuple[int, ...]]


def areas_on_map(look: TableReader) -> tuple[str, ...]:
    """Return the areas that are still on the map."""
    cards = look.cards
    return tuple([cell for cell in CELLS if cards[cell]])


def adjacent_areas(look: TableReader, cell: str) -> list[str]:
    """Return the areas that share a border with `cell`, whatever lines are on it (S5, S6)."""
    cards = look.cards
    return [other for other, _, _ in NEIGHBOURS[cell] if cards[other]]


def one_step(deck: Deck, cards: Cards, cell: str, free: bool) -> list[str]:
    """Return the areas one step away from `cell`.

    If `free` is true, lines don't block the way (S6). The escalator also crosses gaps in the map
    (S7).
    """
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


def areas_within(deck: Deck, cards: Cards, cell: str, steps: int, free: bool) -> dict[str, str]:
    """Return the areas at most `steps` away, each mapped to its predecessor on a shortest path.

    Other players don't block the way, and the starting area isn't a destination (S8).
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
    """Return whether the player has face-up gear that lets them cross lines."""
    return any(card in deck.pass_lines for card in face_up_items(look, seat))


def walk_length(deck: Deck, look: TableReader, seat: int) -> int:
    """Return how many steps the player can walk: two, plus bonuses (5.2)."""
    mine = [*look.cards[CHARACTER[seat]], *face_up_items(look, seat)]
    return 2 + sum([deck.stride[card].extra for card in mine if card in deck.stride])


def walkable_areas(deck: Deck, look: TableReader, seat: int) -> dict[str, str]:
    """Return the areas to which the player can walk, each mapped to its predecessor (5.2)."""
    free = passes_lines(deck, look, seat)
    return areas_within(deck, look.cards, AT.of(look, seat), walk_length(deck, look, seat), free)


def areas_one_step_away(deck: Deck, look: TableReader, seat: int) -> tuple[str, ...]:
    """Return the areas to which the player can go with a Move card (5.4, S11)."""
    free = passes_lines(deck, look, seat)
    return tuple(one_step(deck, look.cards, AT.of(look, seat), free))


def path_to(before: Mapping[str, str], target: str) -> tuple[str, ...]:
    """Return the areas on a shortest path to `target`, including `target` itself.

    `before` maps areas to their predecessors, as returned by `areas_within`.
    """
    back = [target]
    while (previous := before[back[-1]]) in before:
        back.append(previous)
    return tuple(reversed(back))


def others_at(look: TableReader, seat: int, cells: tuple[str, ...] | list[str]) -> list[int]:
    """Return the seats of the other players in these areas."""
    return [other for other, at in enumerate(AT.all(look)) if other != seat and at in cells]
