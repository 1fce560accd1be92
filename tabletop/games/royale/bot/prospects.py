"""What fights and places of Sister Royale promise: the mean damage of means on a foe, and of the
foe's on oneself; and where it is best to be."""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import Look
from tabletop.games.royale.areas import NAME, SPOTS
from tabletop.games.royale.attack import FUMBLE, to_evade, to_hit, usable_at
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
from tabletop.games.royale.places import AT, IN, ITEMS, RANK, SCORE, STATUS, number
from tabletop.games.royale.windows import lost

CHANCES: Final = tuple(
    sum(a * b >= need for a in range(1, 7) for b in range(1, 7) if (a, b) != FUMBLE) / 36
    for need in range(38)
)
"""6.7: how likely two dice have a product of so much."""

USUAL: Final = 11
"""Evasion less to-hit of usual characters."""
DISTANCE: Final = {
    NAME[one]: {NAME[two]: abs(one[0] - two[0]) + abs(one[1] - two[1]) for two in SPOTS}
    for one in SPOTS
}
"""How many steps there are between two areas, where nothing is in the way."""
CAREFUL, TIMID, BOLD = 0.8, 2.0, 0.4
"""What the foe's damage counts beside one's own while there is time, and at the end for whoever
leads, and for all others."""
URGENT: Final = 4
"""So many turns before the end who leads does all to keep it so, and the others to change it."""
LEFT: Final = {"start": 1.0, "first": 0.75, "second": 0.3}
"""How much of a turn is left, by its phase."""
HUNT, AWAY, FAR = 3.0, 1.0, 4
"""How much a foe attracts a hunter, by the odds; and the leader is glad of each step between, up to
so many."""
KEPT: Final[dict[type, float]] = {
    Dodge: 1.4,
    Chain: 1.3,
    Counter: 1.2,
    Mods: 1.2,
    Heal: 1.0,
    Escape: 0.9,
    Reroll: 0.8,
    Hide: 0.6,
}
"""How much one would rather keep what is no means of attack, by its effect."""


def leader(table: Look) -> int:
    """Who would win as things stand (9)."""
    best, points, rank = 0, number(table, SCORE[0]), number(table, RANK[0])
    for seat in range(1, table.seats):
        score = number(table, SCORE[seat])
        if score > points or (score == points and number(table, RANK[seat]) < rank):
            best, points, rank = seat, score, number(table, RANK[seat])
    return best


def turns_left(table: Look) -> float:
    """How many turns are left."""
    return number(table, "last") - number(table, "turn") + LEFT.get(str(table.values["phase"]), 0.0)


def urgency(table: Look) -> float:
    """How much it matters who leads, 0 to 1: the nearer the end the more."""
    left = turns_left(table)
    return URGENT / left if left > URGENT else 1.0


class Prospects:
    """Reckons with the dice."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.might = {card: self._might(card) for card in deck.attack}
        """Of means, the mean damage of an attack at the best range on somebody usual."""

    def _might(self, card: int) -> float:
        values = self.deck.attack[card].perf.values()
        return max(p.attacks * p.damage * _likely(USUAL - p.modifier) for p in values)

    def harm(self, table: Look, seat: int, foe: int, card: int, reach: str) -> float:
        """The mean damage of an attack with these means at this range."""
        own, modifier = to_hit(self.deck, table, seat, card, reach)
        means = self.deck.attack[card].perf[reach]
        need = to_evade(self.deck, table, foe, card) - own - modifier
        return means.attacks * means.damage * _likely(need)

    def best(self, table: Look, seat: int, foe: int, reach: str, seen: bool) -> float:
        """The mean damage of the best means; of others' items only those that all see count."""
        shown = table.shown
        return max(
            [
                self.harm(table, seat, foe, card, reach)
                for card in usable_at(self.deck, table, seat, reach)
                if not seen or card in shown or card in self.deck.sister
            ],
            default=0.0,
        )

    def odds(self, table: Look, seat: int, foe: int, reach: str) -> float:
        """What a battle at this range is good for."""
        return self._odds(table, seat, foe, reach, self._care(table, seat))

    def best_odds(self, table: Look, seat: int, foe: int) -> float:
        """What a battle is good for at the best range."""
        care = self._care(table, seat)
        return max([self._odds(table, seat, foe, reach, care) for reach in RANGES])

    def _care(self, table: Look, seat: int) -> float:
        """What the foe's damage counts beside one's own."""
        end = TIMID if leader(table) == seat else BOLD
        return CAREFUL + (end - CAREFUL) * urgency(table)

    def _odds(self, table: Look, seat: int, foe: int, reach: str, care: float) -> float:
        own = self.best(table, seat, foe, reach, False)
        return own - care * self.best(table, foe, seat, reach, True)

    def draws(self, table: Look, seat: int, cells: Sequence[str]) -> list[float]:
        """How much these areas attract the seat."""
        values = table.values
        draws = [self._draw_of_area(table, seat, cell) for cell in cells]
        shy, away = leader(table) == seat, AWAY * urgency(table)
        for foe in range(table.seats):
            if foe == seat or values[STATUS[foe]] != IN or not values[AT[foe]]:
                continue
            odds = self.best_odds(table, seat, foe)
            distance = DISTANCE[str(values[AT[foe]])]
            for place, cell in enumerate(cells):
                steps = distance[cell]
                if not shy:
                    draws[place] += HUNT * odds / (1 + steps)
                elif steps:
                    draws[place] += away * min(steps, FAR)
                else:
                    draws[place] += odds
        return draws

    def _draw_of_area(self, table: Look, seat: int, cell: str) -> float:
        (area,) = table.cards[cell]
        effect = self.deck.effect[area]
        if effect is None or area in self.deck.rides:
            return 0.0
        match effect:
            case Heal():
                return 0.5 * min(lost(self.deck, table, seat), 2)
            case DrawItem() | Salvage():
                return 1.0 if len(table.cards[ITEMS[seat]]) < 4 else 0.2
            case DrawEx():
                return 0.5
            case _:
                return 0.0

    def use_of(self, card: int) -> float:
        """How much one would rather keep an item or an EX card."""
        if card in self.might:
            return 0.5 + self.might[card]
        effect = self.deck.effect[card]
        return KEPT.get(type(effect), 0.5)


def _likely(need: int) -> float:
    return CHANCES[min(max(need, 0), 37)]
