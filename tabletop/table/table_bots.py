"""Bots of tables, which think in a pool of processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING

from tabletop.background import faults
from tabletop.background.futures import add_guarded_callback
from tabletop.bots.decision import LEVELS, Decision, level_of
from tabletop.engine.heuristic import some
from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.table.services import BotDone, BotTask

if TYPE_CHECKING:
    from tabletop.bots.bot_pool import BotPool


def new_seed(ply: int) -> str:
    """Return a seed for a bot's answer at this ply: nothing of the match's own seed may reach a
    bot."""
    return token_hex(8)


class TableBots:
    """Bots that think in a pool, or answer at random where there is none."""

    def __init__(
        self,
        pool: Callable[[], BotPool | None],
        call_soon: Callable[[Callable[[], None]], object],
    ) -> None:
        """`pool`: returns the pool, and makes it at the first question. `call_soon`: called in any
        thread, has a function called in the tables' thread."""
        self._get_pool = pool
        self._call_soon = call_soon

    @property
    def waiting(self) -> int:
        """The number of questions that bots have not answered yet."""
        pool = self._get_pool()
        return pool.queue if pool is not None else 0

    def think(self, task: BotTask, done: BotDone) -> Callable[[], None]:
        """As `services.Bots`; without a pool any legal move is the answer."""
        pool = self._get_pool()
        if pool is None or task.level not in LEVELS:
            done(_any_move(task), False)
            return lambda: None
        try:
            future = pool.think(
                task.game,
                level_of(task.level),
                task.view,
                {task.ask.id: task.offers},
                task.ask,
                task.seconds,
                new_seed(task.view.ply),
                task.past,
            )
        except Exception as error:
            faults.report(error, "a bot's question")
            done(_any_move(task), True)
            return lambda: None

        def deliver(future: Future[Decision]) -> None:
            """Hand the move on; runs in a thread of the pool."""
            if future.cancelled():
                return
            failed = future.exception() is not None
            move = _any_move(task) if failed else future.result().move
            trouble = failed or bool(future.result().trouble)
            self._call_soon(partial(done, move, trouble))

        add_guarded_callback(future, deliver, "a bot's decision")

        def cancel() -> None:
            future.cancel()

        return cancel


def _any_move(task: BotTask) -> Move:
    """Any legal move, where the pool has no decision."""
    return some(task.offers, task.ask.id, FastRng(None))
