"""Futures of threads and processes, to be heard of by those who do not wait for them."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from tabletop.background import faults

T = TypeVar("T")


def add_guarded_callback(future: Future[T], hear: Callable[[Future[T]], object], work: str) -> None:
    """Call `hear` with the future once it has ended, in any thread: it gets the error, if there is
    one, and an error of its own is reported."""
    future.add_done_callback(lambda ended: faults.run_guarded(partial(hear, ended), work))
