"""The files of sounds: the program's sets, and what a game brings in its own folder."""

import logging
import sys
import wave
from array import array
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from tabletop.games.game_kit import GameKit
from tabletop.games.sounds import SoundMaterial, SoundName
from ui.style.asset_folder import assets_root, outside_assets

log = logging.getLogger("tabletop")

RATE = 22_050
"""Samples a second; mono, 16 bits."""
LONGEST = 3
"""Seconds of a game's own sound."""
FOLDER = "sounds"

Samples: TypeAlias = "array[int]"
"""16-bit numbers."""


class SoundSet(NamedTuple):
    """The sounds of one table."""

    material: SoundMaterial = "linen"
    own: Path | None = None
    """The folder of the game's own, which go first."""

    def samples(self, name: SoundName) -> Samples:
        """A sound; one that the set lacks is taken from the usual one."""
        if self.own is not None and (own := _own_sound(self.own / f"{name}.wav")):
            return own
        folder = assets_root() / "common" / FOLDER
        file = folder / self.material / f"{name}.wav"
        return read_sound(file if file.is_file() else folder / "linen" / f"{name}.wav")


def set_of(kit: GameKit) -> SoundSet:
    """The sounds of a game."""
    folder = outside_assets(kit.id)
    return SoundSet(kit.layout.sounds.material, folder / FOLDER if folder is not None else None)


@cache
def _own_sound(file: Path) -> Samples:
    """A game's own sound; nothing where it has none that can be played."""
    try:
        return read_sound(file) if file.is_file() else array("h")
    except (OSError, EOFError, wave.Error) as error:
        log.warning("%s can't be played: %s", file, error)
        return array("h")


@cache
def read_sound(path: Path) -> Samples:
    """The sound in a file.

    Raises:
        wave.Error: it is no sound of the kind that is played here.
    """
    with wave.open(str(path), "rb") as file:
        if (file.getnchannels(), file.getsampwidth(), file.getframerate()) != (1, 2, RATE):
            raise wave.Error(f"it isn't mono, 16 bits, {RATE} Hz")
        if file.getnframes() > LONGEST * RATE:
            raise wave.Error(f"it is longer than {LONGEST} s")
        samples = array("h", file.readframes(file.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples
