"""File sources for importing another program's game: an archive or a folder."""

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

MAX_PARENT_FOLDERS, MAX_FOLDER_ENTRIES, MAX_NEIGHBOUR_FOLDERS = 4, 20_000, 100
"""Limits of the search for pictures beside a file: parent folders, entries per folder, and
neighbouring folders."""
MAX_DEPTH = 3
"""The maximum depth of nested folders."""


class Source(Protocol):
    """A read-only collection of files by relative path. No path leads outside the source."""

    def __iter__(self) -> Iterator[str]: ...
    def __contains__(self, name: str) -> bool: ...
    def read(self, name: str) -> bytes:
        """Return the content of the file `name`.

        Raises:
            BadFile: The file can't be read.
        """
        ...


class SubfolderSource:
    """A view of a source that strips the common top-level folder, which many archives have."""

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


class NearbyPictures:
    """The pictures that belong to a card sheet or save file.

    The search covers the file's own folder, neighbouring folders, and `Mods/Images` in the parent
    folders, where Tabletop Simulator keeps pictures.
    """

    def __init__(self, file: Path) -> None:
        around = (
            above / "Mods" / "Images" for above in file.absolute().parents[:MAX_PARENT_FOLDERS]
        )
        self._files: dict[str, Path] = {}
        folders: list[os.DirEntry[str]] = []
        for folder in (file.parent, *around):
            self._add(folder, "", folders if folder == file.parent else [])
        for entry in sorted(folders, key=lambda each: each.name)[:MAX_NEIGHBOUR_FOLDERS]:
            self._add(Path(entry.path), f"{entry.name}/", [])

    def _add(self, folder: Path, before: str, inside: "list[os.DirEntry[str]]") -> None:
        """Add the pictures of `folder` with the name prefix `before`, and append
        its subfolders to `inside`.
        """
        with suppress(OSError):
            for entry in islice(os.scandir(folder), MAX_FOLDER_ENTRIES):
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
        """Yield the size in bytes of each picture that still exists."""
        return _sizes(self._files.values())


class FolderSource:
    """The visible files of a folder. Symlinks aren't followed."""

    def __init__(self, folder: Path) -> None:
        """List the files.

        Raises:
            BadFile: `folder` can't be read, or contains too many files.
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
            deep = len(inside.parts) >= MAX_DEPTH
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
        """Yield the size in bytes of each file that still exists."""
        return _sizes(self._folder / name for name in self._names)


def _sizes(files: Iterable[Path]) -> Iterator[int]:
    for file in files:
        with suppress(OSError):
            yield file.stat().st_size
