"""The board of three by three: its cells, its cards and how they lie, and their changes by hand.

Cells count from 0, top left, row by row. A card lies face-up unless `down/{seat}/{cell}` is set:
that much is open to all (A20), also while nobody but its owner sees which card it is.

Which way up a hidden card lies is its owner's secret, and a public value would tell it. So each
cell has two needles, cards like any other that lie face-down beside it in `tilt/{seat}/{cell}`: the
lower number below means upright, the higher below means upside-down. Everybody sees that needles
lie there, and that they change places when an effect turns the card; only the owner, or all once
the card is open, see in what order they lie. A needle is known by its rank beside its fellow
alone, so that any two that a bot deals into a cell make a whole table (`engine.mask.deal_hidden`).
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
"""The year of an appeal card."""
CELL_OF: Final = {name: (seat, cell) for seat in SEATS for cell, name in enumerate(BOARD[seat])}

UPRIGHT, UPSIDE_DOWN = "↑", "↓"
WAYS: Final = (UPRIGHT, UPSIDE_DOWN)
BLANK: Final = -1
"""A face-down card counts as nothing (A14); of a hidden one no more is known."""
EMPTY: Final = -2
"""No card yet: not even a face-down one to be counted."""

CENTRE: Final = 4
TURNS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))
"""The four diagonals in the order of a card's arrows."""


def _neighbour(cell: int, down: int, right: int) -> int | None:
    row, column = cell // 3 + down, cell % 3 + right
    return 3 * row + column if row in range(3) and column in range(3) else None


INCOMING: Final = tuple(
    tuple(
        (other, 3 - corner)
        for corner, (down, right) in enumerate(TURNS)
        if (other := _neighbour(cell, down, right)) is not None
    )
    for cell in CELLS
)
"""The neighbours of each cell whose arrows meet it, with the number of that arrow (A13)."""
TIPS: Final = tuple(tuple(other for other, _ in met) for met in INCOMING)
OTHERS: Final = tuple(tuple(other for other in CELLS if other != cell) for cell in CELLS)
ROW: Final = tuple(tuple(c for c in CELLS if c != cell and c // 3 == cell // 3) for cell in CELLS)
COLUMN: Final = tuple(tuple(c for c in CELLS if c != cell and c % 3 == cell % 3) for cell in CELLS)


class Board(NamedTuple):
    """One board, each part nine long; `cards` is BLANK where a card can't be seen."""

    cards: tuple[int, ...]
    turned: tuple[bool, ...]
    counters: tuple[int, ...] = (0,) * 9
    used: tuple[int, ...] = (0,) * 9
    appeal: tuple[int, ...] = (0,) * 9


def read(look: TableReader, seat: int) -> Board:
    """The seat's board as it is now; an empty cell is BLANK too."""
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
    """Whether a card lies there face-up, be it hidden or open."""
    return not DOWN.of(look, seat, cell)


def is_open(look: TableReader, seat: int, cell: int) -> bool:
    """Whether everybody sees the card; the same from a view as from the whole table."""
    return bool(look.shown.get(look.cards[BOARD[seat][cell]][0]))


def may_move(look: TableReader, seat: int, cell: int) -> bool:
    """Whether effects may move or turn the card: an appeal card stays for good (A21)."""
    return not APPEAL.of(look, seat, cell)


def lay(table: Pen, seat: int, cell: int, card: int, source: str, way: str) -> None:
    """Lay a card on an empty cell, hidden, either way up."""
    table.move(card, source, BOARD[seat][cell])
    low, high = table.state.cards[NEEDLES[seat]][:2]
    for needle in (low, high) if way == UPRIGHT else (high, low):
        table.move(needle, NEEDLES[seat], TILT[seat][cell])


def take_away(table: Pen, seat: int, cell: int, target: str) -> None:
    """Take the card off the board; its counters are lost (A26)."""
    table.move(table.state.cards[BOARD[seat][cell]][0], BOARD[seat][cell], target)
    for needle in table.state.cards[TILT[seat][cell]]:
        table.move(needle, TILT[seat][cell], NEEDLES[seat])
    if COUNTERS.of(table.state, seat, cell):
        COUNTERS.set(table, seat, cell, 0)


def uncover(table: Pen, seat: int, cell: int) -> None:
    """Show everybody the card, and which way up it lies."""
    for zone in (BOARD[seat][cell], TILT[seat][cell]):
        for card in table.state.cards[zone]:
            if not table.state.shown.get(card):
                table.show(zone, card)


def turn(table: Pen, seat: int, cell: int) -> None:
    """Turn the card by 180 degrees (A10): its needles change places, in everybody's sight."""
    was_open = is_open(table.state, seat, cell)
    zone = TILT[seat][cell]
    table.move(table.state.cards[zone][0], zone, zone)
    if was_open:
        uncover(table, seat, cell)


def swap(table: Pen, seat: int, one: int, other: int) -> None:
    """Two cards of one board change cells; way up, counters and face stay as they are (A28)."""
    were_open = (is_open(table.state, seat, other), is_open(table.state, seat, one))
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
            uncover(table, seat, cell)
