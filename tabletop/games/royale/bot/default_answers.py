"""Default answers of a sensible player of Sister Royale, by kind of question.

The player who would currently win keeps away from others and defends; all others attack.
"""

from collections.abc import Callable, Sequence
from typing import Final

from tabletop.engine.heuristic import some
from tabletop.engine.model import Ask, Move, Offer, Rng, TableReader
from tabletop.games.royale.attack import FUMBLE, opponent_of, usable_weapons
from tabletop.games.royale.bot.expected_damage import ExpectedDamage, leading_seat, urgency
from tabletop.games.royale.bot.fighters import FAR, MID, NEAR, SNIPED
from tabletop.games.royale.bot.futile import attack_ranges, sensible_ranges
from tabletop.games.royale.phase import max_search_roll
from tabletop.games.royale.places import (
    AT,
    DECLARED,
    DICE,
    MODIFIER,
    NEED,
    OWN,
    RANGE,
    STAMINA,
    THROW,
    seat_of,
)
from tabletop.games.royale.reaction_windows import lost_stamina

NOISE_STEP: Final = 0.001
NOISE_STEPS: Final = 10
"""The number of different random amounts that break ties between equally good areas."""
ATTACK_BONUS: Final = 1.0
"""The bonus that attacks get if the player isn't the leader."""


def _verbs(offers: Sequence[Offer]) -> dict[str, Offer]:
    return {offer.verb: offer for offer in offers}


DefaultAnswer = Callable[[ExpectedDamage, TableReader, Ask, Sequence[Offer], Rng], Move | None]


Evaluated = list[tuple[float, Move]]


def gain_sort_key(evaluated: tuple[float, Move]) -> float:
    """Return a key by which evaluated moves are sorted, the best first."""
    return -evaluated[0]


