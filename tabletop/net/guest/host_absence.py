"""How long a host has been unreachable."""

from collections.abc import Callable
from time import monotonic

from tabletop.engine.model import Reason
from tabletop.protocol.messages import Farewell, TableJoined
from tabletop.table.connection_events import Event, Lost

HOST_GONE_AFTER_S = 60.0
"""Seconds for which a host must be unreachable before it counts as gone.

A host that restarts, sleeps or changes its address is back sooner.
"""


class HostAbsence:
    """Tracks from a connection's events how long one table's host has been unreachable."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.farewell: Reason | None = None
        """Why the host ended the connection.

        None once it is back, or if it vanished without a farewell.
        """
        self._clock = clock
        self._since: float | None = None

    @property
    def is_lasting(self) -> bool:
        """Whether the host has stopped, or has been unreachable for `HOST_GONE_AFTER_S`."""
        if self._since is None:
            return False
        return self.farewell is not None or self._clock() - self._since >= HOST_GONE_AFTER_S

    def on_event(self, event: Event) -> None:
        """Handle an event of the connection."""
        match event:
            case TableJoined():
                self.farewell = self._since = None
            case Farewell(back=True, reason=reason):
                self.farewell = reason
            case Lost(retry_in_s=again) if again is not None and self._since is None:
                self._since = self._clock()
            case _:
                pass
