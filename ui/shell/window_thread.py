"""Delivery of another thread's messages in the window's thread.

No other thread ever holds a Qt object: the last one to let go of it destroys it, and a line or a
table that the person has left would be destroyed far from the window, while events for it are still
being delivered. So a thread is given a plain function, which holds its receiver weakly.
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
    """A function that any thread may call: each call is passed on, in order, to this method in the
    window's thread, and dropped once its object is gone, or the Qt object to which that belongs.

    Call this in the window's thread.
    """
    letter_box = _letter_box(QCoreApplication.instance())
    receiver = WeakMethod(receive)
    belongs_to = ref(cast(MethodType, receive).__self__ if owner is None else owner)

    def deliver(*news: object) -> None:
        with suppress(RuntimeError):  # the program is ending
            letter_box.came.emit(receiver, belongs_to, news)

    return deliver


class _LetterBox(QObject):
    """The one object that other threads hold: it stays as long as the program."""

    came = Signal(object, object, object)

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self.came.connect(self._hand_on, Qt.ConnectionType.QueuedConnection)

    def _hand_on(
        self,
        receiver: WeakMethod[Callable[..., None]],
        belongs_to: ref[object],
        news: tuple[Any, ...],
    ) -> None:
        receive, owner = receiver(), belongs_to()
        if receive is not None and owner is not None and shiboken6.isValid(owner):
            receive(*news)


@lru_cache(maxsize=1)
def _letter_box(program: QCoreApplication | None) -> _LetterBox:
    return _LetterBox(program)
