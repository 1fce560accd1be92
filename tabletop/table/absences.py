"""Waiting for absent players: a moment's grace, then a pause that the host may end."""

from collections.abc import Callable, Iterable
from time import monotonic

from tabletop.protocol.messages import Pause
from tabletop.table.timers import Timers


class Absences:
    """The absent players of a running match, and since when everybody waits."""

    def __init__(self, timers: Timers, patience: float, changed: Callable[[], None]) -> None:
        """`changed` is called when a pause begins, and after `patience` seconds of it: then the
        host is to decide."""
        self._timers = timers
        self._patience = patience
        self._changed = changed
        self._missing: list[int] = []
        self._deadline: float | None = None

    @property
    def missing(self) -> tuple[int, ...]:
        """The absent seats, the first to leave first."""
        return tuple(self._missing)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that the paused table waits for."""
        return self.missing if self._deadline is not None else ()

    def miss(self, seats: Iterable[int], grace: float) -> None:
        """Note that these seats are absent; after this many seconds the table pauses for them, no
        matter who else comes and goes."""
        for seat in seats:
            if seat not in self._missing:
                self._missing.append(seat)
            self._timers.set(f"grace {seat}", grace, self._pause)

    def note_return(self, seats: Iterable[int]) -> None:
        """Note that these seats are back, or played for."""
        for seat in seats:
            if seat in self._missing:
                self._missing.remove(seat)
            self._timers.cancel(f"grace {seat}")
        if not self.seats:
            self._deadline = None
            self._timers.cancel("patience")

    def wait_on(self) -> None:
        """Wait as long again."""
        self._deadline = None
        self._pause()

    def end(self) -> None:
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
        self._timers.set("patience", self._patience, self._changed)
        self._changed()
