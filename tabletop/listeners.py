"""Telling listeners what happened: a fault of one of them keeps nothing from the others."""

import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

M = TypeVar("M")


def notify(listeners: Iterable[Callable[[M], object]], message: M) -> None:
    """Tell each of these listeners.

    One that fails is reported as a fault that nobody caught, as Qt does with a slot: it must not
    look to whoever made a move as if the move had been refused.
    """
    for listener in tuple(listeners):
        try:
            listener(message)
        except Exception as fault:
            sys.excepthook(type(fault), fault, fault.__traceback__)
