"""Evaluation of a match of Sister Royale in progress, for each seat.

Points only come from retirements, which are rare: most short matches end in a tie, which the better
rank decides (9). The evaluation is therefore based on points, the lead, and the means for the next
retirement: stamina, good weapons, and the turns left to use them.
"""

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from typing import Final, NamedTuple

from tabletop.engine.heuristic import shares
from tabletop.engine.model import TableReader
from tabletop.games.royale.bot.expected_damage import leading_seat, turns_left
from tabletop.games.royale.places import (
    CHARACTER,
    HAND,
    ITEMS,
    OUT,
    RETIRED_COUNT,
    SCORE,
    STAMINA,
    STATUS,
)
from tabletop.games.royale.turn import LAST_CHARACTER_POINTS, MAX_RETIRED


class Stakes(NamedTuple):
    """Weights of the evaluation, in log odds.

    Most are divided by a constant plus the number of turns left.
    """

    point: float
    point_open: float
    falls: float
    """The share of impending retirements that actually happen."""
    by_points: float
    by_rank: float
    lead_open: float
    """The constant added to the number of turns left for the worth of the lead."""


TWO_PLAYER_STAKES: Final = Stakes(5.5, 3.5, 1.0, 4.0, 4.0, 0.5)
MULTIPLAYER_STAKES: Final = Stakes(5.0, 2.0, 0.5, 0.0, 3.75, 2.0)
"""The weights for more than two players, fitted to matches of three.

With two players, the leader has one opponent to avoid. With more, any two may fight, and the winner
of that fight takes the lead.
"""
BARE_DAMAGE: Final = 0.5
BEST_WEAPON_WEIGHT: Final = 0.8
SECOND_WEAPON_WEIGHT: Final = 0.24
"""The stamina that a hunter takes in a turn: a constant, plus these factors times the mean damage
of the best and the second-best weapon.
"""
DAMAGE_WORTH: Final = 0.15
EX_CARD_WORTH: Final = 0.024
"""The worth in points for later turns: for each stamina that a seat can take in a turn, and for
each EX card.
"""
MAX_HUNTED_TURNS: Final = 4
"""The maximum number of turns for which a player is assumed to be hunted."""
LATE_TURNS: Final = 5
"""The number of turns before the end from which weapons lose worth."""


def victory_shares(might: Mapping[int, float], table: TableReader) -> list[float]:
    """Return each seat's share of the victory, from 0 to 1.

    `might` is the mean damage of each weapon, as in `ExpectedDamage`.
    """
    seats = table.seats
    left = turns_left(table)
    stakes = TWO_PLAYER_STAKES if seats == 2 else MULTIPLAYER_STAKES
    forces = [_damage_per_turn(might, table, seat) for seat in range(seats)]
    falls = [_retirement_probability(table, seat, forces, left) for seat in range(seats)]
    fallen, chances = sum(falls), []
    for seat, fall in enumerate(falls):
        points = _points(table, seat, forces[seat], left)
        points += stakes.falls * ((fallen - fall) / (seats - 1) - 2 * fall)
        chances.append(stakes.point / (left + stakes.point_open) * points)
    first = leading_seat(table)
    lead = stakes.by_rank if _is_tied(table, first) else stakes.by_points
    chances[first] += lead / (left + stakes.lead_open)
    return shares(chances, 1.0)


def _is_tied(table: TableReader, first: int) -> bool:
    """Return whether another player has as many points as `first`."""
    scores = SCORE.all(table)
    return scores.count(scores[first]) > 1


def _points(table: TableReader, seat: int, force: float, left: float) -> float:
    """Return the seat's points, plus the worth of its cards and
    of perhaps having the last character.
    """
    cards = table.cards
    points = float(SCORE.of(table, seat))
    if not cards[CHARACTER[seat]]:  # out, or the next one is still to come
        return points
    points += DAMAGE_WORTH * force * min(left / LATE_TURNS, 1.0)
    points += EX_CARD_WORTH * len(cards[HAND[seat]]) * min(left, 2.0)
    remaining = table.seats - STATUS.all(table).count(OUT)
    late = RETIRED_COUNT.of(table) / MAX_RETIRED
    return points + LAST_CHARACTER_POINTS * late * late * late / remaining


def _damage_per_turn(might: Mapping[int, float], table: TableReader, seat: int) -> float:
    """Return how much stamina this seat takes from an opponent in a turn if it hunts."""
    cards = table.cards
    best = second = 0.0
    for card in (*cards[ITEMS[seat]], *cards[HAND[seat]], *cards[CHARACTER[seat]]):
        harm = might.get(card, 0.0)
        if harm > best:
            best, second = harm, best
        elif harm > second:
            second = harm
    return BARE_DAMAGE + BEST_WEAPON_WEIGHT * best + SECOND_WEAPON_WEIGHT * second


def _retirement_probability(
    table: TableReader, seat: int, forces: Sequence[float], left: float
) -> float:
    """Return the probability that the seat's character retires
    if the strongest opponent hunts it.
    """
    if not table.cards[CHARACTER[seat]]:
        return 0.0
    hunter = max([force for foe, force in enumerate(forces) if foe != seat])
    lost = hunter * min(left, MAX_HUNTED_TURNS)
    spare = STAMINA.of(table, seat) - lost
    # the loss is nearly normal, with a variance 1.5 times its mean; 1.7 makes that a logistic
    return 1 / (1 + exp(1.7 * spare / (sqrt(1.5 * lost) + 0.5)))
