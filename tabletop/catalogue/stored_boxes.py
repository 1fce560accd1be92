"""A cache of the boxes of received games, because reading them would delay the shelf.

A cached box is valid only for the same `folder_stamp`, which covers the program version and the
size and time of each file.
"""

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tabletop import __version__
from tabletop.files import folders, small_file
from tabletop.games.game_info import GameInfo


class StoredBox(Struct, frozen=True, array_like=True):
    """What the shelf shows of a game."""

    box: GameInfo
    deck: tuple[dict[str, Any], ...]
    """The cards, as in `GameKit.deck`."""
    translations: dict[str, dict[str, str]]
    """The translations, as in `GameKit.translations`."""


class _Entry(Struct, frozen=True, array_like=True):
    stamp: str
    stored: StoredBox


_entries_decoder = msgspec.msgpack.Decoder(dict[str, _Entry])


class BoxStore:
    """The boxes in a cache file, by game folder."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, _Entry] = {}
        content = small_file.read_cache(file)
        if content is not None:
            # another version may have written it
            with suppress(msgspec.MsgspecError, ValueError, RecursionError):
                self._known = _entries_decoder.decode(content)
        self._wanted: dict[str, _Entry] = {}
        self._new = False

    def get(self, folder: Path, stamp: str) -> StoredBox | None:
        """Return the box cached for `folder` with the same `stamp`; None if there is none."""
        entry = self._known.get(str(folder))
        if entry is None or entry.stamp != stamp:
            return None
        self._wanted[str(folder)] = entry
        return entry.stored

    def put(self, folder: Path, stamp: str, stored: StoredBox) -> None:
        """Cache a box, unless its content can't be stored exactly as MessagePack, such as dates."""
        try:
            entry = _Entry(stamp, stored)
            again = _entries_decoder.decode(msgspec.msgpack.encode({"": entry}))[""]
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
            return
        if again == entry:
            self._known[str(folder)] = self._wanted[str(folder)] = entry
            self._new = True

    def write(self) -> None:
        """Write all boxes used since the start to the cache file, if any of them is new."""
        if self._new:
            self._new = False
            small_file.write_cache(self._file, msgspec.msgpack.encode(self._wanted))


def box_store() -> BoxStore:
    """Return the store in the current cache folder."""
    return _open_store(folders.cache() / "received-boxes")


@lru_cache(maxsize=1)
def _open_store(file: Path) -> BoxStore:
    return BoxStore(file)


def folder_stamp(folder: Path) -> str:
    """Return a text that changes with the program version and with the size and time of each file.

    Raises:
        OSError: the folder can't be listed.
    """
    with os.scandir(folder) as entries:
        files = sorted((each.name, each.stat()) for each in entries)
    facts = (f"{name} {status.st_size} {status.st_mtime_ns}" for name, status in files)
    return "\n".join((__version__, *facts))
