"""Delivers calls from other threads to the GUI thread.

Other threads never hold a reference to a Qt object. A thread that dropped the last reference would
destroy the object outside the GUI thread, while events for it are being delivered. Instead, threads
get a plain function with a weak reference to the receiver.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from types import MethodType
from typing import Any, cast
from weakref import WeakMethod, ref

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

Deliver = Callable[..., None]


def call_in_gui_thread(receive: Callable[..., None], owner: QObject | None = None) -> Deliver:
    """Return a function that any thread can call to have `receive` called in the GUI thread.

    Calls are queued in order. They are dropped once the object of the method `receive` or the Qt
    object `owner` no longer exists. Must be called in the GUI thread.
    """
    queue = _call_queue(QCoreApplication.instance())
    receiver = WeakMethod(receive)
    owner_ref = ref(cast(MethodType, receive).__self__ if owner is None else owner)

    def deliver(*arguments: object) -> None:
        with suppress(RuntimeError):  # the program is ending
            queue.call_posted.emit(receiver, owner_ref, arguments)

    return deliver


class _CallQueue(QObject):
    """The only Qt object that other threads refer to; it lives as long as the program."""

    call_posted = Signal(object, object, object)

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self.call_posted.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def _deliver(
        self,
        receiver: WeakMethod[Callable[..., None]],
        owner_ref: ref[object],
        arguments: tuple[Any, ...],
    ) -> None:
        receive, owner = receiver(), owner_ref()
        if receive is not None and owner is not None and shiboken6.isValid(owner):
            receive(*arguments)


@lru_cache(maxsize=1)
def _call_queue(program: QCoreApplication | None) -> _CallQueue:
    return _CallQueue(program)
