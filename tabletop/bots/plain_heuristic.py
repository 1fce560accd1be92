"""The heuristic for games without one. It considers every move and judges by the public scores.

It also supplies the parts that a game's own heuristic leaves out.
"""

from collections.abc import Sequence
from typing import Any, Final, cast

from tabletop.engine.heuristic import Heuristic, Past, by_points, every, some
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.engine.play import GameRules, determinized

MAX_MOVES: Final = 64
"""The maximum number of moves considered for a question."""
SCORE_SPREAD: Final = 8.0
HEURISTIC_PARTS: Final = (
    *("horizon", "quiet", "blur"),
    *("worth", "moves", "answer", "determinize", "reason"),
)
"""The members of `Heuristic`, each of which a game's heuristic may leave out."""


@mypyc_attr(allow_interpreted_subclasses=True)
class PlainHeuristic:
    """A heuristic that knows only the rules.

    It reads the scores `score/{seat}` if the table has them.
    """

    horizon = 200
    quiet = 0
    blur = 0.0

    def __init__(self, game: GameRules) -> None:
        self.game = game

    def worth(self, table: TableReader) -> Sequence[float]:
        return by_points(table, SCORE_SPREAD)

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        return every(self.game.offers(table, ask), ask.id, MAX_MOVES, chance)

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        return some(self.game.offers(table, ask), ask.id, chance)

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        return determinized(self.game, view, chance)

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        return None


def complete_heuristic(game: GameRules, own: Any) -> Heuristic:
    """Add the plain parts that `own`, a game's heuristic, lacks. Return `own`."""
    plain = PlainHeuristic(game)
    for part in HEURISTIC_PARTS:
        if not hasattr(own, part):
            setattr(own, part, getattr(plain, part))
    return cast(Heuristic, own)
