"""The fighters of Sister Royale: players' weapons and values,
read once for all ranges and opponents.

The formulas are those of the rules (6.7, S15).
"""

from typing import Final

from tabletop.engine.model import AUDIENCE, TableReader
from tabletop.games.royale.attack import FUMBLE, has_double
from tabletop.games.royale.deck import Character, Deck
from tabletop.games.royale.effects import Attack, Double
from tabletop.games.royale.places import BATTLE, CHARACTER, DROPPED, FIGHT, GUARD, HAND, ITEMS

HIT_PROBABILITIES: Final = tuple(
    sum(a * b >= need for a in range(1, 7) for b in range(1, 7) if (a, b) != FUMBLE) / 36
    for need in range(38)
)
"""The probability that the product of two dice is at least n, at index n (6.7)."""
NEAR: Final = "near"
MID: Final = "mid"
FAR: Final = "far"
SNIPED: Final = "snipe"
MELEE: Final = "melee"

Values = tuple[int, int, int, int]
"""The to-hit values in melee and at range, then the evasions in melee and at range."""


def hit_probability(need: int) -> float:
    """Return the probability that the product of two dice is at least `need`,
    which may be any integer.
    """
    return HIT_PROBABILITIES[min(max(need, 0), 37)]


class WeaponAtRange:
    """The values of a weapon at one range."""

    __slots__ = ("force", "melee", "modifier")

    def __init__(self, effect: Attack, reach: str) -> None:
        means = effect.perf[reach]
        self.melee: bool = effect.category == MELEE
        self.modifier: int = means.modifier
        self.force: int = means.attacks * means.damage
        """The damage if every roll hits."""


class CombatCards:
    """The properties of all cards that matter in fights."""

    def __init__(self, deck: Deck) -> None:
        self.means = {
            reach: {card: WeaponAtRange(deck.attack[card], reach) for card in fits}
            for reach, fits in deck.strikes.items()
        }
        self.attack = frozenset(deck.attack)
        self.sisters = {card: _values(sister) for card, sister in deck.sister.items()}
        self.doubles = {card: _values(double) for card, double in deck.doubles.items()}
        self.gear: dict[int, Values] = {
            card: (mods.melee_hit, mods.ranged_hit, mods.melee_evade, mods.ranged_evade)
            for card, mods in deck.mods.items()
        }
        self.scopes = {card: mods.snipe_hit for card, mods in deck.mods.items() if mods.snipe_hit}


def _values(fighter: Character | Double) -> Values:
    melee, ranged = fighter.melee, fighter.ranged
    return melee.hit, ranged.hit, melee.evade, ranged.evade


class Fighter:
    """A player in a fight, with all of the player's weapons or only with those that others know."""

    __slots__ = ("cards", "melee_evade", "melee_hit", "ranged_evade", "ranged_hit", "snipe_hit")

    def __init__(self, armoury: CombatCards, table: TableReader, seat: int, seen: bool) -> None:
        """Read the fighter from a table.

        If `seen` is true, cards that nobody else has seen are left out.
        """
        cards, shown = table.cards, table.shown
        items = cards[ITEMS[seat]]
        (sister,) = cards[CHARACTER[seat]]
        double = has_double(table, seat)
        melee_hit, ranged_hit, melee_evade, ranged_evade = (
            armoury.doubles[sister] if double else armoury.sisters[sister]
        )
        snipe_hit = 0
        if FIGHT.of(table) == BATTLE:
            guard = GUARD.of(table, seat)
            melee_evade += guard
            ranged_evade += guard
        means: list[int] = []
        attack, gear, scopes = armoury.attack, armoury.gear, armoury.scopes
        for card in items:
            if card in attack:
                if not seen or card in shown:
                    means.append(card)
            elif card in gear and AUDIENCE in shown.get(card, ()):
                mods = gear[card]
                melee_hit += mods[0]
                ranged_hit += mods[1]
                melee_evade += mods[2]
                ranged_evade += mods[3]
                if card in scopes:
                    snipe_hit += scopes[card]
        for card in cards[HAND[seat]]:
            if card in attack and (not seen or card in shown):
                means.append(card)
        if not double and sister in attack:  # S26: the double has no ability
            means.append(sister)
        dropped = DROPPED.of(table)
        if dropped:
            means = [card for card in means if card not in dropped]
        self.cards = means
        self.melee_hit = melee_hit
        self.ranged_hit = ranged_hit
        self.snipe_hit = snipe_hit
        self.melee_evade = melee_evade
        self.ranged_evade = ranged_evade

    def harm(self, foe: "Fighter", means: WeaponAtRange, sniping: bool) -> float:
        """Return the mean damage of an attack on `foe` with the weapon `means`."""
        if means.melee:
            need = foe.melee_evade - self.melee_hit - means.modifier
        else:
            need = foe.ranged_evade - self.ranged_hit - means.modifier
        if sniping:
            need -= self.snipe_hit
        return means.force * hit_probability(need)

    def best(self, armoury: CombatCards, foe: "Fighter", reach: str) -> float:
        """Return the mean damage of an attack on `foe` with the best weapon at this range;
        0 without one.
        """
        at_range, sniping, best = armoury.means[reach], reach == SNIPED, 0.0
        for card in self.cards:
            means = at_range.get(card)
            if means is not None:
                harm = self.harm(foe, means, sniping)
                if harm > best:
                    best = harm
        return best
