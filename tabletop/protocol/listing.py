"""Listed tables: their entries, and the messages that request a server's list.

    guest   AskTables                    host   Tables, or Refused

A list holds no code and no other secret.
"""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.field_types import Secret
from tabletop.protocol.message_tags import wire_tag

LISTING_FEATURE = "listing"
"""The feature of a host that lists its tables, and needs no code for the open ones."""
MAX_LISTED_TABLES = 200
"""If there are more tables, the latest are listed."""


class ListedTable(Struct, frozen=True):
    """A table's entry in the list."""

    table: str
    """The id of the table."""
    name: str
    """The table's name; empty for none."""
    game: str
    """The id of the game."""
    seats: int
    """The number of seats."""
    free: int
    """The number of seats that can be taken."""
    spectators: str = "none"
    """Whether spectators are let in, as in `TablePlan`."""
    needs_code: bool = True
    """Whether guests need the table's code."""
    playing: bool = False
    """Whether its match is under way."""
    host_here: bool = True
    """Whether its host is there."""


class ListTables(Struct, frozen=True, tag=wire_tag):
    """Which tables can be come to here?"""

    key: Secret = ""
    """The key of a server that shows its list to members only."""


class TableList(Struct, frozen=True, tag=wire_tag):
    """The answer."""

    tables: Annotated[tuple[ListedTable, ...], Meta(max_length=MAX_LISTED_TABLES)]
    """The listed tables, in the order in which they were opened."""
    more: bool = False
    """Whether there are others, which are not listed."""
