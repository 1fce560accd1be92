"""The expected damage of attacks in Sister Royale, and the attractiveness of areas."""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import TableReader
from tabletop.games.royale.areas import GRID_POSITIONS, NAME
from tabletop.games.royale.bot.fighters import (
    FAR,
    MID,
    NEAR,
    SNIPED,
    CombatCards,
    Fighter,
    hit_probability,
)
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import (
    RANGES,
    Chain,
    Counter,
    Dodge,
    DrawEx,
    DrawItem,
    Escape,
    Heal,
    Hide,
    Mods,
    Reroll,
    Salvage,
)
from tabletop.games.royale.items import item_limit
from tabletop.games.royale.phase import can_yield
from tabletop.games.royale.places import AT, IN, ITEMS, LAST_TURN, PHASE, RANK, SCORE, STATUS, TURN
from tabletop.games.royale.reaction_windows import lost_stamina

TYPICAL_EVASION_MARGIN: Final = 11
"""How much the evasion of a typical character exceeds the to-hit value."""
DISTANCE: Final = {
    NAME[one]: {NAME[two]: abs(one[0] - two[0]) + abs(one[1] - two[1]) for two in GRID_POSITIONS}
    for one in GRID_POSITIONS
}
"""The number of steps between two areas if no line or gap is in the way."""
EARLY_CARE: Final = 0.8
LEADER_CARE: Final = 2.0
CHASER_CARE: Final = 0.4
"""The weights of damage taken relative to damage dealt: with much time left, then at the end for
the leader and for others.
"""
URGENT_TURNS: Final = 4
"""The number of turns before the end from which the lead starts to matter fully."""
PHASE_REMAINDER: Final = {"start": 1.0, "first": 0.75, "second": 0.3}
"""The part of the current turn that is left, by phase of the turn."""
HUNTING_PULL: Final = 3.0
DISTANCE_PULL: Final = 1.0
MAX_COUNTED_DISTANCE: Final = 4
"""The weight of a battle's worth in an opponent's attractiveness to a hunter; the leader's gain
from each step of distance; and the maximum number of steps that count.
"""
WORTH_BY_EFFECT: Final[dict[type, float]] = {
    Dodge: 1.4,
    Chain: 1.3,
    Counter: 1.2,
    Mods: 1.2,
    Heal: 1.0,
    Escape: 0.9,
    Reroll: 0.8,
    Hide: 0.6,
}
"""The worth of keeping a card that isn't a weapon, by type of its effect."""


def leading_seat(table: TableReader) -> int:
    """Return the seat that would currently win (9)."""
    scores, ranks = SCORE.all(table), RANK.all(table)
    best, points, rank = 0, scores[0], ranks[0]
    for seat in range(1, table.seats):
        score, hers = scores[seat], ranks[seat]
        if score > points or (score == points and hers < rank):
            best, points, rank = seat, score, hers
    return best


def turns_left(table: TableReader) -> float:
    """Return the number of turns left, including the fraction of the current one."""
    turns = LAST_TURN.of(table) - TURN.of(table)
    return turns + PHASE_REMAINDER.get(PHASE.of(table), 0.0)


def urgency(table: TableReader) -> float:
    """Return how much the lead matters, from 0 to 1. It grows towards the end."""
    left = turns_left(table)
    return URGENT_TURNS / left if left > URGENT_TURNS else 1.0


def _care(leads: bool, urgent: float) -> float:
    """Return the weight of damage taken relative to damage dealt."""
    end = LEADER_CARE if leads else CHASER_CARE
    return EARLY_CARE + (end - EARLY_CARE) * urgent


def _areas_that(deck: Deck, effect: type) -> frozenset[int]:
    return frozenset(area for area in deck.areas if isinstance(deck.effect[area], effect))


