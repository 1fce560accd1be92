"""Messages by which a guest gets a server's list of tables.

    guest   ListTables             host   TableList, or Refused

A list contains no code and no other secret.
"""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.field_types import Secret
from tabletop.protocol.message_tags import wire_tag

LISTING_FEATURE = "listing"
"""A feature of hosts: they list their tables, and guests can join open tables without a code."""
MAX_LISTED_TABLES = 200
"""The maximum number of tables in a list, which contains the latest ones."""


class ListedTable(Struct, frozen=True):
    """A table in a list."""

    table: str
    """The ID of the table."""
    name: str
    """The table's name; empty for none."""
    game: str
    """The ID of the game."""
    seats: int
    """The number of seats."""
    free: int
    """The number of free seats."""
    spectators: str = "none"
    """Whether spectators are allowed, as in `TablePlan`."""
    needs_code: bool = True
    """Whether guests need the table's code."""
    playing: bool = False
    """Whether a match is running."""
    host_here: bool = True
    """Whether the table's host is connected."""


class ListTables(Struct, frozen=True, tag=wire_tag):
    """A request for the list of tables."""

    key: Secret = ""
    """The server's key, if the server shows its list to members only."""


class TableList(Struct, frozen=True, tag=wire_tag):
    """A server's list of tables."""

    tables: Annotated[tuple[ListedTable, ...], Meta(max_length=MAX_LISTED_TABLES)]
    """The tables, in the order in which they were opened."""
    more: bool = False
    """Whether there are more tables than the list can hold."""
