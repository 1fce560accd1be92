"""Executes write jobs in order on threads of a `DiskPool`, so that their owner needn't wait.

Jobs that are added while others run are executed together afterwards, followed by a single sync.
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
    """A queue of write jobs with one owner, and callbacks for when the jobs are safe on disk.

    `add` and `wait` may be called on any thread, all other methods only on the owner's thread.
    Callbacks run on the owner's thread, except for `wake` and `sync`.
    """

    def __init__(
        self,
        name: str,
        pool: DiskPool,
        wake: Callable[[], object],
        on_error: Callable[[StorageError], object],
        sync: Job = lambda: None,
        independent: bool = False,
    ) -> None:
        """Create an empty queue.

        Args:
            name: describes what is written, for the log.
            pool: provides the threads for the jobs.
            wake: called on a thread of the pool after jobs have run. It must schedule a call of
                `process_results` on the owner's thread.
            on_error: called with the error of a failed job. An exception that isn't a
                `StorageError` is reported as a fault and passed on as a `StorageError`.
            sync: runs after each batch of jobs, on a thread of the pool.
            independent: whether to run jobs even if an earlier one has failed. Otherwise, later
                jobs don't run until `discard` is called.
        """
        self._name = name
        self._pool = pool
        self._wake = wake
        self._on_error = on_error
        self._sync = sync
        self._independent = independent
        self._lock = Lock()
        """Guards the next five attributes, which pool threads change too."""
        self._todo: list[Job] = []
        self._batch: _Batch | None = None
        """The jobs that are running; None if none are."""
        self._done: list[_Batch] = []
        """Finished batches that `process_results` hasn't handled yet."""
        self._broken = False
        """Whether a job has failed, so that later jobs don't run until `discard` is called."""
        self._added = 0
        self._safe = 0
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        """Callbacks, each preceded by the number of jobs that must be safe before it is called."""

    @property
    def is_settled(self) -> bool:
        """Whether all added jobs are safe on disk."""
        return self._safe == self._added

    @property
    def callback_count(self) -> int:
        """The number of callbacks that haven't been called yet."""
        return len(self._waiting)

    @property
    def last_job(self) -> Job | None:
        """The last job that hasn't started yet; None if all have started."""
        return self._todo[-1] if self._todo else None

    def add(self, job: Job) -> None:
        """Queue `job` after all earlier ones."""
        with self._lock:
            self._added += 1
            self._todo.append(job)
        self._start_batch()

    def call_when_safe(self, callback: Callable[[], None]) -> None:
        """Call `callback` once all jobs added so far are safe on disk, or now if they are."""
        if self.is_settled:
            callback()
        else:
            self._waiting.append((self._added, callback))

    def discard(self) -> None:
        """Drop all callbacks and all jobs that haven't started, after a job has failed."""
        with self._lock:
            self._todo.clear()
            self._added = self._safe = 0
            self._broken = False
        self._waiting.clear()

    def process_results(self) -> None:
        """Call the error handler and the callbacks for jobs that have finished."""
        with self._lock:
            batches, self._done = self._done, []
        for batch in batches:
            for error in batch.errors:
                self._on_error(error)
            if not batch.errors or self._independent:
                self._safe += len(batch.jobs)
        self._start_batch()
        while self._waiting and self._waiting[0][0] <= self._safe:
            faults.run_guarded(self._waiting.popleft()[1], "what waited for the disk")

    def finish(self) -> None:
        """Wait until all jobs have run, and process their results."""
        while self._batch is not None or self._done:
            self.wait()
            self.process_results()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait up to `seconds` for all jobs to run, and return whether they have.

        If a job calls this method, it doesn't wait for itself or for later jobs.
        """
        until = monotonic() + seconds if seconds is not None else None
        while True:
            self._start_batch()  # the owner may be waiting here, or be gone
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
        self._pool.enqueue(self._work)

    def _work(self) -> None:
        """Run the jobs of the current batch. Runs on a thread of the pool."""
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
        except Exception as error:  # the owner handles it like a disk error
            faults.report(error, f"writing {self._name}")
            trouble = StorageError(WENT_WRONG.text)
            trouble.reason = WENT_WRONG  # its code distinguishes it from a disk error
            return trouble
        return None


class _Batch:
    """Jobs that run together on one thread."""

    def __init__(self, jobs: list[Job]) -> None:
        self.jobs = jobs
        self.errors: list[StorageError] = []
        self.thread = 0
        """The ID of the thread that runs the jobs; 0 before it starts."""
        self._undone = Lock()  # an Event would take ten times as long
        self._undone.acquire()

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`, or forever if -1, and return whether the jobs have finished."""
        done = self._undone.acquire(timeout=seconds)
        if done:
            self._undone.release()
        return done

    def end(self) -> None:
        self._undone.release()
