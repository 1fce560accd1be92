"""Background writes of files that another process may have locked: settings, statistics, cleanup.

One `OrderedWriter`, created on first use, executes them. `finish` waits for them before one of the
files is read, and before the process ends.
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabletop.files.errors import StorageError
    from tabletop.files.ordered_writer import OrderedWriter

log = logging.getLogger("tabletop")

MAX_WAIT_S = 8.0
"""The default timeout of `finish`, longer than any single write waits for a lock."""

WRITE_FAILED_CODE = "disk_beside"
"""The code of a Reason for a failed background write."""

_lock = Lock()
_writer: OrderedWriter | None = None
_errors: list[StorageError] = []


def add(write: Callable[[], object]) -> None:
    """Queue `write` after all earlier writes; call it directly if no thread can be started.

    If it raises a StorageError, `take_errors` returns the error, and later writes are executed
    anyway.
    """
    _get_writer().add(write)


def finish(seconds: float = MAX_WAIT_S) -> bool:
    """Wait until everything is written, for at most `seconds`; return whether it is.

    A write that calls this function gets True.
    """
    return _writer is None or _writer.wait(seconds)


def set_owner(wake: Callable[[], object]) -> None:
    """Set the function that is called, on any thread, after writes were executed.

    It must schedule `take_errors` on the owner's thread.
    """
    global _wake
    _wake = wake


def take_errors() -> list[StorageError]:
    """Process the finished writes, and return the errors of those that failed.

    Call it on the owner's thread.
    """
    if _writer is None:
        return []
    _writer.process_results()
    errors = _errors.copy()
    _errors.clear()
    return errors


def _log_errors() -> None:
    for error in take_errors():
        log.warning("%s", error)


_wake: Callable[[], object] = _log_errors
"""The owner's function; without an owner, errors are logged."""


def _get_writer() -> OrderedWriter:
    global _writer
    with _lock:
        if _writer is None:
            from tabletop.files.disk_pool import DiskPool
            from tabletop.files.ordered_writer import OrderedWriter

            _writer = OrderedWriter(
                "settings and statistics",
                DiskPool(),
                lambda: _wake(),
                _errors.append,
                independent=True,
            )
        return _writer


atexit.register(finish)
