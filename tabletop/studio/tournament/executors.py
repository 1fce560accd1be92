"""Executors that play the matches of a tournament in parallel.

Matches run on the local CPU cores, or on a cluster (`cluster.py`).
"""

import logging
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from queue import Queue
from typing import Protocol

from tabletop.background.futures import add_guarded_callback
from tabletop.background.processes import is_start_failure, start_ignoring_interrupts
from tabletop.background.threads import can_start_thread
from tabletop.bots.bot_pool import NOT_STARTED_MESSAGE
from tabletop.studio.tournament.arena import ArenaResult, Pairing, play_match

log = logging.getLogger("tabletop")

MAX_PROCESSES = 61
"""The maximum number of processes, which is how many Windows can wait for."""


class MatchExecutor(Protocol):
    """Plays matches in parallel."""

    @property
    def room(self) -> int:
        """The maximum number of matches that may be submitted and unfinished at once."""
        ...

    def submit(self, pairing: Pairing) -> Future[ArenaResult]:
        """Schedule a match. The future may complete on another thread."""
        ...

    def end(self, playing: bool) -> None:
        """Shut down. `playing`: whether matches are still running, whose
        results are then discarded.
        """


class ProcessExecutor:
    """A pool of local worker processes, started on demand."""

    def __init__(self, processes: int = 0) -> None:
        """`processes`: the number of processes; 0 uses all cores."""
        cores = min(os.cpu_count() or 1, MAX_PROCESSES)
        count = min(processes or cores, cores)
        self.room = 4 * count
        self._others = set(multiprocessing.active_children())
        self._pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"))

    def submit(self, pairing: Pairing) -> Future[ArenaResult]:
        with start_ignoring_interrupts():
            return self._pool.submit(play_match, pairing)

    def end(self, playing: bool) -> None:
        mine = [each for each in multiprocessing.active_children() if each not in self._others]
        for process in mine if playing else ():  # processes that still play are not awaited
            process.kill()
        self._pool.shutdown(cancel_futures=True)


class SerialExecutor:
    """Plays each match on the calling thread, as the fallback if no processes can be started."""

    room = 1

    def submit(self, pairing: Pairing) -> Future[ArenaResult]:
        future: Future[ArenaResult] = Future()
        future.set_result(play_match(pairing))
        return future

    def end(self, playing: bool) -> None:
        return


def play_tournament(
    pairings: Sequence[Pairing], processes: int = 0, executor: MatchExecutor | None = None
) -> Iterator[tuple[int, ArenaResult]]:
    """Play `pairings` in parallel and yield each index with its result as soon as the match ends.

    Matches run on all cores, on fewer `processes`, or by `executor`. If the system can't start
    processes, they run on the calling thread.

    Raises:
        ClusterError: The cluster can't play.
        Any error of the game's rules.
    """
    left = dict(enumerate(pairings))
    if executor is None and not can_start_thread():
        log.warning(NOT_STARTED_MESSAGE, "no thread")
        yield from _play_on(left, SerialExecutor())
        return
    try:
        yield from _play_on(left, executor or ProcessExecutor(processes))
    except (OSError, RuntimeError) as error:
        if not is_start_failure(error):
            raise
        log.warning(NOT_STARTED_MESSAGE, error)
        yield from _play_on(left, SerialExecutor())


def _play_on(
    left: dict[int, Pairing], executor: MatchExecutor
) -> Iterator[tuple[int, ArenaResult]]:
    """Play the matches in `left`, and remove each from `left` when it ends.
    Yield its key and result.
    """
    over: Queue[tuple[int, Future[ArenaResult]]] = Queue()
    waiting, playing = iter(tuple(left.items())), 0
    try:
        while left:
            for number, pairing in waiting:
                future = executor.submit(pairing)
                playing += 1
                add_guarded_callback(future, partial(_put_result, over, number), "a match")
                if playing >= executor.room:
                    break
            number, future = over.get()
            playing -= 1
            result = future.result()
            del left[number]
            yield number, result
    finally:
        executor.end(bool(left))


def _put_result(
    over: Queue[tuple[int, Future[ArenaResult]]], number: int, future: Future[ArenaResult]
) -> None:
    over.put((number, future))
