"""Writes of one owner in order, by the threads of a `DiskPool`: the owner never waits for the disk.

Jobs that are added while others are done are done together next, and synced once.
"""

from collections import deque
from collections.abc import Callable
from threading import Lock

from tabletop.background import faults
from tabletop.background.faults import WENT_WRONG
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import StorageError

Job = Callable[[], None]


class OrderedWriter:
    """Does an owner's writes in order, and calls what waits for them once they are safe.

    All methods belong to the owner's thread.
    """

    def __init__(
        self,
        name: str,
        pool: DiskPool,
        wake: Callable[[], None],
        refused: Callable[[StorageError], None],
        sync: Job = lambda: None,
    ) -> None:
        """
        `name`: names what is written, for the log.
        `wake`: called in a thread of the pool; must have `settle` called in the owner's thread.
        `refused`: called in the owner's thread when the disk has refused a job. The jobs after it
            aren't done before `discard`.
        `sync`: ends the jobs that are done together, in a thread of the pool.
        """
        self._name = name
        self._pool = pool
        self._wake = wake
        self._refused = refused
        self._sync = sync
        self._todo: list[Job] = []
        self._batch: _Batch | None = None
        self._added = 0
        self._safe = 0
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        """Calls that wait, each until this many jobs are safe."""

    @property
    def settled(self) -> bool:
        """Whether all that was added is safe."""
        return self._safe == self._added

    @property
    def waiting(self) -> int:
        """The number of calls that wait for writes."""
        return len(self._waiting)

    @property
    def last(self) -> Job | None:
        """The last job that has not been started yet, or None."""
        return self._todo[-1] if self._todo else None

    def add(self, job: Job) -> None:
        """Have `job` done after all that was added before."""
        self._added += 1
        self._todo.append(job)
        if self._batch is None:
            self._hand_out()

    def when_safe(self, act: Callable[[], None]) -> None:
        """Call `act` once all that was added so far is safe; at once if it is."""
        if self.settled:
            act()
        else:
            self._waiting.append((self._added, act))

    def discard(self) -> None:
        """Forget the jobs that have not started, and what waits, after the disk has refused one."""
        self._todo.clear()
        self._waiting.clear()
        self._added = self._safe = 0

    def settle(self) -> None:
        """Take in what is done by now."""
        batch = self._batch
        if batch is None or not batch.done:
            return
        self._batch = None
        if batch.trouble is not None:
            self._refused(batch.trouble)
            return
        self._safe += len(batch.jobs)
        if self._todo:
            self._hand_out()
        while self._waiting and self._waiting[0][0] <= self._safe:
            faults.guarded(self._waiting.popleft()[1], "what waited for the disk")

    def finish(self) -> None:
        """Wait until everything is done, and take it in."""
        while self._batch is not None:
            self._batch.wait()
            self.settle()

    def _hand_out(self) -> None:
        jobs, self._todo = self._todo, []
        self._batch = batch = _Batch(jobs, self._sync, self._name)
        wake = self._wake

        def work() -> None:  # holds no reference to the writer or its owner
            batch.work()
            wake()

        self._pool.give(work)


class _Batch:
    """Jobs that are done together in a thread."""

    def __init__(self, jobs: list[Job], sync: Job, name: str) -> None:
        self.jobs = jobs
        self._name = name
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
            faults.report(error, f"writing {self._name}")
            self.trouble = StorageError(WENT_WRONG.text)
            self.trouble.reason = WENT_WRONG  # no fault of the disk's, as its code says
        self._undone.release()
