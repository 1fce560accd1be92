"""Reads other programs' files in a worker process.

The process that started the worker validates the result again.
`tabletop/exchange/guarded_reading.py` does the same for game files of this program.
"""

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
from tabletop.games.card_sheet import MAX_CARD_ROWS
from tabletop.games.data_game import photograph_size
from tabletop.games.game_info import MAX_CARDS
from tabletop.games.typed_toml import BrokenFile
from tabletop.studio.exchange import reading
from tabletop.studio.exchange.found_components import (
    MAX_COUNT,
    MAX_COUNTERS,
    MAX_DICE,
    MAX_DICE_SETS,
    MAX_LEFT_OUT,
    MAX_SIDES,
)
from tabletop.studio.exchange.found_game import (
    MAX_DECKS,
    MAX_FIELDS,
    MAX_HEADING_CHARS,
    MAX_NAME_CHARS,
    MAX_TEXT_CHARS,
    MAX_VALUE_CHARS,
    FoundCard,
    FoundGame,
)
from tabletop.studio.exchange.sources import FolderSource, NearbyPictures
from tabletop.studio.workshop.new_game import MAX_TITLE_CHARS

MAX_SENTENCE_CHARS = 40_000
"""The maximum length of a sentence about what isn't imported, with its parameters."""
SUFFIX_CHARS = 20
"""The number of characters that may be added to a truncated name to make it unique."""


def guard_import(path: Path) -> GuardedReading[GameFile | FoundGame]:
    """Return a guarded reading of the file or folder `path` that runs
    `reading.look` in a worker process.
    """
    return GuardedReading(path, _LOOK, _size, _check)


def _look(path: str) -> GameFile | FoundGame | ReadingRefusal:
    """Read a file or folder, or return the refusal. Runs in the worker process."""
    return read_or_refuse(reading.look, path)


_LOOK = WorkerTask(_look)


def _check(found: GameFile | FoundGame, file: str) -> None:
    """Validate the worker's result.

    Raises:
        BadFile: `found` isn't a possible result of the importers.
    """
    if isinstance(found, FoundGame):
        _check_found_game(found, file)
    else:
        check_game_file(found, file)


def _size(path: Path) -> int:
    """Return the number of bytes that may be pictures, which take longer to read than other data.

    For a folder, count its files. For a card sheet or JSON save, count the pictures beside it, up
    to the archive limit. For an archive, return the size of the archive file.

    Raises:
        OSError, BadFile: `path` can't be read.
    """
    if path.is_dir():
        return sum(FolderSource(path).sizes())
    if path.name.lower().endswith((".json", *SHEET_SUFFIXES)):
        beside = accumulate(NearbyPictures(path).sizes())
        return max(takewhile(lambda total: total < MAX_BYTES, beside), default=0)
    return path.stat().st_size


def _check_found_game(found: FoundGame, file: str) -> None:
    """Validate the decks, cards and pictures of an imported game.

    Raises:
        BadFile: A limit is exceeded, or `found` isn't a possible result of the importers.
    """
    decks = [deck.name for deck in found.decks]
    cards = [card for deck in found.decks for card in deck.cards]
    names = (*decks, *(card.name for card in cards))
    if not (
        len(set(decks)) == len(decks) <= MAX_DECKS
        and 0 < len(cards) <= MAX_CARD_ROWS
        and found.count <= MAX_CARDS
        and len(found.title) <= MAX_TITLE_CHARS
        and all(len(name) <= MAX_NAME_CHARS + SUFFIX_CHARS for name in names)
        and all(_is_sound(card, found) for card in cards)
        and found.missing >= 0
        and _has_sound_components(found)
    ):
        raise BadFile(DAMAGED_FILE, file=file)
    for picture in found.pictures.values():
        try:
            if photograph_size(f"picture{picture.suffix}", picture.content) != picture.size:
                raise BadFile(DAMAGED_FILE, file=file)
        except BrokenFile as error:
            raise BadFile(DAMAGED_FILE, file=file) from error


def _has_sound_components(found: FoundGame) -> bool:
    return (
        (not found.board or found.board in found.pictures)
        and len(found.dice) <= MAX_DICE_SETS
        and all(2 <= each.sides <= MAX_SIDES for each in found.dice)
        and all(1 <= each.count <= MAX_DICE for each in found.dice)
        and len(found.counters) <= MAX_COUNTERS
        and all(abs(each.start) <= MAX_COUNT for each in found.counters)
        and all(
            len(each.name) <= MAX_NAME_CHARS + SUFFIX_CHARS for each in found.dice + found.counters
        )
        and len(found.left_out) <= MAX_LEFT_OUT
        and all(len(repr(each)) <= MAX_SENTENCE_CHARS for each in found.left_out)
    )


def _is_sound(card: FoundCard, found: FoundGame) -> bool:
    return (
        card.copies > 0
        and len(card.text) <= MAX_TEXT_CHARS
        and all(not name or name in found.pictures for name in (card.face, card.back))
        and len(card.fields) <= MAX_FIELDS
        and all(len(heading) <= MAX_HEADING_CHARS for heading in card.fields)
        and all(len(value) <= MAX_VALUE_CHARS for value in card.fields.values())
    )
