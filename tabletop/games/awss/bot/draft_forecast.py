"""Forecast for a draft's twelve picks: how well creatures fit together, and how the draft may end.

No boards are built. Instead, the bonus that one card gives another is averaged over the positions
that a player would choose. That makes it possible to play a whole draft in a fraction of a
millisecond (`draft_play`).
"""

from collections.abc import Collection, Sequence
from math import exp, inf
from typing import Final

from tabletop.engine.model import TableReader
from tabletop.games.awss.board import BOARD, SEATS
from tabletop.games.awss.bot.fast_score import FastScorer
from tabletop.games.awss.effects import (
    SEASONS,
    BonusIf,
    BonusPer,
    Counters,
    Depart,
    Flip,
    Marked,
    PointsFromTip,
    Rotate,
    Selection,
    SwapOther,
    SwapSelf,
    TurnSelf,
)
from tabletop.games.awss.places import CLAIM, LAID, OLDER, PICKED
from tabletop.games.awss.scoring import matches_selection

MEETING, MISSING = 0.1, 0.04
"""The probability that an arrow points to a given card: if that helps, and if it does harm."""
NEAR: Final = {"tips": (0.36, 0.1), "row": (0.4, 0.2), "col": (0.4, 0.2), "board": (1.0, 1.0)}
"""The probability that two cards are in this relation: if that helps, and if it does harm."""
PLACED: Final = 0.85
"""The probability that a card that needs a certain position is in it."""
SACRIFICED: Final = 0.7
"""The share of a sacrifice's points that remains as a gain."""
FLIPPED, COUNTED, MOVED = 2.5, 0.5, 0.6
"""The victory points that a marked effect is worth, beside what its card scores: by turning a card
down, for each counter, and by anything else."""
KINDS, SHARED = 2.5, 0.4
"""The expected number of face-up seasons, and of other players with such a card at the same
place."""
TOGETHER: Final = 0.7
"""The additional worth of a card for each card of its season already held, because only the
first-placed player in a season gains anything.
"""
BOARD_SIZE: Final = 9
"""The number of picks, of twelve, that end up on the board."""
LEAD_SPREAD: Final = 4.0
"""The lead in a season, in points, that multiplies the odds of winning that season by e."""
MIN_SEASON_WEIGHT: Final = 0.3
"""The weight of a season in which the player is certain to be behind."""
FIXED_WEIGHT: Final = 99.0
"""The weight of cards that are already on the board, so high that they are always kept."""

PLACES: Final = tuple(
    (LAID[seat], PICKED[seat], OLDER[seat], *[claims[seat] for claims in CLAIM], *BOARD[seat])
    for seat in SEATS
)
"""The zones that contain a player's picks, by seat."""

Picks = list[list[int]]
"""The cards that each seat has picked."""
BoardForecast = tuple[list[int], list[float]]
"""Nine cards, and the points that they would score in each season."""


