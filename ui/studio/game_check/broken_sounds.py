"""Check of a game's own sound files."""

from __future__ import annotations

import wave
from collections.abc import Iterator

from tabletop.catalogue.catalogue import GameKit
from tabletop.games.sounds import SOUND_NAMES
from tabletop.games.typed_toml import unknown_word
from ui.shell.sound_files import read_sound, sounds_of_game


def find_broken_sounds(kit: GameKit) -> Iterator[str]:
    """Yield a message for each sound file that can't be played or whose name is unknown."""
    folder = sounds_of_game(kit).own
    for file in sorted(folder.iterdir()) if folder is not None and folder.is_dir() else ():
        where = f"assets/{file.parent.name}/{file.name}"
        if file.suffix != ".wav" or file.stem not in SOUND_NAMES:
            yield f"{where}: {unknown_word(file.stem, SOUND_NAMES)}"
            continue
        try:
            read_sound(file)
        except (OSError, EOFError, wave.Error) as error:
            yield f"{where}: it can't be played: {error}"
