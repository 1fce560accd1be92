"""The colours of a game's table: the `[look]` section of its `table.toml`."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from tabletop.games.colours import with_lightness

Colour = Annotated[str, Meta(pattern="^#[0-9A-Fa-f]{6}$")]


class TableLook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The colours of a table in the light theme, from which those of the dark theme are derived."""

    table: Colour
    """The table's background."""
    mat: Colour
    """The mats below cards."""
    line: Colour
    """Printed lines, and the borders of mats."""
    ink: Colour
    """Text and symbols on table and mats."""
    soft: Colour
    """Captions on table and mats."""
    accent: Colour
    """The outline of clickable things."""
    centre: tuple[str, ...] = ()
    """The zones whose common centre is the centre of the background drawing; empty for the table's
    centre.
    """

    def dark(self) -> TableLook:
        """Return the colours for the dark theme: the same hues, much darker, with that theme's text
        colours.
        """
        return _dark_colours(self)


DARK_LIGHTNESS = {"table": 15.0, "mat": 20.5, "line": 36.0, "accent": 70.0}
"""The CIELAB lightness of each colour in the dark theme."""
DARK_CHROMA = (1.6, 13.0)
"""Factor and limit for the chroma of dark colours. Without it, pale hues would look grey."""
DARK_INK, DARK_SOFT = "#ECE7DB", "#B5B0A9"


@lru_cache(maxsize=64)
def _dark_colours(look: TableLook) -> TableLook:
    dark = {
        name: with_lightness(getattr(look, name), light, DARK_CHROMA)
        for name, light in DARK_LIGHTNESS.items()
    }
    return replace(look, ink=DARK_INK, soft=DARK_SOFT, **dark)
