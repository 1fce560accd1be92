"""Fast scoring of all four seasons of a board, without the list of reasons that `scoring` gives.

A search over thousands of boards (`boards`) can't create a list for each. The bonus that each card
gives each diagonal neighbour, and whether it counts, are therefore precomputed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tabletop.games.awss.board import BLANK, CELLS, EMPTY, INCOMING, TIPS, Board
from tabletop.games.awss.deck import Deck
from tabletop.games.awss.effects import (
    SEASONS,
    BonusIf,
    BonusPer,
    PointsFromTip,
    Selection,
)
from tabletop.games.awss.scoring import CELLS_BY_ZONE, is_placed, matches_selection

Reach = tuple[tuple[int, ...], ...]
Worth = tuple[int, ...]
"""The points that an effect gives, indexed by the number of cards that it counts."""


class CountingEffect(NamedTuple):
    """An effect that counts cards: the cells in its reach from each cell, the cards that it counts,
    and its points.
    """

    reach: Reach
    counts: tuple[bool, ...]
    worth: Worth


class AuraEffect(NamedTuple):
    """An aura: the cells in its reach from each cell, and the points that it gives to each card."""

    reach: Reach
    gives: tuple[int, ...]


class FastScorer:
    """Scores boards with precomputed tables.

    In tables indexed by card, the last two entries are for EMPTY and BLANK, whose values are -2 and
    -1.
    """

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.creatures = range(len(deck.season))
        self.known = (*self.creatures, EMPTY, BLANK)
        every = self.creatures
        self.given = [
            [[self._arrows(a, b, way) for a in self.known] for way in (0, 1)] for b in every
        ]
        """The four arrows of a neighbour, by the card that is met, the way up of the neighbour, and
        the neighbour."""
        self.placed_points = [
            [[self._placed_points(c, cell, way) for cell in CELLS] for way in (0, 1)] for c in every
        ]
        """By card, way up and cell: the points that it has by itself."""
        self.presented = [
            self._placed_points(card, 0, 0, appeal=1) - self._placed_points(card, 0, 0)
            for card in every
        ]
        self.findings = [tuple(self._findings(card)) for card in every]
        self.mirrors = [
            sum(e.max for e in deck.scored[c] if isinstance(e, PointsFromTip)) for c in every
        ]
        self.shines = [tuple(self._shines(card)) for card in every]
        self.kinds = [self._counted_in(card, "kinds") for card in every]
        self.watches = [self._counted_in(card, "same_position") for card in every]
        self.rare = [
            bool(self.mirrors[card] or self.kinds[card] or self.watches[card]) for card in every
        ]

    def seasons(self, board: Board, others: Sequence[Board] = ()) -> list[int]:
        """Return the board's points for each season.

        Earlier seasons are closed before later ones are scored.
        """
        deck, season, given = self.deck, self.deck.season, self.given
        cards, turned, counters, used, appeal = board
        sums = [0] * len(SEASONS)
        for cell, card in enumerate(cards):
            if card < 0:
                continue
            points = self.placed_points[card][turned[cell]][cell] + counters[cell]
            met = given[card]
            for other, arrow in INCOMING[cell]:
                points += met[turned[other]][cards[other]][arrow]
            for reach, counts, worth in self.findings[card]:
                count = 0
                for other in reach[cell]:
                    count += counts[cards[other]]
                points += worth[count]
            for reach, gives in self.shines[card]:
                for other in reach[cell]:
                    if gain := gives[cards[other]]:
                        sums[season[cards[other]]] += gain
            if self.rare[card]:
                points += self._rare_points(card, cell, cards, others)
            if appeal[cell]:
                points += self.presented[card]
            if used[cell]:
                points += deck.sacrifice[card]
            sums[season[card]] += points
        return sums

    def _rare_points(
        self, card: int, cell: int, cards: Sequence[int], others: Sequence[Board]
    ) -> int:
        """Return the points of rare effects, such as those that depend on other boards."""
        deck, points = self.deck, 0
        if most := self.mirrors[card]:
            up = [deck.points[c] for tip in TIPS[cell] if self.up(c := cards[tip], card)]
            points += min(max(up, default=0), most)
        for _, worth in self.kinds[card]:
            seasons = {deck.season[other] for other in cards if self.up(other, card)}
            points += worth[len(seasons)]
        if others:
            for which, worth in self.watches[card]:
                points += worth[
                    sum([matches_selection(deck, other.cards[cell], which) for other in others])
                ]
        return points

    def up(self, card: int, then: int) -> bool:
        """Return whether `card` is still face up when season `then` is scored."""
        return card >= 0 and self.deck.closes[card] >= self.deck.season[then]

    def _arrows(self, card: int, to: int, way: int) -> tuple[int, ...]:
        if not self.up(card, to):
            return (0, 0, 0, 0)
        fearless = self.deck.fearless[to]
        return tuple(0 if n < 0 and fearless else n for n in self.deck.arrows[way][card])

    def _placed_points(self, card: int, cell: int, way: int, appeal: int = 0) -> int:
        board = Board((card,) * 9, (bool(way),) * 9, appeal=(appeal,) * 9)
        placed = [
            e
            for e in self.deck.scored[card]
            if isinstance(e, BonusIf)
            and e.cond.spot is not None
            and is_placed(board, cell, e.cond.spot)
        ]
        return self.deck.points[card] + sum(effect.points for effect in placed)

    def _findings(self, card: int) -> list[CountingEffect]:
        return [
            CountingEffect(
                CELLS_BY_ZONE[which.zone],
                tuple(self.counts(c, card, which) for c in self.known),
                worth,
            )
            for which, worth in self.selections(card)
            if which.zone in CELLS_BY_ZONE
        ]

    def _counted_in(self, card: int, zone: str) -> list[tuple[Selection, Worth]]:
        return [counted for counted in self.selections(card) if counted[0].zone == zone]

    def selections(self, card: int) -> list[tuple[Selection, Worth]]:
        """Return the selections that the card's effects count,
        each with its points by number of cards.
        """
        chosen = []
        for effect in self.deck.scored[card]:
            match effect:
                case BonusPer(which, points, most):
                    limit = len(CELLS) * abs(points) if most is None else most
                    worth = tuple(min(points * number, limit) for number in range(10))
                    chosen.append((which, worth))
                case BonusIf(cond, points) if cond.sel is not None:
                    low, high = cond.min or 0, len(CELLS) if cond.max is None else cond.max
                    worth = tuple(points if low <= n <= high else 0 for n in range(10))
                    chosen.append((cond.sel, worth))
                case _:
                    pass
        return chosen

    def counts(self, card: int, then: int, which: Selection) -> bool:
        """Return whether `card` matches a selection when season `then` is scored."""
        if card >= 0 and not self.up(card, then):
            card = BLANK
        return matches_selection(self.deck, card, which)

    def _shines(self, card: int) -> list[AuraEffect]:
        return [
            AuraEffect(
                CELLS_BY_ZONE[aura.who.zone],
                tuple(
                    aura.points
                    if to >= 0 and self.up(card, to) and matches_selection(self.deck, to, aura.who)
                    else 0
                    for to in self.known
                ),
            )
            for aura in self.deck.auras[card]
        ]
