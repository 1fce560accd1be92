"""The possible effects of cards, as written in `cards.toml` (rulebook 8).

Both a card's text (`texts`) and its behaviour (`scoring`, `marks`) are derived from this data, so
they always agree.
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
"""When a card can be used: "" for never, "◎" after autumn, "pre" or "post" for before or after the
scoring of its season (◆).
"""


class Selection(Struct, frozen=True, forbid_unknown_fields=True):
    """A set of cards relative to a given card, selected by place and properties.

    `board`, `row` and `col` are other cards on the same board; `tips` are the diagonal neighbours;
    `same_position` counts the other players with such a card in the same cell; `kinds` counts the
    seasons among the board's face-up cards.
    """

    zone: Literal["tips", "board", "row", "col", "same_position", "kinds"]
    season: Season | None = None
    not_season: Season | None = None
    stars: int | None = None
    face: Face = "up"


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition: on the number of selected cards (`sel` with `min` or `max`),
    or on the card's position (`is`).
    """

    sel: Selection | None = None
    min: int | None = None
    max: int | None = None
    spot: Spot | None = msgspec.field(default=None, name="is")


class BonusIf(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="bonus_if"):
    """Points for this card if a condition holds."""

    cond: Condition
    points: int


class BonusPer(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="bonus_per"):
    """Points for this card for each selected card, up to `max`."""

    count: Selection
    points: int
    max: int | None = None


class Aura(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="aura"):
    """Points for each selected card on the same board, in that card's season."""

    who: Selection
    points: int


class PointsFromTip(
    Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="points_from_tip"
):
    """Points equal to the highest printed points among the cards at the arrow tips, up to `max`."""

    max: int


class StayUp(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="stay_up"):
    """A card that stays face up until a later season ends."""

    through: Season


class Ward(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="ward"):
    """Immunity to other players' effects of these kinds."""

    against: tuple[Harm, ...]


class NoNegative(
    Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="no_negative"
):
    """Immunity to negative arrows."""


TargetKind = Literal[
    "same_position_one", "same_row_one", "own_tip_one", "same_position_all", "own_tips_all"
]


class Flip(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="flip"):
    """An effect that turns cards face down."""

    mark: Mark
    who: TargetKind
    when: Literal["post"] | None = None


class Rotate(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="rotate"):
    """An effect that turns cards upside down."""

    mark: Literal["◎"]
    who: TargetKind


class Counters(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="counters"):
    """An effect that adds `n` counters of +1, or `-n` counters of −1."""

    mark: Mark
    who: TargetKind
    n: int
    when: Literal["post"] | None = None


class SwapOther(
    Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="swap_other"
):
    """An effect that swaps another player's card in the same cell with another card on
    that player's board.
    """

    mark: Literal["◎"]


class Depart(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="depart"):
    """An effect that replaces this card by an unused pick."""

    mark: Literal["◎"]


class Sacrifice(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="sacrifice"):
    """An effect that turns an own card at the arrow tips face down for points."""

    mark: Literal["◆"]
    when: Literal["pre"]
    points: int


class TurnSelf(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="turn_self"):
    """An effect that turns this card upside down."""

    mark: Literal["◆"]
    when: Literal["pre"]


class SwapSelf(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, tag="swap_self"):
    """An effect that swaps this card with another card on the same board."""

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
"""Any effect. `Marked` effects are used once each; the others always apply."""


class Arrows(Struct, frozen=True):
    """A card's bonuses for its diagonal neighbours: top left, top right, bottom left, bottom right.

    On an upside-down card, the top left arrow points to the bottom right, and so on (A10).
    """

    tl: int
    tr: int
    bl: int
    br: int


class Creature(Struct, frozen=True):
    """A creature card as written in `cards.toml`, with its effects."""

    id: str
    pile: Literal["draw", "public"]
    season: Season
    stars: int
    points: int
    arrows: Arrows
    effects: tuple[Effect, ...]
    text: str


def parse_creature(face: Mapping[str, Any]) -> Creature:
    """Return the card described by `face`, an entry in `cards.toml`.

    Raises:
        msgspec.ValidationError: a field is missing, or an effect is unknown.
    """
    return msgspec.convert(dict(face), Creature)
