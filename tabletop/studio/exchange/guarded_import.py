"""Looks into files of other programs in a worker process, as `tabletop/exchange/guarded_reading.py`
does with games of this one, and checks again what comes back."""

from itertools import accumulate, takewhile
from pathlib import Path

from tabletop.background.worker_process import WorkerTask
from tabletop.exchange.file_kinds import SHEET_SUFFIXES
from tabletop.exchange.game_file import GameFile
from tabletop.exchange.guarded_reading import (
    DAMAGED_FILE,
    GuardedReading,
    ReadingRefusal,
    check_game_file,
    read_or_refuse,
)
from tabletop.exchange.zip_archive import MAX_BYTES
from tabletop.files.errors import BadFile
from tabletop.games.card_sheet import MOST
from tabletop.games.data_game import check_picture
from tabletop.games.game_info import MOST_CARDS
from tabletop.games.typed_toml import BrokenFile
from tabletop.studio.exchange import reading
from tabletop.studio.exchange.found_game import (
    LONGEST_HEADING,
    LONGEST_NAME,
    LONGEST_TEXT,
    LONGEST_VALUE,
    MAX_FIELDS,
    MOST_DECKS,
    FoundCard,
    FoundGame,
)
from tabletop.studio.exchange.sources import FolderSource, PicturesBeside
from tabletop.studio.workshop.new_game import LONGEST_TITLE

SUFFIX_CHARS = 20
"""Characters that are added to a name that was cut, to tell it from others."""


def guard_import(path: Path) -> GuardedReading[GameFile | FoundGame]:
    """Return the reading of whatever somebody has given: what `reading.look` finds there."""
    return GuardedReading(path, _LOOK, _size, _check)


def _look(path: str) -> GameFile | FoundGame | ReadingRefusal:
    """Look into a file or a folder. Runs in the worker process."""
    return read_or_refuse(reading.look, path)


_LOOK = WorkerTask(_look)


def _check(found: GameFile | FoundGame, file: str) -> None:
    """
    Raises:
        BadFile: it isn't what the readers make.
    """
    if isinstance(found, FoundGame):
        _check_found_game(found, file)
    else:
        check_game_file(found, file)


def _size(path: Path) -> int:
    """Return the bytes that may be pictures, which take longer than other files of their size: of
    an archive, of a folder's files, or of the pictures beside a sheet or a save, up to the limit of
    an archive.

    Raises:
        OSError, BadFile: the file or folder can't be read.
    """
    if path.is_dir():
        return sum(FolderSource(path).sizes())
    if path.name.lower().endswith((".json", *SHEET_SUFFIXES)):
        beside = accumulate(PicturesBeside(path).sizes())
        return max(takewhile(lambda total: total < MAX_BYTES, beside), default=0)
    return path.stat().st_size


def _check_found_game(found: FoundGame, file: str) -> None:
    """
    Raises:
        BadFile: there is more in it than a game has, or it isn't what the readers make.
    """
    decks = [deck.name for deck in found.decks]
    cards = [card for deck in found.decks for card in deck.cards]
    names = (*decks, *(card.name for card in cards))
    if not (
        len(set(decks)) == len(decks) <= MOST_DECKS
        and 0 < len(cards) <= MOST
        and found.count <= MOST_CARDS
        and len(found.title) <= LONGEST_TITLE
        and all(len(name) <= LONGEST_NAME + SUFFIX_CHARS for name in names)
        and all(_is_sound(card, found) for card in cards)
        and found.missing >= 0
    ):
        raise BadFile(DAMAGED_FILE, file=file)
    for picture in found.pictures.values():
        try:
            if check_picture(f"picture{picture.suffix}", picture.content) != picture.size:
                raise BadFile(DAMAGED_FILE, file=file)
        except BrokenFile as error:
            raise BadFile(DAMAGED_FILE, file=file) from error


def _is_sound(card: FoundCard, found: FoundGame) -> bool:
    return (
        card.copies > 0
        and len(card.text) <= LONGEST_TEXT
        and all(not name or name in found.pictures for name in (card.face, card.back))
        and len(card.fields) <= MAX_FIELDS
        and all(len(heading) <= LONGEST_HEADING for heading in card.fields)
        and all(len(value) <= LONGEST_VALUE for value in card.fields.values())
    )
