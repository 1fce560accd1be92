"""Links from the public page to a table that needs no code: its name is in the code's place."""

import re

from msgspec import Struct

_FORM = re.compile(r"(watch:)?([0-9a-f]{12})", re.ASCII)


class TableLink(Struct, frozen=True):
    """A link to one table."""

    table: str
    watches: bool
    """Whether to watch there at once, or to choose a seat."""


def parse_table_link(text: str) -> TableLink | None:
    """The link that a browser sends instead of a code; None if it's none."""
    parts = _FORM.fullmatch(text)
    return TableLink(parts[2], bool(parts[1])) if parts else None
