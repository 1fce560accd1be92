"""Sound files, which are the program's sets for table materials and the games' own sounds."""

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

SAMPLE_RATE_HZ = 22_050
"""The sample rate in Hz. All sounds are mono with 16 bits."""
MAX_LENGTH_S = 3
"""The maximum length in seconds of a game's own sound."""
SOUNDS_FOLDER = "sounds"

Samples: TypeAlias = "array[int]"
"""16-bit samples."""


class SoundSet(NamedTuple):
    """The sounds of a table material, some of them replaced by the game's own."""

    material: SoundMaterial = "linen"
    own: Path | None = None
    """The folder of the game's own sounds, which take precedence; None if it has none."""

    def samples(self, name: SoundName) -> Samples:
        """Return the samples of the sound `name`; the default material's if this set has none."""
        if self.own is not None and (own := _own_sound(self.own / f"{name}.wav")):
            return own
        folder = assets_root() / "common" / SOUNDS_FOLDER
        file = folder / self.material / f"{name}.wav"
        return read_sound(file if file.is_file() else folder / "linen" / f"{name}.wav")


def sounds_of_game(kit: GameKit) -> SoundSet:
    """Return the sounds of the game `kit`."""
    folder = outside_assets(kit.id)
    return SoundSet(
        kit.layout.sounds.material, folder / SOUNDS_FOLDER if folder is not None else None
    )


@cache
def _own_sound(file: Path) -> Samples:
    """Return the samples of a game's own sound; empty if `file` can't be played."""
    try:
        return read_sound(file) if file.is_file() else array("h")
    except (OSError, EOFError, wave.Error) as error:
        log.warning("%s can't be played: %s", file, error)
        return array("h")


@cache
def read_sound(path: Path) -> Samples:
    """Return the samples in the file `path`.

    Raises:
        wave.Error: the file isn't mono, isn't 16 bits, has another sample rate or is too long.
    """
    with wave.open(str(path), "rb") as file:
        if (file.getnchannels(), file.getsampwidth(), file.getframerate()) != (
            1,
            2,
            SAMPLE_RATE_HZ,
        ):
            raise wave.Error(f"it isn't mono, 16 bits, {SAMPLE_RATE_HZ} Hz")
        if file.getnframes() > MAX_LENGTH_S * SAMPLE_RATE_HZ:
            raise wave.Error(f"it is longer than {MAX_LENGTH_S} s")
        samples = array("h", file.readframes(file.getnframes()))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples
