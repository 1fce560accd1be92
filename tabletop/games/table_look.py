"""The colours of a game's table: the `[look]` section of its `table.toml`."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from tabletop.games.colours import with_lightness

Colour = Annotated[str, Meta(pattern="^#[0-9A-Fa-f]{6}$")]


class TableLook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The colours of a table in the light theme.

    The colours for the dark theme are derived from them.
    """

    table: Colour
    """The colour of the table's background."""
    mat: Colour
    """The colour of the mats below cards."""
    line: Colour
    """The colour of printed lines and of the borders of mats."""
    ink: Colour
    """The colour of text and symbols on the table and on mats."""
    soft: Colour
    """The colour of captions on the table and on mats."""
    accent: Colour
    """The colour of the outline around clickable things."""
    accent_2: Colour = "#2F6F73"
    """The colour of the focus ring and of the chosen card."""
    centre: tuple[str, ...] = ()
    """The zones around which the background drawing is centred;
    empty for the centre of the table.
    """

    def dark(self) -> TableLook:
        """Return the colours for the dark theme, with the same hues but much darker.

        The text colours are fixed.
        """
        return _dark_colours(self)


DARK_LIGHTNESS = {"table": 15.0, "mat": 20.5, "line": 36.0, "accent": 70.0, "accent_2": 64.0}
"""The CIELAB lightness of each colour in the dark theme."""
DARK_CHROMA = (1.6, 13.0)
"""The factor and the limit for the chroma in the dark theme.

Without them, pale hues would look grey.
"""
DARK_INK, DARK_SOFT = "#ECE7DB", "#B5B0A9"


@lru_cache(maxsize=64)
def _dark_colours(look: TableLook) -> TableLook:
    dark = {
        name: with_lightness(getattr(look, name), light, DARK_CHROMA)
        for name, light in DARK_LIGHTNESS.items()
    }
    return replace(look, ink=DARK_INK, soft=DARK_SOFT, **dark)
