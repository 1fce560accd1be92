"""Questions of one table to the bots of its host."""

from collections.abc import Callable
from secrets import token_hex

from tabletop.bots.decision import LEVELS, Question
from tabletop.catalogue import catalogue
from tabletop.engine.heuristic import Past, some
from tabletop.engine.model import Ask, Move, Offer, State
from tabletop.engine.scratch import Luck
from tabletop.match.reactions import thinking_time
from tabletop.net.host.bot_ration import BotRation

BOT_SECONDS = 1.0
"""Seconds that a bot of the hard level may think."""


class TableBots:
    """Bots that share the computing time of a tenant, or answer at random where there are none."""

    def __init__(self, ration: BotRation | None, pause: float) -> None:
        """`pause`: seconds that a bot waits before it answers."""
        self._ration = ration
        self._pause = pause

    def think(
        self,
        game: str,
        level: str,
        view: State,
        offers: dict[int, tuple[Offer, ...]],
        ask: Ask,
        past: Past,
        done: Callable[[Move], None],
    ) -> None:
        """Have a bot of this level answer a question of a seat whose view this is."""
        if self._ration is None or level not in LEVELS:
            done(some(offers[ask.id], ask.id, Luck(None)))
            return
        seed = token_hex(8)  # nothing of the match's own seed reaches a bot
        theirs, meaning = offers[ask.id], catalogue.load(game).meaning
        seconds = thinking_time(meaning, ask, theirs, BOT_SECONDS, self._pause)
        self._ration.ponder(
            Question(game, level, view, ask, theirs, seconds, seed, past),
            lambda decision: done(decision.move),
        )
