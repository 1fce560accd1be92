"""Boxes of received games, kept in the cache from one start to the next: a shelf of a year has some
sixty of them, and to read their files takes longer than to draw it.

A box holds for one stamp: this program, and the files of the folder as they were last written.
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
    """As in a `GameKit`."""
    translations: dict[str, dict[str, str]]
    """As in a `GameKit`."""


class _Entry(Struct, frozen=True, array_like=True):
    stamp: str
    stored: StoredBox


_entries_decoder = msgspec.msgpack.Decoder(dict[str, _Entry])


class BoxStore:
    """The boxes that a file keeps, by the paths of their folders."""

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
        """Return what is kept of a folder with this stamp."""
        entry = self._known.get(str(folder))
        if entry is None or entry.stamp != stamp:
            return None
        self._wanted[str(folder)] = entry
        return entry.stored

    def put(self, folder: Path, stamp: str, stored: StoredBox) -> None:
        """Keep a box that was read, unless MessagePack can't hold it: a date would come back as
        text."""
        try:
            entry = _Entry(stamp, stored)
            again = _entries_decoder.decode(msgspec.msgpack.encode({"": entry}))[""]
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
            return
        if again == entry:
            self._known[str(folder)] = self._wanted[str(folder)] = entry
            self._new = True

    def write(self) -> None:
        """Write the boxes that were asked for or kept since the start, if one of them is new."""
        if self._new:
            self._new = False
            small_file.write_cache(self._file, msgspec.msgpack.encode(self._wanted))


def box_store() -> BoxStore:
    """The store of this home."""
    return _open_store(folders.cache() / "received-boxes")


@lru_cache(maxsize=1)
def _open_store(file: Path) -> BoxStore:
    return BoxStore(file)


def folder_stamp(folder: Path) -> str:
    """The stamp of a folder.

    Raises:
        OSError: it can't be looked into.
    """
    with os.scandir(folder) as entries:
        files = sorted((each.name, each.stat()) for each in entries)
    facts = (f"{name} {status.st_size} {status.st_mtime_ns}" for name, status in files)
    return "\n".join((__version__, *facts))
