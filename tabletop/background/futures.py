"""Callbacks for futures of threads and processes."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from tabletop.background import faults

T = TypeVar("T")


def add_guarded_callback(
    future: Future[T], callback: Callable[[Future[T]], object], work: str
) -> None:
    """Call `callback` with `future` once it is done, even if it failed, on any thread.

    Exceptions raised by `callback` are reported as faults of `work`.
    """
    future.add_done_callback(lambda ended: faults.run_guarded(partial(callback, ended), work))
