"""The sounds of events on a game's table."""

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

SoundMaterial = Literal["linen", "glass", "paper", "links", "pencil", "water"]
"""The names of the program's sound sets."""
SoundName = Literal[
    "take",
    "lay",
    "flip",
    "shuffle",
    "dice",
    "step",
    "hit",
    "loss",
    "refuse",
    "turn",
    "reaction",
    "phase",
    "count",
    "win",
    "chat",
    "join",
    "leave",
]
SOUND_NAMES: tuple[SoundName, ...] = get_args(SoundName)
HAND_PREFIX = "hand"
"""The first part of the names of hand zones: cards moved there sound like "take" by default,
others like "lay".
"""


class GameSounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `[sounds]` section of a `table.toml`."""

    material: SoundMaterial = "linen"
    """The name of the sound set."""
    said: dict[str, SoundName] = {}
    """The sound of a log entry, by the entry's tag."""
    moved: dict[str, SoundName] = {}
    """The sound of a moved card, by the target zone's name or the first part of that name."""
    valued: dict[str, SoundName] = {}
    """The sound of a changed public value, by the value's name or the first part of that name."""

    def sound_for(
        self, event: Event, viewer: int, strides: tuple[str, ...] = ()
    ) -> SoundName | None:
        """Return the sound of an event for the player at seat `viewer`; None if it has none.

        `strides` contains prefixes of the public values that move pieces; such values sound like
        "step".
        """
        match event:
            case Moved(target=target):
                return _find_sound(self.moved, target) or (
                    "take" if _first_part(target) == HAND_PREFIX else "lay"
                )
            case Shown():
                return "flip"
            case Shuffled():
                return "shuffle"
            case Rolled() | Thrown():
                return "dice"
            case Said(tag=tag):
                return self.said.get(tag)
            case ValueSet(key=key):
                return _find_sound(self.valued, key) or (
                    "step" if key.startswith(strides) else None
                )
            case Ended(result):
                conceded = not (result.winners or result.scores)
                if conceded or lost(result.winners, teams_of(result, len(result.scores))):
                    return "loss"
                beaten = viewer != AUDIENCE and result.winners and viewer not in result.winners
                return "loss" if beaten else "win"
            case _:
                return None


def _find_sound(sounds: Mapping[str, SoundName], name: str) -> SoundName | None:
    return sounds.get(name) or sounds.get(_first_part(name))


def _first_part(name: str) -> str:
    return name.partition("/")[0]
