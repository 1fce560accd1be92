"""Slows down the guessing of codes from networks where a new address costs nothing.

Each code that is tried counts for its network and for all networks together, until it turns out to
be right. While one of the two has had too many, tries wait for a turn: the network that guessed
least comes first. Within a network most turns go to one of the newest tries, so that a guest with
the right code is let in soon though a guesser keeps many connections waiting; some go to the
oldest, so that everybody has a turn.
"""

import asyncio
import random
from collections import deque
from typing import NamedTuple

from tabletop.engine.model import Reason
from tabletop.net.limits import LeakyBuckets, Limits

SLOWED = Reason(
    "Somebody on the network is guessing codes, so each code takes longer to check. Please wait a "
    "moment.",
    code="codes_slowed",
)
BUSY = Reason(
    "Too many codes are being tried from your network. Please try again in a minute.",
    code="codes_busy",
)
LONGEST = 300.0
"""Seconds that a try waits for its turn."""
NEWEST = 4
"""Most turns go to one of so many: a guesser who comes again after each turn is always among them,
but takes up one place."""
EVERY = 8
"""Each turn of this number goes to the oldest try."""
_ALL = ""


class _Try(NamedTuple):
    turn: asyncio.Future[None]
    guesses: int


class GuessLimit:
    """The tries of one host, or of one gateway."""

    def __init__(self, limits: Limits) -> None:
        self._networks = LeakyBuckets(limits.guesses_a_second, limits.guesses_at_once)
        self._together = LeakyBuckets(limits.all_guesses_a_second, limits.all_guesses_at_once)
        self._waiting: dict[str, deque[_Try]] = {}
        self._turns = 0
        self._timer: asyncio.TimerHandle | None = None

    def take(self, network: str, guesses: int = 1) -> bool:
        """Use a turn at once; whether there was one."""
        if network in self._waiting or self._networks.wait(network) or self._together.wait(_ALL):
            return False
        self._count(network, guesses)
        return True

    async def turn(self, network: str, guesses: int = 1) -> bool:
        """Wait for a turn, and use it; False where it took too long."""
        waiting = _Try(asyncio.get_running_loop().create_future(), guesses)
        self._waiting.setdefault(network, deque()).append(waiting)
        self._plan()
        try:
            async with asyncio.timeout(LONGEST):
                await waiting.turn
        except TimeoutError:
            return False
        finally:
            queue = self._waiting.get(network)
            if queue is not None and waiting in queue:
                queue.remove(waiting)
                if not queue:
                    del self._waiting[network]
        return True

    def right(self, network: str, guesses: int = 1) -> None:
        """Give back a turn: the code was right, or none was tried after all."""
        self._count(network, -guesses)

    def _count(self, network: str, guesses: int) -> None:
        self._networks.fill(network, guesses)
        self._together.fill(_ALL, guesses)

    def _plan(self) -> None:
        """Give the next turn when it is due."""
        if self._timer is None and self._waiting:
            soonest = min(map(self._networks.wait, self._waiting))
            wait = max(soonest, self._together.wait(_ALL))
            self._timer = asyncio.get_running_loop().call_later(wait, self._give_turn)

    def _give_turn(self) -> None:
        self._timer = None
        ready = [each for each in self._waiting if not self._networks.wait(each)]
        if ready and not self._together.wait(_ALL):
            network = min(ready, key=self._networks.level)
            queue = self._waiting[network]
            self._turns += 1
            newest = random.randrange(max(0, len(queue) - NEWEST), len(queue))
            chosen = newest if self._turns % EVERY else 0
            waiting = queue[chosen]
            del queue[chosen]
            if not queue:
                del self._waiting[network]
            if not waiting.turn.done():
                self._count(network, waiting.guesses)
                waiting.turn.set_result(None)
        self._plan()
