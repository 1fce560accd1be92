"""The check that bots can play a game: every level gives a legal answer, and games end."""

from collections.abc import Iterator

from tabletop.bots.decision import LEVELS, Question
from tabletop.bots.worker import agent_of, think
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, GameKit
from tabletop.engine.heuristic import every
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.studio.laws.random_games import settings_of
from tabletop.studio.workshop.finding import Finding

LONGEST = 600
"""Moves after which bots will not end any more, at each seat."""
EVERY = 9
"""The moves between two at which all levels are asked."""
TRIES = 4


def stuck(kit: GameKit) -> Iterator[Finding]:
    """Yield what bots cannot do at the smallest table."""
    try:
        agent = agent_of(catalogue.load_bot_parts, kit.id)
    except BrokenGame as error:
        yield Finding(f"Bots cannot play: {error}", "bot.py, or bot/")
        return
    table = settings_of(kit.id)[0]
    match = Match(kit, [Player("")] * table.seats, dict(table.options), "bots")
    seats = [Seat.of(match, number) for number in range(table.seats)]
    luck = FastRng("bots")
    while match.state.result is None:
        open_ = [
            ask for ask in match.state.asks if not (ask.optional or ask.id in match.state.answers)
        ]
        if not open_ or match.state.ply > LONGEST * table.seats:
            yield Finding(
                f"Bots do not end the game within {match.state.ply} moves",
                "nothing counts down, or points are not in score/0, score/1 ...",
            )
            return
        ask = open_[0]
        seat = seats[ask.seat]
        levels = LEVELS if match.state.ply % EVERY == 0 else LEVELS[:1]
        move = every(seat.offers[ask.id], ask.id, 8, luck)[0]
        for level in levels:
            question = Question(
                kit.id, level, seat.view, ask, seat.offers[ask.id], seed="1", tries=TRIES
            )
            try:
                move = think(agent, question, lambda: False).move
            except Exception as error:  # a heuristic is code: any of its errors is reported
                yield Finding(
                    f"A bot of the level {level} fails: {type(error).__name__}: {error}",
                    "bot.py, or rules that hold on to something while they play",
                    f"{table.seats} players, move {match.state.ply}",
                )
                return
        match.submit(ask.seat, move)
