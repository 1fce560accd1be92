"""Reads untrusted files in a worker process, and validates the results.

Importers for files of other programs are in `tabletop/studio/exchange/guarded_import.py`.
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
from tabletop.games.folder_content import compute_digest
from tabletop.games.game_id import is_game_id
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
"""The error message for each cause of failure."""


class ReadingRefusal(Struct, frozen=True, tag=True):
    """The error that a worker process returns if a file doesn't contain a game."""

    reason: Reason


class GuardedReading(Generic[R]):
    """The reading of one untrusted file or folder, which can be cancelled."""

    def __init__(
        self,
        path: Path,
        task: WorkerTask[str, R | ReadingRefusal],
        size: Callable[[Path], int],
        check: Callable[[R, str], None],
    ) -> None:
        """Prepare to read `path`.

        Args:
            task: reads the path in the worker process.
            size: returns the number of bytes that may be pictures, which take longer to read than
                other content.
            check: called with the result and the file name; raises BadFile if the result is
                invalid.
        """
        self.path = path.absolute()
        self._task = task
        self._size = size
        self._check = check
        self._call: WorkerCall[str, R | ReadingRefusal] | None = None
        self.cancelled = False
        """Whether `cancel` was called."""

    def run(self) -> R:
        """Return the result of the task. Blocks, so call it on a thread.

        Raises:
            BadFile: the file doesn't contain a game, can't be read, or exceeds the limits.
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
        """Stop the reading. May be called on any thread."""
        self.cancelled = True
        if self._call is not None:
            self._call.cancel()


def read_game_file_guarded(path: Path) -> GuardedReading[GameFile]:
    """Return a reading of the game file at `path`, which isn't started yet."""
    return GuardedReading(path, _READ_TASK, lambda path: path.stat().st_size, check_game_file)


def is_game_file(path: Path) -> bool:
    """Return whether `path` is an existing file with this program's game file suffix."""
    return path.suffix == GAME_FILE_SUFFIX and path.is_file()


def read_or_refuse(look: Callable[[Path], R], path: str) -> R | ReadingRefusal:
    """Return `look(path)`, or a file error as a value that the worker process can return."""
    try:
        return look(Path(path))
    except BadFile as error:
        return ReadingRefusal(error.reason)
    except OSError as error:
        return ReadingRefusal(bad_file_error(error, Path(path).name).reason)


def _read_in_worker(path: str) -> GameFile | ReadingRefusal:
    """Read a game file. Runs in the worker process."""
    return read_or_refuse(game_file.read_game_file, path)


_READ_TASK = WorkerTask(_read_in_worker)


def check_game_file(found: GameFile, file: str) -> None:
    """Check a game that a worker process returned.

    Raises:
        BadFile: the files aren't a valid game, or don't match its digest.
    """
    try:
        check_contents(found.files)
    except BrokenFile as error:
        raise BadFile(DAMAGED_FILE, file=file) from error
    if not is_game_id(found.id) or compute_digest(found.files) != found.digest:
        raise BadFile(DAMAGED_FILE, file=file)