class DraftForecast:
    """Estimates the worth of each card by itself, and its bonus for each other card."""

    def __init__(self, tally: FastScorer) -> None:
        deck = self.deck = tally.deck
        self.own = tuple(self._own_score(card) for card in tally.creatures)
        self.used = tuple(_worth_of_use(deck.marked[card]) for card in tally.creatures)
        self.value = tuple(own + used for own, used in zip(self.own, self.used, strict=True))
        """The worth of each card by itself: its points and the use of its effect."""
        self.gives: tuple[tuple[float, ...], ...] = tuple(
            tuple(self._gives(tally, one, to) if one != to else 0.0 for to in tally.creatures)
            for one in tally.creatures
        )
        """The bonus of a card for another, by giver and receiver."""
        self.takes: tuple[tuple[float, ...], ...] = tuple(zip(*self.gives, strict=True))
        """The bonus of a card for another, by receiver and giver."""
        self.pairs: tuple[tuple[float, ...], ...] = tuple(
            tuple(
                self.gives[one][to]
                + self.gives[to][one]
                + TOGETHER * (deck.season[one] == deck.season[to])
                for to in tally.creatures
            )
            for one in tally.creatures
        )

    def wish(self, card: int, held: list[int]) -> float:
        """Return what `card` is worth to a player who has picked `held`."""
        beside = self.pairs[card]
        together = 0.0
        for other in held:
            together += beside[other]
        return self.value[card] + together

    def strengths(self, held: list[int]) -> list[float]:
        """Return the worth of these picks by season, as the sum of their wishes."""
        sums = [0.0] * len(SEASONS)
        season, earlier = self.deck.season, list[int]()
        for card in held:
            sums[season[card]] += self.wish(card, earlier)
            earlier.append(card)
        return sums

    def boards(self, picks: Picks, fixed: Sequence[Collection[int]]) -> list[BoardForecast]:
        """Return each seat's forecast for the nine picks that help most in seasons
        that the seat may win.

        `fixed` contains the cards that are already on each seat's board and are always used.
        """
        scored = [self._scores(own) for own in picks]
        sums = [self._by_season(own, points) for own, points in zip(picks, scored, strict=True)]
        forecasts = []
        for seat, own in enumerate(picks):
            weights = []
            for season, points in enumerate(sums[seat]):
                rival = -inf
                for other, theirs in enumerate(sums):
                    if other != seat and theirs[season] > rival:
                        rival = theirs[season]
                weights.append(MIN_SEASON_WEIGHT + 1 / (1 + exp((rival - points) / LEAD_SPREAD)))
            spare = self._spare(own, scored[seat], fixed[seat], weights)
            forecasts.append(self._without(own, sums[seat], spare))
        return forecasts

    def _without(self, own: list[int], sums: list[float], spare: list[int]) -> BoardForecast:
        """Return the forecast for the cards `own` except those at the indexes `spare`."""
        season, kept, seasons = self.deck.season, own[:], sums[:]
        for place in spare:
            card = own[place]
            gives, takes, points = self.gives[card], self.takes[card], self.own[card]
            kept.remove(card)
            for other in kept:
                points += takes[other]
                if gives[other]:
                    seasons[season[other]] -= gives[other]
            seasons[season[card]] -= points
        return kept, seasons

    def sums(self, own: list[int]) -> list[float]:
        """Return the points in each season if all these cards were on one board."""
        return self._by_season(own, self._scores(own))

    def _scores(self, own: list[int]) -> list[float]:
        """Return each card's score together with the other cards in `own`."""
        scored = []
        for card in own:
            takes, points = self.takes[card], 0.0
            for other in own:
                points += takes[other]
            scored.append(self.own[card] + points)
        return scored

    def _by_season(self, own: list[int], scored: list[float]) -> list[float]:
        sums = [0.0] * len(SEASONS)
        season = self.deck.season
        for place, card in enumerate(own):
            sums[season[card]] += scored[place]
        return sums

    def _spare(
        self, own: list[int], scored: list[float], fixed: Collection[int], weights: list[float]
    ) -> list[int]:
        """Return the indexes of the least helpful cards beyond nine. `weights` are those of the
        seasons.
        """
        if len(own) <= BOARD_SIZE:
            return []
        season = self.deck.season
        weight = [weights[season[card]] for card in own]
        good: list[float] = []
        for place, card in enumerate(own):
            gives, given = self.gives[card], 0.0
            for at, other in enumerate(own):
                given += gives[other] * weight[at]
            worth = weight[place] * scored[place] + given + self.used[card]
            good.append(worth + FIXED_WEIGHT if card in fixed else worth)
        best = sorted(range(len(own)), key=good.__getitem__)
        return best[: len(own) - BOARD_SIZE]

    def _own_score(self, card: int) -> float:
        """Return the expected score of a card by itself."""
        deck = self.deck
        points = float(deck.points[card])
        for effect in deck.scored[card]:
            match effect:
                case BonusIf(cond, bonus) if cond.sel is None:
                    points += PLACED * bonus
                case PointsFromTip(most):
                    points += PLACED * most
                case BonusPer(Selection(zone="kinds"), bonus):
                    points += KINDS * bonus
                case BonusPer(Selection(zone="same_position"), bonus):
                    points += SHARED * bonus
                case _:
                    pass
        return points + SACRIFICED * deck.sacrifice[card]

    def _gives(self, tally: FastScorer, one: int, to: int) -> float:
        """Return the expected bonus that the card `one` gives the card `to` on the same board."""
        given = tally.given[to][0][one]
        points = sum(MEETING * n if n > 0 else MISSING * n for n in given)
        for which, worth in tally.selections(to):
            if which.zone in NEAR and tally.counts(one, to, which):
                points += _relation_points(which.zone, _mean_of_counted(worth))
        for aura in self.deck.auras[one]:
            if tally.up(one, to) and matches_selection(self.deck, to, aura.who):
                points += _relation_points(aura.who.zone, aura.points)
        return points


def _worth_of_use(effect: Marked | None) -> float:
    """Return the worth of using an effect, in victory points."""
    match effect:
        case Flip():
            return FLIPPED
        case Counters(n=n):
            return COUNTED * abs(n)
        case SwapOther() | Rotate() | Depart() | SwapSelf() | TurnSelf():
            return MOVED
        case _:
            return 0.0


def _relation_points(zone: str, points: float) -> float:
    wished, unwished = NEAR[zone]
    return points * (wished if points > 0 else unwished)


def _mean_of_counted(worth: Sequence[int]) -> float:
    """Return the extreme of `worth` divided by its number of cards.

    `worth[n]` is the score for `n` cards. Return 0 if a score for no cards is given too.
    """
    if worth[0]:
        return 0.0
    most = max(worth, key=abs)
    return most / worth.index(most) if most else 0.0


def picked_cards(table: TableReader, seat: int) -> list[int]:
    """Return all cards that a player has picked, from all zones."""
    cards = table.cards
    return [card for zone in PLACES[seat] for card in cards[zone]]
