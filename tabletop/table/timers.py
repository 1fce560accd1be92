"""Named timers of a table."""

from collections.abc import Callable

from tabletop.table.seats import Timer


class Timers:
    """Named timers; setting a name again replaces the timer."""

    def __init__(self, later: Callable[[float, Callable[[], None]], Timer]) -> None:
        self._later = later
        self._set: dict[str, Timer] = {}

    def set(self, name: str, delay_s: float, callback: Callable[[], None]) -> None:
        """Do something after this many seconds."""
        self.cancel(name)

        def ring() -> None:
            self._set.pop(name, None)
            callback()

        self._set[name] = self._later(delay_s, ring)

    def is_set(self, name: str) -> bool:
        """Return whether a timer of this name runs."""
        return name in self._set

    def cancel(self, name: str) -> None:
        """Do it no more; nothing where nothing is set."""
        timer = self._set.pop(name, None)
        if timer is not None:
            timer.cancel()

    def clear(self) -> None:
        """Do nothing more of all that is set."""
        for name in tuple(self._set):
            self.cancel(name)
