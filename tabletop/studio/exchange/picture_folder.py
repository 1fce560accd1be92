"""Importer for a folder or ZIP archive of pictures: one card per picture, one deck per folder."""

import re
from pathlib import PurePosixPath

from tabletop.exchange.file_kinds import PICTURE_SUFFIXES
from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.text.phrases import phrase

TOOL = phrase("pictures")
BACKS = ("back", "backs", "card back", "cardback", "裏", "裏面", "うら", "ura")
"""File names, without suffix, of pictures for the card backs. "_" and "-" are replaced with spaces
before the comparison.
"""
_COPIES = re.compile(r"(?:[x×]\s?(\d{1,2})|\(?(\d{1,2})枚\)?)\Z", re.IGNORECASE)
_DIGITS = re.compile(r"(\d+)")


def can_read(source: Source) -> bool:
    """Return whether `source` contains pictures."""
    return any(name.lower().endswith(PICTURE_SUFFIXES) for name in source)


def read(source: Source, title: str) -> FoundGame:
    """Return a card for each picture, in natural sort order of the file names.

    Raises:
        BadFile: `source` contains no readable pictures.
    """
    pictures = FoundPictures(source)
    folders: dict[str, list[str]] = {}
    for name in sorted(source, key=_natural):
        if name.lower().endswith(PICTURE_SUFFIXES):
            folders.setdefault(PurePosixPath(name).parent.as_posix(), []).append(name)
    backs = {folder: name for folder, names in folders.items() for name in names if _is_back(name)}
    decks = DeckCollector(title)
    for folder, names in folders.items():
        back = backs.get(folder) or backs.get(".", "")
        cards = (_card(name, back, pictures) for name in names if not _is_back(name))
        called = title if folder == "." else PurePosixPath(folder).name
        decks.add_deck(called, (card for card in cards if card.face))
    return FoundGame(TOOL, title, decks.finish(), pictures.kept, pictures.missing)


def _card(name: str, back: str, pictures: FoundPictures) -> FoundCard:
    stem = PurePosixPath(name).stem
    counted = _COPIES.search(stem)
    called = (stem[: counted.start()].rstrip("-_ \u3000") if counted else "") or stem
    copies = int(counted[1] or counted[2]) if counted else 1
    plain = " ".join(called.replace("_", " ").split())
    return FoundCard(plain, pictures.load(name), pictures.load(back), copies=max(copies, 1))


def _is_back(name: str) -> bool:
    return re.sub(r"[_-]+", " ", PurePosixPath(name).stem).strip().lower() in BACKS


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key that orders digit sequences by their numeric value."""
    parts = _DIGITS.split(name.lower())
    numbers = (part.lstrip("0") if part.isdecimal() else None for part in parts)
    return tuple(
        (0, part) if number is None else (len(number), number)
        for part, number in zip(parts, numbers, strict=True)
    )
