"""Puts a game without Python that came from elsewhere with the received ones, once a worker process
has read it as any folder is."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from tabletop.background.worker_process import (
    Cause,
    WorkerCall,
    WorkerFailed,
    WorkerTask,
    limits_for,
)
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import TOO_SLOW, BrokenGame
from tabletop.files import folders
from tabletop.games import received_games
from tabletop.games.received_games import Received
from tabletop.games.typed_toml import BrokenFile

TOO_MUCH = "it holds more than any game"
FAULTS = {
    Cause.OUT_OF_TIME: TOO_SLOW,
    Cause.OUT_OF_MEMORY: TOO_MUCH,
    Cause.TOO_MUCH_OUTPUT: TOO_MUCH,
    Cause.CRASHED: "it is damaged",
    Cause.NOT_STARTED: "the system starts no more processes",
}


class _Arrival(Struct, frozen=True):
    folder: str
    note: Received


def keep(
    game: str,
    digest: str,
    files: Mapping[str, bytes],
    giver: str,
    title: str = "",
    when: datetime | None = None,
) -> Path:
    """Keep a game whose giver knows it by the id `game` and this title, whole or not at all; return
    its folder. It came now, unless `when` says otherwise. It takes a moment, so it's for a thread;
    `catalogue.reread` follows.

    Raises:
        BrokenFile, BrokenGame: it can't be kept.
        OSError: it can't be written.
    """
    received = folders.received()
    return received_games.keep(received, game, digest, files, giver, _check, when, title)


def keep_checked(
    game: str,
    digest: str,
    files: Mapping[str, bytes],
    giver: str,
    title: str,
    when: datetime,
) -> Path:
    """Keep a game that a worker process has read already (`catalogue.check_received`).

    Raises:
        BrokenFile, OSError: as `keep`.
    """
    received = folders.received()
    return received_games.keep(received, game, digest, files, giver, lambda *_: None, when, title)


def _check(folder: Path, note: Received) -> None:
    """
    Raises:
        BrokenFile, BrokenGame: the game can't be read, or needs more time or memory than any.
    """
    arrival = _Arrival(str(folder), note)
    try:
        fault = WorkerCall(_FIND_FAULT, arrival, limits_for(0)).run()
    except WorkerFailed as error:
        raise BrokenFile(FAULTS[error.cause]) from error
    if fault:
        raise BrokenGame(folder.name, BrokenFile(fault))


def _find_fault(arrival: _Arrival) -> str:
    """Return why the game can't be played; "" if it can. Runs in the worker process."""
    try:
        catalogue.check_received(Path(arrival.folder), arrival.note)
    except BrokenGame as error:
        return error.fault
    return ""


_FIND_FAULT = WorkerTask(_find_fault)
