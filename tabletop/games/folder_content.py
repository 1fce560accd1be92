"""The content of a game folder outside the package: its files, its digest and its Python modules.

The folder is read only once, so the Python that runs is byte for byte what the digest was computed
from. Neither later edits nor compiled files in the folder can replace it.
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
from tabletop.games.data_game import check_contents, is_game_file
from tabletop.games.typed_toml import BrokenFile

MAX_FILES = 2_000
MAX_BYTES = 64 << 20
"""The maximum size of a game folder, in bytes. Reading a folder chosen by mistake stops there."""

RENAMED_API_NAMES = {
    "Instinct": "Heuristic",
    "instinct": "heuristic",
    "guess": "determinize",
    "guessed": "determinized",
    "hole": "hidden_card",
    "Note": "Remark",
}
"""Former API names that game folders may still import, mapped to their current names."""

PACKAGE_PREFIX = "tabletop_game_folder_"
"""The prefix of the package name under which a game folder's Python is imported."""
_package_numbers = count(1)


class FolderFacts(Struct, frozen=True):
    """The identity and size of a game folder."""

    digest: str
    """The SHA-256 digest of all files. Games with equal digests are identical."""
    files: int
    """The number of files."""
    size: int
    """The total size of all files, in bytes."""
    data_only: bool
    """Whether the folder contains no Python."""


class FolderContent(Struct, frozen=True):
    """A snapshot of a game folder."""

    facts: FolderFacts
    """The folder's identity and size."""
    python: dict[str, bytes]
    """The Python sources, by path relative to the folder, such as "bot/heuristic.py"."""
    texts: tuple[str, ...]
    """The paths of all text files except Python."""

    @property
    def digest(self) -> str:
        return self.facts.digest


def read_folder(folder: Path) -> FolderContent:
    """Read all files of a game folder.

    Raises:
        BrokenFile: the folder isn't a valid game folder.
        OSError: a file can't be read.
    """
    files = read_game_files(folder)
    if "free.toml" in files and not any(name.endswith(".py") for name in files):
        check_contents(files)
    python = {name: content for name, content in files.items() if name.endswith(".py")}
    texts = tuple(name for name in files if name.endswith((".toml", ".md", ".po", ".csv")))
    size = sum(map(len, files.values()))
    return FolderContent(
        FolderFacts(compute_digest(files), len(files), size, not python), python, texts
    )


def compute_digest(files: Mapping[str, bytes]) -> str:
    """Return the SHA-256 digest of the names and contents of `files`, regardless of their order."""
    digest = sha256()
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()


