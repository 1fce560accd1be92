"""Background writes of files that another process may have locked: settings, statistics, cleanup.

A single `OrderedWriter`, created on first use, executes them. Call `finish` before reading such a
file; it is also called before the process ends.
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabletop.files.disk_pool import DiskPool
    from tabletop.files.errors import StorageError
    from tabletop.files.ordered_writer import OrderedWriter

log = logging.getLogger("tabletop")

MAX_WAIT_S = 8.0
"""The default timeout of `finish` in seconds, longer than any single write waits for a lock."""

WRITE_FAILED_CODE = "disk_beside"
"""The code of the `Reason` for a failed background write."""

_lock = Lock()
_writer: OrderedWriter | None = None
_pool: DiskPool | None = None
_errors: list[StorageError] = []


def add(write: Callable[[], object]) -> None:
    """Queue `write` after all earlier writes; call it directly if no thread can be started.

    If it raises a StorageError, `take_errors` returns the error. Later writes are executed
    nevertheless.
    """
    _get_writer().add(write)


def finish(seconds: float = MAX_WAIT_S) -> bool:
    """Wait up to `seconds` for all queued writes, and return whether they have finished.

    If a queued write calls this function, it returns True at once.
    """
    return _writer is None or _writer.wait(seconds)


def close() -> None:
    """Wait for all queued writes, and for the calls of `wake` that follow them.

    The owner may be destroyed afterwards. Writes that take longer than `MAX_WAIT_S` are left to the
    exit of the process.
    """
    if finish() and _pool is not None:
        _pool.close()  # joins its threads


def set_owner(wake: Callable[[], object]) -> None:
    """Set the function `wake`, which is called on any thread after writes were executed.

    It must schedule a call of `take_errors` on the owner's thread.
    """
    global _wake
    _wake = wake


def take_errors() -> list[StorageError]:
    """Process the results of finished writes, and return the errors of those that failed.

    Call this on the owner's thread.
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
"""The function set by `set_owner`; by default, errors are logged."""


def _get_writer() -> OrderedWriter:
    global _writer, _pool
    with _lock:
        if _writer is None:
            from tabletop.files.disk_pool import DiskPool
            from tabletop.files.ordered_writer import OrderedWriter

            _pool = DiskPool()
            _writer = OrderedWriter(
                "settings and statistics",
                _pool,
                lambda: _wake(),
                _errors.append,
                independent=True,
            )
        return _writer


atexit.register(finish)
