"""The rooms of a server, a club's or a school's: each has its key, its limits and its list.

Every host has one room without a name, which is its own. A table stands in the room whose key was
shown when it was opened.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.net.limits import LeakyBuckets, Limits, Tries
from tabletop.net.table.hosted_table import HostedTable
from tabletop.net.table.seats import same

NOT_ALLOWED = Reason("Tables are opened here by the host alone.", code="not_allowed")
WRONG_KEY = Reason("That key doesn't belong to this server.", code="wrong_key")
TOO_MANY_KEYS = Reason(
    "There were too many wrong keys. Please wait a few minutes.", code="too_many_keys"
)
TOO_MANY_TABLES = Reason("This host has no room for another table.", code="too_many_tables")
TOO_MANY_OF_YOURS = Reason(
    "There are as many tables from your address as this host allows.", code="too_many_of_yours"
)
ROOM_FULL = Reason(
    "There are as many tables in the room “{room}” as this server allows.", code="room_full"
)
OPENED_TOO_OFTEN = Reason(
    "Too many tables were opened just now. Please wait a minute.", code="opened_too_often"
)
ROOM_CROWDED = Reason(
    "There are as many guests in the room “{room}” as this server allows.", code="room_crowded"
)
TOO_MANY_GUESTS = Reason(
    "There are as many guests at this server's tables as it allows.", code="too_many_guests"
)

ListedFor = Literal["everybody", "members"]


class ServerRoom(Struct, frozen=True):
    """A room of a server; of its limits 0 is none but the server's own."""

    name: str = ""
    key: str = ""
    """Empty: everybody may open tables in it."""
    tables: int = 0
    guests: int = 0
    openings_a_minute: int = 0
    bot_seconds: float = 0
    """Of CPU that its bots may take in a minute."""
    listed_for: ListedFor = "everybody"
    """Who is told of its tables that are listed: everybody, or who knows its key."""
    key_file: str = ""
    """Where the key stands, in the first line; empty where it stands in no file of its own."""


class CountedTable(Protocol):
    """A table as its room counts it, awake or asleep."""

    @property
    def room(self) -> str: ...
    @property
    def opener(self) -> str: ...


class Rooms:
    """Who may open another table, and in which room it stands."""

    def __init__(self, limits: Limits, rooms: Iterable[ServerRoom]) -> None:
        self._limits = limits
        self._rooms = {room.name: room for room in rooms}
        self._tables: Counter[str] = Counter()
        self._tables_from: Counter[str] = Counter()
        self._wrong_keys = Tries(limits.codes_per_address, limits.code_window)
        self._openings = _a_minute(limits.openings_a_minute)
        self._openings_in = {
            room.name: _a_minute(room.openings_a_minute)
            for room in self._rooms.values()
            if room.openings_a_minute
        }

    def of(self, name: str) -> ServerRoom:
        """The room of this name; one that the server has no more has no limits of its own, and is
        listed for nobody."""
        return self._rooms.get(name) or ServerRoom(name, listed_for="members")

    def rotate_key(self, name: str, key: str) -> None:
        """From now on this key opens the room of that name, and the former one does not."""
        self._rooms[name] = replace(self._rooms[name], key=key)

    def __contains__(self, name: str) -> bool:
        """Whether the server has a room of this name."""
        return name in self._rooms

    def entered(self, origin: str, key: str) -> ServerRoom | Reason:
        """The room that this key opens; else why it opens none. Wrong ones are counted."""
        if self._wrong_keys.exhausted(origin):
            return TOO_MANY_KEYS
        opened = [room for room in self._rooms.values() if room.key and same(room.key, key)]
        if opened:
            return opened[0]
        own = self.of("")
        locked = any(room.key for room in self._rooms.values())
        if own.key and not key:
            return NOT_ALLOWED
        if key and locked:
            self._wrong_keys.fail(origin)
            return WRONG_KEY
        return own

    def admitted(self, origin: str, key: str) -> ServerRoom | Reason:
        """The room in which somebody may open a table now; else why not."""
        room = self.entered(origin, key)
        if isinstance(room, Reason):
            return room
        if self._tables.total() >= self._limits.tables:
            return TOO_MANY_TABLES
        if room.tables and self._tables[room.name] >= room.tables:
            return ROOM_FULL.with_args(room=room.name) if room.name else TOO_MANY_TABLES
        if self._tables_from[origin] >= self._limits.tables_per_address:
            return TOO_MANY_OF_YOURS
        buckets = [self._openings, *filter(None, [self._openings_in.get(room.name)])]
        whose = (origin, room.name)
        if any(bucket.wait(who) for bucket, who in zip(buckets, whose, strict=False)):
            return OPENED_TOO_OFTEN
        for bucket, who in zip(buckets, whose, strict=False):
            bucket.fill(who, 1)
        return room

    def tells(self, name: str, shown: str | None) -> bool:
        """Whether who has shown the key of the room `shown`, or none, is told of the tables of this
        one."""
        return shown == name or self.of(name).listed_for == "everybody"

    def crowded(self, name: str, tables: Iterable[HostedTable]) -> Reason | None:
        """Why no other guest may come to a table of this room, if none may."""
        most = self.of(name).guests
        if most and sum(len(each.guests) for each in tables if each.room == name) >= most:
            return ROOM_CROWDED.with_args(room=name) if name else TOO_MANY_GUESTS
        return None

    def opened(self, table: CountedTable) -> None:
        """There is another table."""
        self._tables[table.room] += 1
        if table.opener:
            self._tables_from[table.opener] += 1

    def closed(self, table: CountedTable) -> None:
        """This table is no more."""
        for counted, what in ((self._tables, table.room), (self._tables_from, table.opener)):
            if counted[what] > 1:
                counted[what] -= 1
            else:
                del counted[what]


def _a_minute(most: int) -> LeakyBuckets:
    return LeakyBuckets(most / 60, most - 1)
