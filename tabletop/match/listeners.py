"""A list of callbacks that can unsubscribe at any time and whose failures are isolated."""

from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

from tabletop.background import faults

M = TypeVar("M")


class Listeners(Generic[M]):
    """The listeners to messages of type `M`, called in the order they were added."""

    def __init__(self) -> None:
        self._listeners: dict[object, Callable[[M], object]] = {}

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def add(self, listener: Callable[[M], object]) -> Callable[[], None]:
        """Add `listener` and return a function that removes it.

        The function may be called several times. A listener added twice is called twice.
        """
        key = object()
        self._listeners[key] = listener
        return partial(self._remove, key)

    def clear(self) -> None:
        """Remove all listeners."""
        self._listeners.clear()

    def notify(self, message: M) -> None:
        """Call each listener with `message`."""
        for deliver in self.deliveries(message):
            deliver()

    def deliveries(self, message: M) -> tuple[Callable[[], None], ...]:
        """Return the calls that `notify` would make, so that they can be made later."""
        return tuple(partial(self._deliver, key, message) for key in self._listeners)

    def _remove(self, key: object) -> None:
        self._listeners.pop(key, None)

    def _deliver(self, key: object, message: M) -> None:
        """Call one listener, unless it was removed meanwhile.

        Exceptions are reported instead of raised, because other listeners must still be called and
        the caller must not mistake the exception for a refused move.
        """
        listener = self._listeners.get(key)
        if listener is None:
            return
        try:
            listener(message)
        except Exception as error:
            faults.report(error, "a listener")
