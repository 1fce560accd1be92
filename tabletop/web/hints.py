"""Hints for browsers: the hard level's move for a seat, knowing no more than the seat."""

import asyncio

from tabletop.bots.bot_pool import BotPool
from tabletop.catalogue.catalogue import Kit
from tabletop.engine.heuristic import Past
from tabletop.engine.model import Move
from tabletop.language.words import Words
from tabletop.match.seat import Seat

SECONDS = 1.5
"""Seconds of thinking for a hint."""


async def advise(pool: BotPool, seat: Seat, kit: Kit, words: Words, past: Past) -> tuple[Move, str]:
    """The move that the hard level would make, in a process of the pool, and why, as a sentence."""
    ask = next(ask for ask in seat.view.asks if ask.id in seat.offers)
    future = pool.think(kit.id, "hard", seat.view, seat.offers, ask, SECONDS, past=past)
    decision = await asyncio.wrap_future(future)
    return decision.move, words.note(decision.reason, seat.number) if decision.reason else ""
