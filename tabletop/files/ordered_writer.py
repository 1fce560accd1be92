"""Writes in order, by the threads of a `DiskPool`: their owner never waits for the disk.

Jobs that are added while others are done are done together next, and synced once.
"""

from collections import deque
from collections.abc import Callable
from threading import Lock, get_ident
from time import monotonic

from tabletop.background import faults
from tabletop.background.faults import WENT_WRONG
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import StorageError

Job = Callable[[], object]


class OrderedWriter:
    """Does an owner's writes in order, and calls what waits for them once they are safe.

    `add` and `wait` may be called in any thread. All other methods belong to the owner's, and every
    callback but `wake` and `sync` runs there.
    """

    def __init__(
        self,
        name: str,
        pool: DiskPool,
        wake: Callable[[], object],
        refused: Callable[[StorageError], object],
        sync: Job = lambda: None,
        independent: bool = False,
    ) -> None:
        """
        Args:
            name: Names what is written, for the log.
            pool: Its threads do the jobs.
            wake: Called in a thread of the pool after jobs were done. It must have `settle` called
                in the owner's thread.
            refused: Called with the error of a job that failed. An error that isn't a
                `StorageError` is reported, and told as one.
            sync: Ends the jobs that are done together, in a thread of the pool.
            independent: Whether jobs are done though one before them has failed. Else the jobs
                after it wait for `discard`.
        """
        self._name = name
        self._pool = pool
        self._wake = wake
        self._refused = refused
        self._sync = sync
        self._independent = independent
        self._lock = Lock()
        """Guards the next five, which threads of the pool change as well."""
        self._todo: list[Job] = []
        self._batch: _Batch | None = None
        """The jobs that are being done."""
        self._done: list[_Batch] = []
        """What has been done and not been taken in yet."""
        self._broken = False
        """Whether a job has failed, and those after it wait for `discard`."""
        self._added = 0
        self._safe = 0
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        """Calls that wait, each until this many jobs are safe."""

    @property
    def is_settled(self) -> bool:
        """Whether all that was added is safe."""
        return self._safe == self._added

    @property
    def callback_count(self) -> int:
        """The number of calls that wait for writes."""
        return len(self._waiting)

    @property
    def last_job(self) -> Job | None:
        """The last job that has not been started yet, or None."""
        return self._todo[-1] if self._todo else None

    def add(self, job: Job) -> None:
        """Have `job` done after all that was added before."""
        with self._lock:
            self._added += 1
            self._todo.append(job)
        self._start_batch()

    def call_when_safe(self, act: Callable[[], None]) -> None:
        """Call `act` once all that was added so far is safe; at once if it is."""
        if self.is_settled:
            act()
        else:
            self._waiting.append((self._added, act))

    def discard(self) -> None:
        """Forget the jobs that have not started, and what waits, after the disk has refused one."""
        with self._lock:
            self._todo.clear()
            self._added = self._safe = 0
            self._broken = False
        self._waiting.clear()

    def process_results(self) -> None:
        """Take in what is done by now."""
        with self._lock:
            batches, self._done = self._done, []
        for batch in batches:
            for error in batch.errors:
                self._refused(error)
            if not batch.errors or self._independent:
                self._safe += len(batch.jobs)
        self._start_batch()
        while self._waiting and self._waiting[0][0] <= self._safe:
            faults.run_guarded(self._waiting.popleft()[1], "what waited for the disk")

    def finish(self) -> None:
        """Wait until everything is done, and take it in."""
        while self._batch is not None or self._done:
            self.wait()
            self.process_results()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until everything is done, for at most `seconds`. Return whether it is.

        A job may call this function: what comes after that job is not waited for.
        """
        until = monotonic() + seconds if seconds is not None else None
        while True:
            self._start_batch()  # the owner may be the one who waits, or have left
            batch = self._batch
            if batch is None:
                return not self._todo
            if batch.thread == get_ident():
                return True
            if not batch.wait(-1 if until is None else max(0.0, until - monotonic())):
                return False

    def _start_batch(self) -> None:
        with self._lock:
            if self._batch is not None or self._broken or not self._todo:
                return
            jobs, self._todo = self._todo, []
            self._batch = _Batch(jobs)
        self._pool.submit(self._work)

    def _work(self) -> None:
        """Do the jobs of the batch, in a thread of the pool."""
        batch = self._batch
        assert batch is not None
        batch.thread = get_ident()
        for job in (*batch.jobs, self._sync):
            if (error := self._try(job)) is not None:
                batch.errors.append(error)
                if not self._independent:
                    break
        with self._lock:
            self._batch = None
            self._broken = bool(batch.errors) and not self._independent
            self._done.append(batch)
        batch.end()
        self._wake()

    def _try(self, job: Job) -> StorageError | None:
        try:
            job()
        except StorageError as error:
            return error
        except Exception as error:  # for the owner this is the same as a disk error
            faults.report(error, f"writing {self._name}")
            trouble = StorageError(WENT_WRONG.text)
            trouble.reason = WENT_WRONG  # no fault of the disk's, as its code says
            return trouble
        return None


class _Batch:
    """Jobs that are done together in a thread."""

    def __init__(self, jobs: list[Job]) -> None:
        self.jobs = jobs
        self.errors: list[StorageError] = []
        self.thread = 0
        """The thread that does them, once it has begun."""
        self._undone = Lock()  # an Event would do as well, but costs a host ten times as much
        self._undone.acquire()

    def wait(self, seconds: float) -> bool:
        """Return whether they are done within `seconds`; -1 waits for ever."""
        done = self._undone.acquire(timeout=seconds)
        if done:
            self._undone.release()
        return done

    def end(self) -> None:
        self._undone.release()
