"""Moves that lead to an attack that can't be made, for lack of a weapon (rulebook S13, S18c)."""

from tabletop.engine.model import Ask, Move, TableReader
from tabletop.games.royale.attack import usable_weapons
from tabletop.games.royale.deck import Deck
from tabletop.games.royale.effects import RANGES
from tabletop.games.royale.places import CHARACTER, HAND, ITEMS, ROUND


def ranges_of_attack(deck: Deck, table: TableReader, seat: int) -> tuple[str, ...]:
    """The ranges of a battle to come at which the player has means of attack."""
    cards = table.cards
    mine = (*cards[ITEMS[seat]], *cards[HAND[seat]], *cards[CHARACTER[seat]])
    return tuple([reach for reach in RANGES if not deck.strikes[reach].isdisjoint(mine)])


def reaches(deck: Deck, table: TableReader, seat: int) -> tuple[str, ...]:
    """The ranges a player may sensibly choose: an attacker begins where their means work."""
    if ROUND.of(table):
        return RANGES  # now the step may be to get away
    return ranges_of_attack(deck, table, seat) or RANGES


def futile(deck: Deck, table: TableReader, ask: Ask, move: Move) -> bool:
    """Whether this move can have no effect."""
    match move.verb:
        case "attack":
            return not ranges_of_attack(deck, table, ask.seat)
        case "range":
            return move.choice not in reaches(deck, table, ask.seat)
        case "declare":
            return move.choice == "attack" and not usable_weapons(deck, table, ask.seat)
        case "chain" | "counter":
            return not usable_weapons(deck, table, ask.seat)
        case _:
            return False
