"""Random games with the in-place pen, beside a toy that is as plain as Python can be.

The toy is tic-tac-toe on a list. Both run in turns in one process, so that the ratio of their
speeds says what the abstraction costs, whatever machine it is and whatever else runs there.
"""

import random
from collections.abc import Callable, Iterator
from time import process_time_ns

from tabletop.engine.play import playout, start
from tabletop.engine.scratch import Luck, Scratch
from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from tests.bench.figures import spread

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


def random_games(kit: Kit) -> Callable[[], int]:
    """Plays one random game of this box, from a fresh set-up; gives its moves."""
    seats = kit.box.seats[0]
    options = catalogue.options(kit)
    tables = [
        Scratch(start(kit.game, seats, str(seed), kit.backs, options).state, Luck(seed))
        for seed in range(20)
    ]

    def play() -> int:
        return playout(kit.game, random.choice(tables).clone())

    return play


def moves_a_second(play: Callable[[], int]) -> float:
    """Moves in a CPU second, over a slice of time."""
    moves, begun = 0, process_time_ns()
    while (taken := process_time_ns() - begun) < SLICE:
        moves += play()
    return moves * 1e9 / taken


def report() -> Iterator[str]:
    games = {name: random_games(catalogue.load(name)) for name in catalogue.names()}
    toys: list[float] = []
    speeds: dict[str, list[float]] = {name: [] for name in games}
    for _ in range(ROUNDS):
        toys.append(moves_a_second(toy))
        for name, play in games.items():
            speeds[name].append(moves_a_second(play))
    yield f"toy        {spread(toys, ',.0f')} moves a CPU second"
    for name, figures in speeds.items():
        ratios = [speed / beside for speed, beside in zip(figures, toys, strict=True)]
        yield f"{name:10} {spread(figures, ',.0f')} moves a CPU second, ratio {spread(ratios)}"
