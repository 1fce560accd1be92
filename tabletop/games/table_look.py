"""The colours of a game's table: `[look]` of its `table.toml`."""

from typing import Annotated

from msgspec import Meta, Struct

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
