"""Threads whose exceptions are reported as faults."""

from collections.abc import Callable
from functools import partial
from threading import Thread

from tabletop.background import faults
from tabletop.background.faults import ErrorHandler


def start(
    work: Callable[[], object], name: str, on_error: ErrorHandler | None = None, daemon: bool = True
) -> Thread:
    """Run `work` on a new thread called `name`, and return the thread.

    Args:
        on_error: called on the thread with an unexpected exception.
        daemon: whether the program may exit while the thread is running.

    Raises:
        RuntimeError: the system can't start another thread.
    """

    run = partial(faults.run_guarded, work, name, on_error)
    thread = Thread(target=run, name=name, daemon=daemon)
    thread.start()
    return thread


def can_start_thread() -> bool:
    """Return whether the system can start another thread now.

    Some libraries don't check for this error, and abort or hang if they can't start a thread.
    """
    try:
        start(bool, "probe").join()
    except RuntimeError:
        return False
    return True
