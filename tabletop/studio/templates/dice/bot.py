"""Heuristic for the dice game: how probable a call is for a player who sees only one cup."""

from collections.abc import Sequence
from math import comb, exp

from tabletop.engine.heuristic import Past, every, finished, shares
from tabletop.engine.model import Ask, Move, Remark, Rng, State, TableReader
from tabletop.engine.play import determinized

from .rules import CALLED, CALLER, COUNT, CUP, FACE, LOSER, SIX, Rules

MAX_CALLS = 12
"""The maximum number of calls considered."""
SPREAD = 1.4
"""The lead in dice at which the odds of winning are multiplied by e."""
OUT_VALUE = -3.0
"""The value of an eliminated player, in dice."""
DOUBT_THRESHOLD = 0.35
"""The probability at which a call is as likely to be doubted as not."""
MIN_ESTIMATE = 0.15
"""The estimate below which a move is ignored, unless all moves are below it."""
RAISE_COST = 0.3
"""The cost of having to raise the call, in dice."""


class Heuristic:
    """A heuristic based on the probability of calls."""

    horizon = 12
    quiet = 0
    blur = 0.03

    def __init__(self, game: Rules) -> None:
        self.game = game

    def worth(self, table: TableReader) -> Sequence[float]:
        """Return each player's share of the victory, from their dice minus the expected loss
        through the current call.
        """
        if table.result is not None:
            return finished(table.result, table.seats, SPREAD)
        dice = [float(len(table.cards[cup])) for cup in CUP[: table.seats]]
        asked, count = table.asks[0].seat, COUNT.of(table)
        if table.asks[0].what == "throw":
            dice[LOSER.of(table)] -= 1
        elif count:
            caller, face = CALLER.of(table), FACE.of(table)
            holds = len(self.game.matching(table, range(table.seats), face)) >= count
            doubt = _doubt_probability(self.likely(table, asked, face, count))
            dice[asked] -= doubt * holds + (1 - doubt) * RAISE_COST
            dice[caller] -= doubt * (not holds)
        return shares((own or OUT_VALUE for own in dice), SPREAD)

    def moves(self, table: TableReader, ask: Ask, chance: Rng) -> Sequence[Move]:
        sound = {
            move: self._first_estimate(table, ask.seat, move)
            for move in every(self.game.offers(table, ask), ask.id, 100, chance)
        }
        moves = sorted(sound, key=lambda move: -sound[move])[:MAX_CALLS]
        return [move for move in moves if sound[move] >= MIN_ESTIMATE] or moves[:2]

    def answer(self, table: TableReader, ask: Ask, chance: Rng) -> Move:
        moves = self.moves(table, ask, chance)
        return moves[0] if len(moves) < 3 or chance.below(3) else moves[1]

    def determinize(self, view: State, past: Past, chance: Rng) -> State:
        """Return a random world. Of two candidates, choose the one where the caller has more dice
        of the called face, because bluffs are rare.
        """
        worlds = [determinized(self.game, view, chance) for _ in range(2)]
        caller, face = CALLER.of(view), FACE.of(view)
        return max(worlds, key=lambda world: len(self.game.matching(world, (caller,), face)))

    def reason(self, view: State, ask: Ask, move: Move) -> Remark | None:
        count, face = COUNT.of(view), FACE.of(view)
        if move.verb == "call":
            count, face = int(move.choice), CALLED.index(move.target) + 1
        elif move.verb != "lift":
            return None
        percent = round(100 * self.likely(view, ask.seat, face, count))
        return Remark("The call holds with a chance of {percent}%.", {"percent": percent})

    def likely(self, table: TableReader, seat: int, face: int, count: int) -> float:
        """Return the probability that at least `count` dice show `face`,
        given the cup of `seat`.
        """
        own = len(self.game.matching(table, (seat,), face))
        unseen = sum(len(table.cards[cup]) for cup in CUP[: table.seats] if cup != CUP[seat])
        wild = table.options.get("sixes", "any") == "any" and face != SIX
        return _at_least(count - own, unseen, (2 if wild else 1) / SIX)

    def _first_estimate(self, table: TableReader, seat: int, move: Move) -> float:
        """Return the probability that a new call holds, or that the doubted call fails."""
        if move.verb == "call":
            face, count = CALLED.index(move.target) + 1, int(move.choice)
            return self.likely(table, seat, face, count)
        count, face = COUNT.of(table), FACE.of(table)
        return 1 - self.likely(table, seat, face, count) if count else 1.0


def _at_least(wanted: int, dice: int, chance: float) -> float:
    """Return the probability that at least `wanted` of `dice` succeed, if each succeeds with the
    probability `chance`.
    """
    ways = range(max(wanted, 0), dice + 1)
    return sum(comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in ways)


def _doubt_probability(likely: float) -> float:
    """Return the probability that a call is doubted if it holds with the probability `likely`."""
    return 1 / (1 + exp(12 * (likely - DOUBT_THRESHOLD)))
