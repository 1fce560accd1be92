"""Check that bots can play a game: every level gives a legal answer, and games end."""

from collections.abc import Iterator
from pathlib import Path

from tabletop.bots.decision import LEVELS, Question
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, GameKit
from tabletop.engine.heuristic import every
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.studio.laws.random_games import tables_of_game
from tabletop.studio.workshop.finding import Finding
from tabletop.studio.workshop.mistake import describe_mistake

MAX_MOVES_PER_SEAT = 600
"""The maximum number of moves per seat in a game of bots."""
ALL_LEVELS_INTERVAL = 9
"""How often all levels are asked rather than only the first: once in this many moves."""
TRIES = 4


def find_bot_failures(kit: GameKit) -> Iterator[Finding]:
    """Yield a finding if bots can't finish a game at the smallest player count."""
    folder = Path(str(kit.folder))
    try:
        agent = make_agent(catalogue.load_bot_parts, kit.id)
    except BrokenGame as error:
        yield Finding(f"Bots cannot play: {describe_mistake(error, folder)}", "bot.py, or bot/")
        return
    table = tables_of_game(kit.id)[0]
    match = Match(kit, [Player("")] * table.seats, dict(table.options), "bots")
    seats = [Seat.at_table(match, number) for number in range(table.seats)]
    luck = FastRng("bots")
    while match.state.result is None:
        open_ = [
            ask for ask in match.state.asks if not (ask.optional or ask.id in match.state.answers)
        ]
        if not open_ or match.state.ply > MAX_MOVES_PER_SEAT * table.seats:
            yield Finding(
                f"Bots do not end the game within {match.state.ply} moves",
                "nothing counts down, or points are not in score/0, score/1 ...",
            )
            return
        ask = open_[0]
        seat = seats[ask.seat]
        levels = LEVELS if match.state.ply % ALL_LEVELS_INTERVAL == 0 else LEVELS[:1]
        move = every(seat.offers[ask.id], ask.id, 8, luck)[0]
        for level in levels:
            question = Question(
                kit.id, level, seat.view, ask, seat.offers[ask.id], seed="1", tries=TRIES
            )
            try:
                move = think(agent, question, lambda: False).move
            except Exception as error:  # heuristics are code and may raise anything
                yield Finding(
                    f"A bot of the level {level} fails: {describe_mistake(error, folder)}",
                    "bot.py, or rules that hold on to something while they play",
                    f"{table.seats} players, move {match.state.ply}",
                )
                return
        match.submit(ask.seat, move)
