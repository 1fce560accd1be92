"""Arranges equal panels around a central field, as large as the table allows. No Qt."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tabletop.games.layout import Pair, Panel, Rect

PANEL_GAP = 0.16
"""The distance between the field, the panels and the edge, in card widths."""
MAX_READING_ASPECT = 0.8
"""The greatest reading height of a surface, as a share of its width."""
MIN_PLAQUE_SHARE = 0.062
"""Height of a plaque with two lines of text, as a share of the table's reading height."""
SCALES = tuple(step / 20 for step in range(6, 61))
"""The scales of panels to try."""


def reading_height(size: Pair) -> float:
    """Return the height that text sizes on a surface of `size` are a share of.

    It is the surface's own height, unless the surface is upright: text that grew with the height of
    an upright screen wouldn't fit into its width.
    """
    return min(size[1], size[0] * MAX_READING_ASPECT)


class PanelArrangement(NamedTuple):
    """Panels around a field: the table's size, the field's top left corner, and the rectangle of
    each panel.
    """

    size: Pair
    field_corner: Pair
    spots: tuple[Rect, ...]


@lru_cache(maxsize=512)
def arrange_panels(
    field: Pair, shape: Pair, count: int, aspect: float, plaque: float = 0.0
) -> PanelArrangement:
    """Return the arrangement of `count` panels of size `shape` that shows field and panels largest.

    The table is `aspect` times as wide as it is high. `plaque` is the height of a panel's plaque,
    in which two lines of text must be readable.
    """
    ways = []
    for scale in SCALES:
        panel = (shape[0] * scale, shape[1] * scale)
        for columns in range(1, math.ceil(count / 2) + 1):
            ways.append((scale, _compose_beside(field, panel, count, columns, aspect)))
            turned = _compose_beside(field[::-1], panel[::-1], count, columns, 1 / aspect)
            ways.append((scale, _transpose(turned)))

    def readable_size(way: tuple[float, PanelArrangement]) -> float:
        scale, size = way[0], way[1].size
        needed = reading_height(size) * MIN_PLAQUE_SHARE
        readable = min(1.0, plaque * scale / needed) if plaque else 1.0
        return scale / size[1] ** 2 * readable**2

    return max(ways, key=readable_size)[1]


def _compose_beside(
    field: Pair, panel: Pair, count: int, columns: int, aspect: float
) -> PanelArrangement:
    """Return an arrangement with panels in columns on both sides of the field.

    The first panel is at the bottom left, the others follow clockwise. The panels of a column are
    spread evenly over the table's height.
    """
    left = math.ceil(count / 2)
    rows = math.ceil(left / columns)
    side = columns * (panel[0] + PANEL_GAP)
    w, h = (
        field[0] + 2 * side + 2 * PANEL_GAP,
        max(field[1], rows * (panel[1] + PANEL_GAP) - PANEL_GAP) + 2 * PANEL_GAP,
    )
    w, h = max(w, h * aspect), max(h, w / aspect)
    edge = ((w - field[0]) / 2 - side + PANEL_GAP) / 2  # halfway between the field and the edge
    spots = []
    for number in range(count):
        column, row = divmod(number if number < left else number - left, rows)
        x = edge + column * (panel[0] + PANEL_GAP)
        stacked = min(rows, left if number < left else count - left)
        y = (row + 0.5) * (h - PANEL_GAP) / stacked + (PANEL_GAP - panel[1]) / 2
        if number < left:
            spots.append(Rect(x, h - y - panel[1], *panel))
        else:
            spots.append(Rect(w - x - panel[0], y, *panel))
    return PanelArrangement((w, h), ((w - field[0]) / 2, (h - field[1]) / 2), tuple(spots))


def _transpose(beside: PanelArrangement) -> PanelArrangement:
    """Return the arrangement with its columns beside
    the field turned into rows above and below it.
    """
    spots = (Rect(at.y, at.x, at.h, at.w) for at in reversed(beside.spots))
    return PanelArrangement(beside.size[::-1], beside.field_corner[::-1], tuple(spots))


def split_spots(
    panels: Sequence[Panel], shape: Pair, spots: Sequence[Rect]
) -> Iterator[tuple[Rect, ...]]:
    """Yield the rectangles of each panel; in each of `spots`, the area of one seat, the panels are
    side by side.
    """
    left = 0.0
    for panel in panels:
        w, h = panel.size
        scales = (spot.w / shape[0] for spot in spots)
        yield tuple(
            Rect(spot.x + left * scale, spot.y, w * scale, h * scale)
            for spot, scale in zip(spots, scales, strict=True)
        )
        left += w + PANEL_GAP
