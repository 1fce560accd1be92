"""Looks into files of strangers in a worker process, and checks again what comes back."""

from itertools import accumulate, takewhile
from pathlib import Path

from msgspec import Struct

from tabletop.background.worker_process import (
    Cause,
    WorkerCall,
    WorkerCancelled,
    WorkerFailed,
    WorkerTask,
    limits_for,
)
from tabletop.engine.model import Reason
from tabletop.exchange import reading, spreadsheet
from tabletop.exchange.found_game import (
    LONGEST_HEADING,
    LONGEST_NAME,
    LONGEST_TEXT,
    LONGEST_VALUE,
    MAX_FIELDS,
    MOST_DECKS,
    FoundCard,
    FoundGame,
)
from tabletop.exchange.game_file import GameFile
from tabletop.exchange.sources import FolderSource, PicturesBeside
from tabletop.exchange.zip_archive import MOST_BYTES
from tabletop.files.errors import BadFile, unreadable
from tabletop.games.box import MOST_CARDS
from tabletop.games.card_sheet import MOST
from tabletop.games.data_game import check_contents, check_picture
from tabletop.games.folder_content import digest_of
from tabletop.games.game_id import is_id
from tabletop.games.new_game import LONGEST_TITLE
from tabletop.games.typed_toml import BrokenFile
from tabletop.text.phrases import phrase

DAMAGED = phrase('"{file}" can\'t be read: it is damaged.')
TOO_MUCH = phrase('"{file}" holds more than any game.')
SENTENCES = {
    Cause.OUT_OF_TIME: phrase('"{file}" takes longer to read than any game.'),
    Cause.OUT_OF_MEMORY: TOO_MUCH,
    Cause.TOO_MUCH_OUTPUT: TOO_MUCH,
    Cause.CRASHED: DAMAGED,
    Cause.NOT_STARTED: phrase(
        'Can\'t read "{file}": the system starts no more processes. Close some programs, then try '
        "again."
    ),
}
SUFFIX_CHARS = 20
"""Characters that are added to a name that was cut, to tell it from others."""


class ReadingRefusal(Struct, frozen=True, tag=True):
    """Why a file holds no game."""

    reason: Reason


class GuardedReading:
    """One look into a file or folder that somebody has given."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()
        self._call: WorkerCall[str, GameFile | FoundGame | ReadingRefusal] | None = None
        self.cancelled = False
        """Whether `cancel` was called."""

    def run(self) -> GameFile | FoundGame:
        """Return what `reading.look` finds there. It blocks, so it's for a thread.

        Raises:
            BadFile: it holds no game, can't be read, or needs more than any game.
            WorkerCancelled: `cancel` was called.
        """
        name = self._path.name
        try:
            limits = limits_for(_size(self._path))
        except OSError as error:
            raise unreadable(error, name) from error
        self._call = WorkerCall(_LOOK, str(self._path), limits)
        if self.cancelled:
            raise WorkerCancelled
        try:
            found = self._call.run()
        except WorkerCancelled:
            raise
        except WorkerFailed as error:
            raise BadFile(SENTENCES[error.cause], file=name) from error
        match found:
            case ReadingRefusal(reason):
                raise BadFile(reason.text, **reason.args)
            case FoundGame():
                _check_found_game(found, name)
            case GameFile():
                _check_game_file(found, name)
        return found

    def cancel(self) -> None:
        """End the reading now; for any thread."""
        self.cancelled = True
        if self._call is not None:
            self._call.cancel()


def _look(path: str) -> GameFile | FoundGame | ReadingRefusal:
    """Look into a file. Runs in the worker process."""
    try:
        return reading.look(Path(path))
    except BadFile as error:
        return ReadingRefusal(error.reason)
    except OSError as error:
        return ReadingRefusal(unreadable(error, Path(path).name).reason)


_LOOK = WorkerTask(_look)


def _size(path: Path) -> int:
    """Return the bytes that may be pictures, which take longer than other files of their size: of
    an archive, of a folder's files, or of the pictures beside a sheet or a save, up to the limit of
    an archive.

    Raises:
        OSError, BadFile: the file or folder can't be read.
    """
    if path.is_dir():
        return sum(FolderSource(path).sizes())
    if path.name.lower().endswith((".json", *spreadsheet.SUFFIXES)):
        beside = accumulate(PicturesBeside(path).sizes())
        return max(takewhile(lambda total: total < MOST_BYTES, beside), default=0)
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
        raise BadFile(DAMAGED, file=file)
    for picture in found.pictures.values():
        try:
            if check_picture(f"picture{picture.suffix}", picture.content) != picture.size:
                raise BadFile(DAMAGED, file=file)
        except BrokenFile as error:
            raise BadFile(DAMAGED, file=file) from error


def _is_sound(card: FoundCard, found: FoundGame) -> bool:
    return (
        card.copies > 0
        and len(card.text) <= LONGEST_TEXT
        and all(not name or name in found.pictures for name in (card.face, card.back))
        and len(card.fields) <= MAX_FIELDS
        and all(len(heading) <= LONGEST_HEADING for heading in card.fields)
        and all(len(value) <= LONGEST_VALUE for value in card.fields.values())
    )


def _check_game_file(found: GameFile, file: str) -> None:
    """
    Raises:
        BadFile: its files aren't those of a game, or it is another one than it says.
    """
    try:
        check_contents(found.files)
    except BrokenFile as error:
        raise BadFile(DAMAGED, file=file) from error
    if not is_id(found.id) or digest_of(found.files) != found.digest:
        raise BadFile(DAMAGED, file=file)
