"""The writes of one table, in order, by the threads of a `DiskPool`: nobody waits for the disk.

What comes in while they are done is done together next.
"""

from collections.abc import Callable
from threading import Lock

from tabletop.background import faults
from tabletop.background.faults import WENT_WRONG
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import StorageError

Job = Callable[[], None]


class WriteQueue:
    """Lives in one thread, which it never keeps waiting."""

    def __init__(
        self,
        place: str,
        pool: DiskPool,
        wake: Callable[[], None],
        written: Callable[[int, StorageError | None], None],
        sync: Job = lambda: None,
    ) -> None:
        """`place` names what is written. `wake` is called in a thread of the pool, and must have
        `settle` called in the queue's own thread. Then `written` is called with the number of jobs
        that are done and the disk's refusal, if any. `sync` ends the jobs that are done together.
        """
        self._place = place
        self._pool = pool
        self._wake = wake
        self._written = written
        self._sync = sync
        self._todo: list[Job] = []
        self._batch: _Batch | None = None

    @property
    def last(self) -> Job | None:
        """The last job that has not been started yet, or None."""
        return self._todo[-1] if self._todo else None

    def add(self, job: Job) -> None:
        """Have this done after all that was added before."""
        self._todo.append(job)
        if self._batch is None:
            self._hand_out()

    def clear(self) -> None:
        """Forget what nobody has begun."""
        self._todo.clear()

    def settle(self) -> None:
        """Take in what is done by now."""
        batch = self._batch
        if batch is None or not batch.done:
            return
        self._batch = None
        self._written(len(batch.jobs), batch.trouble)
        if self._todo and self._batch is None and batch.trouble is None:
            self._hand_out()

    def finish(self) -> None:
        """Wait until everything is done, and take it in."""
        while self._batch is not None:
            self._batch.wait()
            self.settle()

    def _hand_out(self) -> None:
        jobs, self._todo = self._todo, []
        self._batch = batch = _Batch(jobs, self._sync, self._place)
        wake = self._wake

        def work() -> None:  # without a reference to the waiting object
            batch.work()
            wake()

        self._pool.give(work)


class _Batch:
    """Jobs that are done together in a thread."""

    def __init__(self, jobs: list[Job], sync: Job, place: str) -> None:
        self.jobs = jobs
        self._place = place
        self.trouble: StorageError | None = None
        self._sync = sync
        self._undone = Lock()  # an Event would do as well, but costs a host ten times as much
        self._undone.acquire()

    @property
    def done(self) -> bool:
        return not self._undone.locked()

    def wait(self) -> None:
        """Return once they are done."""
        with self._undone:
            pass

    def work(self) -> None:
        try:
            for job in self.jobs:
                job()
            self._sync()
        except StorageError as error:
            self.trouble = error
        except Exception as error:  # for the owner this is the same as a disk error
            faults.report(error, f"writing {self._place}")
            self.trouble = StorageError(WENT_WRONG.text)
        self._undone.release()
