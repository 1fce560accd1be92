"""Imports games without Python code from elsewhere, after checking them in a worker process."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from threading import Lock

from msgspec import Struct

from tabletop.background.worker_process import (
    FailureCause,
    WorkerCall,
    WorkerCancelled,
    WorkerFailed,
    WorkerTask,
    limits_for,
)
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import TOO_SLOW, BrokenGame
from tabletop.files import folders
from tabletop.games import received_games
from tabletop.games.received_games import ReceivedNote
from tabletop.games.typed_toml import BrokenFile

TOO_LARGE_FOR_GAME = "it holds more than any game"
FAULT_SENTENCES = {
    FailureCause.OUT_OF_TIME: TOO_SLOW,
    FailureCause.OUT_OF_MEMORY: TOO_LARGE_FOR_GAME,
    FailureCause.TOO_MUCH_OUTPUT: TOO_LARGE_FOR_GAME,
    FailureCause.CRASHED: "it is damaged",
    FailureCause.NOT_STARTED: "the system starts no more processes",
}


class _CheckArguments(Struct, frozen=True):
    folder: str
    note: ReceivedNote


class ReceivedGameImport:
    """The import of one received game, which is atomic and can be cancelled."""

    def __init__(
        self,
        game: str,
        digest: str,
        files: Mapping[str, bytes],
        giver: str,
        title: str = "",
    ) -> None:
        """Prepare to import the game in `files`.

        `game` and `title`: the game's ID and title on the computer of `giver`.
        """
        self._game = game
        self._digest = digest
        self._files = files
        self._giver = giver
        self._title = title
        self._call: WorkerCall[_CheckArguments, str] | None = None
        self._checked = False
        self._lock = Lock()
        self.cancelled = False
        """Whether `cancel` was called in time to keep the game from being stored."""

    def run(self) -> Path:
        """Check the game in a worker process, store it, and return its folder.

        Blocks, so call it on a thread. Call `catalogue.reread` afterwards.

        Raises:
            BrokenFile, BrokenGame: the game isn't valid or can't be stored.
            OSError: the game can't be written.
            WorkerCancelled: `cancel` was called.
        """
        return received_games.store_game(
            folders.received(),
            self._game,
            self._digest,
            self._files,
            self._giver,
            self._check,
            title=self._title,
        )

    def cancel(self) -> None:
        """Cancel the import, unless the check has already finished. May be called on any thread."""
        with self._lock:
            if self._checked:
                return
            self.cancelled = True
            call = self._call
        if call is not None:
            call.cancel()

    def _check(self, folder: Path, note: ReceivedNote) -> None:
        """Check the game in `folder` in a worker process.

        Raises:
            BrokenFile, BrokenGame: the game can't be read, or exceeds the limits of time or memory.
            WorkerCancelled: `cancel` was called.
        """
        call = WorkerCall(_FIND_FAULT_TASK, _CheckArguments(str(folder), note), limits_for(0))
        with self._lock:
            if self.cancelled:
                raise WorkerCancelled
            self._call = call
        try:
            fault = call.run()
        except WorkerCancelled:
            raise
        except WorkerFailed as error:
            raise BrokenFile(FAULT_SENTENCES[error.cause]) from error
        if fault:
            raise BrokenGame(folder.name, BrokenFile(fault))
        with self._lock:
            if self.cancelled:
                raise WorkerCancelled
            self._checked = True


def keep_checked_game(
    game: str,
    digest: str,
    files: Mapping[str, bytes],
    giver: str,
    title: str,
    when: datetime,
) -> Path:
    """Store a game that `catalogue.check_received_game` has already checked in a worker process.

    Raises:
        BrokenFile: the game isn't valid or can't be stored.
        OSError: the game can't be written.
    """
    received = folders.received()
    return received_games.store_game(
        received, game, digest, files, giver, lambda *_: None, when, title
    )


def _find_fault_in_worker(arrival: _CheckArguments) -> str:
    """Return why a game can't be used; "" if it can. Runs in the worker process."""
    try:
        catalogue.check_received_game(Path(arrival.folder), arrival.note)
    except BrokenGame as error:
        return error.fault
    return ""


_FIND_FAULT_TASK = WorkerTask(_find_fault_in_worker)
