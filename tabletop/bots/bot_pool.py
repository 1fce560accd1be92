"""Bots and hints for every table of the program, computed in processes beside it.

    pool = BotPool(catalogue.bring)
    future = pool.think("sun", "hard", view, offers, ask, seconds=1, seed="7/12")
    when_ended(future, hear, "a hint") # called in a thread of ours: hand it on to your own
    future.cancel()                    # not wanted any more: the thinking stops at once
    pool.close()                       # the table is left: everything stops at once

A future always comes to an end; with an error only where a fault of this program left no decision,
which is reported here. A bot that fails, overruns or dies is replaced for that move, by
the easy level and in the last resort by any legal move, and the decision says why
(`Decision.trouble`). Where the system has no process, or no thread, to give, the program itself
computes it.
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

    from tabletop.bots.worker import Bring

log = logging.getLogger("tabletop")

NOT_STARTED = "No process or thread could be started, so bots think in the program itself: %s"
"""The one sentence, with the system's reason."""
GRACE = 3.0
"""Seconds that a worker may be late, on a busy machine."""
STARTING = 30.0
"""Seconds that a process may need to start."""
POLL = 0.02
MOST_WORKERS = 8
"""The most workers at once, as far as there are processors for them and one is left to the window.
A match needs as many as it has bots asked at a time, a review needs all of them."""

Job = tuple[Question, Future[Decision]]


class WorkerTimeout(Exception):
    """A worker did not answer in its time."""


class Failed(Exception):
    """An error in a worker."""


class NotStarted(Exception):
    """The system has no process to give."""


class BotPool:
    """Computes decisions for any number of seats; starts its processes for the first question."""

    def __init__(self, bring: Bring, workers: int | None = None, grace: float = GRACE) -> None:
        self._bring = bring
        self._grace = grace
        self._most = workers or min(max((os.cpu_count() or 2) - 1, 1), MOST_WORKERS)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._unanswered: set[Future[Decision]] = set()
        self._lock = Lock()
        self._closed = False
        self._edition = 0
        """The number of times that games have changed since the program started."""

    @property
    def queue(self) -> int:
        """The number of questions without an answer yet."""
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
        """An answer to this open question of this view's seat. Raises as `ponder`."""
        open_to_it = tuple(offers.get(ask.id, ()))
        return self.ponder(
            Question(game, level, view, ask, open_to_it, seconds, seed, past or Past(), tries)
        )

    def ponder(self, question: Question) -> Future[Decision]:
        """An answer to this question.

        Raises:
            ValueError: it holds no view of the asked seat, or is not open there.
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
            if len(self._threads) < min(self._most, len(self._unanswered)):
                self._start_thread()
            served = bool(self._threads)
        if served:
            self._jobs.put((question, future))
        else:
            self._settle(Worker(self._bring, self._grace, here=True), question, future)
        return future

    def _start_thread(self) -> None:
        try:
            self._threads.append(threads.start(self._keep_thinking, "bot"))
        except RuntimeError as error:  # the existing threads do the work, or else the caller
            log.warning(NOT_STARTED, error)
            self._most = len(self._threads)

    def reread(self) -> None:
        """Have games read again before the next question: one has changed."""
        self._edition += 1

    def close(self) -> None:
        """Stop everything now, and cancel open questions."""
        with self._lock:
            self._closed = True
            unanswered = tuple(self._unanswered)
        for future in unanswered:
            future.cancel()
        for _ in self._threads:
            self._jobs.put(None)

    def _keep_thinking(self) -> None:
        """A thread for each worker: hands it one question after the other."""
        worker, edition = Worker(self._bring, self._grace), self._edition
        try:
            while (job := self._jobs.get()) is not None:
                if edition != self._edition:  # the process has loaded the game as it was before
                    faults.run_guarded(worker.kill, "a bot's process")
                    edition = self._edition
                self._settle(worker, *job)
        finally:
            worker.kill()

    def _settle(self, worker: Worker, question: Question, future: Future[Decision]) -> None:
        decision: Decision | None = None
        fault: Exception | None = None
        try:
            decision = self._answer(worker, question, future)
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

    def _answer(
        self, worker: Worker, question: Question, future: Future[Decision]
    ) -> Decision | None:
        """The worker's decision; a replacement's where it fails; None once nobody wants it any
        more."""
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
    """One agent's process; started when it is needed, and again after it was killed."""

    def __init__(self, bring: Bring, grace: float, here: bool = False) -> None:
        """`here`: without a process, in the thread that asks."""
        self._bring = bring
        self._grace = grace
        self._here = here
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def think(self, question: Question, future: Future[Decision]) -> Decision | None:
        """The decision; None where the future was cancelled meanwhile.

        Raises:
            WorkerTimeout, Failed, EOFError, OSError: no answer; the process is gone where it hung.
            Any error of a heuristic, if the bot thinks in this process.
        """
        if future.cancelled():
            return None
        try:
            pipe = None if self._here else self._live_pipe(future)
            if pipe is not None:
                return self._ask(pipe, question, future)
        except NotStarted as error:
            log.warning(NOT_STARTED, error)
            self._here = True  # don't try again: it would not help a system short of memory
        except (WorkerTimeout, EOFError, OSError):
            self.kill()
            raise
        if not self._here or future.cancelled():
            return None
        from tabletop.bots.worker import agent_of, think

        return think(agent_of(self._bring, question.game), question, future.cancelled)

    def kill(self) -> None:
        """End the process now."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def _live_pipe(self, future: Future[Decision]) -> Connection | None:
        """The pipe to a live process; None where the future was cancelled meanwhile.

        Raises:
            NotStarted: there is none to be had.
        """
        if self._process is not None and self._process.is_alive() and self._pipe is not None:
            return self._pipe
        self.kill()
        import multiprocessing

        from tabletop.bots.worker import READY, work

        spawn = multiprocessing.get_context("spawn")
        far = None
        try:
            self._pipe, far = spawn.Pipe()
            process = spawn.Process(target=work, args=(far, self._bring), name="bot", daemon=True)
            with start_ignoring_interrupts():
                process.start()
        except (OSError, RuntimeError) as error:
            if far is not None:
                far.close()
            self.kill()
            if not is_start_failure(error):
                raise
            raise NotStarted(str(error)) from error
        self._process = process
        far.close()  # so that our end notices when the process ends
        if self._next_message(self._pipe, STARTING, future) != READY:
            self.kill()
        return self._pipe

    def _ask(
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
            raise Failed(message[1:].decode())
        return msgspec.msgpack.decode(message[1:], type=Decision)

    def _next_message(
        self, pipe: Connection, seconds: float, wanted_for: Future[Decision] | None
    ) -> bytes | None:
        """Return the next message from the pipe; None as soon as the future is cancelled."""
        until = monotonic() + seconds
        while not pipe.poll(POLL):
            if wanted_for is not None and wanted_for.cancelled():
                return None
            if monotonic() > until:
                raise WorkerTimeout(f"no answer in {seconds:.1f} s")
        return pipe.recv_bytes()
