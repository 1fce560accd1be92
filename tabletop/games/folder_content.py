"""The content of a game folder outside the package, read once: its digest, and its Python.

The Python that runs is byte for byte the one that was read for the digest: neither later changes
nor compiled files in the folder can take its place.
"""

import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from importlib.abc import ExecutionLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import decode_source, spec_from_loader
from itertools import count
from pathlib import Path
from types import ModuleType

from msgspec import Struct

from tabletop.files.regular_file import TooLarge, read_regular
from tabletop.games import card_sheet
from tabletop.games.data_game import belongs, check_contents
from tabletop.games.typed_toml import BrokenFile

MOST_FILES = 2_000
MOST_BYTES = 64 << 20
"""The limit of a game folder; a larger one must be something else."""

RENAMED = {
    "Instinct": "Heuristic",
    "instinct": "heuristic",
    "guess": "determinize",
    "guessed": "determinized",
    "hole": "hidden_card",
    "Note": "Remark",
}
"""Former names that rules and bots may still import, with the present ones."""

PACKAGE = "tabletop_game_folder_"
"""The prefix of the package for each folder with Python."""
_numbers = count(1)


class FolderFacts(Struct, frozen=True):
    """A game folder's identity at other computers."""

    digest: str
    """The digest of everything in it: the same digest means the same game."""
    files: int
    """The number of its files."""
    size: int
    """Bytes of all its files."""
    data_only: bool
    """Whether there is no Python in it."""


class FolderContent(Struct, frozen=True):
    """A folder as it was when it was read."""

    facts: FolderFacts
    """Its identity at other computers."""
    python: dict[str, bytes]
    """The sources in it, by their names relative to the folder: "bot/heuristic.py"."""
    texts: tuple[str, ...]
    """The names of its other files that are to be read."""

    @property
    def digest(self) -> str:
        return self.facts.digest


def read_folder(folder: Path) -> FolderContent:
    """Read the files of a folder.

    Raises:
        BrokenFile, OSError: as `files_of`; and a game without Python holds what it may not.
    """
    files = files_of(folder)
    if "free.toml" in files and not any(name.endswith(".py") for name in files):
        check_contents(files)
    python = {name: content for name, content in files.items() if name.endswith(".py")}
    texts = tuple(name for name in files if name.endswith((".toml", ".md", ".po", ".csv")))
    size = sum(map(len, files.values()))
    return FolderContent(FolderFacts(digest_of(files), len(files), size, not python), python, texts)


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return the digest of a game: SHA-256 over all its files, sorted by their names."""
    digest = sha256()
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()


def files_of(folder: Path) -> dict[str, bytes]:
    """All files of a game by their names, as `names_of`. Where there is no Python, a workbook with
    the cards counts as the cards.csv that it would be exported to: its cards alone decide the
    digest, and nobody gets a workbook.

    Raises:
        BrokenFile: it holds a link or a device, or much more than a game.
        OSError: it cannot be read.
    """
    names = names_of(folder)
    files, size = {}, 0
    for name in names:
        file = folder / name
        try:
            files[name] = read_regular(file, MOST_BYTES - size)
        except TooLarge as error:
            raise BrokenFile(f"its folder holds more than {MOST_BYTES >> 20} MiB") from error
        size += len(files[name])
    return files if _has_python(names) else with_text_sheet(files)


def names_of(folder: Path) -> list[str]:
    """The names of all files of a game relative to its folder, sorted. Those that are hidden, and
    what Python has compiled, are not of the game; where there is no Python, only what `data_game`
    knows is. Raises as `files_of`."""
    names = sorted(_names(folder))
    if len(names) > MOST_FILES:
        raise BrokenFile(f"its folder holds more than {MOST_FILES} files")
    return names if _has_python(names) else names_of_data(names)


def _has_python(names: Sequence[str]) -> bool:
    return any(name.endswith(".py") for name in names)


def names_of_data(names: Sequence[str]) -> list[str]:
    """Of these names of files those that are of a game without Python; a workbook where it has the
    cards."""
    books = () if card_sheet.FILE in names else card_sheet.WORKBOOKS
    book = next((name for name in books if name in names), "")
    return [name for name in names if belongs(name) or name == book]


def with_text_sheet(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """These files of a game, a workbook among them as the cards.csv that it would be exported to.

    Raises:
        BrokenFile: it can't be read.
    """
    told = dict(files)
    for book in told.keys() & {*card_sheet.WORKBOOKS}:
        told[card_sheet.FILE] = card_sheet.export_sheet(card_sheet.of_file(told.pop(book), book))
    return dict(sorted(told.items()))


def _names(folder: Path, above: str = "") -> Iterator[str]:
    for number, entry in enumerate(os.scandir(folder)):
        if number > MOST_FILES or above.count("/") > 8:
            raise BrokenFile(f"its folder holds more than {MOST_FILES} files")
        if entry.name.startswith(".") or entry.name == "__pycache__":
            continue
        name = above + entry.name
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            yield from _names(Path(entry.path), f"{name}/")
        elif stat.S_ISREG(mode):
            yield name
        else:
            raise BrokenFile(f'"{name}" is a link or a device: a game holds only files and folders')


class FolderModules:
    """The Python of one folder as a package of its own; modules name each other relatively
    (`from .deck import Deck`)."""

    def __init__(self, folder: Path, python: Mapping[str, bytes]) -> None:
        self._package = f"{PACKAGE}{next(_numbers)}"
        self._finder = FolderFinder(self._package, folder, python)
        sys.meta_path.insert(0, self._finder)

    def has(self, name: str) -> bool:
        """Whether there is such a module."""
        return bool(self._finder.file(f"{self._package}.{name}"))

    def module(self, name: str) -> ModuleType:
        """Return a module of the folder.

        Raises:
            ModuleNotFoundError: there is none of this name. Its own errors are passed on.
        """
        try:
            return import_module(f"{self._package}.{name}")
        except ImportError as error:
            for old, new in RENAMED.items():
                if re.search(rf"\b{old}\b", error.msg):
                    error.msg = f'{error.msg}: "{old}" is called "{new}" now'
            raise

    def close(self) -> None:
        """Forget the package, so that nothing imports it any more. Its running code goes on."""
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        for name in [each for each in sys.modules if each.partition(".")[0] == self._package]:
            del sys.modules[name]


class FolderFinder(MetaPathFinder, ExecutionLoader):
    """Finds a package's modules among sources that were read already."""

    def __init__(self, package: str, folder: Path, python: Mapping[str, bytes]) -> None:
        self._package = package
        self._folder = folder
        self._python = python

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] != self._package:
            return None
        if fullname != self._package and not self.file(fullname):
            raise ModuleNotFoundError(f"the folder has no {self._inside(fullname)}.py")
        return spec_from_loader(fullname, self, is_package=self.is_package(fullname))

    def is_package(self, fullname: str) -> bool:
        return self.file(fullname).endswith("__init__.py") or fullname == self._package

    def get_filename(self, fullname: str) -> str:
        return str(self._folder / (self.file(fullname) or "__init__.py"))

    def get_source(self, fullname: str) -> str:
        return decode_source(self._python.get(self.file(fullname), b""))

    def _inside(self, fullname: str) -> str:
        return "/".join(fullname.split(".")[1:])

    def file(self, fullname: str) -> str:
        """The source of a module; empty where there is none."""
        inside = self._inside(fullname)
        tried = (f"{inside}.py", f"{inside}/__init__.py") if inside else ("__init__.py",)
        return next((name for name in tried if name in self._python), "")
