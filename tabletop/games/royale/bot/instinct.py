"""How to play Sister Royale well: who could hurt whom, and what that is worth.

Points come from retirements alone, so a table is worth its points, and whatever decides the next
one: stamina, good means, and being out of reach of better ones.
"""

from collections.abc import Callable, Sequence
from typing import Final

from tabletop.engine.instinct import Past, Recalled, every, finished, shares, some
from tabletop.engine.model import Ask, Chance, Look, Move, Note, Offer, State
from tabletop.engine.mypyc_attr import mypyc_attr
from tabletop.engine.play import guessed
from tabletop.games.royale.attack import FUMBLE, foe_of, to_evade, to_hit, usable_at
from tabletop.games.royale.bot.reasons import reason
from tabletop.games.royale.bot.tells import likely, tells
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import (
    RANGES,
    SNIPED,
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
from tabletop.games.royale.phase import searches_upto
from tabletop.games.royale.places import (
    AT,
    CHARACTER,
    HAND,
    IN,
    ITEMS,
    OUT,
    RANK,
    SCORE,
    STAMINA,
    STATUS,
    number,
    seat_of,
)
from tabletop.games.royale.rules import Rules
from tabletop.games.royale.turn import LAST_ONE, MOST_RETIRED
from tabletop.games.royale.windows import lost

SPREAD: Final = 2.5
"""So many points more are e times as good a chance."""
MOST: Final = 40

CHANCES: Final = tuple(
    sum(a * b >= need for a in range(1, 7) for b in range(1, 7) if (a, b) != FUMBLE) / 36
    for need in range(38)
)
"""6.7: how likely two dice have a product of so much."""

WHOLE, ARMED, SPECIAL, RANKED = 2.5, 0.5, 0.12, 0.8
"""What full stamina, a mean damage of one, an EX card and the best rank are worth, in points."""
SOON: Final = 5
"""In the last turns nobody dies any more of what she lost: so many are left where it begins."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Instinct:
    """Reckons with the dice."""

    horizon = 24
    quiet = 8
    blur = 0.0

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.deck: Deck = rules.deck
        self._tells = Recalled(lambda view, past: tells(self.deck, past))
        self.might = {card: self._might(card) for card in self.deck.attack}
        """Of means, the mean damage of an attack at the best range on somebody usual."""

    def _might(self, card: int) -> float:
        values = self.deck.attack[card].perf.values()
        return max(p.attacks * p.damage * _likely(USUAL - p.modifier) for p in values)

    # How good a table is

    def worth(self, table: Look) -> Sequence[float]:
        if table.result is not None:
            return finished(table.result, table.seats, SPREAD)
        return shares([self._points(table, seat) for seat in range(table.seats)], SPREAD)

    def _points(self, table: Look, seat: int) -> float:
        """The points made, those of the last one in part, and what the seat has to fight with."""
        values, cards = table.values, table.cards
        points = float(values[SCORE[seat]])
        if not cards[CHARACTER[seat]]:  # out, or the next one is still to come
            return points
        (character,) = cards[CHARACTER[seat]]
        stamina = number(table, STAMINA[seat])
        left = number(table, "last") - number(table, "turn") + 1
        whole = WHOLE * min(left / SOON, 1)
        points += whole * stamina / self.deck.sister[character].stamina
        points -= RANKED * number(table, RANK[seat]) / 12  # 9: it decides equal points
        means = [self.might[c] for c in (*cards[ITEMS[seat]], character) if c in self.might]
        means.sort(reverse=True)
        for place, might in enumerate(means[:3]):
            points += ARMED * might / (place + 1)
        points += 0.1 * len(cards[ITEMS[seat]]) + SPECIAL * len(cards[HAND[seat]])
        standing = sum(values[STATUS[other]] != OUT for other in range(table.seats))
        late = number(table, "retired") / MOST_RETIRED
        return points + LAST_ONE * late * late * late / standing

    # What deserves a thought

    def moves(self, table: Look, ask: Ask, chance: Chance) -> Sequence[Move]:
        offers = offered = self.rules.offers(table, ask)
        if len(offers) == 1 and not offers[0].cards and not offers[0].targets:
            return every(offers, ask.id, MOST, chance)
        if ask.what == "walk":
            offers = tuple([self._near_something(table, ask.seat, offer) for offer in offers])
        moves = every(offers, ask.id, MOST, chance)
        first = self._sensible(table, ask, offered, chance)
        return [first, *(move for move in moves if move != first)]

    def _near_something(self, table: Look, seat: int, offer: Offer) -> Offer:
        """Of the ways to walk just those that lead somewhere: to others, beside them, to something
        special; and a few that lead away."""
        if offer.verb != "walk" or len(offer.targets) <= FEW:
            return offer
        busy = [c for c in offer.targets if self.draw_of(table, seat, c) > 0]
        quiet = [c for c in offer.targets if c not in busy]
        return Offer(offer.verb, offer.cards, (*busy, *quiet[:FEW]))

    def answer(self, table: Look, ask: Ask, chance: Chance) -> Move:
        offers = self.rules.offers(table, ask)
        if len(offers) == 1 and not offers[0].cards and not offers[0].targets:
            return some(offers, ask.id, chance)
        return self._sensible(table, ask, offers, chance)

    def _sensible(self, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance) -> Move:
        """Of these offers the answer of somebody who knows a little."""
        sense = SENSES.get(ask.what)
        move = sense(self, table, ask, offers, chance) if sense else None
        return move or some(offers, ask.id, chance)

    # Fighting: the mean damage of means on a foe, and of the foe's on oneself

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
        own = self.best(table, seat, foe, reach, False)
        return own - 0.8 * self.best(table, foe, seat, reach, True)

    def draw_of(self, table: Look, seat: int, cell: str) -> float:
        """How much an area attracts the seat."""
        (area,) = table.cards[cell]
        effect = self.deck.effect[area]
        draw = 0.0
        if effect is not None and area not in self.deck.rides:
            match effect:
                case Heal():
                    draw = 0.5 * min(lost(self.deck, table, seat), 2)
                case DrawItem() | Salvage():
                    draw = 1.0 if len(table.cards[ITEMS[seat]]) < 4 else 0.2
                case DrawEx():
                    draw = 0.5
        values = table.values
        for foe in range(table.seats):
            if values[AT[foe]] == cell and foe != seat and values[STATUS[foe]] == IN:
                odds = max(self.odds(table, seat, foe, reach) for reach in RANGES)
                draw += 1.5 * odds
        return draw

    def use_of(self, card: int) -> float:
        """How much one would rather keep an item or an EX card."""
        if card in self.might:
            return 0.5 + self.might[card]
        effect = self.deck.effect[card]
        return KEPT.get(type(effect), 0.5)

    # What lies hidden

    def guess(self, view: State, past: Past, chance: Chance) -> State:
        """Who let a hit or a shot come had most likely nothing against it."""
        return likely(self._tells(view, past), view, guessed(self.rules, view, chance), chance)

    def reason(self, view: State, ask: Ask, move: Move) -> Note | None:
        preview = self.rules.preview(view, ask, move)
        if preview and preview.notes:
            return max(preview.notes, key=lambda note: int(note.args.get("percent", 0)))
        return reason(ask.what, move.verb)


USUAL: Final = 11
"""Evasion less to-hit of usual characters."""
FEW: Final = 4
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


def _likely(need: int) -> float:
    return CHANCES[min(max(need, 0), 37)]


def _verbs(offers: Sequence[Offer]) -> dict[str, Offer]:
    return {offer.verb: offer for offer in offers}


Sense = Callable[[Instinct, Look, Ask, Sequence[Offer], Chance], Move | None]


def _walk(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move:
    """To where it is best to be, gear first."""
    ways = _verbs(offers)
    if "gear" in ways:
        return ways["gear"].sample(ask.id, chance)
    seat = ask.seat
    here = str(table.values[AT[seat]])
    best, most = Move(ask.id, "stay"), instinct.draw_of(table, seat, here) + 0.01
    if "walk" in ways:
        start = chance.below(len(ways["walk"].targets))
        cells = ways["walk"].targets
        for cell in (*cells[start:], *cells[:start]):
            draw = instinct.draw_of(table, seat, cell)
            if draw > most:
                best, most = Move(ask.id, "walk", target=cell), draw
        if not best.target and not chance.below(3):
            return Move(ask.id, "walk", target=cells[start])
    return best


def _action(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move:
    """Whatever promises most: an attack with good odds, a snipe, a search, a rest."""
    found: list[tuple[float, Move]] = []
    seat, deck = ask.seat, instinct.deck
    for offer in offers:
        match offer.verb:
            case "attack":
                for target in offer.targets:
                    foe = seat_of(target)
                    odds = max(instinct.odds(table, seat, foe, reach) for reach in RANGES)
                    weak = 1.5 if number(table, STAMINA[foe]) <= 2 else 1.0
                    found.append((1.5 * odds * weak, Move(ask.id, "attack", target=target)))
            case "snipe":
                for target in offer.targets:
                    foe = seat_of(target)
                    harm = instinct.best(table, seat, foe, SNIPED, False)
                    weak = 2.0 if number(table, STAMINA[foe]) <= 1 else 1.0
                    found.append((harm * weak, Move(ask.id, "snipe", target=target)))
            case "rest":
                heal = max(deck.heal[card].n for card in offer.cards)
                gain = 0.35 * min(heal, lost(deck, table, seat))
                found.append((gain, offer.sample(ask.id, chance)))
            case "search":
                (area,) = table.cards[offer.targets[0]]
                special = deck.effect[area] is not None and area not in deck.rides
                gain = 0.4 if special else 0.06 * searches_upto(deck, table, seat)
                found.append((gain, offer.sample(ask.id, chance)))
            case "negotiate":
                found.append((0.1, offer.sample(ask.id, chance)))
            case "nothing":
                found.append((0.0, Move(ask.id, "nothing")))
    return max(found, key=lambda pair: pair[0] + 0.05 * chance.below(3))[1]


def _range(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move:
    foe = foe_of(table, ask.seat)
    reach = max(RANGES, key=lambda reach: instinct.odds(table, ask.seat, foe, reach))
    return Move(ask.id, "range", choice=reach)


def _declare(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move:
    """Attack where one can; otherwise away, or defend."""
    seat, foe, reach = ask.seat, foe_of(table, ask.seat), str(table.values["range"])
    own = instinct.best(table, seat, foe, reach, False)
    if own >= 0.3 or (own and chance.below(2)):
        return Move(ask.id, "declare", choice="attack")
    elsewhere = max(instinct.best(table, seat, foe, other, False) for other in RANGES)
    return Move(ask.id, "declare", choice="move" if elsewhere > 0.3 else "defend")


def _strike(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move | None:
    strikes = _verbs(offers).get("strike")
    if not strikes:
        return None
    foe, reach = foe_of(table, ask.seat), str(table.values["range"])
    card = max(strikes.cards, key=lambda c: instinct.harm(table, ask.seat, foe, c, reach))
    return Move(ask.id, "strike", (card,))


def _reroll(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move:
    """Again, where the dice are bad."""
    again = _verbs(offers).get("reroll")
    if not again:
        return Move(ask.id, "pass")
    one, other = number(table, "dice/1"), number(table, "dice/2")
    match table.values["throw"]:
        case "hit":
            bad = one * other < USUAL - 1
        case "search":
            bad = one > searches_upto(instinct.deck, table, ask.seat)
        case _:
            bad = one <= other
    return again.sample(ask.id, chance) if bad else Move(ask.id, "pass")


def _use(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move:
    """What can be used is used."""
    useful = [offer for offer in offers if offer.verb != "pass"]
    return some(useful or offers, ask.id, chance)


def _seldom(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move:
    return some(offers, ask.id, chance) if not chance.below(5) else Move(ask.id, "pass")


def _throw(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move:
    """The least useful cards go."""
    (offer,) = offers
    cards = sorted(offer.cards, key=lambda card: instinct.use_of(card))
    return Move(ask.id, "discard", tuple(sorted(cards[: offer.least])))


def _take(
    instinct: Instinct, table: Look, ask: Ask, offers: Sequence[Offer], chance: Chance
) -> Move:
    (offer,) = offers
    return Move(ask.id, offer.verb, (max(offer.cards, key=lambda card: instinct.use_of(card)),))


SENSES: Final[dict[str, Sense]] = {
    "walk": _walk,
    "action": _action,
    "range": _range,
    "declare": _declare,
    "strike": _strike,
    "own_roll": _reroll,
    "near": _seldom,
    "forbid": _seldom,
    "start": _seldom,
    "gear": _use,
    "targeted": _use,
    "initiative": _use,
    "hit_suffered": _use,
    "after_own_attack": _use,
    "after_enemy_attack": _use,
    "search": _use,
    "break": _use,
    "discard": _throw,
    "limit": _throw,
    "take": _take,
    "salvage": _take,
}
"""What is sensible, by the question."""
