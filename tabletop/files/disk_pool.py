"""The threads that wait for the disk, of a host or of a window.

Each table gives one job at a time (`OrderedWriter`). Syncs of several tables overlap, so the file
system commits them together.
"""

import logging
from collections.abc import Callable
from queue import SimpleQueue
from threading import Semaphore, Thread

from tabletop.background import faults, threads

log = logging.getLogger("tabletop")

MAX_THREADS = 16

Job = Callable[[], None]


class DiskPool:
    """Threads that are started as they are needed."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._idle = Semaphore(0)
        self._threads: list[Thread] = []

    def submit(self, job: Job) -> None:
        """Have a thread do this; where no thread is available, do it at once."""
        if not self._idle.acquire(blocking=False) and len(self._threads) < MAX_THREADS:
            self._start_thread()
        if self._threads:
            self._jobs.put(job)
        else:
            job()

    def close(self) -> None:
        """Return once every job is done."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _start_thread(self) -> None:
        try:
            self._threads.append(threads.start(self._work, "disk"))
        except RuntimeError as error:
            log.warning("No thread could be started to wait for the disk: %s", error)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            faults.run_guarded(
                job, "a job of the disk"
            )  # the thread carries on with the other jobs
            del job  # or the job would keep its table in memory until the next one comes
            self._idle.release()
