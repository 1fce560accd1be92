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
    """Moves the player by a number of steps, in their own phase or as a reaction."""

    steps: int


class Stride(_Effect, frozen=True, tag="stride"):
    """Adds steps to the walk."""

    extra: int


class PassLines(_Effect, frozen=True, tag="pass_lines"):
    """Lets the player cross lines."""


class Heal(_Effect, frozen=True, tag="heal"):
    """Restores lost stamina."""

    n: int
    limit: Literal["turn"] | None = None


class SearchUpTo(_Effect, frozen=True, tag="search_upto"):
    """Makes searches of ordinary areas succeed with rolls up to `max`."""

    max: int


class SearchSure(_Effect, frozen=True, tag="search_sure"):
    """Draws items instead of rolling for a search."""

    n: int


class Reroll(_Effect, frozen=True, tag="reroll"):
    """Rerolls the player's own dice."""

    rolls: tuple[Throw, ...]
    limit: Literal["turn"] | None = None


class Dodge(_Effect, frozen=True, tag="dodge"):
    """Turns a hit against the player into a miss."""


class Initiative(_Effect, frozen=True, tag="first"):
    """Gives the player the initiative without a roll."""


class Chain(_Effect, frozen=True, tag="chain"):
    """Gives the player another attack after their own."""


class Counter(_Effect, frozen=True, tag="counter"):
    """Gives the player an attack after one against them."""


class Negotiate(_Effect, frozen=True, tag="negotiate"):
    """Lets the player negotiate as an action."""

    bonus: int = 0
    limit: Literal["turn"] | None = None


class Mods(_Effect, frozen=True, tag="mods"):
    """Changes to-hit values and evasions."""

    melee_hit: int = 0
    melee_evade: int = 0
    ranged_hit: int = 0
    ranged_evade: int = 0
    snipe_hit: int = 0


class Guard(_Effect, frozen=True, tag="guard"):
    """Adds to the effect of defending."""

    bonus: int


class Double(_Effect, frozen=True, tag="double"):
    """Provides a stand-in with its own values."""

    stamina: int
    melee: Values
    ranged: Values


class Escape(_Effect, frozen=True, tag="escape"):
    """Cancels a battle against the player."""


class Hide(_Effect, frozen=True, tag="hide"):
    """Cancels a snipe against the player."""


class StartAgain(_Effect, frozen=True, tag="start_again"):
    """Rerolls the start position."""


class Forbid(_Effect, frozen=True, tag="forbid"):
    """Lets the player choose the forbidden area."""


class Peek(_Effect, frozen=True, tag="peek"):
    """Shows the player another player's face-down items."""


class TradeEx(_Effect, frozen=True, tag="trade_ex"):
    """Exchanges an EX card for an item."""


class DrawEx(_Effect, frozen=True, tag="draw_ex"):
    """Draws EX cards."""

    n: int


class DrawItem(_Effect, frozen=True, tag="draw_item"):
    """Draws items."""

    n: int


class Salvage(_Effect, frozen=True, tag="salvage"):
    """Takes a card from the item discards."""


class Teleport(_Effect, frozen=True, tag="teleport"):
    """Moves the player to any area."""


class Ride(_Effect, frozen=True, tag="ride"):
    """Lets a step out of the area lead to any area in its row or column."""


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