class ExpectedDamage:
    """Computes the expected damage of attacks on a table."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.armoury = CombatCards(deck)
        self._heals = _areas_that(deck, Heal)
        self._finds = _areas_that(deck, DrawItem) | _areas_that(deck, Salvage)
        self._draws_ex = _areas_that(deck, DrawEx)
        self._special = self._heals | self._finds | self._draws_ex
        self.might = {card: self._might(card) for card in deck.attack}
        """The mean damage of each weapon in an attack at its best range on a typical character."""

    def _might(self, card: int) -> float:
        values = self.deck.attack[card].perf.values()
        return max(
            p.attacks * p.damage * hit_probability(TYPICAL_EVASION_MARGIN - p.modifier)
            for p in values
        )

    def harms(self, table: TableReader, seat: int, foe: int, reach: str) -> dict[int, float]:
        """Return the mean damage of an attack on `foe` for each of the seat's weapons
        that works at this range.
        """
        own, other = self.knowing(table, seat), self.seen(table, foe)
        means, sniping = self.armoury.means[reach], reach == SNIPED
        return {card: own.harm(other, means[card], sniping) for card in own.cards if card in means}

    def knowing(self, table: TableReader, seat: int) -> Fighter:
        """Return the fighter at `seat` with all cards, hidden ones included."""
        return Fighter(self.armoury, table, seat, seen=False)

    def seen(self, table: TableReader, seat: int) -> Fighter:
        """Return the fighter at `seat` with only those cards that others know."""
        return Fighter(self.armoury, table, seat, seen=True)

    def best(self, table: TableReader, seat: int, foe: int, reach: str) -> float:
        """Return the mean damage of an attack with the best weapon at this range."""
        return self.knowing(table, seat).best(self.armoury, self.seen(table, foe), reach)

    def odds(self, table: TableReader, seat: int, foe: int) -> dict[str, float]:
        """Return the worth of a battle against `foe`, by range."""
        own, other = self.knowing(table, seat), self.seen(table, foe)
        care = self._care(table, seat)
        return {reach: self._odds(own, other, reach, care) for reach in RANGES}

    def best_odds(self, table: TableReader, seat: int, foe: int) -> float:
        """Return the worth of a battle against `foe` at the best range."""
        own, other = self.knowing(table, seat), self.seen(table, foe)
        return self._best_odds(own, other, self._care(table, seat))

    def _care(self, table: TableReader, seat: int) -> float:
        """Return the seat's weight of damage taken relative to damage dealt."""
        return _care(leading_seat(table) == seat, urgency(table))

    def _best_odds(self, own: Fighter, foe: Fighter, care: float) -> float:
        near = self._odds(own, foe, NEAR, care)
        return max(near, self._odds(own, foe, MID, care), self._odds(own, foe, FAR, care))

    def _odds(self, own: Fighter, foe: Fighter, reach: str, care: float) -> float:
        armoury = self.armoury
        return own.best(armoury, foe, reach) - care * foe.best(armoury, own, reach)

    def draws(self, table: TableReader, seat: int, cells: Sequence[str]) -> list[float]:
        """Return how attractive each of these areas is to the seat."""
        places, status = AT.all(table), STATUS.all(table)
        draws: list[float] = []
        cards, special = table.cards, self._special
        for cell in cells:
            area = cards[cell][0]
            draws.append(self._draw_of_area(table, seat, area) if area in special else 0.0)
        shy, urgent = leading_seat(table) == seat, urgency(table)
        care, away = _care(shy, urgent), DISTANCE_PULL * urgent
        own = self.knowing(table, seat)
        for foe in range(table.seats):
            if foe == seat or status[foe] != IN or not places[foe]:
                continue
            odds = self._best_odds(own, self.seen(table, foe), care)
            distance = DISTANCE[places[foe]]
            for place, cell in enumerate(cells):
                steps = distance[cell]
                if not shy:
                    draws[place] += HUNTING_PULL * odds / (1 + steps)
                elif steps:
                    draws[place] += away * min(steps, MAX_COUNTED_DISTANCE)
                else:
                    draws[place] += odds
        return draws

    def _draw_of_area(self, table: TableReader, seat: int, area: int) -> float:
        """Return how attractive a special area is by itself; 0 for other areas."""
        if not can_yield(self.deck, table, seat, area):
            return 0.0
        if area in self._heals:
            return 0.5 * min(lost_stamina(self.deck, table, seat), 2)
        if area in self._finds:
            return 1.0 if len(table.cards[ITEMS[seat]]) < item_limit(table) else 0.2
        return 0.5 if area in self._draws_ex else 0.0

    def use_of(self, card: int) -> float:
        """Return the worth of keeping an item or an EX card."""
        if card in self.might:
            return 0.5 + self.might[card]
        effect = self.deck.effect[card]
        return WORTH_BY_EFFECT.get(type(effect), 0.5)
