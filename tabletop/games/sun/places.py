"""The field, and the names of all places and public values of this table.

Rows count from the first player's far side, columns from the left, where the draw pile lies. A
facing counts steps of 45 degrees clockwise: 0 far, 2 right, 4 near, 6 left.
"""

from tabletop.engine.model import each

CELLS = tuple(f"grid/{row},{column}" for row in range(3) for column in range(3))
CENTRE = CELLS[4]
RING = tuple(cell for cell in CELLS if cell != CENTRE)
OPPOSITE = dict(zip(CELLS, reversed(CELLS), strict=True))
WEST = 6
"""The facing at the beginning."""

STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
AHEAD = {
    CELLS[3 * row + column]: tuple(
        CELLS[(row + down) % 3 * 3 + (column + right) % 3] for down, right in STEPS
    )
    for row in range(3)
    for column in range(3)
}
"""The cell a step leads to, by cell and facing; the field's edges are joined (6.3, CS-10)."""

LINES = tuple(
    tuple(CELLS[cell] for cell in line)
    for line in (
        *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
        *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
        *((0, 4, 8), (2, 4, 6)),
        *((1, 3), (1, 5), (3, 7), (5, 7)),
    )
)
"""Rows, columns, diagonals long and short (6.2, CS-08)."""

LINES_THROUGH = {cell: tuple(line for line in LINES if cell in line) for cell in CELLS}
LINE_OF = {(a, b): line for line in LINES for a in line for b in line if a != b}
"""The one line that two cells share, where they share one."""

SEATS = range(2)
HAND = each("hand", SEATS)
BED = each("bed", SEATS)
SPARE = each("spare", SEATS)
"""What the squads have no room for (7.1)."""
SQUADS = tuple(each(own, (1, 2, 3)) for own in each("squad", SEATS))
SPOTS = tuple(tuple(squad for squad in own for _ in range(2)) for own in SQUADS)
"""7.1, CS-13: the squads are filled two by two from the first, with six cards at most."""
MARKER = each("marker", SEATS)
"""How many cards of the shield the seat has analysed."""
SCORE = each("score", SEATS)
