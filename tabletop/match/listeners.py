"""Listeners that are independent of each other's errors, and may unsubscribe at any time."""

from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

from tabletop.background import faults

M = TypeVar("M")


class Listeners(Generic[M]):
    """The listeners to messages of one kind, in the order of subscribing."""

    def __init__(self) -> None:
        self._listeners: dict[object, Callable[[M], object]] = {}

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def add(self, listener: Callable[[M], object]) -> Callable[[], None]:
        """Subscribe; returns the way to unsubscribe, which may be called again, also after `clear`.
        A listener that was added twice hears everything twice."""
        key = object()
        self._listeners[key] = listener
        return partial(self._remove, key)

    def clear(self) -> None:
        """Unsubscribe all."""
        self._listeners.clear()

    def notify(self, message: M) -> None:
        """Call each listener with this message."""
        for deliver in self.deliveries(message):
            deliver()

    def deliveries(self, message: M) -> tuple[Callable[[], None], ...]:
        """The calls that `tell` makes, to be made later."""
        return tuple(partial(self._deliver, key, message) for key in self._listeners)

    def _remove(self, key: object) -> None:
        self._listeners.pop(key, None)

    def _deliver(self, key: object, message: M) -> None:
        """Call one listener, unless it has unsubscribed meanwhile.

        Its fault is reported: it must keep nothing from the others, nor look to the caller as if a
        move had been refused.
        """
        listener = self._listeners.get(key)
        if listener is None:
            return
        try:
            listener(message)
        except Exception as error:
            faults.report(error, "a listener")
