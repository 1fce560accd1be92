"""Faults: unforeseen errors.

Each is logged with its stack, counted for the operator of a server, and passed to all listeners: a
window shows that something went wrong and offers to report it.
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
"""The refusal for a person whose request ended in a fault."""

FaultListener = Callable[[str], object]
"""Gets the stack as text, in any thread."""
ErrorHandler = Callable[[Exception], object]
"""Leaves the owner of failed work in a state from which it goes on."""

_listeners: dict[object, FaultListener] = {}
_lock = threading.Lock()
_count = 0


def fault_count() -> int:
    """The number of faults since the program started."""
    return _count


def add_listener(hear: FaultListener) -> Callable[[], None]:
    """Hear of every fault from now on; return the function that stops it."""
    key = object()
    _listeners[key] = hear

    def stop() -> None:
        _listeners.pop(key, None)

    return stop


def report(error: BaseException, work: str, failed: ErrorHandler | None = None) -> None:
    """Report a fault in this work. `failed` is called first: what a person reads in the end is that
    something went wrong, and not what came of it."""
    log.error("fault work=%s", work, exc_info=error)
    if failed is not None and isinstance(error, Exception):
        run_guarded(partial(failed, error), work)
    _notify_listeners("".join(traceback.format_exception(error)))


def report_remote_fault(trace: str, work: str) -> None:
    """Report a fault of another process by its stack."""
    log.error("fault work=%s trace=%s", work, trace)
    _notify_listeners(trace)


def run_guarded(act: Callable[[], object], work: str, failed: ErrorHandler | None = None) -> None:
    """Call a function for its effect; an error of it is reported, and goes no further."""
    try:
        act()
    except Exception as error:
        report(error, work, failed)


def install_exception_hooks() -> None:
    """Report every error that nobody catches in any thread from now on. The program goes on."""

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
    for hear in tuple(_listeners.values()):
        try:
            hear(trace)
        except Exception:  # one listener's error must not keep the others from hearing
            log.exception("fault not told")
