"""A pool of worker processes in which bots and hints think.

    pool = BotPool(catalogue.bring)
    future = pool.think("sun", "hard", view, offers, ask, seconds=1, seed="7/12")
    when_ended(future, on_done, "a hint")  # `on_done` runs in a pool thread
    future.cancel()                    # stops thinking immediately
    pool.close()                       # stops all thinking immediately

Every future completes. It has an exception only if a bug in this program prevented any decision;
the pool reports the bug. If a bot fails, times out or dies, another one decides that move: the easy
level, or as a last resort a random legal move. `Decision.trouble` says why. If the system can't
start a process or thread, the calling process computes the decision.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from tabletop.background import faults, threads
from tabletop.background.processes import is_start_failure, start_ignoring_interrupts
from tabletop.bots.decision import Decision, Level, Question
from tabletop.engine.heuristic import Past, some
from tabletop.engine.model import Ask, Offer, State
from tabletop.engine.scratch import FastRng

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    from tabletop.bots.worker import GameLoader

log = logging.getLogger("tabletop")

NOT_STARTED_MESSAGE = (
    "No process or thread could be started, so bots think in the program itself: %s"
)
"""The log message if the system can't start a process or thread, with the system's reason."""
WORKER_GRACE_S = 3.0
"""The number of seconds by which a worker's answer may be late on a busy machine."""
START_TIMEOUT_S = 30.0
"""The number of seconds that a process may take to start."""
POLL_INTERVAL_S = 0.02
MAX_WORKERS = 8
"""The maximum number of simultaneous workers. One processor is left for the window if possible.

A match needs a worker for each bot that is asked at the same time; a review uses all of them.
"""

Job = tuple[Question, Future[Decision]]


class WorkerTimeout(Exception):
    """A worker didn't answer in time."""


class WorkerError(Exception):
    """A worker reported an exception."""


class ProcessUnavailable(Exception):
    """The system can't start a process."""


class BotPool:
    """Computes decisions for any number of seats, in processes that are started on demand."""

    def __init__(
        self, load_game: GameLoader, workers: int | None = None, grace: float = WORKER_GRACE_S
    ) -> None:
        self._load_game = load_game
        self._grace = grace
        self._max_workers = workers or min(max((os.cpu_count() or 2) - 1, 1), MAX_WORKERS)
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._unanswered: set[Future[Decision]] = set()
        self._lock = Lock()
        self._closed = False
        self._games_version = 0
        """How many times games have changed since the program started."""

    @property
    def unanswered_count(self) -> int:
        """The number of questions that have no answer yet."""
        return len(self._unanswered)

    def think(
        self,
        game: str,
        level: Level,
        view: State,
        offers: Mapping[int, Sequence[Offer]],
        ask: Ask,
        seconds: float = 1.0,
        seed: str = "",
        past: Past | None = None,
        tries: int = 0,
    ) -> Future[Decision]:
        """Return a future for the answer to `ask`, which is open to the viewer of `view`.

        Args:
            game: The game's ID.
            seconds: The time limit of the hard level.
            tries: A number of simulations that replaces the time limit, for reproducible answers.

        Raises:
            ValueError: `view` isn't the asked seat's, or `ask` isn't open.
        """
        open_to_it = tuple(offers.get(ask.id, ()))
        return self.submit(
            Question(game, level, view, ask, open_to_it, seconds, seed, past or Past(), tries)
        )

    def submit(self, question: Question) -> Future[Decision]:
        """Return a future for the answer to `question`.

        Raises:
            ValueError: `question.view` isn't the asked seat's, or the question isn't open.
        """
        view, ask = question.view, question.ask
        if view.viewer != ask.seat or ask not in view.asks or not question.offers:
            raise ValueError("an agent needs a view and an open question of the same seat")
        future: Future[Decision] = Future()
        with self._lock:
            if self._closed:
                future.cancel()
                return future
            self._unanswered.add(future)
            if len(self._threads) < min(self._max_workers, len(self._unanswered)):
                self._start_thread()
            served = bool(self._threads)
        if served:
            self._queue.put((question, future))
        else:
            self._resolve(Worker(self._load_game, self._grace, here=True), question, future)
        return future

    def _start_thread(self) -> None:
        try:
            self._threads.append(threads.start(self._run_worker, "bot"))
        except RuntimeError as error:  # existing threads or the caller do the work
            log.warning(NOT_STARTED_MESSAGE, error)
            self._max_workers = len(self._threads)

    def reload_games(self) -> None:
        """Reload games before the next question, because one of them has changed."""
        self._games_version += 1

    def close(self) -> None:
        """Stop all workers and cancel unanswered questions."""
        with self._lock:
            self._closed = True
            unanswered = tuple(self._unanswered)
        for future in unanswered:
            future.cancel()
        for _ in self._threads:
            self._queue.put(None)

    def _run_worker(self) -> None:
        """Send queued questions to one worker process, until the pool is closed.

        Runs in a thread.
        """
        worker, edition = Worker(self._load_game, self._grace), self._games_version
        try:
            while (job := self._queue.get()) is not None:
                if edition != self._games_version:  # the process has loaded an outdated game
                    faults.run_guarded(worker.kill, "a bot's process")
                    edition = self._games_version
                self._resolve(worker, *job)
        finally:
            worker.kill()

    def _resolve(self, worker: Worker, question: Question, future: Future[Decision]) -> None:
        decision: Decision | None = None
        fault: Exception | None = None
        try:
            decision = self._decide(worker, question, future)
        except Exception as error:
            faults.report(error, "a bot")
            fault = error
        with self._lock:
            self._unanswered.discard(future)
        if (decision or fault) and future.set_running_or_notify_cancel():
            if decision:
                future.set_result(decision)
            else:
                future.set_exception(fault)

    def _decide(
        self, worker: Worker, question: Question, future: Future[Decision]
    ) -> Decision | None:
        """Return the worker's decision, or a replacement if the worker fails.

        Return None if the future was cancelled.
        """
        try:
            return worker.think(question, future)
        except Exception as error:  # whatever the error, the table must go on
            if future.cancelled():
                return None  # for example, the program is ending and its processes with it
            trouble = f"{type(error).__name__}: {error}"
            log.warning("A bot failed at %s (%s): %s", question.game, question.level, trouble)
        # the easy level needs no search
        easy = msgspec.structs.replace(question, level="easy", seconds=0.0)
        try:
            decision = worker.think(easy, future)
        except Exception:  # the game's heuristic itself is broken
            log.exception("The easy bot failed as well at %s.", question.game)
            move = some(question.offers, question.ask.id, FastRng(question.seed))
            decision = Decision(move, "easy")
        return decision and msgspec.structs.replace(decision, trouble=trouble)


