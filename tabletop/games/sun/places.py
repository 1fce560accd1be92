"""The field, and the names of all zones and public values.

Rows count from the far side as seen by the first player, columns from the left, at the draw pile.
Facings are in steps of 45 degrees clockwise: 0 far, 2 right, 4 near, 6 left.
"""

from typing import Final

from tabletop.engine.model import Number, Word, each

CELLS: Final = tuple(f"grid/{row},{column}" for row in range(3) for column in range(3))
NUMBER: Final = {cell: number for number, cell in enumerate(CELLS)}
CENTRE: Final = CELLS[4]
RING: Final = tuple(cell for cell in CELLS if cell != CENTRE)
OPPOSITE: Final = dict(zip(CELLS, reversed(CELLS), strict=True))
WEST: Final = 6
"""The ghost's initial facing."""

STEPS: Final = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
AHEAD: Final = {
    CELLS[3 * row + column]: tuple(
        CELLS[(row + down) % 3 * 3 + (column + right) % 3] for down, right in STEPS
    )
    for row in range(3)
    for column in range(3)
}
"""The cell to which a step leads, by cell and facing.

Opposite edges of the field are joined (6.3, CS-10).
"""

LINES: Final = tuple(
    tuple(CELLS[cell] for cell in line)
    for line in (
        *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
        *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
        *((0, 4, 8), (2, 4, 6)),
        *((1, 3), (1, 5), (3, 7), (5, 7)),
    )
)
"""All lines: rows, columns, long and short diagonals (6.2, CS-08)."""

Line = tuple[int, ...]
"""The numbers of the cells in a line, which are faster to use than names."""
_NUMBERED: Final[tuple[Line, ...]] = tuple(tuple(NUMBER[cell] for cell in line) for line in LINES)
LINES_THROUGH: Final = tuple(tuple(line for line in _NUMBERED if cell in line) for cell in range(9))
LINE_OF: Final = tuple(
    tuple(
        next((line for line in _NUMBERED if a != b and a in line and b in line), ())
        for b in range(9)
    )
    for a in range(9)
)
"""The only line through two cells, or ()."""

SEATS: Final = range(2)
HAND: Final = each("hand", SEATS)
BED: Final = each("bed", SEATS)
SPARE: Final = each("spare", SEATS)
"""A player's cards that don't fit into the squads (7.1)."""
SQUADS: Final = tuple(each(own, (1, 2, 3)) for own in each("squad", SEATS))
SPOTS: Final = tuple(tuple(squad for squad in own for _ in range(2)) for own in SQUADS)
"""A player's squads in the order in which they are filled,
each listed twice for its two cards (7.1, CS-13).
"""
MARKER: Final = Number("marker/{seat}")
"""The number of shield cards that the seat has analysed."""
SCORE: Final = Number("score/{seat}")
GHOST_CELL: Final = Word("ghost/cell")
GHOST_FACING: Final = Number("ghost/facing")
PHASE: Final = Word("phase")
"""The phase of the game: "siege", "analysis" or "extermination"."""
TURN: Final = Number("turn")
LAST: Final = Word("last")
"""The cell of the latest card placed in the siege."""
