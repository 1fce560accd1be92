"""Who waits for a host's disk: the kernel where it can, the host itself while that is quick, else
threads."""

import logging
from asyncio import AbstractEventLoop
from collections.abc import Callable
from itertools import count
from queue import PriorityQueue
from threading import Thread
from time import monotonic

from tabletop.net.host.kernel_sync import Done, KernelSync
from tabletop.net.host.metrics import Durations

log = logging.getLogger("tabletop.net")

QUICK = 0.001
"""Seconds that a disk may take for a move, on the average, to be waited for at once."""
MOVES, TABLES, END = 0, 1, 2
"""What goes to the disk first: nobody's move waits for how other tables are arranged."""
SHARE = 0.25
"""How much of its time a host waits for the disk itself."""


class WriterPool:
    """Those who wait for the disk, for all tables of one host."""

    def __init__(
        self, writes: Durations, loop: AbstractEventLoop | None = None, size: int = 4
    ) -> None:
        """`writes`: what the disk took each time is noted there. Without the host's `loop`, which
        the kernel wakes, there are threads alone, so many."""
        self._kernel = _kernel_sync(loop)
        self._writes = writes
        self._usual = 0.0
        self._waited = 0.0
        """Seconds that the host itself has waited for the disk lately."""
        self._noted = monotonic()
        self._queue: PriorityQueue[tuple[int, int, Callable[[], None] | None]] = PriorityQueue()
        self._given = count()
        self._threads: list[Thread] = []
        for _ in range(size):
            thread = Thread(target=self._work, daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                log.warning("No thread could be started to wait for the disk: %s", error)
                break
            self._threads.append(thread)

    @property
    def asynchronous(self) -> bool:
        """Whether the kernel waits for the disk."""
        return self._kernel is not None

    def begin_sync(self, file: int, done: Done) -> bool:
        """As `KernelSync.begin`; False too where there is none."""
        return self._kernel is not None and self._kernel.begin(file, done)

    @property
    def idle(self) -> bool:
        """Whether the disk is so quick, for what is written, that the host may wait itself."""
        now = monotonic()
        self._waited = max(0.0, self._waited - (now - self._noted) * SHARE)
        self._noted = now
        return self._usual < QUICK and self._waited < QUICK

    def took(self, seconds: float, here: bool) -> None:
        """Note how long the disk has taken for a move, and whether the host itself waited."""
        self._writes.note(seconds)
        self._usual += (seconds - self._usual) / 8
        self._waited += seconds * here

    def give(self, job: Callable[[], None], urgency: int = MOVES) -> None:
        """Have a thread do this; where the system had none to give, it is done at once."""
        if self._threads:
            self._queue.put((urgency, next(self._given), job))
        else:
            job()

    def close(self) -> None:
        """Come back once everything given and begun is done."""
        if self._kernel is not None:
            self._kernel.close()
            self._kernel = None
        for _ in self._threads:
            self._queue.put((END, next(self._given), None))
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (job := self._queue.get()[2]) is not None:
            job()
            del job  # until the next one comes, which may be long, it would keep its table's log


def _kernel_sync(loop: AbstractEventLoop | None) -> KernelSync | None:
    """The kernel's way for this loop, where the system has it and lets it be used."""
    if loop is None:
        return None
    try:
        return KernelSync(loop)
    except OSError as error:
        log.info("threads wait for the disk why=%s", error)
        return None
