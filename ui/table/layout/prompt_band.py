"""The horizontal band for the prompt line. On a small table everything below the band moves down;
without a prompt the band is removed. No Qt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from tabletop.games.layout import Layout, Marker, Pair, Panel, Rect

MIN_PROMPT_PX, MAX_PROMPT_PX = 48.0, 55.0
"""Minimum and maximum height of the prompt line in pixels: two lines of small text, and two lines
of normal text.
"""
PROMPT_SHARE = 0.102
"""Preferred height of the prompt line, as a share of the viewport's height."""


def fit_prompt_band(layout: Layout, size: Pair) -> Layout:
    """Return the layout with a band high enough for the prompt line in a viewport of `size` pixels.

    Text doesn't shrink with the table, so the band takes a larger share of a small table.
    """
    prompt = layout.table.prompt
    if prompt is None:
        return layout
    more = _missing_height(layout.table.size, prompt.h, size)
    return _insert_height(layout, prompt.bottom, more) if more > 0 else layout


def remove_prompt_band(layout: Layout) -> Layout:
    """Return the layout without the band, for a table at which no questions are asked."""
    prompt = layout.table.prompt
    if prompt is None:
        return layout
    made = _insert_height(layout, prompt.bottom, -prompt.h)
    return replace(made, table=replace(made.table, prompt=None))


def _missing_height(table: Pair, band: float, size: Pair) -> float:
    """Return the height to add to the band, in card widths of the resulting table."""
    pixels = min(max(PROMPT_SHARE * size[1], MIN_PROMPT_PX), MAX_PROMPT_PX)
    unit, height_left = size[0] / table[0], size[1] - pixels
    if height_left <= 0:
        return 0.0
    more = pixels / unit - band
    if unit * (table[1] + more) <= size[1]:  # the width limits the table's size
        return more
    return (pixels * table[1] - band * size[1]) / height_left


def _insert_height(layout: Layout, below: float, more: float) -> Layout:
    """Return the layout with `more` height inserted at `below`: entries below it move down, entries
    that cross it grow.
    """

    def move_down(y: float) -> float:
        return y + more if y >= below - 1e-6 else y

    def rect(at: Rect) -> Rect:
        beside = at.y < below - 1e-6 and at.bottom > below + 1e-6
        return at._replace(h=at.h + more) if beside else at._replace(y=move_down(at.y))

    def points(along: tuple[Pair, ...]) -> tuple[Pair, ...]:
        return tuple((x, move_down(y)) for x, y in along)

    def entries(written: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(replace(entry, at=rect(entry.at)) for entry in written)

    def panel(entry: Panel) -> Panel:
        at = rect(entry.at) if entry.at else None
        sides = entry.sides and (rect(entry.sides[0]), rect(entry.sides[1]))
        spots = tuple(rect(spot) for spot in entry.spots)
        return replace(entry, at=at, spots=spots, sides=sides)

    def marker(entry: Marker) -> Marker:
        at = entry.points
        return entry if isinstance(at, str) else replace(entry, points=points(at))

    table = layout.table
    regions: Mapping[str, Rect | None] = {
        "prompt": table.prompt and table.prompt._replace(h=table.prompt.h + more),
        "outlook": table.outlook and rect(table.outlook),
        "play": table.play and rect(table.play),
        "dice": table.dice and rect(table.dice),
    }
    surface = replace(table, size=(table.size[0], table.size[1] + more), **regions)
    return replace(
        layout,
        table=surface,
        points={name: points(along) for name, along in layout.points.items()},
        place=entries(layout.place),
        plaque=entries(layout.plaque),
        drawing=entries(layout.drawing),
        label=entries(layout.label),
        panel=tuple(panel(entry) for entry in layout.panel),
        marker=tuple(marker(entry) for entry in layout.marker),
    )
