"""The sounds of a game's table: their material, and which of them goes with which event."""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

from tabletop.engine.events import (
    Ended,
    Event,
    Moved,
    Rolled,
    Said,
    Shown,
    Shuffled,
    Thrown,
    ValueSet,
)
from tabletop.engine.model import AUDIENCE
from tabletop.engine.teams import lost, teams_of

Material = Literal["linen", "glass", "paper", "links", "pencil", "water"]
"""The program's sets of sounds."""
SoundName = Literal[
    "take", "lay", "flip", "shuffle", "dice", "step", "hit", "loss", "refuse", "turn", "win"
]
SOUNDS: tuple[SoundName, ...] = get_args(SoundName)
HAND = "hand"
"""The beginning of the zones that cards are taken into rather than laid in, unless `moved` says
otherwise."""


class GameSounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[sounds]` of a table.toml."""

    material: Material = "linen"
    """What cards and pieces sound like."""
    said: dict[str, SoundName] = {}
    """The sound for a sentence of the log, by its tag."""
    moved: dict[str, SoundName] = {}
    """The sound for a card that moves, by the zone that it comes to or the first part of its
    name."""
    valued: dict[str, SoundName] = {}
    """The sound for a public value that changes, by its name or the first part of that."""

    def of(self, event: Event, viewer: int, strides: tuple[str, ...] = ()) -> SoundName | None:
        """The sound of an event for this viewer; `strides` are the beginnings of the values by
        which pieces go."""
        match event:
            case Moved(target=target):
                return _sound_of(self.moved, target) or ("take" if _part(target) == HAND else "lay")
            case Shown():
                return "flip"
            case Shuffled():
                return "shuffle"
            case Rolled() | Thrown():
                return "dice"
            case Said(tag=tag):
                return self.said.get(tag)
            case ValueSet(key=key):
                return _sound_of(self.valued, key) or ("step" if key.startswith(strides) else None)
            case Ended(result):
                conceded = not (result.winners or result.scores)
                if conceded or lost(result.winners, teams_of(result, len(result.scores))):
                    return "loss"
                beaten = viewer != AUDIENCE and result.winners and viewer not in result.winners
                return "loss" if beaten else "win"
            case _:
                return None


def _sound_of(sounds: Mapping[str, SoundName], name: str) -> SoundName | None:
    return sounds.get(name) or sounds.get(_part(name))


def _part(name: str) -> str:
    return name.partition("/")[0]
