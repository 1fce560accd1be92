"""The tenants of a server, such as clubs and schools: each has its key, its limits and its list.

Operators and guests know a tenant as a room. A host itself is the tenant without a name. A table
belongs to the tenant whose key opened it.
"""

from collections.abc import Collection, Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.net.host.sleeping_tables import KnownTable
from tabletop.net.limits import LeakyBuckets, Limits, Tries, network
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


class Tenant(Struct, frozen=True):
    """A tenant of a server; of its limits 0 is none but the server's own."""

    name: str = ""
    key: str = ""
    """Empty: everybody may open tables in it."""
    tables: int = 0
    guests: int = 0
    openings_a_minute: int = 0
    bot_seconds: float = 0
    """Of CPU that its bots may take in a minute."""
    listed_for: ListedFor = "everybody"
    """Whether its listed tables are for everybody, or for those who know its key."""
    key_file: str = ""
    """The file with the key in its first line; empty if it has none of its own."""


class Tenants:
    """The tenants that may open another table."""

    def __init__(self, limits: Limits, tenants: Iterable[Tenant]) -> None:
        self._limits = limits
        self._tenants = {tenant.name: tenant for tenant in tenants}
        self._wrong_keys = Tries(limits.codes_per_address, limits.code_window)
        self._openings = _a_minute(limits.openings_a_minute)
        self._openings_in = {
            tenant.name: _a_minute(tenant.openings_a_minute)
            for tenant in self._tenants.values()
            if tenant.openings_a_minute
        }

    def of(self, name: str) -> Tenant:
        """The tenant of this name; one that the server has no more has no limits of its own, and is
        listed for nobody."""
        return self._tenants.get(name) or Tenant(name, listed_for="members")

    def rotate_key(self, name: str, key: str) -> None:
        """From now on this is the key of the tenant of that name, and the former one is not."""
        self._tenants[name] = replace(self._tenants[name], key=key)

    def __contains__(self, name: str) -> bool:
        """Whether the server has a tenant of this name."""
        return name in self._tenants

    def entered(self, origin: str, key: str) -> Tenant | Reason:
        """The tenant with this key; else why there is none. Wrong ones are counted."""
        if self._wrong_keys.exhausted(origin):
            return TOO_MANY_KEYS
        opened = [
            tenant for tenant in self._tenants.values() if tenant.key and same(tenant.key, key)
        ]
        if opened:
            return opened[0]
        own = self.of("")
        locked = any(tenant.key for tenant in self._tenants.values())
        if own.key and not key:
            return NOT_ALLOWED
        if key and locked:
            self._wrong_keys.fail(origin)
            return WRONG_KEY
        return own

    def admitted(self, origin: str, key: str, tables: Collection[KnownTable]) -> Tenant | Reason:
        """The tenant for which somebody may open a table beside these; else why not."""
        tenant = self.entered(origin, key)
        if isinstance(tenant, Reason):
            return tenant
        if len(tables) >= self._limits.tables:
            return TOO_MANY_TABLES
        if tenant.tables and sum(each.tenant == tenant.name for each in tables) >= tenant.tables:
            return ROOM_FULL.with_args(room=tenant.name) if tenant.name else TOO_MANY_TABLES
        opened = sum(each.opener == origin for each in tables) if origin else 0
        owns = bool(tenant.key) and network(origin) == "loopback"  # the person at this computer
        if opened >= self._limits.tables_per_address and not owns:
            return TOO_MANY_OF_YOURS
        buckets = [self._openings, *filter(None, [self._openings_in.get(tenant.name)])]
        keys = (origin, tenant.name)
        if any(bucket.wait(user) for bucket, user in zip(buckets, keys, strict=False)):
            return OPENED_TOO_OFTEN
        for bucket, user in zip(buckets, keys, strict=False):
            bucket.fill(user, 1)
        return tenant

    def visible_to(self, name: str, shown: str | None) -> bool:
        """Whether a guest with the key of tenant `shown`, or none, may see this one's tables."""
        return shown == name or self.of(name).listed_for == "everybody"

    def crowded(self, name: str, tables: Iterable[HostedTable]) -> Reason | None:
        """Why no other guest may come to a table of this tenant, if none may."""
        most = self.of(name).guests
        if most and sum(len(each.guests) for each in tables if each.tenant == name) >= most:
            return ROOM_CROWDED.with_args(room=name) if name else TOO_MANY_GUESTS
        return None


def _a_minute(most: int) -> LeakyBuckets:
    return LeakyBuckets(most / 60, most - 1)
