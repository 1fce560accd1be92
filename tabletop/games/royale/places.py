"""The names of all places and public values of this table, and how a card in them lies."""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import AUDIENCE, Look, as_number, each

SEATS: Final = range(12)

# Places of one player

CHARACTER: Final = each("character", SEATS)
ITEMS: Final = each("items", SEATS)
"""In order, so that a face-down item has a place of its own; a face-up one is shown to all."""
HAND: Final = each("hand", SEATS)
"""The EX cards of a player."""

# Places of all

CHARACTER_PILE: Final = "pile/characters"
ITEM_PILE: Final = "pile/items"
EX_PILE: Final = "pile/ex"
ITEM_DISCARD: Final = "discard/items"
EX_DISCARD: Final = "discard/ex"
RETIRED: Final = "retired"
REMOVED: Final = "removed"
POOL: Final = "pool"
"""The items of two players who negotiate; only these two see them."""

# Values of one player

AT: Final = each("at", SEATS)
"""The character's area; "" while it is not on the map."""
STAMINA: Final = each("stamina", SEATS)
KILLS: Final = each("kills", SEATS)
DEATHS: Final = each("deaths", SEATS)
SCORE: Final = each("score", SEATS)
RANK: Final = each("rank", SEATS)
"""The rank of the present character, or of the last one (S29)."""
STATUS: Final = each("status", SEATS)
IN, WAITING, OUT = "in", "waiting", "out"
"""In play; with a new character that takes part from the next turn on (S24); without one."""
SPENT: Final = each("spent", SEATS)
"""Whether the ability was used in this turn, or in this intermission."""
DOUBLE: Final = each("double", SEATS)
"""Whether a mechanical double is ready (S26)."""
DECLARED: Final = each("declared", SEATS)
"""The player's declaration for this round of a battle."""
GUARD: Final = each("guard", SEATS)
"""The bonus of defending to the evasions of this round."""

# Values of all: "turn", "last" (the last turn), "parent", "phase", "retired" (how many), "active"
# (whose phase it is). Of the dice that lie: "dice/1", "dice/2" (0: one die), "throw" (what they
# were thrown for, or ""), "thrower", "die" (which may be thrown again); and the sum they are part
# of: "own" (what counts before them), "modifier", "need" (what is to be reached) and "outcome"
# (what came of it, "" until that is known). Of a search "found", of a negotiation "agreed". Of an
# attack or a snipe: "battle" (which, or ""), "attacker", "target", "range", "round", "standing"
# (whether the double has stepped in), "standing/stamina", "means" (the card attacked with last, or
# -1), "damage" (done by the last hit), "dropped" (means dropped by a fumble), "swing" (how many
# attacks were started), "dodged", "first" (who has claimed the initiative).

BATTLE, SNIPE = "battle", "snipe"


def face_up(look: Look, card: int) -> bool:
    """Whether an item is open to all."""
    return AUDIENCE in look.shown.get(card, ())


def turned_up(look: Look, seat: int) -> list[int]:
    """The player's face-up items: of all items just these count (S19)."""
    shown = look.shown
    return [card for card in look.cards[ITEMS[seat]] if card in shown and AUDIENCE in shown[card]]


def number(look: Look, key: str) -> int:
    """A public value that is a number."""
    return as_number(look.values[key])


def seat_of(place: str) -> int:
    """The seat of a place: "character/3" is seat 3's."""
    return int(place.rpartition("/")[2])


def characters(seats: Sequence[int]) -> tuple[str, ...]:
    """The places of these players' characters, by which a move names its targets."""
    return tuple([CHARACTER[seat] for seat in seats])


def clockwise(look: Look, first: int) -> list[int]:
    """All seats in order, from this one on."""
    return [(first + place) % look.seats for place in range(look.seats)]
