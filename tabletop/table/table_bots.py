"""Bots for tables. They think in a pool of processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from secrets import token_hex
from typing import TYPE_CHECKING

from tabletop.background import faults
from tabletop.background.futures import add_guarded_callback
from tabletop.bots.decision import LEVELS, Decision, parse_level
from tabletop.engine.heuristic import some
from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.table.services import BotDone, BotTask

if TYPE_CHECKING:
    from tabletop.bots.bot_pool import BotPool


def new_seed(ply: int) -> str:
    """Return a random seed for a bot's answer.

    It is unrelated to the match's seed, because bots mustn't learn anything about that.
    """
    return token_hex(8)


class TableBots:
    """Answers questions with bots in a process pool, or with random moves if there is no pool."""

    def __init__(
        self,
        get_pool: Callable[[], BotPool | None],
        call_soon: Callable[[Callable[[], None]], object],
    ) -> None:
        """Args:
        get_pool: Returns the pool, which may be created for the first question; None if there
            is no pool.
        call_soon: Calls a function in the tables' thread. Must be safe to call from any thread.
        """
        self._get_pool = get_pool
        self._call_soon = call_soon

    @property
    def pending_count(self) -> int:
        """The number of questions that bots haven't answered yet."""
        pool = self._get_pool()
        return pool.unanswered_count if pool is not None else 0

    def think(self, task: BotTask, on_done: BotDone) -> Callable[[], None]:
        """Answer `task` in the pool, and call `on_done` in the tables' thread.

        Return a function that cancels the task.

        Without a pool, or for an unknown level, `on_done` is called
        immediately with a random legal move.
        """
        pool = self._get_pool()
        if pool is None or task.level not in LEVELS:
            on_done(_any_move(task), False)
            return lambda: None
        try:
            future = pool.think(
                task.game,
                parse_level(task.level),
                task.view,
                {task.ask.id: task.offers},
                task.ask,
                task.think_time_s,
                new_seed(task.view.ply),
                task.past,
            )
        except Exception as error:
            faults.report(error, "a bot's question")
            on_done(_any_move(task), True)
            return lambda: None

        def deliver(future: Future[Decision]) -> None:
            """Pass the bot's move to `on_done`. Called in a thread of the pool."""
            if future.cancelled():
                return
            failed = future.exception() is not None
            move = _any_move(task) if failed else future.result().move
            trouble = failed or bool(future.result().trouble)
            self._call_soon(partial(on_done, move, trouble))

        add_guarded_callback(future, deliver, "a bot's decision")

        def cancel() -> None:
            future.cancel()

        return cancel


def _any_move(task: BotTask) -> Move:
    """Return a random legal move."""
    return some(task.offers, task.ask.id, FastRng(None))
