"""The bot for free tables, which moves a few cards each turn, towards a higher score.

It leaves out whatever has no meaning without unwritten rules: counters, showing, looking,
shuffling, and proposing the end. It accepts other players' proposals.
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.engine.heuristic import Past, by_points, every
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader
from tabletop.engine.play import determinized
from tabletop.free_table.rules import Rules

MAX_ACTIONS = 3
"""The maximum number of actions of a bot in a turn."""
MAX_MOVES = 24
"""The maximum number of moves that a bot compares for an action."""
SPREAD = 8.0
USED_VERBS = ("roll", "throw", "draw", "move", "lay", "turn_up")


class Heuristic:
    """The heuristic for all free tables."""

    horizon = 40
    quiet = 0
    blur = 0.02

    def __init__(self, game: Rules) -> None:
        self.game = game

    def worth(self, table: TableReader) -> Sequence[float]:
        return by_points(table, SPREAD)

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        offers = self.game.offers(table, ask)
        if ask.what == "end":
            return (Move(ask.id, "agree"),)
        acts = int(table.values[f"acts/{ask.seat}"])
        played = [each for each in offers if each.verb in USED_VERBS] if acts < MAX_ACTIONS else []
        if not acts and played:
            return every(played, ask.id, MAX_MOVES, chance)
        last = next((each for each in offers if each.verb == "done"), offers[-1])
        return [
            Move(ask.id, last.verb),
            *(every(played, ask.id, MAX_MOVES, chance) if played else ()),
        ]

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        moves = self.moves(table, ask, chance)
        return moves[chance.below(len(moves))]

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        return determinized(self.game, view, chance)

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        return None
