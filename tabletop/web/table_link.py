"""Links from the public page to a table without a code. The table's ID replaces the code."""

import re

from msgspec import Struct

_FORM = re.compile(r"(watch:)?([0-9a-f]{12})", re.ASCII)


class TableLink(Struct, frozen=True):
    """A link to a table that needs no code."""

    table: str
    watches: bool
    """Whether to watch at once instead of choosing a seat."""


def parse_table_link(text: str) -> TableLink | None:
    """Return the link that a browser sent in place of a code; None if `text` isn't a link."""
    parts = _FORM.fullmatch(text)
    return TableLink(parts[2], bool(parts[1])) if parts else None
