"""The colours of a game's table: `[look]` of its `table.toml`."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from tabletop.games.colours import at_lightness

Colour = Annotated[str, Meta(pattern="^#[0-9A-Fa-f]{6}$")]


class TableLook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The colours of a table in the light theme; the dark one has the same hues, far darker."""

    table: Colour
    """The table."""
    mat: Colour
    """The mats on it, where cards lie."""
    line: Colour
    """Lines printed on the table and round its mats."""
    ink: Colour
    """Words and signs on table and mats."""
    soft: Colour
    """Captions on table and mats."""
    accent: Colour
    """The outline of what may be clicked."""
    centre: tuple[str, ...] = ()
    """The zones round whose middle the drawing of the table is arranged; none for the table's."""

    def by_night(self) -> TableLook:
        """The table in the dark theme: the same hues, far darker, under that theme's inks."""
        return _by_night(self)


NIGHT = {"table": 15.0, "mat": 20.5, "line": 36.0, "accent": 70.0}
"""The L* of a table's colours in the dark theme."""
DEEPER = (1.6, 13.0)
"""Chroma in the dark: the factor, and the greatest chroma. A pale hue would be grey there."""
NIGHT_INK, NIGHT_SOFT = "#ECE7DB", "#B5B0A9"


@lru_cache(maxsize=64)
def _by_night(look: TableLook) -> TableLook:
    dark = {name: at_lightness(getattr(look, name), light, DEEPER) for name, light in NIGHT.items()}
    return replace(look, ink=NIGHT_INK, soft=NIGHT_SOFT, **dark)
