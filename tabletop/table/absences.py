"""Waiting for absent players: a grace period, then a pause that the table's owner can end."""

from collections.abc import Callable, Iterable
from time import monotonic

from tabletop.protocol.messages import Pause
from tabletop.table.timers import Timers


class Absences:
    """The absent players of a running match, and the pause that waits for them."""

    def __init__(self, timers: Timers, max_wait_s: float, on_change: Callable[[], None]) -> None:
        """`on_change`: called when a pause starts, and again after
        `max_wait_s`, when the owner has to decide.
        """
        self._timers = timers
        self._patience = max_wait_s
        self._on_change = on_change
        self._missing: list[int] = []
        self._deadline: float | None = None

    @property
    def absent_seats(self) -> tuple[int, ...]:
        """The seats of absent players, in the order in which they left."""
        return tuple(self._missing)

    @property
    def awaited_seats(self) -> tuple[int, ...]:
        """The seats for whose players the match is paused; empty if it isn't paused."""
        return self.absent_seats if self._deadline is not None else ()

    def mark_absent(self, seats: Iterable[int], grace_s: float) -> None:
        """Mark `seats` as absent. If they stay absent for `grace_s`, the match pauses."""
        for seat in seats:
            if seat not in self._missing:
                self._missing.append(seat)
            self._timers.set(f"grace {seat}", grace_s, self._pause)

    def mark_returned(self, seats: Iterable[int]) -> None:
        """Mark `seats` as returned, or as played by bots.

        If nobody is absent any longer, end the pause.
        """
        for seat in seats:
            if seat in self._missing:
                self._missing.remove(seat)
            self._timers.cancel(f"grace {seat}")
        if not self.awaited_seats:
            self._deadline = None
            self._timers.cancel("patience")

    def extend_wait(self) -> None:
        """Wait for another `max_wait_s`."""
        self._deadline = None
        self._pause()

    def stop(self) -> None:
        """End the pause, because the match is over."""
        self._deadline = None

    def pause(self) -> Pause | None:
        """Return the public state of the pause; None if the match isn't paused."""
        if self._deadline is None:
            return None
        left = max(0.0, self._deadline - monotonic())
        return Pause(tuple(sorted(self._missing)), round(left, 1))

    def _pause(self) -> None:
        if not self._missing or self._deadline is not None:
            return
        self._deadline = monotonic() + self._patience
        self._timers.set("patience", self._patience, self._on_change)
        self._on_change()
