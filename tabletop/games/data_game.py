"""Files and size limits of games without Python, which can be sent to other computers.

Such a game is pure data: the program supplies its rules (`tabletop/free_table`). Other files in the
folder, such as a workbook or a sketch, aren't part of the game and aren't sent.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from struct import error as TooShort
from struct import unpack_from

from tabletop.games.typed_toml import BrokenFile
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.text.normalisation import TooManyMarks, normalise
from tabletop.text.portable_name import MAX_FILE_NAME_CHARS, is_portable

MAX_FILES = 500
MAX_GAME_BYTES = 32 << 20
"""The maximum size of all files together, in bytes."""
MAX_PHOTOGRAPH_BYTES = 8 << 20
"""The maximum size of a photograph, in bytes."""
MAX_DRAWING_BYTES = 1 << 20
"""The maximum size of an SVG, in bytes."""
MAX_CARD_FILE_BYTES = 512 << 10
"""The maximum size of a file with cards, in bytes. The largest known file has a tenth of it."""
MAX_RULEBOOK_BYTES = 128 << 10
"""The maximum size of a rulebook, in bytes. The largest known rulebook has a quarter of it.

Without this limit and the three below, laying out the pages could take minutes.
"""
MAX_PARAGRAPH_BYTES = 20_000
"""The maximum number of bytes between two empty lines of a rulebook."""
MAX_RULEBOOK_CELLS = 5_000
"""The maximum number of "|" characters in a rulebook."""
MAX_LINE_CELLS = 60
"""The maximum number of "|" characters in one line of a rulebook."""
MAX_TEXT_BYTES = 256 << 10
"""The maximum size of any other file, in bytes. All of it is read when the game is opened."""
MAX_PIXELS = 24_000_000
"""The maximum number of pixels in a photograph. Decoded, they take 96 MB."""
MAX_SIDE_PX = 8_000

TEXT_FILES = frozenset(
    (
        "cards.csv",
        "cards.toml",
        "first.toml",
        "free.toml",
        "illustrations.toml",
        "meaning.toml",
        "print.toml",
        "table.toml",
        "words.toml",
        "assets/inks.toml",
    )
)
CARD_FILES = frozenset(("cards.csv", "cards.toml"))
PHOTOGRAPH_SUFFIXES = (".png", ".jpg", ".jpeg")
DRAWING_SUFFIXES = (".svg",)
PICTURE_FOLDERS = ("", "pictures", "assets")
"""The folders in a game that may contain the pictures named by cards or by `free.toml`."""
_TRANSLATION_FILE = re.compile(
    rf"({LANGUAGE_CODE.pattern}\.po|rulebook\.{LANGUAGE_CODE.pattern}\.md)"
)
_EMPTY_LINE = re.compile(rb"\n[ \t\r]*\n")
MAX_PATH_PARTS = 3
"""The maximum number of parts in a file's path: two nested folders and the file name."""
_MAX_NAME_CHARACTERS = MAX_PATH_PARTS * (MAX_FILE_NAME_CHARS + 1)


def is_game_file(name: str) -> bool:
    """Return whether a file at the path `name` is part of a game without Python.

    Its type must be known, and its path must be portable and stay inside the folder.
    """
    parts = PurePosixPath(name).parts
    if "/".join(parts) != name or not 0 < len(parts) <= MAX_PATH_PARTS:
        return False
    if not all(map(is_portable, parts)):
        return False
    return (
        name in TEXT_FILES
        or bool(_TRANSLATION_FILE.fullmatch(name))
        or name.lower().endswith((*PHOTOGRAPH_SUFFIXES, *DRAWING_SUFFIXES))
    )


def max_bytes_of(name: str) -> int:
    """Return the maximum size in bytes of the file called `name`."""
    if name.lower().endswith(PHOTOGRAPH_SUFFIXES):
        return MAX_PHOTOGRAPH_BYTES
    if name.lower().endswith(DRAWING_SUFFIXES):
        return MAX_DRAWING_BYTES
    if name.endswith(".md"):
        return MAX_RULEBOOK_BYTES
    return MAX_CARD_FILE_BYTES if name in CARD_FILES else MAX_TEXT_BYTES


