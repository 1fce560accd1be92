"""Random games, looked at position by position."""

import random
from collections.abc import Iterator

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import State
from tabletop.match.match import SYMBOLS, Match, Player
from tests.ui.table_driver import asked, some_move

NAMES = ("Mio", "Ren", "Sora", "Aki", "Yui", "Kai", "Nao", "Rin", "Jun", "Haru", "Toki", "Ume")
MOST = 400
"""Answers of a random game."""


def begun(game: str | GameKit, seats: int, seed: str = "race", **options: str) -> Match:
    kit = catalogue.load(game) if isinstance(game, str) else game
    players = [Player(NAMES[n], SYMBOLS[n]) for n in range(seats)]
    return Match(kit, players, catalogue.options(kit) | options, seed)


def positions(match: Match, seed: int = 7) -> Iterator[State]:
    """The whole table again and again, while a random game is played."""
    luck = random.Random(seed)
    for _ in range(MOST):
        yield match.state
        if match.state.result is not None:
            return
        seat = asked(match)
        match.submit(seat, some_move(match, seat, luck))
