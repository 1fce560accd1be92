"""Boards for a player's picks: filled with the strongest, then changed while that helps."""

from collections.abc import Callable, Sequence
from itertools import groupby
from statistics import fmean
from typing import Final, NamedTuple

from tabletop.engine.model import Rng
from tabletop.games.awss.board import Board
from tabletop.games.awss.bot.fast_score import FastScorer
from tabletop.games.awss.effects import SEASONS

LOWEST, HIGHEST = -20, 80
"""The points that a season can bring, and more."""
UNKNOWN: Final = -999.0
"""The value of a sum of points that was not computed yet."""
TRIES: Final = 160
"""The number of changes tried on each of the boards considered."""

Goal = Callable[[Sequence[int]], float]
"""Rates the points of the four seasons."""


class BoardPlan(NamedTuple):
    """A board, the points of its seasons, and their rating."""

    board: Board
    seasons: Sequence[int]
    good: float


class BoardToFill(NamedTuple):
    """The free cells of a board, and the picks to fill them with."""

    board: Board
    free: Sequence[int]
    picks: Sequence[int]


class Planner:
    """Fills boards."""

    def __init__(self, tally: FastScorer, value: Sequence[float]) -> None:
        self.tally = tally
        self.value = value
        self.season = tally.deck.season

    def built(self, cards: BoardToFill, goal: Goal, chance: Rng, tries: int) -> BoardPlan:
        """A board that is good for this goal, found by this many random changes."""
        liking = [chance.below(4) for _ in SEASONS]  # every plan begins with seasons of its own
        ranked = sorted(
            cards.picks,
            key=lambda card: -self.value[card] - liking[self.season[card]] - chance.below(3),
        )
        cells = chance.shuffled(tuple(cards.free))
        laid, turned = list(cards.board.cards), list(cards.board.turned)
        for cell, card in zip(cells, ranked, strict=False):
            laid[cell] = card
            turned[cell] = bool(chance.below(2))
        board = cards.board._replace(cards=tuple(laid), turned=tuple(turned))
        return self.improved(board, cells, ranked[len(cells) :], goal, chance, tries)

    def improved(
        self,
        board: Board,
        cells: Sequence[int],
        spare: Sequence[int],
        goal: Goal,
        chance: Rng,
        tries: int,
    ) -> BoardPlan:
        """The board after this many changes, each of which did no harm."""
        seasons = self.tally.seasons
        sums = seasons(board)
        best = goal(sums)
        for _ in range(tries):
            changed, left = _change(board, cells, spare, chance)
            points = seasons(changed)
            good = goal(points)
            if good >= best:
                board, spare, sums, best = changed, left, points, good
        return BoardPlan(board, sums, best)

    def improved_boards(
        self, cards: BoardToFill, goal: Goal, chance: Rng, most: int, enough: Callable[[], bool]
    ) -> list[BoardPlan]:
        """Different good boards, the best first; as long as there is time."""
        plans: list[BoardPlan] = []
        for _ in range(most):
            plans.append(self.built(cards, goal, chance, TRIES))
            if enough():
                break
        plans.sort(key=lambda plan: -plan.good)
        return [next(same) for _, same in groupby(plans, key=lambda plan: plan.board)]


def hope(seasons: Sequence[int]) -> float:
    """A goal for a player of whom nothing else is known: a season counts more, the more it brings,
    because only its first gains anything."""
    return float(sum([n * (n + 12) if n > 0 else n for n in seasons]))


def against(rivals: Sequence[Sequence[Sequence[int]]]) -> Goal:
    """The victory points to be gained on the rest of the table, where the others' seasons bring as
    much as in one of these tables."""
    gains = [[UNKNOWN] * (HIGHEST - LOWEST) for _ in SEASONS]

    def goal(seasons: Sequence[int]) -> float:
        total = 0.0
        for season, own in enumerate(seasons):
            gain = gains[season][own - LOWEST]
            if gain == UNKNOWN:
                gain = gains[season][own - LOWEST] = _gain(own, rivals, season)
            total += gain
        return total

    return goal


def _gain(own: int, rivals: Sequence[Sequence[Sequence[int]]], season: int) -> float:
    """Return the mean gain from a season over each other player."""
    return fmean(_margin(own, [other[season] for other in table]) for table in rivals)


def _margin(own: int, others: Sequence[int]) -> float:
    """7.2: the first gains as much as the last is behind; a player without points is not ranked."""
    ranked = sorted(points for points in others if points > 0)
    if own <= 0:
        gained = 0.0
    elif not ranked or own > ranked[-1]:
        return float(own - (ranked[0] if ranked else 0)) + 0.01 * own
    elif own == ranked[-1]:
        return 0.0
    else:
        ranked = sorted((own, *ranked))
        gained = 0.0
    if not ranked:
        return gained
    lost = ranked[-1] - ranked[0] if len(ranked) > 1 else ranked[0]
    return 0.01 * own - lost / len(others)


def _change(
    board: Board, cells: Sequence[int], spare: Sequence[int], chance: Rng
) -> tuple[Board, Sequence[int]]:
    """The board with one change: a card turned, two exchanged, or one for a spare pick."""
    cards, turned, left = list(board.cards), list(board.turned), spare
    cell = cells[chance.below(len(cells))]
    match chance.below(4):
        case 0:
            turned[cell] = not turned[cell]
        case 1 if spare:
            other = chance.below(len(spare))
            left = [*spare[:other], cards[cell], *spare[other + 1 :]]
            cards[cell] = spare[other]
            turned[cell] = bool(chance.below(2))
        case _:
            target = cells[chance.below(len(cells))]
            cards[cell], cards[target] = cards[target], cards[cell]
            turned[cell], turned[target] = bool(chance.below(2)), bool(chance.below(2))
    return Board(tuple(cards), tuple(turned), board.counters, board.used, board.appeal), left
