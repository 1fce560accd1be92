"""Reporting of faults, which are unexpected exceptions.

Each fault is logged with its traceback, counted for a server's operator, and passed to all
listeners. A window tells the user that something went wrong and offers to report it.
"""

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from types import TracebackType

from tabletop.engine.model import Reason

log = logging.getLogger("tabletop")

WENT_WRONG = Reason("Something went wrong. Please try again.", code="went_wrong")
"""The message for a user whose request ended in a fault."""

FaultListener = Callable[[str], object]
"""A function that is called with the traceback of each fault as text, on any thread."""
ErrorHandler = Callable[[Exception], object]
"""A function that restores a valid state after background work has raised an exception."""

_listeners: dict[object, FaultListener] = {}
_lock = threading.Lock()
_count = 0


def fault_count() -> int:
    """Return the number of faults since the program started."""
    return _count


def add_listener(listener: FaultListener) -> Callable[[], None]:
    """Call `listener` for every fault from now on; return a function that removes the listener."""
    key = object()
    _listeners[key] = listener

    def stop() -> None:
        _listeners.pop(key, None)

    return stop


def report(error: BaseException, work: str, on_error: ErrorHandler | None = None) -> None:
    """Report the unexpected exception `error` as a fault.

    `work`: says in the log what failed. `on_error`: called with the error before the listeners are,
    so that the user sees the fault message last.
    """
    log.error("fault work=%s", work, exc_info=error)
    if on_error is not None and isinstance(error, Exception):
        run_guarded(partial(on_error, error), work)
    _notify_listeners("".join(traceback.format_exception(error)))


def report_remote_fault(trace: str, work: str) -> None:
    """Report a fault of another process; `trace` is its traceback as text."""
    log.error("fault work=%s trace=%s", work, trace)
    _notify_listeners(trace)


def run_guarded(act: Callable[[], object], work: str, on_error: ErrorHandler | None = None) -> None:
    """Call `act`, and report any exception as a fault instead of raising it."""
    try:
        act()
    except Exception as error:
        report(error, work, on_error)


def install_exception_hooks() -> None:
    """Report the uncaught exceptions of all threads as faults, and keep the program running."""

    def in_this_thread(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, Exception):
            report(error, "the program")
        else:
            sys.__excepthook__(kind, error, trace)

    def in_another(args: threading.ExceptHookArgs) -> None:
        if isinstance(args.exc_value, Exception):
            report(args.exc_value, args.thread.name if args.thread is not None else "a thread")

    sys.excepthook = in_this_thread
    threading.excepthook = in_another


def _notify_listeners(trace: str) -> None:
    global _count
    with _lock:
        _count += 1
    for listener in tuple(_listeners.values()):
        try:
            listener(trace)
        except Exception:  # one listener must not keep the others from being notified
            log.exception("fault listener failed")
