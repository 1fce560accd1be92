"""Bot strength from tournament results: shares of the victories, confidence
intervals and Elo ratings.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from math import log10, sqrt

from msgspec import Struct

from tabletop.bots.decision import Level
from tabletop.studio.tournament.arena import ArenaResult

Z_95 = 1.96
"""The z-score of a 95% confidence interval."""


class LevelRating(Struct, frozen=True):
    """The share of the victories that a bot level had, and the even share, with a 95% confidence
    interval that treats matches of the same deal as dependent.
    """

    level: Level
    seats: int
    games: int
    share: float
    low: float
    high: float
    even: float
    elo: float


def standings(played: Sequence[ArenaResult]) -> list[LevelRating]:
    """Return the rating of each bot level, highest Elo rating first."""
    levels = sorted({level for game in played for level in game.seating})
    ratings, games, rows = elo(played), len(played), []
    for level in levels:
        seated = [(game, team) for game in played for team in _teams(game, level)]
        share = sum(game.share(team[0]) for game, team in seated) / games
        even = sum(1 / len(game.teams) for game, _ in seated) / games
        low, high = confidence_interval(share, effective_sample_size(_by_deal(played, level)))
        seats = round(sum(len(team) for _, team in seated) / games)
        rows.append(LevelRating(level, seats, games, share, low, high, even, ratings[level]))
    return sorted(rows, key=lambda rating: -rating.elo)


def _teams(game: ArenaResult, level: Level) -> list[tuple[int, ...]]:
    """Return the teams whose bots have this `level`. Partners always have the same level."""
    return [team for team in game.teams if game.seating[team[0]] == level]


def _by_deal(played: Sequence[ArenaResult], level: Level) -> Collection[list[float]]:
    """Return the level's share of the victory in each match, grouped by deal."""
    deals: dict[object, list[float]] = defaultdict(list)
    for number, game in enumerate(played):
        won = sum(game.share(team[0]) for team in _teams(game, level))
        deals[game.deal or number].append(won)
    return deals.values()


def count_deals(played: Sequence[ArenaResult]) -> int:
    """Return the number of different deals."""
    return len({game.deal or number for number, game in enumerate(played)})


def effective_sample_size(clusters: Collection[Sequence[float]]) -> float:
    """Return the effective sample size of shares that are dependent within each cluster. The result
    is between the number of clusters and the number of shares.

    It compares the variance of the mean between clusters (Cochran 1977, ratio estimator; with a
    Student quantile for few clusters) with the variance for independent shares.
    """
    groups, total = len(clusters), sum(map(len, clusters))
    mean = sum(map(sum, clusters)) / total
    apart = sum((sum(each) - mean * len(each)) ** 2 for each in clusters)
    if groups in (1, total) or not 0 < mean < 1:
        return groups
    if not apart:
        return total
    free = groups - 1
    student = (
        Z_95
        + (Z_95**3 + Z_95) / (4 * free)
        + (5 * Z_95**5 + 16 * Z_95**3 + 3 * Z_95) / (96 * free**2)
    )
    variance = groups / free * apart / total**2 * (student / Z_95) ** 2
    return min(max(mean * (1 - mean) / variance, groups), total)


def confidence_interval(share: float, games: float) -> tuple[float, float]:
    """Return the 95% confidence interval of `share` for a sample size of `games` (Wilson 1927)."""
    z = Z_95
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games**2)) / (1 + z * z / games)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def elo(played: Sequence[ArenaResult], rounds: int = 200) -> dict[Level, float]:
    """Return Elo ratings with a mean of 0. A team counts as one player.

    Bradley-Terry model for any number of players, fitted in `rounds` iterations of minorization
    (Hunter 2004). Every level starts with half a victory, so that a level without victories gets a
    finite rating.
    """
    levels = sorted({level for game in played for level in game.seating})
    strength = dict.fromkeys(levels, 1.0)
    wins = dict.fromkeys(levels, 0.5)
    tables: list[list[Level]] = []
    for game in played:
        tables.append([game.seating[team[0]] for team in game.teams])
        for seat, *_ in game.teams:
            wins[game.seating[seat]] += game.share(seat)
    for _ in range(rounds):
        met = dict.fromkeys(levels, 0.5 * len(levels) / sum(strength.values()))
        for table in tables:
            whole = sum(strength[level] for level in table)
            for level in table:
                met[level] += 1 / whole
        strength = {level: wins[level] / met[level] for level in levels}
    ratings = {level: 400 * log10(value) for level, value in strength.items()}
    mean = sum(ratings.values()) / len(ratings)
    return {level: rating - mean for level, rating in ratings.items()}
