"""Matches of random bots, for `tabletop record` and `tabletop shot --seed`."""

from collections.abc import Iterator

from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Move, Value
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat


def random_match(
    kit: GameKit, seats: int, seed: str, options: dict[str, Value], max_moves: int | None = None
) -> Match:
    """Return a match played by random bots until its end, or for at most `max_moves` moves."""
    match = begin_match(kit, seats, seed, options)
    if max_moves != 0:
        for _ in random_answers(match, seed):
            if len(match.record) == max_moves:
                break
    return match


def begin_match(kit: GameKit, seats: int, seed: str, options: dict[str, Value]) -> Match:
    """Return a new match for random bots, without any moves."""
    players = (Player("", kind="bot", level="random"),) * seats
    return Match(kit, players, options, seed)


def random_answers(match: Match, seed: str) -> Iterator[tuple[int, Move]]:
    """Play a match with random bots until it ends or has no open question.

    Yield the seat and the move of each answer.
    """
    seats = [Seat.at_table(match, number) for number in range(len(match.players))]
    bot = RandomBot(seed)
    asked = True
    while asked and match.state.result is None:
        asked = False
        for seat in seats:
            for ask in [ask for ask in match.asks(seat.number) if not ask.optional]:
                if ask in match.asks(seat.number):  # an earlier answer may have closed it
                    move = bot.answer(seat, ask)
                    match.submit(seat.number, move)
                    asked = True
                    yield seat.number, move
