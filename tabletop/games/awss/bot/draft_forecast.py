"""Forecast of a draft's twelve picks: how creatures help each other, how it may go on.

No board is laid here: what a card gives to another is taken on the mean of the places that a player
would choose for them. So a whole draft is played to its end in a fraction of a millisecond
(`draft_play`).
"""

from collections.abc import Collection, Sequence
from math import exp, inf
from typing import Final

from tabletop.engine.model import Look
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
from tabletop.games.awss.places import (
    CLAIM,
    LAID,
    OLDER,
    PICKED,
)
from tabletop.games.awss.scoring import fits

MEETING, MISSING = 0.1, 0.04
"""How often an arrow meets a given card of the board where that is wished, and where it is not."""
NEAR: Final = {"tips": (0.36, 0.1), "row": (0.4, 0.2), "col": (0.4, 0.2), "board": (1.0, 1.0)}
"""How often two cards lie so to each other, where that is wished and where it is not."""
PLACED: Final = 0.85
"""How often a card that wants a certain place has it."""
SACRIFICED: Final = 0.7
"""What part of its points a sacrifice brings on balance."""
FLIPPED, COUNTED, MOVED = 2.5, 0.5, 0.6
"""The victory points that a marked effect is worth, beside what its card scores: by turning a card
down, for each counter, and by anything else."""
KINDS, SHARED = 2.5, 0.4
"""How many seasons lie face-up, and how many other players have such a card at the same place."""
TOGETHER: Final = 0.7
"""A card of a season that one has begun is worth so much more for each card of it: only the first
of a season gains anything."""
USED: Final = 9
"""So many of twelve picks come onto the board."""
LEAD: Final = 4.0
"""So many points ahead in a season it is e times as likely to be one's own."""
HOPE: Final = 0.3
"""What a season is worth in which one is surely behind."""
FIXED: Final = 99.0
"""What lies on the board is not given up."""

PLACES: Final = tuple(
    (LAID[seat], PICKED[seat], OLDER[seat], *[claims[seat] for claims in CLAIM], *BOARD[seat])
    for seat in SEATS
)
"""Where a seat's picks may lie."""

Picks = list[list[int]]
"""Of each seat, cards that it holds."""
BoardForecast = tuple[list[int], list[float]]
"""Nine cards, and what the seasons would bring if they lay on one board."""


class Drafting:
    """Knows of every card what it is worth by itself and beside every other one."""

    def __init__(self, tally: FastScorer) -> None:
        deck = self.deck = tally.deck
        self.own = tuple(self._own(card) for card in tally.creatures)
        self.used = tuple(_used(deck.marked[card]) for card in tally.creatures)
        self.value = tuple(own + used for own, used in zip(self.own, self.used, strict=True))
        """Of each card by itself: its points, and what its use is worth."""
        self.gives: tuple[tuple[float, ...], ...] = tuple(
            tuple(self._gives(tally, one, to) if one != to else 0.0 for to in tally.creatures)
            for one in tally.creatures
        )
        """By giver and receiver."""
        self.takes: tuple[tuple[float, ...], ...] = tuple(zip(*self.gives, strict=True))
        """The same by receiver and giver."""
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
        """Return how much somebody who holds these cards wants another one."""
        beside = self.pairs[card]
        together = 0.0
        for other in held:
            together += beside[other]
        return self.value[card] + together

    def strengths(self, held: list[int]) -> list[float]:
        """Return what cards are worth beside each other, by season: all that one wished for
        them."""
        found = [0.0] * len(SEASONS)
        season, earlier = self.deck.season, list[int]()
        for card in held:
            found[season[card]] += self.wish(card, earlier)
            earlier.append(card)
        return found

    def boards(self, picks: Picks, fixed: Sequence[Collection[int]]) -> list[BoardForecast]:
        """Of each seat the nine of these picks that help most where it can be first; those that
        lie on its board already (`fixed`) are among them."""
        scored = [self._scored(own) for own in picks]
        sums = [self._by_season(own, points) for own, points in zip(picks, scored, strict=True)]
        found = []
        for seat, own in enumerate(picks):
            weights = []
            for season, points in enumerate(sums[seat]):
                rival = -inf
                for other, theirs in enumerate(sums):
                    if other != seat and theirs[season] > rival:
                        rival = theirs[season]
                weights.append(HOPE + 1 / (1 + exp((rival - points) / LEAD)))
            spare = self._spare(own, scored[seat], fixed[seat], weights)
            found.append(self._without(own, sums[seat], spare))
        return found

    def _without(self, own: list[int], sums: list[float], spare: list[int]) -> BoardForecast:
        """A board of these cards but those in the places `spare`, and what its seasons bring."""
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
        """Return what the seasons would bring if all these cards lay on one board."""
        return self._by_season(own, self._scored(own))

    def _scored(self, own: list[int]) -> list[float]:
        """Return what each of these cards would score beside the others."""
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
        """The places of those cards that help least, for seasons of these weights; nine are
        left."""
        if len(own) <= USED:
            return []
        season = self.deck.season
        weight = [weights[season[card]] for card in own]
        good: list[float] = []
        for place, card in enumerate(own):
            gives, given = self.gives[card], 0.0
            for there, other in enumerate(own):
                given += gives[other] * weight[there]
            worth = weight[place] * scored[place] + given + self.used[card]
            good.append(worth + FIXED if card in fixed else worth)
        best = sorted(range(len(own)), key=good.__getitem__)
        return best[: len(own) - USED]

    def _own(self, card: int) -> float:
        """Return what a card scores by itself."""
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
        """Return what a card brings another of the same board."""
        given = tally.given[to][0][one]
        points = sum(MEETING * n if n > 0 else MISSING * n for n in given)
        for which, worth in tally.selections(to):
            if which.zone in NEAR and tally.counts(one, to, which):
                points += _near(which.zone, _each(worth))
        for aura in self.deck.auras[one]:
            if tally.up(one, to) and fits(self.deck, to, aura.who):
                points += _near(aura.who.zone, aura.points)
        return points


def _used(effect: Marked | None) -> float:
    """Return what the use of a marked effect is worth, in victory points."""
    match effect:
        case Flip():
            return FLIPPED
        case Counters(n=n):
            return COUNTED * abs(n)
        case SwapOther() | Rotate() | Depart() | SwapSelf() | TurnSelf():
            return MOVED
        case _:
            return 0.0


def _near(zone: str, points: float) -> float:
    wished, unwished = NEAR[zone]
    return points * (wished if points > 0 else unwished)


def _each(worth: Sequence[int]) -> float:
    """Return what one of several counted cards brings, on the mean of all that it takes for the
    most."""
    if worth[0]:
        return 0.0
    most = max(worth, key=abs)
    return most / worth.index(most) if most else 0.0


def held(table: Look, seat: int) -> list[int]:
    """All that a seat has picked, wherever it lies."""
    cards = table.cards
    return [card for zone in PLACES[seat] for card in cards[zone]]
