"""How much of Chains is luck: somebody who sees the order of every pile, against anybody at all.

The one seat tries each move by playing the very game on, pile by pile as it lies, and takes the one
that won most; the other makes any legal move. A bot is told nothing of the piles, so it will hardly
win more than the first: that is about what a level can win against the next one but one.
"""

import os
from collections.abc import Iterator

from tabletop.bots.mind import Mind, play_on, waiting
from tabletop.bots.worker import mind_of
from tabletop.engine.instinct import some
from tabletop.engine.model import Ask, Move
from tabletop.engine.play import answer, start
from tabletop.engine.scratch import Luck, Scratch
from tabletop.games import catalogue
from tabletop.tournament.ratings import interval
from tests.bench.figures import Figure, figure

GAMES = int(os.environ.get("TABLETOP_BENCH_GAMES", "20"))
TRIES = 40
"""So often the game is played on after each move."""
END = 10_000


def foreseen(mind: Mind, table: Scratch, ask: Ask, luck: Luck) -> Move:
    """The move after which this very table is won most often."""
    moves = mind.instinct.moves(table, ask, luck)
    if len(moves) == 1:
        return moves[0]
    won = [0.0] * len(moves)
    for place, move in enumerate(moves):
        for _ in range(TRIES):
            future = table.clone()
            answer(mind.game, future, ask, move)
            won[place] += play_on(mind, future, luck, END)[ask.seat]
    return moves[won.index(max(won))]


def victory(number: int) -> float:
    """What seat 0 or 1, in turns, who sees all, wins of one game."""
    kit = catalogue.load("chains")
    mind = mind_of(catalogue.bring, "chains")
    luck, seer = Luck(f"luck/{number}"), number % 2
    dealt = start(kit.game, 2, f"luck/{number // 2}", kit.backs, catalogue.options(kit)).state
    table = Scratch(dealt, luck)
    while table.result is None:
        (ask,) = waiting(table)
        move = (
            foreseen(mind, table, ask, luck)
            if ask.seat == seer
            else some(kit.game.offers(table, ask), ask.id, luck)
        )
        answer(kit.game, table, ask, move)
    winners = table.result.winners
    return (seer in winners) / len(winners)


def report() -> Iterator[Figure]:
    share = sum(map(victory, range(GAMES))) / GAMES
    low, high = interval(share, GAMES)
    yield figure(
        "chains, 2 seats: who sees every card wins against any legal move",
        "%",
        share * 100,
        note=f"{low:.0%} to {high:.0%}, {GAMES} games",
    )
