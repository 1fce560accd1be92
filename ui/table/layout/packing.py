"""Packs panels into rows, seats around the table, and pieces onto one zone."""

import math

from tabletop.games.layout import Pair, Rect
from ui.table.layout.placed_table import PlacedPiece, PlacedTable

MIN_PANEL_GAP = 0.12
CROWD_HEIGHT_SHARE = 0.62
"""Share of a zone's height that several pieces fill,
so that the texts at its top and bottom stay readable.
"""


def flow_panels(region: Rect, size: Pair, count: int) -> list[Rect]:
    """Return rectangles for `count` panels of size `size` in `region`, in the number of columns
    that shows them largest.
    """
    best: tuple[float, int] = (0.0, 1)
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        scale = min(
            1.0,
            (region.w - (columns - 1) * MIN_PANEL_GAP) / columns / size[0],
            (region.h - (rows - 1) * MIN_PANEL_GAP) / rows / size[1],
        )
        best = max(best, (scale, columns))
    scale, columns = best
    rows = math.ceil(count / columns)
    columns = math.ceil(count / rows)  # distribute the panels evenly
    w = (region.w - (columns - 1) * MIN_PANEL_GAP) / columns
    h = min((region.h - (rows - 1) * MIN_PANEL_GAP) / rows, size[1] * scale)
    last = count - columns * (rows - 1)
    inwards = (columns - last) * (w + MIN_PANEL_GAP) / 2  # centre a shorter last row
    return [
        Rect(
            region.x
            + i % columns * (w + MIN_PANEL_GAP)
            + (inwards if i // columns == rows - 1 else 0.0),
            region.y + i // columns * (h + MIN_PANEL_GAP),
            w,
            h,
        )
        for i in range(count)
    ]


def seat_rects_along(sides: tuple[Rect, Rect], count: int, columns: int = 1) -> list[Rect]:
    """Return equal rectangles for `count` seats: half of them up the left side, the rest down the
    right side.

    Each side has `columns` columns, filled from the outside inwards.
    """
    left, right = sides
    ups = math.ceil(count / 2)
    downs = count - ups
    h = min(
        _stacked_height(side, math.ceil(here / columns))
        for side, here in ((left, ups), (right, downs))
        if here
    )
    rising = [
        at._replace(y=left.y + left.bottom - at.bottom) for at in _rects_down(left, ups, h, columns)
    ]
    falling = [
        at._replace(x=right.x + right.right - at.right)
        for at in _rects_down(right, downs, h, columns)
    ]
    return rising + falling


def _rects_down(side: Rect, count: int, h: float, columns: int) -> list[Rect]:
    """Return `count` rectangles of height `h` down a side, row by row from the left."""
    w = (side.w - (columns - 1) * MIN_PANEL_GAP) / columns
    tops = _stacked_tops(side, math.ceil(count / columns), h)
    return [
        Rect(side.x + number % columns * (w + MIN_PANEL_GAP), tops[number // columns], w, h)
        for number in range(count)
    ]


def _stacked_height(side: Rect, count: int) -> float:
    return (side.h - (count - 1) * MIN_PANEL_GAP) / count


def _stacked_tops(side: Rect, count: int, h: float) -> list[float]:
    between = (side.h - count * h) / (count - 1) if count > 1 else 0.0
    return [side.y + i * (h + between) for i in range(count)]


def spread_pieces(placed: PlacedTable) -> list[PlacedPiece]:
    """Return the pieces; those that share a zone are
    shrunk and arranged in rows around its centre.
    """
    crowds: dict[str, list[PlacedPiece]] = {}
    for piece in placed.pieces:
        crowds.setdefault(piece.zone, []).append(piece)
    spread: list[PlacedPiece] = []
    for zone, crowd in crowds.items():
        if len(crowd) == 1:
            spread += crowd
            continue
        rect = placed.zones[zone].rect
        room = Rect(rect.x, rect.y, rect.w, rect.h * CROWD_HEIGHT_SHARE)
        count, size = len(crowd), max(piece.size for piece in crowd)
        columns = max(
            range(1, count + 1),
            key=lambda n: (min(size, room.w / n, room.h / math.ceil(count / n)), -n),
        )
        rows = math.ceil(count / columns)
        step = min(size, room.w / columns, room.h / rows)
        for number, piece in enumerate(crowd):
            row, column = divmod(number, columns)
            here = columns if row < rows - 1 else count - columns * (rows - 1)
            spread.append(
                piece._replace(
                    x=piece.x + (column - (here - 1) / 2) * step,
                    y=piece.y + (row - (rows - 1) / 2) * step,
                    size=min(piece.size, step),
                )
            )
    return spread
