"""The record of an import in a game's folder, from which the next import of the same file knows the
game and what was edited since.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from tabletop.files import folders
from tabletop.games import game_info
from tabletop.games.safe_toml import parse_toml
from tabletop.games.typed_toml import BrokenFile
from tabletop.studio.exchange.found_game import FoundGame, FoundPicture
from tabletop.text.plain_text import plain_line

RECORD_FILE = "import.toml"
MAX_RECORD_BYTES = 4 << 20
_PICTURE = re.compile(r"[0-9]{3,5}\.(?:png|jpg)")
_BACK = re.compile(r"back[0-9]{1,5}")
_IMPORTED = re.compile(
    rf"cards\.csv|pictures/{_PICTURE.pattern}|assets/(?:face|{_BACK.pattern})\.svg"
)
_NOTE = """\
# Written by the import. Import the file again to update the cards and pictures of this game:
# free.toml and your texts stay.
"""


class ImportRecord(Struct, frozen=True):
    """What was imported into a game's folder."""

    file: str = ""
    """The name of the imported file."""
    tool: str = ""
    pictures: dict[str, str] = {}
    """The file name of each picture, by its name in the imported file."""
    backs: dict[str, str] = {}
    """The name of each back, by its picture's name in the imported file."""
    digests: dict[str, str] = {}
    """The digest of each imported file, by path."""

    def name_pictures(self, pictures: Mapping[str, FoundPicture]) -> dict[str, str]:
        """Return a file name for each picture, the earlier one if it has the same suffix."""
        known = {
            key: name
            for key, name in self.pictures.items()
            if key in pictures and name.endswith(pictures[key].suffix)
        }
        numbers = _unused({int(name[:-4]) for name in self.pictures.values()})
        return {
            key: known.get(key) or f"{next(numbers):03}{each.suffix}"
            for key, each in pictures.items()
        }

    def name_backs(self, backs: Iterable[str]) -> dict[str, str]:
        """Return a name for each back, the earlier one if there is one."""
        numbers = _unused({int(name.removeprefix("back")) for name in self.backs.values()})
        return {back: self.backs.get(back) or f"back{next(numbers)}" for back in backs}

    def encode(self) -> bytes:
        """Return the content of `RECORD_FILE`."""
        lines = [_NOTE, f"file = {_quote(self.file)}", f"tool = {_quote(self.tool)}"]
        for section in ("pictures", "backs", "digests"):
            lines += ["", f"[{section}]"]
            lines += (f"{_quote(a)} = {_quote(b)}" for a, b in getattr(self, section).items())
        return ("\n".join(lines) + "\n").encode()


def _unused(taken: set[int]) -> Iterator[int]:
    number = 0
    while True:
        number += 1
        if number not in taken:
            yield number


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def digest(content: bytes) -> str:
    """Return the digest that identifies the content of an imported file."""
    return sha256(content).hexdigest()


def is_imported_file(name: str) -> bool:
    """Return whether an update replaces the file at the path `name` of a game's folder."""
    return _IMPORTED.fullmatch(name) is not None


def read_record(folder: Path) -> ImportRecord | None:
    """Return the record in a game's folder if it exists and is sound."""
    try:
        file = folder / RECORD_FILE
        if not file.is_file() or file.stat().st_size > MAX_RECORD_BYTES:
            return None
        record = msgspec.convert(parse_toml(file.read_text("utf-8")), ImportRecord)
    except (OSError, ValueError, RecursionError):
        return None
    # the names lead to files that an update writes and deletes
    is_sound = (
        all(map(_PICTURE.fullmatch, record.pictures.values()))
        and all(map(_BACK.fullmatch, record.backs.values()))
        and all(map(is_imported_file, record.digests))
    )
    return record if is_sound else None


class EarlierImport(Struct, frozen=True):
    """A game that a file of the same name was imported into."""

    folder: Path
    title: str


def find_earlier_import(found: FoundGame) -> EarlierImport | None:
    """Return the latest game in the games folder that a file of the same name was imported into, if
    there is one.
    """
    same: list[tuple[int, Path]] = []
    try:
        for folder in folders.games().iterdir():
            record = read_record(folder)
            if record and found.file and (record.file, record.tool) == (found.file, found.tool):
                same.append(((folder / RECORD_FILE).stat().st_mtime_ns, folder))
    except OSError:
        return None
    if not same:
        return None
    folder = max(same)[1]
    try:
        written = (folder / game_info.CARDS_TOML).read_text("utf-8")
        title = game_info.read_game_info(written).title
    except (OSError, ValueError, BrokenFile):
        title = folder.name
    return EarlierImport(folder, plain_line(title))
