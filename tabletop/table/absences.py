"""Waiting for absent players: a moment's grace, then a pause that the host may end."""

from collections.abc import Callable, Iterable
from time import monotonic

from tabletop.protocol.messages import Pause
from tabletop.table.timers import Timers


class Absences:
    """The absent players of a running match, and since when everybody waits."""

    def __init__(self, timers: Timers, max_wait_s: float, on_change: Callable[[], None]) -> None:
        """`on_change` is called when a pause begins, and after `max_wait_s` seconds of it: then the
        host is to decide."""
        self._timers = timers
        self._patience = max_wait_s
        self._on_change = on_change
        self._missing: list[int] = []
        self._deadline: float | None = None

    @property
    def absent_seats(self) -> tuple[int, ...]:
        """The absent seats, the first to leave first."""
        return tuple(self._missing)

    @property
    def awaited_seats(self) -> tuple[int, ...]:
        """The seats that the paused table waits for."""
        return self.absent_seats if self._deadline is not None else ()

    def mark_absent(self, seats: Iterable[int], grace_s: float) -> None:
        """Note that these seats are absent; after this many seconds the table pauses for them, no
        matter who else comes and goes."""
        for seat in seats:
            if seat not in self._missing:
                self._missing.append(seat)
            self._timers.set(f"grace {seat}", grace_s, self._pause)

    def mark_returned(self, seats: Iterable[int]) -> None:
        """Note that these seats are back, or played for."""
        for seat in seats:
            if seat in self._missing:
                self._missing.remove(seat)
            self._timers.cancel(f"grace {seat}")
        if not self.awaited_seats:
            self._deadline = None
            self._timers.cancel("patience")

    def extend_wait(self) -> None:
        """Wait as long again."""
        self._deadline = None
        self._pause()

    def stop(self) -> None:
        """Stop waiting: the match is over."""
        self._deadline = None

    def pause(self) -> Pause | None:
        """The pause as everybody may know it."""
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
