"""The names of all places and public values of this table, and how a card in them lies."""

from collections.abc import Sequence
from typing import Final

from tabletop.engine.model import AUDIENCE, Flag, Number, Numbers, TableReader, Word, each

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

AT: Final = Word("at/{seat}")
"""The character's area; "" while it is not on the map."""
STAMINA: Final = Number("stamina/{seat}")
KILLS: Final = Number("kills/{seat}")
DEATHS: Final = Number("deaths/{seat}")
SCORE: Final = Number("score/{seat}")
RANK: Final = Number("rank/{seat}")
"""The rank of the present character, or of the last one (S29)."""
STATUS: Final = Word("status/{seat}")
IN, WAITING, OUT = "in", "waiting", "out"
"""In play; with a new character that takes part from the next turn on (S24); without one."""
SPENT: Final = Flag("spent/{seat}")
"""Whether the ability was used in this turn, or in this intermission."""
DOUBLE: Final = Flag("double/{seat}")
"""Whether a mechanical double is ready (S26)."""
DECLARED: Final = Word("declared/{seat}")
"""The player's declaration for this round of a battle."""
GUARD: Final = Number("guard/{seat}")
"""The bonus of defending to the evasions of this round."""

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
"""The purpose of the throw; "" once the dice are taken up."""
THROWER: Final = Number("thrower")
DICE: Final = Number("dice/{die}")
"""The faces of the first and the second die; 0 where there is one die."""
DIE: Final = Number("die")
"""The die that may be thrown again: 1, 2 or 0 for both."""
OWN: Final = Number("own")
"""The points that the thrower has before the dice."""
MODIFIER: Final = Number("modifier")
NEED: Final = Number("need")
"""The number to be reached."""
OUTCOME: Final = Word("outcome")
"""The result of the throw; "" until it is known."""
FOUND: Final = Flag("found")
"""Whether a card has ended the search."""
AGREED: Final = Flag("agreed")
"""Whether a proposal to negotiate was accepted."""

# Values of an attack or a snipe

FIGHT: Final = Word("battle")
BATTLE, SNIPE = "battle", "snipe"
"""Which of the two it is; "" at peace."""
ATTACKER: Final = Number("attacker")
TARGET: Final = Number("target")
RANGE: Final = Word("range")
ROUND: Final = Number("round")
CLAIMS: Final = Numbers("first")
"""The players who have claimed the initiative."""
DOUBLE_FIGHTS: Final = Flag("standing")
"""Whether the target's double has stepped in."""
DOUBLE_STAMINA: Final = Number("standing/stamina")
"""The stamina that the double has left."""
MEANS: Final = Number("means")
"""The card attacked with last, or -1."""
SWING: Final = Number("swing")
"""How many attacks were started."""
DAMAGE: Final = Number("damage")
"""The damage done by the last hit."""
DODGED: Final = Flag("dodged")
DROPPED: Final = Numbers("dropped")
"""The means dropped by a fumble."""


def face_up(look: TableReader, card: int) -> bool:
    """Whether an item is open to all."""
    return AUDIENCE in look.shown.get(card, ())


def turned_up(look: TableReader, seat: int) -> list[int]:
    """The player's face-up items: of all items just these count (S19)."""
    shown = look.shown
    return [card for card in look.cards[ITEMS[seat]] if card in shown and AUDIENCE in shown[card]]


def seat_of(place: str) -> int:
    """The seat of a place: "character/3" is seat 3's."""
    return int(place.rpartition("/")[2])


def characters(seats: Sequence[int]) -> tuple[str, ...]:
    """The places of these players' characters, by which a move names its targets."""
    return tuple([CHARACTER[seat] for seat in seats])


def clockwise(look: TableReader, first: int) -> list[int]:
    """All seats in order, from this one on."""
    return [(first + place) % look.seats for place in range(look.seats)]
