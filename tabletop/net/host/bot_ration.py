"""The computing time of a tenant's bots: one that used up its share of a minute waits.

The expected time of a decision is counted when it begins and corrected when it has ended, so that a
hundred tables that ask at once get no more than one.
"""

from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from tabletop.background import faults
from tabletop.background.futures import when_ended
from tabletop.bots.bot_pool import BotPool
from tabletop.bots.decision import Decision, Question
from tabletop.engine.heuristic import some
from tabletop.engine.scratch import Luck
from tabletop.net.limits import LeakyBuckets

_ALL = ""
"""The key of the only bucket."""

Done = Callable[[Decision], None]


class BotRation:
    """The CPU seconds of one tenant's bots."""

    def __init__(self, pool: BotPool, loop: AbstractEventLoop, seconds_a_minute: float = 0) -> None:
        """`seconds_a_minute`: 0 for as many as they want."""
        self._pool = pool
        self._loop = loop
        self._bucket: LeakyBuckets | None = None
        if seconds_a_minute:
            self._bucket = LeakyBuckets(seconds_a_minute / 60, seconds_a_minute / 2)
        self._waiting: deque[tuple[Question, Done]] = deque()
        self._woken = False

    @property
    def waiting(self) -> int:
        """The number of questions that wait until the tenant's bots may think again."""
        return len(self._waiting)

    def ponder(self, question: Question, done: Done) -> None:
        """Have a bot think as soon as it may; `done` is called in the loop."""
        self._waiting.append((question, done))
        if not self._woken:
            self._hand_out()

    def _hand_out(self) -> None:
        """Let those think that may, the first to ask first."""
        self._woken = False
        while self._waiting:
            if self._bucket is not None and (wait := self._bucket.wait(_ALL)):
                self._woken = True
                self._loop.call_later(wait, self._hand_out)
                return
            self._begin(*self._waiting.popleft())

    def _begin(self, question: Question, done: Done) -> None:
        expected = question.seconds if question.level == "hard" else 0.0
        self._count(expected)
        try:
            future = self._pool.ponder(question)
        except Exception as error:
            faults.report(error, "a bot's question")
            done(_anything(question))
            return

        def ended(future: "Future[Decision]") -> None:
            """In a thread of the pool."""
            if future.cancelled():
                return
            decision = future.result() if future.exception() is None else _anything(question)
            with suppress(RuntimeError):  # the loop has ended: nobody waits any more
                self._loop.call_soon_threadsafe(heard, decision)

        def heard(decision: Decision) -> None:
            self._count(decision.cpu_seconds - expected)
            done(decision)

        when_ended(future, ended, "a bot's decision")

    def _count(self, seconds: float) -> None:
        if self._bucket is not None:
            self._bucket.fill(_ALL, seconds)


def _anything(question: Question) -> Decision:
    """Any legal move, where the pool has no decision."""
    return Decision(some(question.offers, question.ask.id, Luck(None)), "easy")
