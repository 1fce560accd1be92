"""A rate limit for guessing codes, for networks in which a new address costs nothing.

Each code that is tried counts for its network and for all networks together, until it turns out to
be right. While either is over its limit, attempts wait for a turn. The network with the fewest
guesses goes first. Within a network, every other turn goes to the newest attempt from the address
with the fewest guesses, so a guest with the right code gets in soon even if someone keeps many
connections waiting. The turns between go to the attempt that has waited longest, so no attempt
waits for more than twice as many turns as there were attempts before it.
"""

import asyncio
from collections import deque
from typing import NamedTuple

from tabletop.engine.model import Reason
from tabletop.net.limits import LeakyBuckets, Limits, network, origin

SLOWED = Reason(
    "Somebody on the network is guessing codes, so each code takes longer to check. Please wait a "
    "moment.",
    code="codes_slowed",
)
BUSY = Reason(
    "Too many codes are being tried from your network. Please try again in a minute.",
    code="codes_busy",
)
MAX_WAIT_S = 300.0
"""Seconds after which an attempt stops waiting for its turn."""
_ALL = ""


class _Try(NamedTuple):
    turn: asyncio.Future[None]
    address: str
    guesses: int


class GuessRateLimiter:
    """The rate limiter of one host or gateway."""

    def __init__(self, limits: Limits) -> None:
        self._addresses = LeakyBuckets(limits.codes_per_address / limits.code_window_s, 0)
        self._networks = LeakyBuckets(limits.guesses_per_s, limits.guess_burst)
        self._together = LeakyBuckets(limits.total_guesses_per_s, limits.total_guess_burst)
        self._waiting: dict[str, deque[_Try]] = {}
        """The waiting attempts of each network, oldest first."""
        self._turns = 0
        self._timer: asyncio.TimerHandle | None = None

    def try_take_turn(self, address: str, guesses: int = 1) -> bool:
        """Take a turn if no wait is needed. Return whether a turn was taken."""
        net = network(address)
        if net in self._waiting or self._networks.wait_s(net) or self._together.wait_s(_ALL):
            return False
        self._count(address, guesses)
        return True

    async def wait_for_turn(self, address: str, guesses: int = 1) -> bool:
        """Wait for a turn and take it. Return False if there is none within `MAX_WAIT_S`."""
        net = network(address)
        waiting = _Try(asyncio.get_running_loop().create_future(), address, guesses)
        self._waiting.setdefault(net, deque()).append(waiting)
        self._plan_next_turn()
        try:
            async with asyncio.timeout(MAX_WAIT_S):
                await waiting.turn
        except TimeoutError:
            return False
        finally:
            self._remove(net, waiting)
        return True

    def give_back_turn(self, address: str, guesses: int = 1) -> None:
        """Subtract counted `guesses`, because the code was right or wasn't tried after all."""
        self._count(address, -guesses)

    def _count(self, address: str, guesses: int) -> None:
        self._addresses.fill(origin(address), guesses)
        self._networks.fill(network(address), guesses)
        self._together.fill(_ALL, guesses)

    def _remove(self, net: str, waiting: _Try) -> None:
        queue = self._waiting.get(net)
        if queue is not None and waiting in queue:
            queue.remove(waiting)
            if not queue:
                del self._waiting[net]

    def _plan_next_turn(self) -> None:
        if self._timer is None and self._waiting:
            soonest = min(map(self._networks.wait_s, self._waiting))
            wait = max(soonest, self._together.wait_s(_ALL))
            self._timer = asyncio.get_running_loop().call_later(wait, self._give_turn)

    def _give_turn(self) -> None:
        self._timer = None
        ready = [each for each in self._waiting if not self._networks.wait_s(each)]
        if ready and not self._together.wait_s(_ALL):
            net = min(ready, key=self._networks.level)
            waiting = self._next_try(self._waiting[net])
            self._remove(net, waiting)
            if not waiting.turn.done():
                self._count(waiting.address, waiting.guesses)
                waiting.turn.set_result(None)
        self._plan_next_turn()

    def _next_try(self, queue: deque[_Try]) -> _Try:
        self._turns += 1
        if self._turns % 2:
            return min(
                reversed(queue), key=lambda each: self._addresses.level(origin(each.address))
            )
        return queue[0]
