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
from typing import Any
from weakref import WeakMethod

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

Deliver = Callable[..., None]


def in_window_thread(receive: Callable[..., None]) -> Deliver:
    """A function that any thread may call: each call is passed on, in order, to this method of a Qt
    object in the window's thread, and dropped once the object is gone.

    Call this in the window's thread.
    """
    letter_box = _letter_box(QCoreApplication.instance())
    receiver = WeakMethod(receive)

    def deliver(*news: object) -> None:
        with suppress(RuntimeError):  # the program is ending
            letter_box.came.emit(receiver, news)

    return deliver


class _LetterBox(QObject):
    """The one object that other threads hold: it stays as long as the program."""

    came = Signal(object, object)

    def __init__(self, parent: QObject | None) -> None:
        super().__init__(parent)
        self.came.connect(self._hand_on, Qt.ConnectionType.QueuedConnection)

    def _hand_on(self, receiver: WeakMethod[Callable[..., None]], news: tuple[Any, ...]) -> None:
        receive = receiver()
        if isinstance(receive, MethodType) and shiboken6.isValid(receive.__self__):
            receive(*news)


@lru_cache(maxsize=1)
def _letter_box(program: QCoreApplication | None) -> _LetterBox:
    return _LetterBox(program)
