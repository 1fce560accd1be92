"""Games without Python that can be sent to other computers: which files belong to them, and limits.

Such a game is pure data: the program supplies its rules (`tabletop/free_table`). Other files in
the folder, such as a workbook or a sketch, aren't part of the game and aren't sent.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from struct import error as TooShort
from struct import unpack_from

from tabletop.games.typed_toml import BrokenFile
from tabletop.text.language_code import LANGUAGE_CODE
from tabletop.text.normalisation import TooManyMarks, normalise
from tabletop.text.portable_name import LONGEST, is_portable

MOST_FILES = 500
LARGEST_GAME = 32 << 20
"""The maximum size of all files together, in bytes."""
LARGEST_PICTURE = 8 << 20
"""The maximum size of a photograph, in bytes."""
LARGEST_DRAWING = 1 << 20
"""The maximum size of an SVG, in bytes."""
LARGEST_CARDS = 512 << 10
"""The maximum size of a file with cards, in bytes. The largest known deck needs a tenth of it."""
LARGEST_RULEBOOK = 128 << 10
"""The maximum size of a rulebook, in bytes. The largest known one needs a quarter of it.

Beyond this limit and the three below, laying out pages takes minutes.
"""
LONGEST_PARAGRAPH = 20_000
"""The maximum number of bytes between two empty lines of a rulebook."""
MAX_RULEBOOK_CELLS = 5_000
"""The maximum number of "|" characters in a rulebook."""
MAX_LINE_CELLS = 60
"""The maximum number of "|" characters in one line of a rulebook."""
LARGEST_TEXT = 256 << 10
"""The maximum size of any other file, in bytes. All of it is read when the game is opened."""
MOST_PIXELS = 24_000_000
"""The maximum size of one photograph. Decoded, it takes 96 MB."""
LONGEST_SIDE = 8_000

TEXTS = frozenset(
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
CARDS = frozenset(("cards.csv", "cards.toml"))
PHOTOGRAPHS = (".png", ".jpg", ".jpeg")
DRAWINGS = (".svg",)
PICTURE_PLACES = ("", "pictures", "assets")
"""Folders in a game where the pictures named by cards or by `free.toml` may be."""
_TRANSLATED = re.compile(rf"({LANGUAGE_CODE.pattern}\.po|rulebook\.{LANGUAGE_CODE.pattern}\.md)")
_EMPTY_LINE = re.compile(rb"\n[ \t\r]*\n")
DEEPEST = 3
"""The maximum number of parts in a path: two nested folders and the file."""
_MAX_NAME_CHARACTERS = DEEPEST * (LONGEST + 1)


def belongs(name: str) -> bool:
    """Return whether a file of this path is part of a game without Python.

    Its type must be a known one, and its path must be portable and stay inside the folder.
    """
    parts = PurePosixPath(name).parts
    if "/".join(parts) != name or not 0 < len(parts) <= DEEPEST:
        return False
    if not all(map(is_portable, parts)):
        return False
    return (
        name in TEXTS
        or bool(_TRANSLATED.fullmatch(name))
        or name.lower().endswith((*PHOTOGRAPHS, *DRAWINGS))
    )


def largest(name: str) -> int:
    """Return the maximum size of a file of this name, in bytes."""
    if name.lower().endswith(PHOTOGRAPHS):
        return LARGEST_PICTURE
    if name.lower().endswith(DRAWINGS):
        return LARGEST_DRAWING
    if name.endswith(".md"):
        return LARGEST_RULEBOOK
    return LARGEST_CARDS if name in CARDS else LARGEST_TEXT


def check_sizes(sizes: Sequence[tuple[str, int]]) -> None:
    """Check the names and sizes of a game's files before any of them is sent.

    Raises:
        BrokenFile: a file isn't part of a game without Python, or is too large; or `free.toml` is
            missing.
    """
    if len(sizes) > MOST_FILES:
        raise BrokenFile(f"it has {len(sizes)} files, and {MOST_FILES} is the most")
    seen: set[str] = set()
    for name, size in sizes:
        if not belongs(name):
            raise BrokenFile(f'"{_short(name)}" isn\'t a file of a game without code')
        most = largest(name)
        if not 0 <= size <= most:
            raise BrokenFile(f'"{name}" is larger than {most >> 10} KiB')
        try:
            same = normalise("NFC", name, _MAX_NAME_CHARACTERS).casefold()
        except TooManyMarks as error:
            raise BrokenFile(f'"{_short(name)}" isn\'t a file of a game without code') from error
        if same in seen:
            raise BrokenFile(f'"{name}" is there twice')
        seen.add(same)
    if sum(size for _, size in sizes) > LARGEST_GAME:
        raise BrokenFile(f"it is larger than {LARGEST_GAME >> 20} MiB")
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
        if name.lower().endswith(PHOTOGRAPHS):
            check_picture(name, content)


def check_picture(name: str, content: bytes) -> tuple[int, int]:
    """Return the width and height of a photograph in pixels, as given in its header.

    Raises:
        BrokenFile: `content` isn't of the type that `name` says, or has too many pixels.
    """
    width, height = _size(content, name)
    sides = 0 < width <= LONGEST_SIDE and 0 < height <= LONGEST_SIDE
    if not sides or width * height > MOST_PIXELS:
        raise BrokenFile(f'"{name}" has {width} x {height} pixels: too many for a card')
    return width, height


def _check_rulebook(name: str, content: bytes) -> None:
    if content.count(b"|") > MAX_RULEBOOK_CELLS or any(
        line.count(b"|") > MAX_LINE_CELLS for line in content.splitlines()
    ):
        raise BrokenFile(f'"{name}" has a table larger than any of a rulebook')
    if any(len(part) > LONGEST_PARAGRAPH for part in _EMPTY_LINE.split(content)):
        raise BrokenFile(f'"{name}" has a paragraph longer than any of a rulebook')


def split_files(sizes: Sequence[tuple[str, int]], content: bytes) -> dict[str, bytes]:
    """Split concatenated bytes into the files with these names and sizes."""
    at, files = 0, {}
    for name, size in sizes:
        files[name] = content[at : at + size]
        at += size
    return files


def _size(content: bytes, name: str) -> tuple[int, int]:
    """Return the width and height of a photograph in pixels, from its header.

    Raises:
        BrokenFile: `content` isn't of the type that `name` says.
    """
    try:
        if name.lower().endswith(".png"):
            if content[:8] == b"\x89PNG\r\n\x1a\n" and content[12:16] == b"IHDR":
                width, height = unpack_from(">II", content, 16)
                return width, height
        elif content[:2] == b"\xff\xd8":
            return _size_of_jpeg(content)
    except TooShort:
        pass
    raise BrokenFile(f'"{name}" isn\'t a picture of the kind in its name')


def _size_of_jpeg(content: bytes) -> tuple[int, int]:
    """Return the width and height of a JPEG in pixels.

    Raises:
        struct.error: `content` has no frame header.
    """
    at = 2
    while True:
        mark, kind, length = unpack_from(">BBH", content, at)
        if mark != 0xFF:
            raise TooShort
        if kind in _FRAMES:
            height, width = unpack_from(">HH", content, at + 5)
            return width, height
        at += 1 if kind == 0xFF else 2 + length


_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The JPEG segments that contain the image size (SOF)."""


def _short(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:60]}…"
