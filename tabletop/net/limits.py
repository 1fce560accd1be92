"""A host's limits for each guest, so that no guest can block the others."""

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
"""The time limit for the answer to a ping.

With `CLOSE_TIMEOUT_S`, a broken connection is detected within ten seconds.
"""


class Limits(Struct, frozen=True):
    """A host's limits."""

    tables: int = 200
    tables_per_address: int = 16
    openings_per_minute: int = 120
    """The number of tables that one `origin` may open in a minute, including tables closed
    since.
    """
    connections: int = 4000
    connections_per_address: int = 64
    """The number of simultaneous connections from one `origin`.

    An origin may open `ARRIVAL_FACTOR` times as many at once, and as many again in each
    `ARRIVALS_WINDOW_S`.
    """
    guests_per_table: int = 64
    messages_per_s: float = 50
    message_burst: int = 200
    """The number of messages that a guest may send at once."""
    traffic_bytes_per_s: int = 1024 * 1024
    """The traffic that the requests of one `origin` may cause, to itself and to others at its
    tables.

    Moves don't count. Requests over the limit are delayed.
    """
    traffic_burst_bytes: int = 16 * 1024 * 1024
    """The traffic that may be caused at once, enough for a whole club that rejoins a long match."""
    max_unsent_bytes: int = 4 * 1024 * 1024
    """The size of the queue at which a guest that doesn't read is disconnected."""
    codes_per_address: int = 10
    """The number of wrong codes from one `origin` in `code_window_s`.

    They aren't counted per table, because someone who guesses codes would lock out all other
    guests.
    """
    codes_per_site: int = 60
    """The number of wrong codes from one `site` in `code_window_s`."""
    code_window_s: float = 300
    guess_burst: int = 30
    """The number of wrong codes from one `network` before further ones are delayed."""
    guesses_per_s: float = 0.5
    """The rate of wrong codes from one `network` after `guess_burst`."""
    total_guess_burst: int = 120
    """The number of wrong codes from all networks before further ones are delayed."""
    total_guesses_per_s: float = 1
    """The rate of wrong codes from all networks after `total_guess_burst`."""
    codes_per_table: int = 30
    """The number of wrong codes for one table in `code_window_s` after which its owner is
    warned.
    """
    greeting_timeout_s: float = 15
    """The time limit for a guest's greeting, and again for joining a table."""
    ping_interval_s: float = PING_INTERVAL_S
    ping_timeout_s: float = PING_TIMEOUT_S
    min_free_disk_bytes: int = 256 * 1024 * 1024
    """The free space on the tables' disk below which the host counts as unhealthy."""
    empty_table_lifetime_s: float = 3600
    """How long a table without a match is kept when nobody is there."""
    sleep_after_s: float = 60
    """How long a table stays in memory when nobody is there; after that it sleeps on disk."""
    unfinished_table_lifetime_s: float = 7 * 86400
    """How long a table is kept when nobody is there, if its match is unfinished or it needs no
    host.
    """
    clock_recheck_after_s: float = 3600
    """How long a host must have run before it closes tables by the age of their files.

    The clock may have been wrong when the host started, so it is read again by then.
    """
    open_records: bool = True
    """Whether a table may make the records of its matches available to anyone with the link."""
    accepts_games: bool = False
    """Whether a table that moves to this host may bring its game, if the game has no Python
    code.
    """

    def make_arrival_limit(self) -> "LeakyBuckets":
        """Return buckets that limit how fast each origin may open connections."""
        max_connections = ARRIVAL_FACTOR * self.connections_per_address
        return LeakyBuckets(max_connections / ARRIVALS_WINDOW_S, max_connections - 1)

    @property
    def max_moved_table_bytes(self) -> int:
        """The largest table that may move to this host."""
        return MAX_MOVED_TABLE_BYTES + (MAX_MOVED_GAME_BYTES * 4 // 3 if self.accepts_games else 0)


ARRIVAL_FACTOR = 4
"""How many times its limit of simultaneous connections an origin may open in a burst."""
ARRIVALS_WINDOW_S = 40.0
"""The time after which an origin may open another burst of connections."""
MAX_MOVED_TABLE_BYTES = 16 * 1024 * 1024
"""The largest table that may move to another computer, without its game."""
PIECE_BYTES = 16 * 1024
"""The size of one piece of a moving table."""


class LeakyBuckets:
    """Rate limiter with one leaky bucket for each key.

    A bucket drains at a constant rate. Only the most recently used keys are remembered, because one
    client may use millions of addresses.
    """

    MAX_KEYS = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        """`rate`: the amount that drains each second. `burst`: the level above which a key must
        wait.
        """
        self._rate = rate
        self._burst = burst
        self._levels: dict[str, tuple[float, float]] = {}
        """The level of each bucket and the time at which it was measured; least recently used
        first.
        """

    def wait_s(self, key: str) -> float:
        """Return the seconds until `key` may add more."""
        return max(0.0, self.level(key) - self._burst) / self._rate

    def try_fill(self, key: str = "", amount: float = 1) -> bool:
        """Add `amount` if `key` needn't wait. Return whether it was added."""
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
    """Return the part of an IP address for which limits are counted.

    That is the /64 network of a public IPv6 address, because one household owns all of it. Other
    addresses count as they are: on a local network, neighbours share theirs.
    """
    return _network_of(address, 64)


def site(address: str) -> str:
    """Return the /48 network of a public IPv6 address; `origin` for all other addresses.

    One owner usually has a whole /48.
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
"""IPv6 addresses of local networks."""
