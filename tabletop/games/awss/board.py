"""A player's board of three by three cells, with its cards and their positions.

Cells are numbered from 0 at the top left, row by row. A card is face up unless `down/{seat}/{cell}`
is set. This is public (A20), even while only the owner can see which card it is.

The rotation of a hidden card is its owner's secret, so it can't be a public value. Instead, each
cell has two needles: cards that lie face down beside it in `tilt/{seat}/{cell}`. If the needle with
the lower number is at the bottom, the card is upright, otherwise upside down. All players see the
needles, and see them swap when an effect rotates the card, but only the owner sees their order
until the card is revealed. Only the relative order of two needles matters, so any two that a bot
deals into a cell are valid (`engine.mask.deal_hidden`).
"""

from typing import Final, NamedTuple

from tabletop.engine.model import Flag, Number, Pen, TableReader, each, is_face

SEATS: Final = range(4)
CELLS: Final = range(9)
BOARD: Final = tuple(each(own, CELLS) for own in each("board", SEATS))
TILT: Final = tuple(each(own, CELLS) for own in each("tilt", SEATS))
NEEDLES: Final = each("needles", SEATS)
DOWN: Final = Flag("down/{seat}/{cell}")
COUNTERS: Final = Number("counters/{seat}/{cell}")
USED: Final = Flag("used/{seat}/{cell}")
APPEAL: Final = Number("appeal/{seat}/{cell}")
"""The year in which an appeal card was presented; 0 for other cards."""
CELL_OF: Final = {name: (seat, cell) for seat in SEATS for cell, name in enumerate(BOARD[seat])}

UPRIGHT, UPSIDE_DOWN = "↑", "↓"
ROTATIONS: Final = (UPRIGHT, UPSIDE_DOWN)
BLANK: Final = -1
"""The number for a card that is face down, and so counts as nothing (A14), or hidden."""
EMPTY: Final = -2
"""The number for a cell without a card, which doesn't count as a face-down card either."""

CENTRE: Final = 4
DIAGONALS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))
"""The four diagonals, in the order of a card's arrows."""


def _neighbour(cell: int, down: int, right: int) -> int | None:
    row, column = cell // 3 + down, cell % 3 + right
    return 3 * row + column if row in range(3) and column in range(3) else None


INCOMING: Final = tuple(
    tuple(
        (other, 3 - corner)
        for corner, (down, right) in enumerate(DIAGONALS)
        if (other := _neighbour(cell, down, right)) is not None
    )
    for cell in CELLS
)
"""For each cell, its diagonal neighbours and the index of the neighbour's arrow
that points to the cell (A13).
"""
TIPS: Final = tuple(tuple(other for other, _ in met) for met in INCOMING)
OTHERS: Final = tuple(tuple(other for other in CELLS if other != cell) for cell in CELLS)
ROW: Final = tuple(tuple(c for c in CELLS if c != cell and c // 3 == cell // 3) for cell in CELLS)
COLUMN: Final = tuple(tuple(c for c in CELLS if c != cell and c % 3 == cell % 3) for cell in CELLS)


class Board(NamedTuple):
    """The state of a board as tuples of nine elements; in `cards`, hidden cards are BLANK."""

    cards: tuple[int, ...]
    turned: tuple[bool, ...]
    counters: tuple[int, ...] = (0,) * 9
    used: tuple[int, ...] = (0,) * 9
    appeal: tuple[int, ...] = (0,) * 9


def read_board(look: TableReader, seat: int) -> Board:
    """Return the current state of a player's board. Empty cells are BLANK too."""
    cards = look.cards
    down = DOWN.row(look, seat, CELLS)
    held = [cards[zone] for zone in BOARD[seat]]
    needles = [cards[zone] for zone in TILT[seat]]
    return Board(
        tuple(
            [
                held[cell][0] if held[cell] and not down[cell] and is_face(held[cell][0]) else BLANK
                for cell in CELLS
            ]
        ),
        tuple([bool(pair) and pair[0] > pair[1] for pair in needles]),
        tuple(COUNTERS.row(look, seat, CELLS)),
        tuple(USED.row(look, seat, CELLS)),
        tuple(APPEAL.row(look, seat, CELLS)),
    )


def is_up(look: TableReader, seat: int, cell: int) -> bool:
    """Return whether the card in a cell is face up, even if it is hidden from other players."""
    return not DOWN.of(look, seat, cell)


def is_revealed(look: TableReader, seat: int, cell: int) -> bool:
    """Return whether all players see the card.

    The result is the same on a table and in any view.
    """
    return bool(look.shown.get(look.cards[BOARD[seat][cell]][0]))


def may_move(look: TableReader, seat: int, cell: int) -> bool:
    """Return whether effects may move or rotate the card. Appeal cards stay in place (A21)."""
    return not APPEAL.of(look, seat, cell)


def lay_card(table: Pen, seat: int, cell: int, card: int, source: str, way: str) -> None:
    """Lay a card on an empty cell with the rotation `way`, hidden from other players."""
    table.move(card, source, BOARD[seat][cell])
    low, high = table.state.cards[NEEDLES[seat]][:2]
    for needle in (low, high) if way == UPRIGHT else (high, low):
        table.move(needle, NEEDLES[seat], TILT[seat][cell])


def remove_card(table: Pen, seat: int, cell: int, target: str) -> None:
    """Remove the card from the board. Its counters are lost (A26)."""
    table.move(table.state.cards[BOARD[seat][cell]][0], BOARD[seat][cell], target)
    for needle in table.state.cards[TILT[seat][cell]]:
        table.move(needle, TILT[seat][cell], NEEDLES[seat])
    if COUNTERS.of(table.state, seat, cell):
        COUNTERS.set(table, seat, cell, 0)


def reveal_card(table: Pen, seat: int, cell: int) -> None:
    """Reveal a card and its rotation to all players."""
    for zone in (BOARD[seat][cell], TILT[seat][cell]):
        for card in table.state.cards[zone]:
            if not table.state.shown.get(card):
                table.show(zone, card)


def rotate_card(table: Pen, seat: int, cell: int) -> None:
    """Rotate a card by 180 degrees (A10). All players see its needles swap."""
    was_open = is_revealed(table.state, seat, cell)
    zone = TILT[seat][cell]
    table.move(table.state.cards[zone][0], zone, zone)
    if was_open:
        reveal_card(table, seat, cell)


def swap_cards(table: Pen, seat: int, one: int, other: int) -> None:
    """Swap two cards on a board, each with its rotation, counters and visibility (A28)."""
    were_open = (is_revealed(table.state, seat, other), is_revealed(table.state, seat, one))
    for zones in (BOARD[seat], TILT[seat]):
        from_one, from_other = table.state.cards[zones[one]], table.state.cards[zones[other]]
        for card in from_one:
            table.move(card, zones[one], zones[other])
        for card in from_other:
            table.move(card, zones[other], zones[one])
    for value in (DOWN, COUNTERS, USED):
        first, second = value.of(table.state, seat, one), value.of(table.state, seat, other)
        if first != second:
            value.set(table, seat, one, second)
            value.set(table, seat, other, first)
    for cell, open_now in zip((one, other), were_open, strict=True):
        if open_now:
            reveal_card(table, seat, cell)
