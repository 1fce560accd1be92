"""Timers that are identified by a name."""

from collections.abc import Callable

from tabletop.table.seats import Timer


class Timers:
    """Named timers. Setting a timer replaces the timer with the same name."""

    def __init__(self, later: Callable[[float, Callable[[], None]], Timer]) -> None:
        self._later = later
        self._set: dict[str, Timer] = {}

    def set(self, name: str, delay_s: float, callback: Callable[[], None]) -> None:
        """Call `callback` after `delay_s` seconds."""
        self.cancel(name)

        def ring() -> None:
            self._set.pop(name, None)
            callback()

        self._set[name] = self._later(delay_s, ring)

    def is_set(self, name: str) -> bool:
        """Return whether a timer with this name is running."""
        return name in self._set

    def cancel(self, name: str) -> None:
        """Cancel the timer with this name, if there is one."""
        timer = self._set.pop(name, None)
        if timer is not None:
            timer.cancel()

    def clear(self) -> None:
        """Cancel all timers."""
        for name in tuple(self._set):
            self.cancel(name)
