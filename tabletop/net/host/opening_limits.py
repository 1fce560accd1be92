"""Who may open a table at a host: a key, and limits on the number of tables and the rate."""

from collections.abc import Collection

from tabletop.engine.model import Reason
from tabletop.net.host.sleeping_tables import KnownTable
from tabletop.net.limits import FailureLimiter, LeakyBuckets, Limits, network
from tabletop.table.seats import are_equal

NOT_ALLOWED = Reason("Tables are opened here by the host alone.", code="not_allowed")
WRONG_KEY = Reason("That key doesn't belong to this server.", code="wrong_key")
TOO_MANY_KEYS = Reason(
    "There were too many wrong keys. Please wait a few minutes.", code="too_many_keys"
)
TOO_MANY_TABLES = Reason("This host has no room for another table.", code="too_many_tables")
TOO_MANY_OF_YOURS = Reason(
    "There are as many tables from your address as this host allows.", code="too_many_of_yours"
)
OPENED_TOO_OFTEN = Reason(
    "Too many tables were opened just now. Please wait a minute.", code="opened_too_often"
)


class OpeningLimits:
    """The limits on opening tables. They count opened tables and wrong keys."""

    def __init__(self, limits: Limits, key: str) -> None:
        """`key`: the key needed to open a table; if empty, anyone may open one."""
        self.key = key
        self._limits = limits
        self._wrong_keys = FailureLimiter(limits.codes_per_address, limits.code_window_s)
        a_minute = limits.openings_per_minute
        self._recent = LeakyBuckets(a_minute / 60, a_minute - 1)

    def check_key(self, origin: str, key: str) -> Reason | None:
        """Return why `key` is refused, or None if it is right. Wrong keys are counted."""
        if self._wrong_keys.is_exhausted(origin):
            return TOO_MANY_KEYS
        if not self.key or are_equal(self.key, key):
            return None
        if not key:
            return NOT_ALLOWED
        self._wrong_keys.add_failure(origin)
        return WRONG_KEY

    def check_opening(self, origin: str, key: str, tables: Collection[KnownTable]) -> Reason | None:
        """Return why no further table may be opened from `origin`, or None if one may.

        `tables`: the host's current tables. An allowed opening counts towards the rate limit.
        """
        if why := self.check_key(origin, key):
            return why
        if len(tables) >= self._limits.tables:
            return TOO_MANY_TABLES
        opened = sum(each.opener == origin for each in tables) if origin else 0
        # the limit doesn't apply to the operator, who is at this computer
        owns = bool(self.key) and network(origin) == "loopback"
        if opened >= self._limits.tables_per_address and not owns:
            return TOO_MANY_OF_YOURS
        return None if self._recent.try_fill(origin) else OPENED_TOO_OFTEN
