"""Writes of this process that its window doesn't wait for, because another process may have locked
the file: settings, statistics, cleanup.

They are done by one `OrderedWriter`, which is made for the first of them. `finish` waits for them
before one of the files is read, and before the process ends.
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
"""Longer than any single write waits for another process."""

WRITE_FAILED_CODE = "disk_beside"
"""The code of a Reason that tells why such a write failed."""

_lock = Lock()
_writer: OrderedWriter | None = None
_errors: list[StorageError] = []


def add(write: Callable[[], object]) -> None:
    """Have `write` done soon, after all that was added before; at once if the system has no thread.

    Its StorageError goes to the process's owner (`set_owner`), and the writes after it are done
    all the same.
    """
    _get_writer().add(write)


def finish(seconds: float = MAX_WAIT_S) -> bool:
    """Wait until all is written, for at most `seconds`. Return whether it is. For a write that
    calls this function, it is."""
    return _writer is None or _writer.wait(seconds)


def set_owner(wake: Callable[[], object]) -> None:
    """Set the function that is called, in any thread, after something was written. It must have
    `settle` called in the owner's thread."""
    global _wake
    _wake = wake


def settle() -> list[StorageError]:
    """Take in what is written by now, in the owner's thread. Return the errors of the writes that
    failed."""
    if _writer is None:
        return []
    _writer.process_results()
    errors = _errors.copy()
    _errors.clear()
    return errors


def _log_errors() -> None:
    for error in settle():
        log.warning("%s", error)


_wake: Callable[[], object] = _log_errors
"""Without a window, errors are logged."""


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
