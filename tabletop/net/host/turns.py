"""Whom a host hears next, while more comes in than it can hear at once (fair queueing).

Work is counted by the address that it is for: who has taken the least of the host's time lately has
the next turn. While the host keeps up, everybody has a turn at once and nothing is waited for.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter

from tabletop.net.limits import LeakyBuckets

ROUND = 0.003
"""Seconds of work in a row before the loop looks what else has come in."""
FORGOTTEN = 0.1
"""Seconds of work that are forgotten in each second: as much is nobody's share yet."""
HEARING = 0.0004
"""Seconds that hearing a message is taken to cost until it is known."""

Work = Callable[[], None]


class Turns:
    """Of one host."""

    def __init__(self) -> None:
        self._taken = LeakyBuckets(FORGOTTEN, 0)
        self._waiting: dict[str, deque[Work]] = {}
        """What is still to be done, by whom it is for."""
        self._spent = 0.0
        """Seconds of work in this round."""
        self._begun = False
        """Whether another round follows this one."""

    def do(self, who: str, work: Work) -> None:
        """Do this for somebody, now or when it is their turn."""
        self._begin()
        if self._waiting or self._spent > ROUND:
            self._waiting.setdefault(who, deque()).append(work)
        else:
            self._work(who, work)

    async def come(self, who: str) -> None:
        """Wait for somebody's turn; what it is used for `took` counts."""
        self._begin()
        if not self._waiting and self._spent <= ROUND:
            self._count(who, HEARING)
            return
        turn = asyncio.get_running_loop().create_future()

        def begin() -> None:
            self._count(who, HEARING)
            if not turn.done():
                turn.set_result(None)

        self.do(who, begin)
        await turn

    def took(self, who: str, seconds: float) -> None:
        """Count what a turn was used for."""
        self._count(who, max(0.0, seconds - HEARING))

    def _count(self, who: str, seconds: float) -> None:
        self._taken.fill(who, seconds)
        self._spent += seconds

    def _work(self, who: str, work: Work) -> None:
        begun = perf_counter()
        try:
            work()
        finally:
            self._count(who, perf_counter() - begun)

    def _begin(self) -> None:
        """Have a round follow this one."""
        if not self._begun:
            self._begun = True
            asyncio.get_running_loop().call_soon(self._next_round)

    def _next_round(self) -> None:
        self._begun, self._spent = False, 0.0
        while self._waiting and self._spent <= ROUND:
            who = min(self._waiting, key=self._taken.level)
            queue = self._waiting[who]
            work = queue.popleft()
            if not queue:
                del self._waiting[who]
            self._work(who, work)
        if self._waiting:
            self._begin()
