"""Effects of cards: the closed vocabulary, as cards.toml writes it.

`timing` names the moments at which a card of the kind may be used (rulebook 11); "passive" always
works, "gear" while the item lies face-up.
"""

from typing import Literal

from msgspec import Struct

RANGES = ("near", "mid", "far")
SNIPED = "snipe"
RANGE_WORDS = {"near": "near", "mid": "mid", "far": "far", "snipe": "snipe"}
"""The ranges as the log and the previews say them."""

Timing = tuple[str, ...]
Throw = Literal["hit", "search", "negotiate"]


class Values(Struct, frozen=True):
    """A character's values for hitting and evading with one category of means."""

    hit: int
    evade: int


class Performance(Struct, frozen=True, array_like=True):
    """The performance of means at one range."""

    modifier: int
    attacks: int
    damage: int


class _Effect(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    timing: Timing


class Attack(_Effect, frozen=True, tag="attack"):
    """Means to attack with, at the ranges that `perf` has."""

    category: Literal["melee", "ranged"]
    perf: dict[str, Performance]
    on_hit: Literal["steal"] | None = None


class Steps(_Effect, frozen=True, tag="step"):
    """Steps in one's own movement, or in answer to somebody else's."""

    steps: int


class Stride(_Effect, frozen=True, tag="stride"):
    """Extra steps when walking."""

    extra: int


class PassLines(_Effect, frozen=True, tag="pass_lines"):
    """Lines are no obstacle."""


class Heal(_Effect, frozen=True, tag="heal"):
    """Lost stamina comes back."""

    n: int
    limit: Literal["turn"] | None = None


class SearchUpTo(_Effect, frozen=True, tag="search_upto"):
    """A search in an ordinary area that succeeds on this number or less."""

    max: int


class SearchSure(_Effect, frozen=True, tag="search_sure"):
    """Items are drawn instead of rolling."""

    n: int


class Reroll(_Effect, frozen=True, tag="reroll"):
    """Own dice are thrown again."""

    rolls: tuple[Throw, ...]
    limit: Literal["turn"] | None = None


class Dodge(_Effect, frozen=True, tag="dodge"):
    """A hit suffered becomes a miss."""


class Initiative(_Effect, frozen=True, tag="first"):
    """The initiative without a roll."""


class Chain(_Effect, frozen=True, tag="chain"):
    """Another attack after one's own."""


class Counter(_Effect, frozen=True, tag="counter"):
    """An attack after the enemy's."""


class Negotiate(_Effect, frozen=True, tag="negotiate"):
    """The action of negotiating."""

    bonus: int = 0
    limit: Literal["turn"] | None = None


class Mods(_Effect, frozen=True, tag="mods"):
    """Values change."""

    melee_hit: int = 0
    melee_evade: int = 0
    ranged_hit: int = 0
    ranged_evade: int = 0
    snipe_hit: int = 0


class Guard(_Effect, frozen=True, tag="guard"):
    """Defending is worth more."""

    bonus: int


class Double(_Effect, frozen=True, tag="double"):
    """A stand-in with values of its own."""

    stamina: int
    melee: Values
    ranged: Values


class Escape(_Effect, frozen=True, tag="escape"):
    """The battle does not happen."""


class Hide(_Effect, frozen=True, tag="hide"):
    """The snipe does not happen."""


class StartAgain(_Effect, frozen=True, tag="start_again"):
    """Another roll for the start position."""


class Forbid(_Effect, frozen=True, tag="forbid"):
    """The forbidden area is chosen."""


class Peek(_Effect, frozen=True, tag="peek"):
    """A look at another player's face-down items."""


class TradeEx(_Effect, frozen=True, tag="trade_ex"):
    """An EX card for an item."""


class DrawEx(_Effect, frozen=True, tag="draw_ex"):
    """EX cards are drawn."""

    n: int


class DrawItem(_Effect, frozen=True, tag="draw_item"):
    """Items are drawn."""

    n: int


class Salvage(_Effect, frozen=True, tag="salvage"):
    """A card of the item discards."""


class Teleport(_Effect, frozen=True, tag="teleport"):
    """To any area."""


class Ride(_Effect, frozen=True, tag="ride"):
    """A step out of here leads along its whole row and column."""


Effect = (
    Attack
    | Steps
    | Stride
    | PassLines
    | Heal
    | SearchUpTo
    | SearchSure
    | Reroll
    | Dodge
    | Initiative
    | Chain
    | Counter
    | Negotiate
    | Mods
    | Guard
    | Double
    | Escape
    | Hide
    | StartAgain
    | Forbid
    | Peek
    | TradeEx
    | DrawEx
    | DrawItem
    | Salvage
    | Teleport
    | Ride
)
