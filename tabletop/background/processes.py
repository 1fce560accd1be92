"""Help with starting processes, and handling of Ctrl+C and hang-up signals."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPT_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGBREAK") if hasattr(signal, name)
)
"""The signals sent by Ctrl+C and, on Windows, by Ctrl+Break."""


def is_start_failure(error: Exception) -> bool:
    """Return whether `error` means that the system can't start another process or thread."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, OSError | BrokenExecutor) or (
        isinstance(error, RuntimeError) and "start new thread" in str(error)
    )


def receives_hangup() -> bool:
    """Return whether the program may receive SIGHUP.

    Windows never sends it, and a program started by `nohup` ignores it.
    """
    return hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN


@contextmanager
def start_ignoring_interrupts() -> Iterator[None]:
    """Make processes that are started during the `with` block ignore Ctrl+C from the beginning.

    Ctrl+C is meant for the main program, which then ends these processes itself.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # on first use it would unblock Ctrl+C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl+C during the `with` block, so that changes to files are completed."""
    if (
        threading.current_thread() is not threading.main_thread()
    ):  # only the main thread handles signals
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
