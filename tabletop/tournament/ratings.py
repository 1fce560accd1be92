"""What tournaments tell of strength: shares of the victories, intervals, Elo."""

from collections.abc import Sequence
from math import log10, sqrt

from msgspec import Struct

from tabletop.bots.thought import Level
from tabletop.tournament.arena import ArenaResult


class LevelRating(Struct, frozen=True):
    """How a level did: its share of the victories beside the even one, with a 95 % interval."""

    level: Level
    seats: int
    games: int
    share: float
    low: float
    high: float
    even: float
    elo: float


def standings(played: Sequence[ArenaResult]) -> list[LevelRating]:
    """How each level did, in the order of the names."""
    levels = sorted({level for game in played for level in game.seating})
    ratings, games, found = elo(played), len(played), []
    for level in levels:
        seated = [(game, seat) for game in played for seat in _seats(game, level)]
        share = sum(game.share(seat) for game, seat in seated) / games
        even = sum(1 / len(game.seating) for game, _ in seated) / games
        low, high = interval(share, games)
        seats = round(len(seated) / games)
        found.append(LevelRating(level, seats, games, share, low, high, even, ratings[level]))
    return sorted(found, key=lambda rating: -rating.elo)


def _seats(game: ArenaResult, level: Level) -> list[int]:
    return [seat for seat, sits in enumerate(game.seating) if sits == level]


def interval(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games**2)) / (1 + z * z / games)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def elo(played: Sequence[ArenaResult], rounds: int = 200) -> dict[Level, float]:
    """Ratings by who won against whom at the same tables, their mean 0.

    Bradley and Terry's model for any number at a table, fitted by minorization (Hunter 2004); half
    a victory is lent to everybody, so that who never won has a number too.
    """
    levels = sorted({level for game in played for level in game.seating})
    strength = dict.fromkeys(levels, 1.0)
    wins = dict.fromkeys(levels, 0.5)
    for game in played:
        for seat, level in enumerate(game.seating):
            wins[level] += game.share(seat)
    for _ in range(rounds):
        met = dict.fromkeys(levels, 0.5 * len(levels) / sum(strength.values()))
        for game in played:
            whole = sum(strength[level] for level in game.seating)
            for level in game.seating:
                met[level] += 1 / whole
        strength = {level: wins[level] / met[level] for level in levels}
    ratings = {level: 400 * log10(value) for level, value in strength.items()}
    mean = sum(ratings.values()) / len(ratings)
    return {level: rating - mean for level, rating in ratings.items()}
