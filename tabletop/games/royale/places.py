"""The names of all zones and public values, and functions about the visibility of items."""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import AUDIENCE, Flag, Number, Numbers, TableReader, Word, each

SEATS: Final = range(12)

# Places of one player

CHARACTER: Final = each("character", SEATS)
ITEMS: Final = each("items", SEATS)
"""A player's items, in order, so that a face-down item can be named by its position. All players
see face-up items.
"""
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
"""The items of two players who negotiate, visible only to these two."""

# Values of one player

AT: Final = Word("at/{seat}")
"""The area of the player's character; "" while the character isn't on the map."""
STAMINA: Final = Number("stamina/{seat}")
KILLS: Final = Number("kills/{seat}")
DEATHS: Final = Number("deaths/{seat}")
SCORE: Final = Number("score/{seat}")
RANK: Final = Number("rank/{seat}")
"""The rank of the player's character, or of the latest one (S29)."""
STATUS: Final = Word("status/{seat}")
IN, WAITING, OUT = "in", "waiting", "out"
"""The status: in play, with a new character that joins in the next turn (S24), or eliminated."""
SPENT: Final = Flag("spent/{seat}")
"""Whether the ability has been used in this turn or intermission."""
DOUBLE: Final = Flag("double/{seat}")
"""Whether a mechanical double is ready (S26)."""
DECLARED: Final = Word("declared/{seat}")
"""The action that the player has declared for this round of a battle."""
GUARD: Final = Number("guard/{seat}")
"""The bonus on evasion that the player gets from defending in this round."""

# Values of the turn

TURN: Final = Number("turn")
LAST_TURN: Final = Number("last")
PARENT: Final = Number("parent")
PHASE: Final = Word("phase")
ACTIVE: Final = Number("active")
"""The seat of the player whose phase it is."""
RETIRED_COUNT: Final = Number("retired")

# Values of the dice on the table, and of the sum that they are part of

THROW: Final = Word("throw")
"""The purpose of the latest roll; "" once the dice have been removed."""
THROWER: Final = Number("thrower")
DICE: Final = Number("dice/{die}")
"""What each die shows; 0 for the second die if there is only one."""
DIE: Final = Number("die")
"""The die that may be rerolled: 1, 2, or 0 for both."""
OWN: Final = Number("own")
"""The points that a roll adds to the dice."""
MODIFIER: Final = Number("modifier")
NEED: Final = Number("need")
"""The target number of the latest roll."""
OUTCOME: Final = Word("outcome")
"""The result of the latest roll; "" until it is known."""
FOUND: Final = Flag("found")
"""Whether a card has ended the search."""
AGREED: Final = Flag("agreed")
"""Whether the partner has accepted the proposal to negotiate."""

# Values of an attack or a snipe

FIGHT: Final = Word("battle")
BATTLE, SNIPE = "battle", "snipe"
"""The kinds of fight; "" for none."""
ATTACKER: Final = Number("attacker")
TARGET: Final = Number("target")
RANGE: Final = Word("range")
ROUND: Final = Number("round")
CLAIMS: Final = Numbers("first")
"""The seats that have claimed the initiative."""
DOUBLE_FIGHTS: Final = Flag("standing")
"""Whether the double fights in place of the target."""
DOUBLE_STAMINA: Final = Number("standing/stamina")
"""The double's remaining stamina."""
MEANS: Final = Number("means")
"""The card number of the latest attack's weapon, or -1."""
SWING: Final = Number("swing")
"""The number of attacks that have started in this fight."""
DAMAGE: Final = Number("damage")
"""The damage of the latest hit, in stamina."""
DODGED: Final = Flag("dodged")
DROPPED: Final = Numbers("dropped")
"""The card numbers of weapons that were dropped in this fight because of fumbles."""


def is_face_up(look: TableReader, card: int) -> bool:
    """Return whether an item is visible to all players."""
    return AUDIENCE in look.shown.get(card, ())


def face_up_items(look: TableReader, seat: int) -> list[int]:
    """Return the player's face-up items, which are the only ones that apply (S19)."""
    shown = look.shown
    return [card for card in look.cards[ITEMS[seat]] if card in shown and AUDIENCE in shown[card]]


def seat_of(place: str) -> int:
    """Return the seat in a zone's name, such as 3 in "character/3"."""
    return int(place.rpartition("/")[2])


def character_zones(seats: Sequence[int]) -> tuple[str, ...]:
    """Return the character zones of these seats. Moves use them as targets for players."""
    return tuple([CHARACTER[seat] for seat in seats])


def clockwise(look: TableReader, first: int) -> list[int]:
    """Return all seats in clockwise order, from `first` on."""
    return [(first + place) % look.seats for place in range(look.seats)]
