"""A new match whose first player asks the pool of bots for a move."""

from tabletop.bots.bot_pool import BotPool
from tabletop.catalogue import catalogue
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat


def dealt(name: str = "sun") -> Seat:
    """The seat that begins a new match."""
    kit = catalogue.load(name)
    match = Match(kit, [Player("")] * kit.box.seats[0], catalogue.options(kit), "minds")
    return Seat.at_table(match, match.state.asks[0].seat)


def asked(bot_pool: BotPool, seat: Seat, level: str, name: str = "sun", **how):
    ask = next(ask for ask in seat.view.asks if ask.seat == seat.number)
    return bot_pool.think(name, level, seat.view, seat.offers, ask, **how)
