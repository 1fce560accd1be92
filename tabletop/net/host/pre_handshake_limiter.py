"""Limiting connections by origin before their handshake is complete."""

from collections import Counter
from collections.abc import Callable
from typing import Protocol

from tabletop.net.limits import Limits


class EarlyConnection(Protocol):
    """A connection whose handshake isn't complete."""

    def abort(self) -> None:
        """Close the connection immediately."""


class PreHandshakeLimiter:
    """Limits a host's "early" connections, whose handshake isn't complete.

    They count towards the same limits as connected guests.
    """

    def __init__(self, limits: Limits, count_guests: Callable[[str | None], int]) -> None:
        """`count_guests`: returns the number of connected guests
        from an origin; None counts all guests.
        """
        self._limits = limits
        self._count_guests = count_guests
        self._connections: dict[EarlyConnection, str] = {}
        self._by_origin: Counter[str] = Counter()
        self._arrivals = limits.make_arrival_limit()

    def __len__(self) -> int:
        """Return the number of early connections."""
        return len(self._connections)

    def count(self, origin: str) -> int:
        """Return the number of early connections from `origin`."""
        return self._by_origin[origin]

    def try_add(self, connection: EarlyConnection, origin: str) -> bool:
        """Count a new connection if the limits allow it. Return whether they do.

        One connection over the limit may finish its handshake, so that it
        can be told why it is refused (`is_full`).
        """
        limits = self._limits
        if not self._arrivals.try_fill(origin):
            return False
        if self.count(origin) + self._count_guests(origin) > limits.connections_per_address:
            return False
        if len(self) + self._count_guests(None) > limits.connections:
            return False
        self._connections[connection] = origin
        self._by_origin[origin] += 1
        return True

    def is_full(self, origin: str) -> bool:
        """Return whether a connection from `origin` that is already counted exceeds the limit."""
        others = max(0, self.count(origin) - 1)
        near = others + self._count_guests(origin)
        everywhere = self._count_guests(None)
        return (
            near >= self._limits.connections_per_address or everywhere >= self._limits.connections
        )

    def remove(self, connection: EarlyConnection) -> None:
        """Stop counting a connection that has completed its handshake or has ended."""
        origin = self._connections.pop(connection, None)
        if origin is not None:
            self._by_origin[origin] -= 1
            if not self._by_origin[origin]:
                del self._by_origin[origin]

    def close(self) -> None:
        """Abort all early connections."""
        for connection in tuple(self._connections):
            connection.abort()