def read_game_files(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files of a game, by path relative to `folder`.

    In a game without Python, the workbook is replaced by a `cards.csv` with its cards, because the
    digest depends only on the cards and the workbook itself isn't sent to anyone.

    Raises:
        BrokenFile: the folder contains a link or a device, or is too large for a game.
        OSError: a file can't be read.
    """
    names = list_game_files(folder)
    files, size = {}, 0
    for name in names:
        file = folder / name
        try:
            files[name] = read_regular(file, MAX_BYTES - size)
        except TooLarge as error:
            raise BrokenFile(f"its folder holds more than {MAX_BYTES >> 20} MiB") from error
        size += len(files[name])
    return files if _has_python(names) else replace_workbook_by_csv(files)


def list_game_files(folder: Path) -> list[str]:
    """Return the paths of all files of a game, relative to `folder` and sorted.

    Hidden files and compiled Python are left out. In a game without Python, so are files that
    `data_game.is_game_file` doesn't accept.

    Raises:
        BrokenFile: the folder contains a link or a device, or too many files.
        OSError: the folder can't be read.
    """
    names = sorted(_walk_files(folder))
    if len(names) > MAX_FILES:
        raise BrokenFile(f"its folder holds more than {MAX_FILES} files")
    return names if _has_python(names) else select_data_game_files(names)


def _has_python(names: Sequence[str]) -> bool:
    return any(name.endswith(".py") for name in names)


def select_data_game_files(names: Sequence[str]) -> list[str]:
    """Return the `names` that are part of a game without Python.

    A workbook is part of the game only if there is no `cards.csv`.
    """
    books = () if card_sheet.CSV_FILE in names else card_sheet.WORKBOOK_FILES
    book = next((name for name in books if name in names), "")
    return [name for name in names if is_game_file(name) or name == book]


def replace_workbook_by_csv(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return `files` with the workbook, if any, replaced by a `cards.csv` with its cards.

    Raises:
        BrokenFile: the workbook can't be read.
    """
    converted = dict(files)
    for book in converted.keys() & {*card_sheet.WORKBOOK_FILES}:
        converted[card_sheet.CSV_FILE] = card_sheet.export_csv(
            card_sheet.sheet_from_file(converted.pop(book), book)
        )
    return dict(sorted(converted.items()))


def _walk_files(folder: Path, above: str = "") -> Iterator[str]:
    for number, entry in enumerate(os.scandir(folder)):
        if number > MAX_FILES or above.count("/") > 8:
            raise BrokenFile(f"its folder holds more than {MAX_FILES} files")
        if entry.name.startswith(".") or entry.name == "__pycache__":
            continue
        name = above + entry.name
        mode = entry.stat(follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            yield from _walk_files(Path(entry.path), f"{name}/")
        elif stat.S_ISREG(mode):
            yield name
        else:
            raise BrokenFile(f'"{name}" is a link or a device: a game holds only files and folders')


class FolderModules:
    """The Python modules of a game folder, importable as a separate package.

    The modules import each other relatively (`from .deck import Deck`).
    """

    def __init__(self, folder: Path, python: Mapping[str, bytes]) -> None:
        self._package = f"{PACKAGE_PREFIX}{next(_package_numbers)}"
        self._finder = FolderFinder(self._package, folder, python)
        sys.meta_path.insert(0, self._finder)

    def has_module(self, name: str) -> bool:
        """Return whether the folder contains a module called `name`."""
        return bool(self._finder.source_path(f"{self._package}.{name}"))

    def load_module(self, name: str) -> ModuleType:
        """Import a module of the folder and return it.

        Exceptions that the module raises while it is imported are propagated.

        Raises:
            ModuleNotFoundError: the folder has no module called `name`.
        """
        try:
            return import_module(f"{self._package}.{name}")
        except ImportError as error:
            for old, new in RENAMED_API_NAMES.items():
                if re.search(rf"\b{old}\b", error.msg):
                    error.msg = f'{error.msg}: "{old}" is called "{new}" now'
            raise

    def close(self) -> None:
        """Remove the package from `sys.modules`, so that its modules can't be imported any longer.

        Code that is already loaded keeps running.
        """
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)
        for name in [each for each in sys.modules if each.partition(".")[0] == self._package]:
            del sys.modules[name]


class FolderFinder(MetaPathFinder, ExecutionLoader):
    """An import hook for a package whose sources are kept in memory."""

    def __init__(self, package: str, folder: Path, python: Mapping[str, bytes]) -> None:
        self._package = package
        self._folder = folder
        self._python = python

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] != self._package:
            return None
        if fullname != self._package and not self.source_path(fullname):
            raise ModuleNotFoundError(f"the folder has no {self._inside(fullname)}.py")
        return spec_from_loader(fullname, self, is_package=self.is_package(fullname))

    def is_package(self, fullname: str) -> bool:
        return self.source_path(fullname).endswith("__init__.py") or fullname == self._package

    def get_filename(self, fullname: str) -> str:
        return str(self._folder / (self.source_path(fullname) or "__init__.py"))

    def get_source(self, fullname: str) -> str:
        return decode_source(self._python.get(self.source_path(fullname), b""))

    def _inside(self, fullname: str) -> str:
        return "/".join(fullname.split(".")[1:])

    def source_path(self, fullname: str) -> str:
        """Return the path of a module's source, relative to the folder;
        "" if there is no such module.
        """
        inside = self._inside(fullname)
        tried = (f"{inside}.py", f"{inside}/__init__.py") if inside else ("__init__.py",)
        return next((name for name in tried if name in self._python), "")
