"""Where the files of another program's game are: in a zip, or in a folder."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from posixpath import commonprefix
from typing import Protocol

from tabletop.exchange.file_kinds import PICTURE_SUFFIXES
from tabletop.exchange.zip_archive import MAX_BYTES, MAX_FILES, read_given_file
from tabletop.files.errors import BadFile, bad_file_error
from tabletop.files.regular_file import MIB

AROUND, MOST_BESIDE, FOLDERS_BESIDE = 4, 20_000, 100
"""Folders around a file, files in each, and folders beside it, that are looked at."""
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


class Inside:
    """The files of the folder that holds all of another source, as archives often have it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._folder = commonprefix([*source]).rpartition("/")[0]
        self._folder += "/" if self._folder else ""

    def __iter__(self) -> Iterator[str]:
        return (name.removeprefix(self._folder) for name in self._source)

    def __contains__(self, name: str) -> bool:
        return self._folder + name in self._source

    def read(self, name: str) -> bytes:
        return self._source.read(self._folder + name)


class PicturesBeside:
    """The pictures where people, and Tabletop Simulator, have those of a sheet or save: beside it,
    in a folder there, and in `Mods/Images` of a folder around it."""

    def __init__(self, file: Path) -> None:
        around = (above / "Mods" / "Images" for above in file.absolute().parents[:AROUND])
        self._files: dict[str, Path] = {}
        folders: list[os.DirEntry[str]] = []
        for folder in (file.parent, *around):
            self._add(folder, "", folders if folder == file.parent else [])
        for entry in sorted(folders, key=lambda each: each.name)[:FOLDERS_BESIDE]:
            self._add(Path(entry.path), f"{entry.name}/", [])

    def _add(self, folder: Path, before: str, inside: "list[os.DirEntry[str]]") -> None:
        """Add the pictures of a folder, and to `inside` the folders in it."""
        with suppress(OSError):
            for entry in islice(os.scandir(folder), MOST_BESIDE):
                picture = entry.name.lower().endswith(PICTURE_SUFFIXES)
                if picture and entry.is_file(follow_symlinks=False):
                    self._files.setdefault(before + entry.name, Path(entry.path))
                elif entry.name[:1] != "." and entry.is_dir(follow_symlinks=False):
                    inside.append(entry)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def read(self, name: str) -> bytes:
        return read_given_file(self._files[name])

    def sizes(self) -> Iterator[int]:
        """Yield the bytes of each picture that is still there."""
        return _sizes(self._files.values())


class FolderSource:
    """The files of a folder that aren't hidden. Links aren't followed."""

    def __init__(self, folder: Path) -> None:
        """
        Raises:
            BadFile: it can't be read, or holds more than any game.
        """
        self._folder = folder
        try:
            self._names = dict.fromkeys(sorted(self._files_in(folder)))
        except OSError as error:
            raise bad_file_error(error, folder.name) from error
        self._read = 0

    def _files_in(self, folder: Path) -> Iterator[str]:
        number = 0
        for above, folders, files in os.walk(folder):
            inside = Path(above).relative_to(folder)
            deep = len(inside.parts) >= DEEPEST
            folders[:] = [] if deep else sorted(name for name in folders if name[:1] != ".")
            for name in files:
                number += 1
                if number > MAX_FILES:
                    text = '"{file}" holds more than {n} files.'
                    raise BadFile(text, file=folder.name, n=MAX_FILES)
                if name[:1] != "." and not (Path(above) / name).is_symlink():
                    yield (inside / name).as_posix()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str) -> bytes:
        content = read_given_file(self._folder / name)
        self._read += len(content)
        if self._read > 4 * MAX_BYTES:
            text = '"{file}" holds more than {most} MiB.'
            raise BadFile(text, file=self._folder.name, most=4 * MAX_BYTES // MIB)
        return content

    def sizes(self) -> Iterator[int]:
        """Yield the bytes of each file that is still there."""
        return _sizes(self._folder / name for name in self._names)


def _sizes(files: Iterable[Path]) -> Iterator[int]:
    for file in files:
        with suppress(OSError):
            yield file.stat().st_size
