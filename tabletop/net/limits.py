"""A host's limits for guests, so that no guest can block the others."""

from collections import deque
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from time import monotonic

from msgspec import Struct

from tabletop.caches.lru_cache import LruCache
from tabletop.engine.model import Reason
from tabletop.protocol.table_transfer import MAX_MOVED_GAME_BYTES

SAY_HELLO = Reason("The first message must be a greeting.", code="say_hello")
COME_IN = Reason("The host closed the connection because you aren't at a table.", code="come_in")
TOO_FAST = Reason("Too many messages at once.", code="too_fast")
PING_INTERVAL_S = 2.5
PING_TIMEOUT_S = 5.0
"""The time limit in seconds for the answer to a ping.

With `CLOSE_TIMEOUT_S`, a broken connection is detected within ten seconds.
"""


class Limits(Struct, frozen=True):
    """What a host allows its guests, and how long it keeps tables."""

    tables: int = 200
    tables_per_address: int = 16
    openings_per_minute: int = 120
    """The number of tables that one `origin` may open in a
    minute, even if it closes some of them again.
    """
    connections: int = 4000
    connections_per_address: int = 64
    """The number of simultaneous connections from one `origin`.

    An origin may open `ARRIVAL_FACTOR` times as many in a burst, and
    as many again in each `ARRIVALS_WINDOW_S`.
    """
    guests_per_table: int = 64
    messages_per_s: float = 50
    message_burst: int = 200
    """The number of messages that a guest may send in a burst."""
    traffic_bytes_per_s: int = 1024 * 1024
    """The traffic that the requests of one `origin` may cause,
    to itself and to others at its tables.

    Moves don't count. Requests over the limit are delayed.
    """
    traffic_burst_bytes: int = 16 * 1024 * 1024
    """The traffic that one `origin` may cause in a burst: enough for
    a whole club that rejoins a long match.
    """
    max_unsent_bytes: int = 4 * 1024 * 1024
    """The number of queued bytes above which a guest that doesn't read is disconnected."""
    codes_per_address: int = 10
    """The number of wrong codes that one `origin` may try within `code_window_s`.

    They aren't counted per table. Otherwise someone who guesses
    codes would lock out all other guests.
    """
    codes_per_site: int = 60
    """The number of wrong codes that one `site` may try within `code_window_s`."""
    code_window_s: float = 300
    guess_burst: int = 30
    """The number of wrong codes from one `network` above which further ones are delayed."""
    guesses_per_s: float = 0.5
    """The number of wrong codes per second that one `network` may try after `guess_burst`."""
    total_guess_burst: int = 120
    """The number of wrong codes from all networks above which further ones are delayed."""
    total_guesses_per_s: float = 1
    """The number of wrong codes per second that all networks may try after `total_guess_burst`."""
    codes_per_table: int = 30
    """The number of wrong codes for one table within
    `code_window_s` after which its owner is warned.
    """
    greeting_timeout_s: float = 15
    """The seconds that a guest has to send its greeting, and then again to join a table."""
    ping_interval_s: float = PING_INTERVAL_S
    ping_timeout_s: float = PING_TIMEOUT_S
    min_free_disk_bytes: int = 256 * 1024 * 1024
    """The free disk space below which the host reports that it is unhealthy."""
    empty_table_lifetime_s: float = 3600
    """The seconds for which an empty table is kept if no match is running there."""
    sleep_after_s: float = 60
    """The seconds for which an empty table stays in memory before it sleeps on disk."""
    unfinished_table_lifetime_s: float = 7 * 86400
    """The seconds for which an empty table is kept if a match is
    running there, or if it needs no host.
    """
    clock_recheck_after_s: float = 3600
    """The seconds that a host must have run before it closes tables by the age of their files.

    The clock may have been wrong when the host started, so the host reads it again by then.
    """
    open_records: bool = True
    """Whether tables may make the records of their matches available to anyone with the link."""
    accepts_games: bool = False
    """Whether a table that moves to this host may bring its game
    along, if the game has no Python code.
    """

    def make_arrival_limit(self) -> "LeakyBuckets":
        """Return a rate limiter for new connections from each origin."""
        max_connections = ARRIVAL_FACTOR * self.connections_per_address
        return LeakyBuckets(max_connections / ARRIVALS_WINDOW_S, max_connections - 1)

    @property
    def max_moved_table_bytes(self) -> int:
        """The size in bytes of the largest table that may move to this host."""
        return MAX_MOVED_TABLE_BYTES + (MAX_MOVED_GAME_BYTES * 4 // 3 if self.accepts_games else 0)


ARRIVAL_FACTOR = 4
"""How many times `connections_per_address` an origin may open in a burst."""
ARRIVALS_WINDOW_S = 40.0
"""The seconds after which an origin may open another burst of connections."""
MAX_MOVED_TABLE_BYTES = 16 * 1024 * 1024
"""The size of the largest table that may move to another computer, without its game."""
PIECE_BYTES = 16 * 1024
"""The size of one piece of a moving table."""


class LeakyBuckets:
    """Rate limiter with one leaky bucket for each key.

    A bucket drains at a constant rate. Only the most recently used keys are remembered, because one
    client may use millions of addresses.
    """

    MAX_KEYS = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        """`rate`: the amount that drains per second.

        `burst`: the level above which a key must wait.
        """
        self._rate = rate
        self._burst = burst
        self._levels: dict[str, tuple[float, float]] = {}
        """The level of each bucket and when it was measured.

        The least recently used key comes first.
        """

    def wait_s(self, key: str) -> float:
        """Return the seconds until `key` may add more."""
        return max(0.0, self.level(key) - self._burst) / self._rate

    def try_fill(self, key: str = "", amount: float = 1) -> bool:
        """Add `amount` unless `key` must wait. Return whether it was added."""
        if self.wait_s(key):
            return False
        self.fill(key, amount)
        return True

    def fill(self, key: str, amount: float) -> None:
        """Add `amount` to the bucket of `key`, regardless of its level."""
        levels, now = self._levels, monotonic()
        level, at = levels.pop(key, (0.0, now))
        levels[key] = max(0.0, level - (now - at) * self._rate) + amount, now
        first, (level, at) = next(iter(levels.items()))
        if level <= (now - at) * self._rate or len(levels) > self.MAX_KEYS:
            del levels[first]

    def level(self, key: str) -> float:
        """Return the current level of the bucket of `key`."""
        level, at = self._levels.get(key, (0.0, 0.0))
        return max(0.0, level - (monotonic() - at) * self._rate)


class FailureLimiter:
    """Counts failures for each key within a sliding time window.

    Only the most recently used keys are remembered.
    """

    MAX_KEYS = 10_000

    def __init__(self, allowed: int, window: float) -> None:
        self._allowed = allowed
        self._window = window
        self._failures: LruCache[str, deque[float]] = LruCache(self.MAX_KEYS)

    def is_exhausted(self, key: str) -> bool:
        """Return whether `key` has reached the allowed number of failures."""
        failures = self._failures.get(key)
        if failures is None:
            return False
        now = monotonic()
        while failures and failures[0] < now - self._window:
            failures.popleft()
        if not failures:
            self._failures.drop(key)
        return len(failures) >= self._allowed

    def add_failure(self, key: str) -> None:
        """Count one failure for `key`."""
        failures = self._failures.get(key)
        if failures is None:
            failures = deque(maxlen=self._allowed)
            self._failures.put(key, failures)
        failures.append(monotonic())


def origin(address: str) -> str:
    """Return the part of an IP address to which limits apply.

    For a public IPv6 address, that is its /64 network, because one household
    owns the whole network. Other addresses are returned unchanged, because
    neighbours on a local network share its /64.
    """
    return _network_of(address, 64)


def site(address: str) -> str:
    """Return the /48 network of a public IPv6 address, which one owner usually has.

    Other addresses give their `origin`.
    """
    return _network_of(address, 48)


def network(address: str) -> str:
    """Return the network within which one client can easily use many addresses.

    That is the /24 of an IPv4 address, the /48 of an IPv6 address, the interface of a link-local
    address, and "loopback" for this computer.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    if ip.is_loopback:
        return "loopback"
    if isinstance(ip, IPv4Address):
        return str(IPv4Network((int(ip) >> 8 << 8, 24)))
    if ip.is_link_local:
        return f"fe80::/10%{ip.scope_id or ''}"
    return str(IPv6Network((int(ip) >> 80 << 80, 48)))


def _network_of(address: str, length: int) -> str:
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return address
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    if ip.is_loopback or ip.is_link_local or ip in _UNIQUE_LOCAL:
        return address
    rest = 128 - length
    return str(IPv6Network((int(ip) >> rest << rest, length)))


_UNIQUE_LOCAL = IPv6Network("fc00::/7")
"""The IPv6 addresses reserved for local networks."""
