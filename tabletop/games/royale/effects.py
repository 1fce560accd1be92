"""The possible effects of cards, as written in `cards.toml`.

`timing` lists when a card may be used (rulebook 11). "passive" effects always apply, "gear" effects
while the item is face up.
"""

from typing import Literal

from msgspec import Struct

RANGES = ("near", "mid", "far")
SNIPED = "snipe"
RANGE_WORDS = {"near": "near", "mid": "mid", "far": "far", "snipe": "snipe"}
"""The names of the ranges in the log and in previews."""

Timing = tuple[str, ...]
Throw = Literal["hit", "search", "negotiate"]


class Values(Struct, frozen=True):
    """A character's to-hit value and evasion for one category of weapons."""

    hit: int
    evade: int


class Performance(Struct, frozen=True, array_like=True):
    """The hit modifier, number of attacks and damage of a weapon at one range."""

    modifier: int
    attacks: int
    damage: int


class _Effect(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    timing: Timing


class Attack(_Effect, frozen=True, tag="attack"):
    """A weapon that works at the ranges in `perf`."""

    category: Literal["melee", "ranged"]
    perf: dict[str, Performance]
    on_hit: Literal["steal"] | None = None


class Steps(_Effect, frozen=True, tag="step"):
    """A move by a number of steps, in the player's own phase or as a reaction."""

    steps: int


class Stride(_Effect, frozen=True, tag="stride"):
    """Additional steps for the walk."""

    extra: int


class PassLines(_Effect, frozen=True, tag="pass_lines"):
    """The ability to cross lines."""


class Heal(_Effect, frozen=True, tag="heal"):
    """Restoration of lost stamina."""

    n: int
    limit: Literal["turn"] | None = None


class SearchUpTo(_Effect, frozen=True, tag="search_upto"):
    """Success for searches of ordinary areas with rolls up to `max`."""

    max: int


class SearchSure(_Effect, frozen=True, tag="search_sure"):
    """Items that are drawn instead of rolling for a search."""

    n: int


class Reroll(_Effect, frozen=True, tag="reroll"):
    """A reroll of the player's own dice."""

    rolls: tuple[Throw, ...]
    limit: Literal["turn"] | None = None


class Dodge(_Effect, frozen=True, tag="dodge"):
    """A dodge, which turns a hit against the player into a miss."""


class Initiative(_Effect, frozen=True, tag="first"):
    """The initiative without a roll."""


class Chain(_Effect, frozen=True, tag="chain"):
    """Another attack after the player's own attack."""


class Counter(_Effect, frozen=True, tag="counter"):
    """A counter attack after an attack against the player."""


class Negotiate(_Effect, frozen=True, tag="negotiate"):
    """Negotiation as an action."""

    bonus: int = 0
    limit: Literal["turn"] | None = None


class Mods(_Effect, frozen=True, tag="mods"):
    """Modifiers of to-hit values and evasions."""

    melee_hit: int = 0
    melee_evade: int = 0
    ranged_hit: int = 0
    ranged_evade: int = 0
    snipe_hit: int = 0


class Guard(_Effect, frozen=True, tag="guard"):
    """An additional bonus for defending."""

    bonus: int


class Double(_Effect, frozen=True, tag="double"):
    """A stand-in with its own values."""

    stamina: int
    melee: Values
    ranged: Values


class Escape(_Effect, frozen=True, tag="escape"):
    """Cancellation of a battle against the player."""


class Hide(_Effect, frozen=True, tag="hide"):
    """Cancellation of a snipe against the player."""


class StartAgain(_Effect, frozen=True, tag="start_again"):
    """A reroll of the start position."""


class Forbid(_Effect, frozen=True, tag="forbid"):
    """The choice of the forbidden area."""


class Peek(_Effect, frozen=True, tag="peek"):
    """A look at another player's face-down items."""


class TradeEx(_Effect, frozen=True, tag="trade_ex"):
    """The exchange of an EX card for an item."""


class DrawEx(_Effect, frozen=True, tag="draw_ex"):
    """Additional EX cards from the pile."""

    n: int


class DrawItem(_Effect, frozen=True, tag="draw_item"):
    """Additional items from the pile."""

    n: int


class Salvage(_Effect, frozen=True, tag="salvage"):
    """A card taken from the item discards."""


class Teleport(_Effect, frozen=True, tag="teleport"):
    """A move to any area."""


class Ride(_Effect, frozen=True, tag="ride"):
    """A step out of the area to any area in its row or column."""


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
