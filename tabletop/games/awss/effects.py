"""The closed vocabulary of effects: what a card may say, as data (rulebook 8).

A card's text is written from this data (`texts`), and what it does is worked out from the same data
(`scoring`, `marks`), so that text and play cannot drift apart.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

Season = Literal["autumn", "winter", "spring", "summer"]
SEASONS: tuple[Season, ...] = ("autumn", "winter", "spring", "summer")
Face = Literal["up", "down"]
Spot = Literal["centre", "corner", "edge", "rotated", "appeal"]
Harm = Literal["flip", "move", "counters"]
Mark = Literal["◎", "◆"]
Moment = Literal["", "◎", "pre", "post"]
"""The moment of a card's use: never, after the autumn, or (◆) before or after its season's
scoring."""


class Selection(Struct, frozen=True, forbid_unknown_fields=True):
    """Some cards, relative to a card: their places, and their properties.

    board, row and col are other cards of the same board; tips are the diagonal neighbours;
    same_position counts other players with such a card in this cell, and kinds the seasons among
    the board's face-up cards.
    """

    zone: Literal["tips", "board", "row", "col", "same_position", "kinds"]
    season: Season | None = None
    not_season: Season | None = None
    stars: int | None = None
    face: Face = "up"


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition: the number of some cards (`sel` with `min` or `max`), or how this card lies
    (`is`)."""

    sel: Selection | None = None
    min: int | None = None
    max: int | None = None
    spot: Spot | None = msgspec.field(default=None, name="is")


class BonusIf(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="bonus_if"):
    """Points for this card where a condition holds."""

    cond: Condition
    points: int


class BonusPer(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="bonus_per"):
    """Points for this card for each counted thing, `max` in all."""

    count: Selection
    points: int
    max: int | None = None


class Aura(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="aura"):
    """Points for each such card of the same board, in that card's season."""

    who: Selection
    points: int


class PointsFromTip(
    Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="points_from_tip"
):
    """The highest printed points at the arrow tips count for this card too, up to `max`."""

    max: int


class StayUp(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="stay_up"):
    """Closed only after a later season."""

    through: Season


class Ward(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="ward"):
    """Other players' effects of these kinds fail."""

    against: tuple[Harm, ...]


class NoNegative(
    Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="no_negative"
):
    """Negative arrows do not count."""


TargetKind = Literal[
    "same_position_one", "same_row_one", "own_tip_one", "same_position_all", "own_tips_all"
]


class Flip(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="flip"):
    """Turn face-down."""

    mark: Mark
    who: TargetKind
    when: Literal["post"] | None = None


class Rotate(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="rotate"):
    """Turn upside-down."""

    mark: Literal["◎"]
    who: TargetKind


class Counters(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="counters"):
    """Put n counters of +1, or -n of -1."""

    mark: Mark
    who: TargetKind
    n: int
    when: Literal["post"] | None = None


class SwapOther(
    Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="swap_other"
):
    """Another player's card of the same position changes places with another one of theirs."""

    mark: Literal["◎"]


class Depart(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="depart"):
    """This card leaves for an unused pick."""

    mark: Literal["◎"]


class Sacrifice(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="sacrifice"):
    """A card of the same board at the arrow tips is turned down for points."""

    mark: Literal["◆"]
    when: Literal["pre"]
    points: int


class TurnSelf(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="turn_self"):
    """Turn this card upside-down."""

    mark: Literal["◆"]
    when: Literal["pre"]


class SwapSelf(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="swap_self"):
    """This card changes places with another own card."""

    mark: Literal["◆"]
    when: Literal["pre"]


Marked = Flip | Rotate | Counters | SwapOther | Depart | Sacrifice | TurnSelf | SwapSelf
Effect = (
    BonusIf
    | BonusPer
    | Aura
    | PointsFromTip
    | StayUp
    | Ward
    | NoNegative
    | Flip
    | Rotate
    | Counters
    | SwapOther
    | Depart
    | Sacrifice
    | TurnSelf
    | SwapSelf
)
"""Marked effects are used, each once; the others are always on."""


class Arrows(Struct, frozen=True):
    """A card's bonus to its diagonal neighbours: top left, top right, bottom left, bottom right.

    A card that lies upside-down gives its top left arrow to the bottom right, and so on (A10).
    """

    tl: int
    tr: int
    bl: int
    br: int


class Creature(Struct, frozen=True):
    """A card that plays: the words on it are the catalogue's."""

    id: str
    pile: Literal["draw", "public"]
    season: Season
    stars: int
    points: int
    arrows: Arrows
    effects: tuple[Effect, ...]
    text: str


def creature(face: Mapping[str, Any]) -> Creature:
    """The card that cards.toml describes.

    Raises:
        msgspec.ValidationError: a part is missing, or an effect is not of the vocabulary.
    """
    return msgspec.convert(dict(face), Creature)
