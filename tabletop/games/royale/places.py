"""The names of all zones and public values, and the visibility of items."""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import AUDIENCE, Flag, Number, Numbers, TableReader, Word, each

SEATS: Final = range(12)

# Places of one player

CHARACTER: Final = each("character", SEATS)
ITEMS: Final = each("items", SEATS)
"""Ordered, so that a face-down item has a position. A face-up item is shown to all players."""
HAND: Final = each("hand", SEATS)
"""A player's EX cards."""

# Places of all

CHARACTER_PILE: Final = "pile/characters"
ITEM_PILE: Final = "pile/items"
EX_PILE: Final = "pile/ex"
ITEM_DISCARD: Final = "discard/items"
EX_DISCARD: Final = "discard/ex"
RETIRED: Final = "retired"
REMOVED: Final = "removed"
POOL: Final = "pool"
"""The items of two players who negotiate. Only these two see them."""

# Values of one player

AT: Final = Word("at/{seat}")
"""The character's area; "" while the character isn't on the map."""
STAMINA: Final = Number("stamina/{seat}")
KILLS: Final = Number("kills/{seat}")
DEATHS: Final = Number("deaths/{seat}")
SCORE: Final = Number("score/{seat}")
RANK: Final = Number("rank/{seat}")
"""The rank of the current character, or of the last one (S29)."""
STATUS: Final = Word("status/{seat}")
IN, WAITING, OUT = "in", "waiting", "out"
"""The status: in play, with a new character that joins in the next turn (S24), or eliminated."""
SPENT: Final = Flag("spent/{seat}")
"""Whether the ability was used in this turn or intermission."""
DOUBLE: Final = Flag("double/{seat}")
"""Whether a mechanical double is ready (S26)."""
DECLARED: Final = Word("declared/{seat}")
"""The player's declaration for this round of a battle."""
GUARD: Final = Number("guard/{seat}")
"""The bonus on evasion from defending in this round."""

# Values of the turn

TURN: Final = Number("turn")
LAST_TURN: Final = Number("last")
PARENT: Final = Number("parent")
PHASE: Final = Word("phase")
ACTIVE: Final = Number("active")
"""The player whose phase it is."""
RETIRED_COUNT: Final = Number("retired")

# Values of the dice on the table, and of the sum that they are part of

THROW: Final = Word("throw")
"""The purpose of the roll; "" after the dice were removed."""
THROWER: Final = Number("thrower")
DICE: Final = Number("dice/{die}")
"""The faces of both dice; 0 for the second if there is only one."""
DIE: Final = Number("die")
"""The die that may be rerolled: 1, 2, or 0 for both."""
OWN: Final = Number("own")
"""The points that are added to the dice."""
MODIFIER: Final = Number("modifier")
NEED: Final = Number("need")
"""The target number."""
OUTCOME: Final = Word("outcome")
"""The result of the roll; "" until it is known."""
FOUND: Final = Flag("found")
"""Whether a card has ended the search."""
AGREED: Final = Flag("agreed")
"""Whether the proposal to negotiate was accepted."""

# Values of an attack or a snipe

FIGHT: Final = Word("battle")
BATTLE, SNIPE = "battle", "snipe"
"""The kinds of fight; "" for none."""
ATTACKER: Final = Number("attacker")
TARGET: Final = Number("target")
RANGE: Final = Word("range")
ROUND: Final = Number("round")
CLAIMS: Final = Numbers("first")
"""The players who claimed the initiative."""
DOUBLE_FIGHTS: Final = Flag("standing")
"""Whether the target's double has taken over."""
DOUBLE_STAMINA: Final = Number("standing/stamina")
"""The double's remaining stamina."""
MEANS: Final = Number("means")
"""The weapon of the latest attack, or -1."""
SWING: Final = Number("swing")
"""The number of attacks started."""
DAMAGE: Final = Number("damage")
"""The damage of the latest hit."""
DODGED: Final = Flag("dodged")
DROPPED: Final = Numbers("dropped")
"""The weapons dropped by fumbles."""


def is_face_up(look: TableReader, card: int) -> bool:
    """Return whether an item is visible to all players."""
    return AUDIENCE in look.shown.get(card, ())


def face_up_items(look: TableReader, seat: int) -> list[int]:
    """Return the player's face-up items, which are the only ones that apply (S19)."""
    shown = look.shown
    return [card for card in look.cards[ITEMS[seat]] if card in shown and AUDIENCE in shown[card]]


def seat_of(place: str) -> int:
    """Return the seat in a zone name: 3 for "character/3"."""
    return int(place.rpartition("/")[2])


def character_zones(seats: Sequence[int]) -> tuple[str, ...]:
    """Return the character zones of these seats, which moves use as targets."""
    return tuple([CHARACTER[seat] for seat in seats])


def clockwise(look: TableReader, first: int) -> list[int]:
    """Return all seats in clockwise order, starting with `first`."""
    return [(first + place) % look.seats for place in range(look.seats)]