def _walks(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Evaluated:
    """Return all walks with the gain from their areas, or only the turning up of gear."""
    ways = _verbs(offers)
    if "gear" in ways:
        return [(0.0, ways["gear"].sample(ask.id, chance))]
    cells, draws = _areas_with_pull(prospects, table, ask.seat, ways, chance)
    return [(draw, _walk_to(ask, cell)) for cell, draw in zip(cells, draws, strict=True)]


def _walk(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    """Return the best of `_walks`."""
    ways = _verbs(offers)
    if "gear" in ways:
        return ways["gear"].sample(ask.id, chance)
    cells, draws = _areas_with_pull(prospects, table, ask.seat, ways, chance)
    return _walk_to(ask, cells[draws.index(max(draws))])


def _areas_with_pull(
    prospects: ExpectedDamage, table: TableReader, seat: int, ways: dict[str, Offer], chance: Rng
) -> tuple[list[str], list[float]]:
    """Return the areas within reach, and how attractive each one is.

    The first is "" for staying.
    """
    cells = [""]
    if "walk" in ways:
        cells += ways["walk"].targets
    here = AT.of(table, seat)
    draws = prospects.draws(table, seat, [here, *cells[1:]])
    draws[0] += 0.01
    for place in range(1, len(draws)):
        draws[place] += NOISE_STEP * chance.below(NOISE_STEPS)
    return cells, draws


def _walk_to(ask: Ask, cell: str) -> Move:
    return Move(ask.id, "walk", (), cell) if cell else Move(ask.id, "stay")


def _actions(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Evaluated:
    """Return all promising actions with their gain, such as attacks, snipes, searches and rests."""
    actions: Evaluated = []
    seat, deck = ask.seat, prospects.deck
    cell = AT.of(table, seat)
    for offer in offers:
        match offer.verb:
            case "attack" if attack_ranges(deck, table, seat):
                for target in offer.targets:
                    foe = seat_of(target)
                    odds = prospects.best_odds(table, seat, foe)
                    weak = 1.5 if STAMINA.of(table, foe) <= 2 else 1.0
                    zeal = 0.0 if leading_seat(table) == seat else ATTACK_BONUS * urgency(table)
                    gain = 1.5 * odds * weak + zeal
                    actions.append((gain, Move(ask.id, "attack", target=target)))
            case "snipe":
                for target in offer.targets:
                    foe = seat_of(target)
                    harm = prospects.best(table, seat, foe, SNIPED)
                    weak = 2.0 if STAMINA.of(table, foe) <= 1 else 1.0
                    actions.append((harm * weak, Move(ask.id, "snipe", target=target)))
            case "rest":
                heal = max(deck.heal[card].n for card in offer.cards)
                gain = 0.35 * min(heal, lost_stamina(deck, table, seat))
                actions.append((gain, offer.sample(ask.id, chance)))
            case "search":
                (area,) = table.cards[offer.targets[0]]
                special = deck.effect[area] is not None and area not in deck.rides
                gain = 0.4 if special else 0.06 * max_search_roll(deck, table, seat)
                actions.append((gain, offer.sample(ask.id, chance)))
            case "negotiate":
                actions.append((0.1, offer.sample(ask.id, chance)))
            case "move":
                stay, *pulls = prospects.draws(table, seat, (cell, *offer.targets))
                best = max(pulls)
                target = offer.targets[pulls.index(best)]
                move = Move(ask.id, "move", (offer.cards[0],), target)
                actions.append((0.5 * (best - stay), move))
            case "nothing":
                actions.append((0.0, Move(ask.id, "nothing")))
    return [(gain + 0.05 * chance.below(3), move) for gain, move in actions]


def _action(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    """Return the best of `_actions`."""
    return min(_actions(prospects, table, ask, offers, chance), key=gain_sort_key)[1]


def _range(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    odds = prospects.odds(table, ask.seat, opponent_of(table, ask.seat))
    ranges = sensible_ranges(prospects.deck, table, ask.seat)
    return Move(ask.id, "range", choice=max(ranges, key=lambda reach: odds[reach]))


def _declare(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    """Return a declaration: an attack if possible, else a change of range or a defence.

    The leader answers an attack by defending.
    """
    seat, foe, reach = ask.seat, opponent_of(table, ask.seat), RANGE.of(table)
    armoury, fighter, other = (
        prospects.armoury,
        prospects.knowing(table, seat),
        prospects.seen(table, foe),
    )
    own = fighter.best(armoury, other, reach)
    if (
        DECLARED.of(table, foe) == "attack"
        and leading_seat(table) == seat
        and urgency(table) == 1
        and other.best(armoury, fighter, reach) > 0.7 * own
    ):
        return Move(ask.id, "declare", choice="defend")
    if own >= 0.3 or (own and chance.below(2)):
        return Move(ask.id, "declare", choice="attack")
    elsewhere = max([fighter.best(armoury, other, reach) for reach in (NEAR, MID, FAR)])
    return Move(ask.id, "declare", choice="move" if elsewhere > 0.3 else "defend")


def _strike(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move | None:
    strikes = _verbs(offers).get("strike")
    if not strikes:
        return None
    foe, reach = opponent_of(table, ask.seat), RANGE.of(table)
    harms = prospects.harms(table, ask.seat, foe, reach)
    card = max(strikes.cards, key=lambda card: harms[card])
    return Move(ask.id, "strike", (card,))


def _reroll(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    """Reroll bad dice."""
    again = _verbs(offers).get("reroll")
    if not again:
        return Move(ask.id, "pass")
    one, other = DICE.of(table, 1), DICE.of(table, 2)
    match THROW.of(table):
        case "hit":
            need = NEED.of(table) - OWN.of(table) - MODIFIER.of(table)
            bad = one * other < need or (one, other) == FUMBLE
        case "search":
            bad = one > max_search_roll(prospects.deck, table, ask.seat)
        case _:
            bad = one <= other
    return again.sample(ask.id, chance) if bad else Move(ask.id, "pass")


def _use(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    """Use any card that is offered."""
    useful = [offer for offer in offers if offer.verb != "pass"]
    return some(useful or offers, ask.id, chance)


def _attack_again(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    """Attack again if there is a weapon for it."""
    if not usable_weapons(prospects.deck, table, ask.seat):
        return Move(ask.id, "pass")
    return _use(prospects, table, ask, offers, chance)


def _use_rarely(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    return some(offers, ask.id, chance) if not chance.below(5) else Move(ask.id, "pass")


def _react_by_moving(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    """Move away if the player is the leader; otherwise pass."""
    seat = ask.seat
    ways = _verbs(offers).get("answer")
    if not ways or leading_seat(table) != seat or urgency(table) < 1:
        return _use_rarely(prospects, table, ask, offers, chance)
    cells = (AT.of(table, seat), *ways.targets)
    draws = prospects.draws(table, seat, cells)
    best = draws.index(max(draws))
    if not best:
        return Move(ask.id, "pass")
    return Move(ask.id, "answer", (ways.cards[0],), cells[best])


def _discard_least_useful(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    """Discard the least useful cards."""
    (offer,) = offers
    cards = sorted(offer.cards, key=lambda card: prospects.use_of(card))
    return Move(ask.id, "discard", tuple(sorted(cards[: offer.least])))


def _take_most_useful(
    prospects: ExpectedDamage, table: TableReader, ask: Ask, offers: Sequence[Offer], chance: Rng
) -> Move:
    (offer,) = offers
    return Move(ask.id, offer.verb, (max(offer.cards, key=lambda card: prospects.use_of(card)),))


EVALUATORS: Final[
    dict[str, Callable[[ExpectedDamage, TableReader, Ask, Sequence[Offer], Rng], Evaluated]]
] = {
    "walk": _walks,
    "action": _actions,
}
"""Functions that return all moves with their gain, by kind of question."""

DEFAULT_ANSWERS: Final[dict[str, DefaultAnswer]] = {
    "walk": _walk,
    "action": _action,
    "range": _range,
    "declare": _declare,
    "strike": _strike,
    "own_roll": _reroll,
    "near": _react_by_moving,
    "forbid": _use_rarely,
    "start": _use_rarely,
    "gear": _use,
    "targeted": _use,
    "initiative": _use,
    "hit_suffered": _use,
    "after_own_attack": _attack_again,
    "after_enemy_attack": _attack_again,
    "search": _use,
    "break": _use,
    "discard": _discard_least_useful,
    "limit": _discard_least_useful,
    "take": _take_most_useful,
    "salvage": _take_most_useful,
}
"""Functions that return a default answer, by kind of question."""