class Worker:
    """A worker process. It is started on demand and restarted after it was killed."""

    def __init__(self, load_game: GameLoader, grace: float, here: bool = False) -> None:
        """`here`: whether to think in the calling thread instead of a process."""
        self._load_game = load_game
        self._grace = grace
        self._in_process = here
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def think(self, question: Question, future: Future[Decision]) -> Decision | None:
        """Return the decision, or None if the future was cancelled meanwhile.

        Raises:
            WorkerTimeout, WorkerError, EOFError, OSError: the worker failed; a hanging process was
            killed.
            Exception: any error of a heuristic, if the bot thinks in this process.
        """
        if future.cancelled():
            return None
        try:
            pipe = None if self._in_process else self._connected_pipe(future)
            if pipe is not None:
                return self._request_decision(pipe, question, future)
        except ProcessUnavailable as error:
            log.warning(NOT_STARTED_MESSAGE, error)
            self._in_process = True  # retrying would only strain a system short of memory
        except (WorkerTimeout, EOFError, OSError):
            self.kill()
            raise
        if not self._in_process or future.cancelled():
            return None
        from tabletop.bots.worker import make_agent, think

        return think(make_agent(self._load_game, question.game), question, future.cancelled)

    def kill(self) -> None:
        """Kill the process, if it is running."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def _connected_pipe(self, future: Future[Decision]) -> Connection | None:
        """Return a pipe to a running process, or None if the future was cancelled meanwhile.

        Raises:
            ProcessUnavailable: the system can't start a process.
        """
        if self._process is not None and self._process.is_alive() and self._pipe is not None:
            return self._pipe
        self.kill()
        import multiprocessing

        from tabletop.bots.worker import READY, run_worker

        spawn = multiprocessing.get_context("spawn")
        far = None
        try:
            self._pipe, far = spawn.Pipe()
            process = spawn.Process(
                target=run_worker, args=(far, self._load_game), name="bot", daemon=True
            )
            with start_ignoring_interrupts():
                process.start()
        except (OSError, RuntimeError) as error:
            if far is not None:
                far.close()
            self.kill()
            if not is_start_failure(error):
                raise
            raise ProcessUnavailable(str(error)) from error
        self._process = process
        far.close()  # so that this end gets EOF when the process ends
        if self._next_message(self._pipe, START_TIMEOUT_S, future) != READY:
            self.kill()
        return self._pipe

    def _request_decision(
        self, pipe: Connection, question: Question, future: Future[Decision]
    ) -> Decision | None:
        from tabletop.bots.worker import ANSWERED, STOP

        pipe.send_bytes(msgspec.msgpack.encode(question))
        message = self._next_message(pipe, question.seconds + self._grace, future)
        if message is None:
            pipe.send_bytes(STOP)
            # it still answers soon; a worker that doesn't is restarted
            self._next_message(pipe, self._grace, None)
            return None
        if message[:1] != ANSWERED:
            raise WorkerError(message[1:].decode())
        return msgspec.msgpack.decode(message[1:], type=Decision)

    def _next_message(
        self, pipe: Connection, seconds: float, wanted_for: Future[Decision] | None
    ) -> bytes | None:
        """Return the next message from the pipe, or None as soon as the future is cancelled.

        Raises:
            WorkerTimeout: no message arrived within `seconds`.
        """
        until = monotonic() + seconds
        while not pipe.poll(POLL_INTERVAL_S):
            if wanted_for is not None and wanted_for.cancelled():
                return None
            if monotonic() > until:
                raise WorkerTimeout(f"no answer in {seconds:.1f} s")
        return pipe.recv_bytes()
