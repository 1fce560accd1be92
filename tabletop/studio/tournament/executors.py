"""Executors that play a tournament's matches: on this computer's cores, or on a cluster
(`cluster.py`). The tournament knows only an executor's `submit`."""

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
from tabletop.bots.bot_pool import NOT_STARTED
from tabletop.studio.tournament.arena import ArenaResult, Pairing, play

log = logging.getLogger("tabletop")

MOST_PROCESSES = 61
"""The most processes that Windows can wait for."""


class MatchExecutor(Protocol):
    """Plays matches side by side."""

    @property
    def room(self) -> int:
        """The most pairings given to it at once."""
        ...

    def submit(self, pairing: Pairing) -> Future[ArenaResult]:
        """Play this one as soon as there is room."""
        ...

    def end(self, playing: bool) -> None:
        """Stop. The results of matches still `playing` are dropped."""


class Cores:
    """The processes of this computer; started as they are needed."""

    def __init__(self, processes: int = 0) -> None:
        """On all cores, or on fewer `processes`."""
        cores = min(os.cpu_count() or 1, MOST_PROCESSES)
        count = min(processes or cores, cores)
        self.room = 4 * count
        self._others = set(multiprocessing.active_children())
        self._pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"))

    def submit(self, pairing: Pairing) -> Future[ArenaResult]:
        with start_ignoring_interrupts():
            return self._pool.submit(play, pairing)

    def end(self, playing: bool) -> None:
        mine = [each for each in multiprocessing.active_children() if each not in self._others]
        for process in mine if playing else ():  # processes that still play are not awaited
            process.kill()
        self._pool.shutdown(cancel_futures=True)


class ThisThread:
    """The present thread, one match after the other, where there are no processes."""

    room = 1

    def submit(self, pairing: Pairing) -> Future[ArenaResult]:
        future: Future[ArenaResult] = Future()
        future.set_result(play(pairing))
        return future

    def end(self, playing: bool) -> None:
        return


def tournament(
    pairings: Sequence[Pairing], processes: int = 0, executor: MatchExecutor | None = None
) -> Iterator[tuple[int, ArenaResult]]:
    """Play these matches on all cores, on fewer `processes`, or by another `executor`; each with
    its number, as soon as it is over. If the system has no process for them, they are played in
    this one.

    Raises:
        ClusterTrouble: they cannot be played there.
        Any error of the game's rules.
    """
    left = dict(enumerate(pairings))
    if executor is None and not can_start_thread():
        log.warning(NOT_STARTED, "no thread")
        yield from _play_on(left, ThisThread())
        return
    try:
        yield from _play_on(left, executor or Cores(processes))
    except (OSError, RuntimeError) as error:
        if not is_start_failure(error):
            raise
        log.warning(NOT_STARTED, error)
        yield from _play_on(left, ThisThread())


def _play_on(
    left: dict[int, Pairing], executor: MatchExecutor
) -> Iterator[tuple[int, ArenaResult]]:
    """Play what is left, and take it out as soon as it is over."""
    over: Queue[tuple[int, Future[ArenaResult]]] = Queue()
    waiting, playing = iter(tuple(left.items())), 0
    try:
        while left:
            for number, pairing in waiting:
                future = executor.submit(pairing)
                playing += 1
                add_guarded_callback(future, partial(_note, over, number), "a match")
                if playing >= executor.room:
                    break
            number, future = over.get()
            playing -= 1
            result = future.result()
            del left[number]
            yield number, result
    finally:
        executor.end(bool(left))


def _note(
    over: Queue[tuple[int, Future[ArenaResult]]], number: int, future: Future[ArenaResult]
) -> None:
    over.put((number, future))
