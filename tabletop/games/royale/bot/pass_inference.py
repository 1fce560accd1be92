"""Inference from passes: a player who was asked to react and passed probably has no card for it.

All players see when somebody is hit, sniped at or searches in vain. A card that helps then is
usually played, so it is unlikely to be in that player's hand until they draw another one.
"""

from collections.abc import Mapping
from typing import Final

from tabletop.engine.heuristic import Past, with_known
from tabletop.engine.model import Rng, State
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.places import EX_PILE, HAND, ITEM_PILE, ITEMS

SAVED_INTERVAL: Final = 5
"""One in this many playable cards is assumed to be saved for later."""


def unlikely_cards(deck: Deck, past: Past) -> Mapping[int, set[int]]:
    """Return the EX cards and hidden items that each seat would probably have used
    if it had them.
    """
    missing: dict[int, set[int]] = {}
    sniped = -1
    for entry in past.heard:
        args = entry.args
        seat = int(args.get("seat", -1))
        match entry.text:
            case "{seat} loses {n} stamina.":  # 6.8: the player was asked whether to dodge
                missing.setdefault(seat, set()).update(deck.ex_at["hit_suffered"])
            case "{seat} finds nothing.":  # 5.7: or finds for certain
                missing.setdefault(seat, set()).update(deck.ex_at["search"])
            case "{seat} snipes at {seat_other}.":
                sniped = int(args["seat_other"])
            case "{seat} evades with {card}.":
                sniped = -1
            case "{seat} rolls {a} and {b}." if sniped >= 0:  # 5.6: the target let the shot come
                missing.setdefault(sniped, set()).update(deck.hides)
                sniped = -1
            case "{seat} draws {cards}.":
                missing.pop(seat, None)
            case "{seat} takes all items: {cards}." | "{seat} takes {cards}.":
                missing.get(seat, set()).difference_update(deck.hides)
            case (
                "{seat} and {seat_other} mix their items."
                | "{seat} takes an item from {seat_other}."
            ):
                for player in (seat, int(args["seat_other"])):
                    missing.get(player, set()).difference_update(deck.hides)
    return missing


def apply_inference(
    missing: Mapping[int, set[int]], view: State, world: State, chance: Rng
) -> State:
    """Return `world` with most of the `missing` cards in hands exchanged for others from the piles.

    `missing` is the result of `unlikely_cards`.
    """
    where: dict[int, str] = {}
    for seat, kinds in missing.items():
        for zone, pile in ((HAND[seat], EX_PILE), (ITEMS[seat], ITEM_PILE)):
            held = kinds.intersection(world.cards[zone]).difference(view.cards[zone])
            where |= {card: pile for card in sorted(held) if chance.below(SAVED_INTERVAL)}
    if not where:
        return world
    cards = set().union(*missing.values())
    for pile in (EX_PILE, ITEM_PILE):  # their replacements are of other kinds
        where |= {card: pile for card in world.cards[pile] if card in cards}
    return with_known(view, world, where)
