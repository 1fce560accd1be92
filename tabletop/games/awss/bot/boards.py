"""Search for good boards: start with the strongest picks, then try random changes."""

from collections.abc import Callable, Sequence
from itertools import groupby
from statistics import fmean
from typing import Final, NamedTuple

from tabletop.engine.model import Rng
from tabletop.games.awss.board import Board
from tabletop.games.awss.bot.fast_score import FastScorer
from tabletop.games.awss.effects import SEASONS

MIN_SEASON_POINTS, MAX_SEASON_POINTS = -20, 80
"""The points that a season can bring, and more."""
NOT_COMPUTED: Final = -999.0
"""Marks a gain that hasn't been computed yet."""
TRIES_PER_BOARD: Final = 160
"""The number of random changes tried on each board that is considered."""

Goal = Callable[[Sequence[int]], float]
"""A function that rates a board by its points in the four seasons."""


class BoardPlan(NamedTuple):
    """A board, its points in the four seasons, and its rating."""

    board: Board
    seasons: Sequence[int]
    good: float


class BoardToFill(NamedTuple):
    """A board with free cells, and the picks that can fill them."""

    board: Board
    free: Sequence[int]
    picks: Sequence[int]


class BoardPlanner:
    """Searches for good boards by hill climbing."""

    def __init__(self, tally: FastScorer, value: Sequence[float]) -> None:
        self.tally = tally
        self.value = value
        self.season = tally.deck.season

    def built(self, cards: BoardToFill, goal: Goal, chance: Rng, tries: int) -> BoardPlan:
        """Return a board with a high rating by `goal`, found with `tries` random changes."""
        liking = [chance.below(4) for _ in SEASONS]  # vary the preferred seasons
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
        """Return `board` after `tries` random changes. Changes that lower the rating are undone."""
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
        """Return up to `most` different boards with high ratings, the best first.

        `enough` is called after each board. The search stops when it returns true.
        """
        plans: list[BoardPlan] = []
        for _ in range(most):
            plans.append(self.built(cards, goal, chance, TRIES_PER_BOARD))
            if enough():
                break
        plans.sort(key=lambda plan: -plan.good)
        return [next(same) for _, same in groupby(plans, key=lambda plan: plan.board)]


def rate_alone(seasons: Sequence[int]) -> float:
    """Return a board's rating if nothing is known of other players' boards.

    High seasons count more than proportionally, because only the first-placed player gains
    anything.
    """
    return float(sum([n * (n + 12) if n > 0 else n for n in seasons]))


def rate_against(rivals: Sequence[Sequence[Sequence[int]]]) -> Goal:
    """Return a function that rates a board by its victory points against other players.

    `rivals` lists possible tables, each with the other players' points by season.
    """
    gains = [[NOT_COMPUTED] * (MAX_SEASON_POINTS - MIN_SEASON_POINTS) for _ in SEASONS]

    def goal(seasons: Sequence[int]) -> float:
        total = 0.0
        for season, own in enumerate(seasons):
            gain = gains[season][own - MIN_SEASON_POINTS]
            if gain == NOT_COMPUTED:
                gain = gains[season][own - MIN_SEASON_POINTS] = _gain(own, rivals, season)
            total += gain
        return total

    return goal


def _gain(own: int, rivals: Sequence[Sequence[Sequence[int]]], season: int) -> float:
    """Return the mean gain from a season over all possible tables."""
    return fmean(_margin(own, [other[season] for other in table]) for table in rivals)


def _margin(own: int, others: Sequence[int]) -> float:
    """Return the victory points that a player gains, or lets others gain, in a season (7.2).

    The first-placed player gains the difference to the last. Players without points aren't ranked.
    """
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
    """Return the board and the spare picks after a random change.

    The change rotates a card, swaps two, or exchanges one for a spare pick.
    """
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
