"""Threads whose faults are heard."""

from collections.abc import Callable
from functools import partial
from threading import Thread

from tabletop.background import faults
from tabletop.background.faults import ErrorHandler


def start(
    work: Callable[[], object], name: str, failed: ErrorHandler | None = None, daemon: bool = True
) -> Thread:
    """Do this work in a thread of its own; `failed` is called there. The program's end waits for
    one that is no `daemon`.

    Raises:
        RuntimeError: the system has no thread to give.
    """

    run = partial(faults.run_guarded, work, name, failed)
    thread = Thread(target=run, name=name, daemon=daemon)
    thread.start()
    return thread


def can_start_thread() -> bool:
    """Whether the system has a thread for the program now. Some libraries don't check: without one
    they end the program, or wait for ever."""
    try:
        start(bool, "probe").join()
    except RuntimeError:
        return False
    return True
