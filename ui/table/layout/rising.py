"""Stretches a layout between its lowest and its highest version to fill the viewport. No Qt."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tabletop.games.layout import Layout, Pair, Panel, StretchableLayout

COLUMN_SWITCH_SHARE = 0.5
"""Share between the lowest and the highest version from which panels have the columns of the
highest version.
"""


def stretch_to_viewport(layout: Layout, size: Pair) -> Layout:
    """Return the layout as high as a viewport of `size` pixels allows.

    Between the lowest and the highest version, all positions and sizes are interpolated.
    """
    if not isinstance(layout, StretchableLayout):
        return layout
    width, min_height, max_height = (
        layout.table.size[0],
        layout.low.table.size[1],
        layout.table.size[1],
    )
    share = (size[1] / size[0] * width - min_height) / (max_height - min_height) if size[0] else 0.0
    if share <= 0.0:
        return layout.low
    made = layout if share >= 1.0 else _interpolate(layout.low, layout, share)
    assert isinstance(made, Layout)
    return made


def _interpolate(low: Any, high: Any, share: float) -> Any:
    """Return the value at `share` between `low` and
    `high`; values that aren't numbers come from `high`.
    """
    if low == high:  # nearly always true
        return high
    match low, high:
        case (int() | float(), int() | float()) if not isinstance(low, bool):
            return low + (high - low) * share
        case (tuple(), tuple()) if len(low) == len(high):
            parts = [_interpolate(one, other, share) for one, other in zip(low, high, strict=True)]
            return type(low)(*parts) if hasattr(low, "_fields") else tuple(parts)
        case (dict(), dict()):
            return {
                key: _interpolate(low[key], part, share) if key in low else part
                for key, part in high.items()
            }
        case (Panel(), Panel()) if (
            low.columns != high.columns
        ):  # their contents can't be interpolated
            sides = _interpolate(low.sides, high.sides, share)
            return replace(low if share < COLUMN_SWITCH_SHARE else high, sides=sides)
        case (Struct(), Struct()):
            own = type(low).__struct_fields__
            return replace(
                high,
                **{key: _interpolate(getattr(low, key), getattr(high, key), share) for key in own},
            )
        case _:
            return high
