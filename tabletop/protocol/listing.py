"""Listed tables: their entries, and the messages that request a server's list.

    guest   AskTables                    host   Tables, or Refused

A list holds no code and no other secret.
"""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.field_types import Secret

LISTING = "listing"
"""The feature of a host that lists its tables, and needs no code for the open ones."""
MOST_LISTED = 200
"""If there are more tables, the latest are listed."""


class Listed(Struct, frozen=True):
    """A table's entry in the list."""

    table: str
    name: str
    game: str
    seats: int
    free: int
    spectators: str = "none"
    needs_code: bool = True
    playing: bool = False
    """Whether its match is under way."""
    host_here: bool = True
    """Whether its host is there."""


class AskTables(Struct, frozen=True, tag="ask_tables"):
    """Which tables can be come to here? `key`: the server's, where they are listed for members."""

    key: Secret = ""


class Tables(Struct, frozen=True, tag="tables"):
    """The answer; `more`: there are others, which are not listed."""

    tables: Annotated[tuple[Listed, ...], Meta(max_length=MOST_LISTED)]
    more: bool = False
