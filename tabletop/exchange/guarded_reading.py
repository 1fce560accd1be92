"""Looks into files of strangers in a worker process, and checks again what comes back.

Guests are given games as files, so the guard is theirs. What reads the files of other programs
behind it is `tabletop/studio/exchange/guarded_import.py`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct

from tabletop.background.worker_process import (
    FailureCause,
    WorkerCall,
    WorkerCancelled,
    WorkerFailed,
    WorkerTask,
    limits_for,
)
from tabletop.engine.model import Reason
from tabletop.exchange import game_file
from tabletop.exchange.file_kinds import GAME_FILE_SUFFIX
from tabletop.exchange.game_file import GameFile
from tabletop.files.errors import BadFile, bad_file_error
from tabletop.games.data_game import check_contents
from tabletop.games.folder_content import digest_of
from tabletop.games.game_id import is_id
from tabletop.games.typed_toml import BrokenFile
from tabletop.text.phrases import phrase

R = TypeVar("R")

DAMAGED_FILE = phrase('"{file}" can\'t be read: it is damaged.')
TOO_LARGE_FOR_GAME = phrase('"{file}" holds more than any game.')
FAILURE_SENTENCES = {
    FailureCause.OUT_OF_TIME: phrase('"{file}" takes longer to read than any game.'),
    FailureCause.OUT_OF_MEMORY: TOO_LARGE_FOR_GAME,
    FailureCause.TOO_MUCH_OUTPUT: TOO_LARGE_FOR_GAME,
    FailureCause.CRASHED: DAMAGED_FILE,
    FailureCause.NOT_STARTED: phrase(
        'Can\'t read "{file}": the system starts no more processes. Close some programs, then try '
        "again."
    ),
}


class ReadingRefusal(Struct, frozen=True, tag=True):
    """Why a file holds no game."""

    reason: Reason


class GuardedReading(Generic[R]):
    """One look into a file or folder that somebody has given."""

    def __init__(
        self,
        path: Path,
        task: WorkerTask[str, R | ReadingRefusal],
        size: Callable[[Path], int],
        check: Callable[[R, str], None],
    ) -> None:
        """`task` looks into it, in the worker process. `size` returns the bytes of it that may be
        pictures, which take longer than other files of their size. `check` is given what was found
        and the name of the file; both raise BadFile."""
        self.path = path.absolute()
        self._task = task
        self._size = size
        self._check = check
        self._call: WorkerCall[str, R | ReadingRefusal] | None = None
        self.cancelled = False
        """Whether `cancel` was called."""

    def run(self) -> R:
        """Return what the task finds there. It blocks, so it's for a thread.

        Raises:
            BadFile: it holds no game, can't be read, or needs more than any game.
            WorkerCancelled: `cancel` was called.
        """
        name = self.path.name
        try:
            limits = limits_for(self._size(self.path))
        except OSError as error:
            raise bad_file_error(error, name) from error
        self._call = WorkerCall(self._task, str(self.path), limits)
        if self.cancelled:
            raise WorkerCancelled
        try:
            found = self._call.run()
        except WorkerCancelled:
            raise
        except WorkerFailed as error:
            raise BadFile(FAILURE_SENTENCES[error.cause], file=name) from error
        if isinstance(found, ReadingRefusal):
            raise BadFile(found.reason.text, **found.reason.args)
        self._check(found, name)
        return found

    def cancel(self) -> None:
        """End the reading now; for any thread."""
        self.cancelled = True
        if self._call is not None:
            self._call.cancel()


def read_game_file_guarded(path: Path) -> GuardedReading[GameFile]:
    """Return the reading of a game of this program."""
    return GuardedReading(path, _READ_TASK, lambda path: path.stat().st_size, check_game_file)


def is_game_file(path: Path) -> bool:
    """Whether it's a game of this program, by its name."""
    return path.suffix == GAME_FILE_SUFFIX and path.is_file()


def read_or_refuse(look: Callable[[Path], R], path: str) -> R | ReadingRefusal:
    """Return what `look` finds there, or its refusal as the worker process sends it."""
    try:
        return look(Path(path))
    except BadFile as error:
        return ReadingRefusal(error.reason)
    except OSError as error:
        return ReadingRefusal(bad_file_error(error, Path(path).name).reason)


def _read_in_worker(path: str) -> GameFile | ReadingRefusal:
    """Look into a game file. Runs in the worker process."""
    return read_or_refuse(game_file.read_game_file, path)


_READ_TASK = WorkerTask(_read_in_worker)


def check_game_file(found: GameFile, file: str) -> None:
    """
    Raises:
        BadFile: its files aren't those of a game, or it is another one than it says.
    """
    try:
        check_contents(found.files)
    except BrokenFile as error:
        raise BadFile(DAMAGED_FILE, file=file) from error
    if not is_id(found.id) or digest_of(found.files) != found.digest:
        raise BadFile(DAMAGED_FILE, file=file)
