"""The names that rules import: table types, declared values, the pen and helper functions.

Rules import all of these from here, not from the modules that define them.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from tabletop.engine.chance import Rng
from tabletop.engine.deprecated_names import resolve_deprecated
from tabletop.engine.pen import Pen
from tabletop.engine.types import (
    AUDIENCE,
    NO_CARD,
    Ask,
    CardPlace,
    Fact,
    Facts,
    Move,
    Name,
    Offer,
    Preview,
    Reason,
    Remark,
    Result,
    ScoreLine,
    Sight,
    State,
    Step,
    StepRecord,
    TableReader,
    Teams,
    Value,
    Whisper,
    Zone,
)
from tabletop.engine.values import Flag, Number, Numbers, Word

__all__ = [
    "AUDIENCE",
    "NO_CARD",
    "Ask",
    "CardPlace",
    "Fact",
    "Facts",
    "Flag",
    "Move",
    "Name",
    "Number",
    "Numbers",
    "Offer",
    "Pen",
    "Preview",
    "Reason",
    "Remark",
    "Result",
    "Rng",
    "ScoreLine",
    "Sight",
    "State",
    "Step",
    "StepRecord",
    "TableReader",
    "Teams",
    "Value",
    "Whisper",
    "Word",
    "Zone",
    "all_faces",
    "back_of",
    "each",
    "everyone",
    "faces_of",
    "hidden_card",
    "is_face",
    "one",
]

_FIRST_HIDDEN: Final = -3
"""The number of the hidden card with back 0, different from AUDIENCE and NO_CARD.

On the wire and in files, hidden cards have other numbers (`hidden_card_codec`).
"""


def hidden_card(back: int) -> int:
    """Return the negative number that represents, in a view, a hidden card with this back."""
    return _FIRST_HIDDEN - back


def back_of(hidden_card: int) -> int:
    """Return the back of a hidden card."""
    return _FIRST_HIDDEN - hidden_card


def is_face(card: int) -> bool:
    """Return whether `card` is a real card, not a hidden card or `NO_CARD`.

    >>> is_face(7), is_face(NO_CARD)
    (True, False)
    """
    return card >= 0


def all_faces(cards: Sequence[int]) -> bool:
    """Return whether all of `cards` are real cards, none hidden and none `NO_CARD`."""
    return not cards or min(cards) >= 0


def each(name: str, parts: Iterable[Value]) -> tuple[Name, ...]:
    """Return the name of a zone or value for each of `parts`.

    >>> each("hand", range(2))
    ('hand/0', 'hand/1')
    """
    return tuple([f"{name}/{part}" for part in parts])


def faces_of(
    dice: tuple[int, ...], others: tuple[int, ...], backs: tuple[int, ...]
) -> list[list[int]]:
    """Return, for each of `dice`, the sorted cards that are its faces.

    These are the face that is up and the cards in `others` with the same back.
    """
    faces = {backs[die]: [die] for die in dice}
    for card in others:
        if backs[card] in faces:
            faces[backs[card]].append(card)
    return [sorted(faces[backs[die]]) for die in dice]


@cache
def everyone(seats: int) -> tuple[int, ...]:
    """Return every viewer: the audience and each seat.

    >>> everyone(2)
    (-1, 0, 1)
    """
    return tuple(range(AUDIENCE, seats))


def one(
    verb: str,
    cards: tuple[int, ...],
    targets: tuple[str, ...] = (),
    choices: tuple[str, ...] = (),
) -> Offer:
    """Return the most common offer: exactly one of `cards`.

    >>> offer = one("play", (4, 7), targets=("row",))
    >>> offer.least, offer.most
    (1, 1)
    """
    return Offer(verb, cards, targets, choices, 1, 1)


__getattr__ = resolve_deprecated(__name__, {"Look": TableReader, "Chance": Rng})
