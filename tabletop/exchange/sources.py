"""Where the files of another program's game are: in a zip, or in a folder."""

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Protocol

from tabletop.exchange.zip_archive import MOST_BYTES, MOST_FILES, read_file
from tabletop.files.errors import BadFile, unreadable
from tabletop.files.regular_file import MIB

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif")
"""The ends of the names of pictures."""
AROUND, MOST_BESIDE = 4, 20_000
"""Folders around a save, and files in each, that are looked at."""
DEEPEST = 3
"""Folders in a folder that are looked into."""


class Source(Protocol):
    """Files by their names; a name leads nowhere else."""

    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, name: str) -> bool: ...
    def read(self, name: str) -> bytes:
        """The content of a file.

        Raises:
            BadFile: it can't be read.
        """
        ...


class PicturesBeside:
    """The pictures where Tabletop Simulator, and people, have those of a save: beside it, in
    `Images` there, and in `Mods/Images` of a folder around it."""

    def __init__(self, save: Path) -> None:
        around = (above / "Mods" / "Images" for above in save.absolute().parents[:AROUND])
        self._files: dict[str, Path] = {}
        for folder in (save.parent, save.parent / "Images", *around):
            with suppress(OSError):
                for entry in islice(os.scandir(folder), MOST_BESIDE):
                    picture = entry.name.lower().endswith(PICTURES)
                    if picture and entry.is_file(follow_symlinks=False):
                        self._files.setdefault(entry.name, Path(entry.path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def read(self, name: str) -> bytes:
        return read_file(self._files[name])


class FolderSource:
    """The files of a folder that aren't hidden. Links aren't followed."""

    def __init__(self, folder: Path) -> None:
        """
        Raises:
            BadFile: it can't be read, or holds more than any game.
        """
        self._folder = folder
        try:
            self._names = tuple(sorted(self._files_in(folder)))
        except OSError as error:
            raise unreadable(error, folder.name) from error
        self._read = 0

    def _files_in(self, folder: Path) -> Iterator[str]:
        number = 0
        for above, folders, files in os.walk(folder):
            inside = Path(above).relative_to(folder)
            deep = len(inside.parts) >= DEEPEST
            folders[:] = [] if deep else sorted(name for name in folders if name[:1] != ".")
            for name in files:
                number += 1
                if number > MOST_FILES:
                    text = '"{file}" holds more than {n} files.'
                    raise BadFile(text, file=folder.name, n=MOST_FILES)
                if name[:1] != "." and not (Path(above) / name).is_symlink():
                    yield (inside / name).as_posix()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str) -> bytes:
        content = read_file(self._folder / name)
        self._read += len(content)
        if self._read > 4 * MOST_BYTES:
            text = '"{file}" holds more than {most} MiB.'
            raise BadFile(text, file=self._folder.name, most=4 * MOST_BYTES // MIB)
        return content
