"""A host that a guest has lost: whether it may be back in a moment, or stays away."""

from collections.abc import Callable
from time import monotonic

from tabletop.engine.model import Reason
from tabletop.protocol.messages import Farewell, TableJoined
from tabletop.table.connection_events import Event, Lost

LONG = 60.0
"""Seconds after which a host that isn't found is taken to stay away: one that restarts, sleeps or
changes its address is back earlier."""


class HostAbsence:
    """The absence of one table's host, by the events of the connection to it."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.farewell: Reason | None = None
        """Why the host itself ended the connection, until it is back."""
        self._clock = clock
        self._since: float | None = None

    @property
    def lasting(self) -> bool:
        """Whether the host has stopped, or hasn't been found for long."""
        if self._since is None:
            return False
        return self.farewell is not None or self._clock() - self._since >= LONG

    def note(self, event: Event) -> None:
        """Take in an event of the connection."""
        match event:
            case TableJoined():
                self.farewell = self._since = None
            case Farewell(back=True, reason=reason):
                self.farewell = reason
            case Lost(again=again) if again is not None and self._since is None:
                self._since = self._clock()
            case _:
                pass
