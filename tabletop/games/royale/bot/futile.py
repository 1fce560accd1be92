"""Detection of moves that lead to an attack without a usable weapon (rulebook S13, S18c)."""

from tabletop.engine.model import Ask, Move, TableReader
from tabletop.games.royale.attack import usable_weapons
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import RANGES
from tabletop.games.royale.places import CHARACTER, HAND, ITEMS, ROUND


def attack_ranges(deck: Deck, table: TableReader, seat: int) -> tuple[str, ...]:
    """Return the ranges at which one of the player's weapons works, before a battle."""
    cards = table.cards
    mine = (*cards[ITEMS[seat]], *cards[HAND[seat]], *cards[CHARACTER[seat]])
    return tuple([reach for reach in RANGES if not deck.strikes[reach].isdisjoint(mine)])


def sensible_ranges(deck: Deck, table: TableReader, seat: int) -> tuple[str, ...]:
    """Return the ranges that are worth choosing. For the attacker, a weapon must work there."""
    if ROUND.of(table):
        return RANGES  # now the step may be to get away
    return attack_ranges(deck, table, seat) or RANGES


def is_futile(deck: Deck, table: TableReader, ask: Ask, move: Move) -> bool:
    """Return whether this move can't have any effect."""
    match move.verb:
        case "attack":
            return not attack_ranges(deck, table, ask.seat)
        case "range":
            return move.choice not in sensible_ranges(deck, table, ask.seat)
        case "declare":
            return move.choice == "attack" and not usable_weapons(deck, table, ask.seat)
        case "chain" | "counter":
            return not usable_weapons(deck, table, ask.seat)
        case _:
            return False
