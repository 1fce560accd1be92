"""Random games with the in-place pen, beside a toy that is as plain as Python can be.

The toy is tic-tac-toe on a list. Both run in turns in one process, so that the ratio of their
speeds says what the abstraction costs, on any machine and under any load.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from time import process_time_ns

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.play import playout, start
from tabletop.engine.scratch import FastRng, SimulationTable
from tests.bench.figures import Figure, figure

ROUNDS = 15
SLICE = 80_000_000
"""Nanoseconds of CPU time each runs in a round."""

LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)


def toy() -> int:
    """One random game of tic-tac-toe; gives its moves."""
    board = [0] * 9
    for number in range(9):
        player = number % 2 + 1
        free = [cell for cell in range(9) if not board[cell]]
        board[free[int(random.random() * len(free))]] = player
        for a, b, c in LINES:
            if board[a] == player and board[b] == player and board[c] == player:
                return number + 1
    return 9


def random_games(kit: GameKit) -> Callable[[], int]:
    """Plays one random game of this box, from a fresh set-up; gives its moves."""
    seats = kit.box.seats[0]
    options = catalogue.options(kit)
    tables = [
        SimulationTable(start(kit.rules, seats, str(seed), kit.backs, options).state, FastRng(seed))
        for seed in range(20)
    ]

    def play() -> int:
        return playout(kit.rules, random.choice(tables).clone())

    return play


def moves_a_second(play: Callable[[], int]) -> float:
    """Moves in a CPU second, over a slice of time."""
    moves, begun = 0, process_time_ns()
    while (taken := process_time_ns() - begun) < SLICE:
        moves += play()
    return moves * 1e9 / taken


def measured(names: Iterable[str], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Moves a second in every round, of these games and, first in each round, of the "toy"."""
    plays = {"toy": toy} | {name: random_games(catalogue.load(name)) for name in names}
    speeds: dict[str, list[float]] = {name: [] for name in plays}
    for _ in range(rounds):
        for name, play in plays.items():
            speeds[name].append(moves_a_second(play))
    return speeds


def ratios(speeds: dict[str, list[float]], name: str) -> list[float]:
    """The speed of a game beside the toy of the same round."""
    return [own / toy for own, toy in zip(speeds[name], speeds["toy"], strict=True)]


def report() -> Iterator[Figure]:
    speeds = measured(catalogue.names())
    for name, figures in speeds.items():
        yield figure(name, "moves a CPU second", *figures)
        if name != "toy":
            yield figure(f"{name} beside the toy", "x", *ratios(speeds, name))
