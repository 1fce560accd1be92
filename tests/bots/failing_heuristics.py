"""Games whose heuristics fail in every way an heuristic can."""

import os
import time
from collections.abc import Sequence

from tabletop.bots.plain_heuristic import PlainHeuristic
from tabletop.catalogue import catalogue
from tabletop.engine.heuristic import Heuristic
from tabletop.engine.model import Ask, Move, Rng, TableReader
from tabletop.engine.play import GameRules


class Stumbling(PlainHeuristic):
    """Raises as soon as it looks at a table."""

    def worth(self, table: TableReader) -> Sequence[float]:
        raise ArithmeticError("how good is that?")


class Sleeping(PlainHeuristic):
    """Never finishes looking at a table."""

    def worth(self, table: TableReader) -> Sequence[float]:
        time.sleep(600)
        return super().worth(table)


class Dying(PlainHeuristic):
    """Takes its whole process with it."""

    def worth(self, table: TableReader) -> Sequence[float]:
        os._exit(3)


class Cheating(PlainHeuristic):
    """Wants to do what nobody may."""

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        return (Move(ask.id, "win"),)


def stumbling(name: str) -> tuple[GameRules, Heuristic | None]:
    game = catalogue.load(name).rules
    return game, Stumbling(game)


def sleeping(name: str) -> tuple[GameRules, Heuristic | None]:
    game = catalogue.load(name).rules
    return game, Sleeping(game)


def dying(name: str) -> tuple[GameRules, Heuristic | None]:
    game = catalogue.load(name).rules
    return game, Dying(game)


def cheating(name: str) -> tuple[GameRules, Heuristic | None]:
    game = catalogue.load(name).rules
    return game, Cheating(game)
