"""Writes that nobody waits for: settings and statistics, which another process may have locked.

One thread does them in order, and ends when nothing is left. Reading what they write waits for them
first (`finish`), so that everybody reads what they have just written; so does the end of the
program.
"""

import atexit
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import Condition, Thread, current_thread

from tabletop.background import faults, threads
from tabletop.files.errors import StorageError

LONGEST = 8.0
"""Seconds to wait for writes; longer than any single one waits for another process."""

_changed = Condition()
_jobs: deque[tuple[Callable[[], object], Callable[[StorageError], object]]] = deque()
"""The writes that are left, the current one included."""
_thread: Thread | None = None


def later(write: Callable[[], object], failed: Callable[[StorageError], object]) -> None:
    """Write soon, in another thread; `failed` is called there with the StorageError that it raises.
    Where the system has no thread to give, it is written at once."""
    global _thread
    with _changed:
        _jobs.append((write, failed))
        if _thread is not None:
            return
        try:
            _thread = threads.start(_work, "late writes")
            return
        except RuntimeError:
            pass
    _work()


def finish(seconds: float = LONGEST) -> bool:
    """Wait until all is written, but no longer than this; return whether it is."""
    if current_thread() is _thread:  # a write reads the file that it changes
        return True
    with _changed:
        return _changed.wait_for(lambda: not _jobs, seconds)


def _work() -> None:
    global _thread
    while True:
        with _changed:
            if not _jobs:
                _thread = None
                return
            write, failed = _jobs[0]
        # the other writes go on
        faults.guarded(partial(_write_or_tell, write, failed), "a late write")
        with _changed:
            _jobs.popleft()
            _changed.notify_all()


def _write_or_tell(write: Callable[[], object], failed: Callable[[StorageError], object]) -> None:
    try:
        write()
    except StorageError as error:
        failed(error)


atexit.register(finish)
