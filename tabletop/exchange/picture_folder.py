"""A folder of pictures, or a zip of them: one card each. A folder in it is a deck."""

import re
from pathlib import PurePosixPath

from tabletop.exchange.found_game import FoundCard, FoundDeck, FoundGame, checked, gathered
from tabletop.exchange.pictures import FoundPictures
from tabletop.exchange.sources import PICTURES, Source
from tabletop.text.phrases import phrase

TOOL = phrase("pictures")
BACKS = ("back", "backs", "card back", "cardback", "裏", "裏面", "うら", "ura")
"""The names of the picture on the backs, without "_" and "-"."""
_COPIES = re.compile(r"(.*?)[\s_-]*(?:[x×]\s?(\d{1,2})|\(?(\d{1,2})枚\)?)", re.IGNORECASE)
_DIGITS = re.compile(r"(\d+)")


def is_one(source: Source) -> bool:
    """Whether there are pictures."""
    return any(name.lower().endswith(PICTURES) for name in source)


def read(source: Source, title: str) -> FoundGame:
    """The cards of all pictures, in the order of their names, numbers as numbers.

    Raises:
        BadFile: there are none.
    """
    pictures = FoundPictures(source)
    folders: dict[str, list[str]] = {}
    for name in sorted(source, key=_natural):
        if name.lower().endswith(PICTURES):
            folders.setdefault(PurePosixPath(name).parent.as_posix(), []).append(name)
    backs = {folder: name for folder, names in folders.items() for name in names if _is_back(name)}
    decks: list[FoundDeck] = []
    for folder, names in folders.items():
        back = backs.get(folder) or backs.get(".", "")
        cards = [_card(name, back, pictures) for name in names if not _is_back(name)]
        called = title if folder == "." else PurePosixPath(folder).name
        decks.append(gathered(called, [card for card in cards if card.face], len(decks) + 1))
    return FoundGame(TOOL, title, checked(title, decks), pictures.kept, pictures.missing)


def _card(name: str, back: str, pictures: FoundPictures) -> FoundCard:
    stem = PurePosixPath(name).stem
    counted = _COPIES.fullmatch(stem)
    called = counted[1] if counted and counted[1] else stem
    copies = int(counted[2] or counted[3]) if counted else 1
    plain = " ".join(called.replace("_", " ").split())
    return FoundCard(plain, pictures.named(name), pictures.named(back), copies=max(copies, 1))


def _is_back(name: str) -> bool:
    return re.sub(r"[_-]+", " ", PurePosixPath(name).stem).strip().lower() in BACKS


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    parts = _DIGITS.split(name.lower())
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)
