"""Questions of a host's tables to its bots."""

from asyncio import AbstractEventLoop
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from secrets import token_hex

from tabletop.background import faults
from tabletop.background.futures import when_ended
from tabletop.bots.bot_pool import BotPool
from tabletop.bots.decision import LEVELS, Decision, Question
from tabletop.engine.heuristic import Past, some
from tabletop.engine.model import Ask, Move, Offer, State
from tabletop.engine.scratch import Luck

Done = Callable[[Move], None]


class TableBots:
    """Bots that think in a pool, or answer at random where there is none."""

    def __init__(self, pool: BotPool | None, loop: AbstractEventLoop) -> None:
        self._pool = pool
        self._loop = loop

    @property
    def waiting(self) -> int:
        """The number of questions that bots have not answered yet."""
        return self._pool.queue if self._pool is not None else 0

    def think(
        self,
        game: str,
        level: str,
        view: State,
        offers: dict[int, tuple[Offer, ...]],
        ask: Ask,
        past: Past,
        seconds: float,
        done: Done,
    ) -> None:
        """Have a bot of this level answer a question of a seat whose view this is; a hard one
        within this many seconds."""
        theirs = offers[ask.id]
        if self._pool is None or level not in LEVELS:
            done(_any_move(theirs, ask))
            return
        seed = token_hex(8)  # nothing of the match's own seed may reach a bot
        try:
            future = self._pool.ponder(
                Question(game, level, view, ask, theirs, seconds, seed, past)
            )
        except Exception as error:
            faults.report(error, "a bot's question")
            done(_any_move(theirs, ask))
            return

        def deliver(future: "Future[Decision]") -> None:
            """Hand the move to the loop; runs in a thread of the pool."""
            if future.cancelled():
                return
            failed = future.exception() is not None
            move = _any_move(theirs, ask) if failed else future.result().move
            with suppress(RuntimeError):  # the loop has ended: nobody waits any more
                self._loop.call_soon_threadsafe(done, move)

        when_ended(future, deliver, "a bot's decision")


def _any_move(offers: tuple[Offer, ...], ask: Ask) -> Move:
    """Any legal move, where the pool has no decision."""
    return some(offers, ask.id, Luck(None))
