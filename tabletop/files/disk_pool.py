"""A thread pool for disk operations of a host or a window.

Each table submits one job at a time, using an `OrderedWriter`. Syncs for several tables run in
parallel, so that the file system commits them together.
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
    """A pool of up to `MAX_THREADS` threads, which are started on demand."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._idle = Semaphore(0)
        self._threads: list[Thread] = []

    def enqueue(self, job: Job) -> None:
        """Run `job` on a thread, or on the calling thread if none can be started."""
        if not self._idle.acquire(blocking=False) and len(self._threads) < MAX_THREADS:
            self._start_thread()
        if self._threads:
            self._jobs.put(job)
        else:
            job()

    def close(self) -> None:
        """Wait until all jobs have finished, and end the threads."""
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
            # a failed job must not end the thread
            faults.run_guarded(job, "a job of the disk")
            del job  # otherwise this reference keeps its table in memory until the next job
            self._idle.release()