def check_sizes(sizes: Sequence[tuple[str, int]]) -> None:
    """Check the names and sizes of a game's files before any of them is sent.

    Raises:
        BrokenFile: a file isn't part of a game without Python, or is too large; or `free.toml` is
            missing.
    """
    if len(sizes) > MAX_FILES:
        raise BrokenFile(f"it has {len(sizes)} files, and {MAX_FILES} is the most")
    seen: set[str] = set()
    for name, size in sizes:
        if not is_game_file(name):
            raise BrokenFile(f'"{_shorten(name)}" isn\'t a file of a game without code')
        most = max_bytes_of(name)
        if not 0 <= size <= most:
            raise BrokenFile(f'"{name}" is larger than {most >> 10} KiB')
        try:
            same = normalise("NFC", name, _MAX_NAME_CHARACTERS).casefold()
        except TooManyMarks as error:
            raise BrokenFile(f'"{_shorten(name)}" isn\'t a file of a game without code') from error
        if same in seen:
            raise BrokenFile(f'"{name}" is there twice')
        seen.add(same)
    if sum(size for _, size in sizes) > MAX_GAME_BYTES:
        raise BrokenFile(f"it is larger than {MAX_GAME_BYTES >> 20} MiB")
    if "free.toml" not in {name for name, _ in sizes}:
        raise BrokenFile("it has no free.toml, so it isn't a game without code")


def check_contents(files: Mapping[str, bytes]) -> None:
    """Check that the files of a game are valid and have the types that their names say.

    Raises:
        BrokenFile: a picture has the wrong type or is too large, or a rulebook can't be displayed.
    """
    check_sizes([(name, len(content)) for name, content in files.items()])
    for name, content in files.items():
        if name.endswith(".md"):
            _check_rulebook(name, content)
        if name.lower().endswith(PHOTOGRAPH_SUFFIXES):
            photograph_size(name, content)


def photograph_size(name: str, content: bytes) -> tuple[int, int]:
    """Return the width and height in pixels from a photograph's header.

    Raises:
        BrokenFile: `content` isn't of the type that `name` says, or has too many pixels.
    """
    width, height = _photograph_size(content, name)
    sides = 0 < width <= MAX_SIDE_PX and 0 < height <= MAX_SIDE_PX
    if not sides or width * height > MAX_PIXELS:
        raise BrokenFile(f'"{name}" has {width} x {height} pixels: too many for a card')
    return width, height


def _check_rulebook(name: str, content: bytes) -> None:
    if content.count(b"|") > MAX_RULEBOOK_CELLS or any(
        line.count(b"|") > MAX_LINE_CELLS for line in content.splitlines()
    ):
        raise BrokenFile(f'"{name}" has a table larger than any of a rulebook')
    if any(len(part) > MAX_PARAGRAPH_BYTES for part in _EMPTY_LINE.split(content)):
        raise BrokenFile(f'"{name}" has a paragraph longer than any of a rulebook')


def split_files(sizes: Sequence[tuple[str, int]], content: bytes) -> dict[str, bytes]:
    """Split the concatenated `content` into files with these names and sizes."""
    at, files = 0, {}
    for name, size in sizes:
        files[name] = content[at : at + size]
        at += size
    return files


def _photograph_size(content: bytes, name: str) -> tuple[int, int]:
    """Return the width and height in pixels from a photograph's header, without checking limits.

    Raises:
        BrokenFile: `content` isn't of the type that `name` says.
    """
    try:
        if name.lower().endswith(".png"):
            if content[:8] == b"\x89PNG\r\n\x1a\n" and content[12:16] == b"IHDR":
                width, height = unpack_from(">II", content, 16)
                return width, height
        elif content[:2] == b"\xff\xd8":
            return _jpeg_size(content)
    except TooShort:
        pass
    raise BrokenFile(f'"{name}" isn\'t a picture of the kind in its name')


def _jpeg_size(content: bytes) -> tuple[int, int]:
    """Return the width and height of a JPEG in pixels.

    Raises:
        struct.error: `content` has no frame header.
    """
    at = 2
    while True:
        mark, kind, length = unpack_from(">BBH", content, at)
        if mark != 0xFF:
            raise TooShort
        if kind in _JPEG_FRAMES:
            height, width = unpack_from(">HH", content, at + 5)
            return width, height
        at += 1 if kind == 0xFF else 2 + length


_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The marker codes of the JPEG segments that contain the image size (SOF)."""


def _shorten(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:60]}…"
