"""The cells of a workbook, read in a worker process: the library that reads it may abort."""

from hashlib import sha256

from msgspec import Struct

from tabletop.background.worker_process import (
    FailureCause,
    WorkerCall,
    WorkerFailed,
    WorkerTask,
    limits_for,
)
from tabletop.games import workbook
from tabletop.games.typed_toml import BrokenFile

Cells = tuple[tuple[str, ...], ...]

MAX_CACHED = 8
"""Workbooks whose cells are kept: a game's is read several times at a start."""


class _Workbook(Struct, frozen=True):
    content: bytes
    file: str


class _Outcome(Struct, frozen=True):
    cells: Cells = ()
    fault: str = ""


_cache: dict[tuple[bytes, str], _Outcome] = {}
"""By the content's digest and the file's name."""


def cells(content: bytes, file: str) -> Cells:
    """Return the cells as `workbook.cells` does. Raises as that."""
    key = sha256(content).digest(), file
    outcome = _cache.get(key) or _outcome(_Workbook(content, file))
    if len(_cache) >= MAX_CACHED:
        _cache.clear()
    _cache[key] = outcome
    if outcome.fault:
        raise BrokenFile(outcome.fault)
    return outcome.cells


def _outcome(book: _Workbook) -> _Outcome:
    """
    Raises:
        BrokenFile: the system starts no process now.
    """
    try:
        return WorkerCall(_READ, book, limits_for(0)).run()
    except WorkerFailed as error:
        fault = _fault(error.cause, book.file)
        if error.cause is FailureCause.NOT_STARTED:  # perhaps it does later
            raise fault from error
        return _Outcome(fault=str(fault))


def _fault(cause: FailureCause, file: str) -> BrokenFile:
    match cause:
        case FailureCause.OUT_OF_TIME:
            return BrokenFile(f"{file} takes longer to read than any sheet of cards")
        case FailureCause.OUT_OF_MEMORY | FailureCause.TOO_MUCH_OUTPUT:
            return BrokenFile(f"{file} holds more than any sheet of cards")
        case FailureCause.NOT_STARTED:
            return BrokenFile(f"{file} can't be read: the system starts no more processes")
        case _:
            return BrokenFile(f"{file} can't be read: it is no workbook, or is damaged")


def _read(book: _Workbook) -> _Outcome:
    """Runs in the worker process."""
    try:
        return _Outcome(workbook.cells(book.content, book.file))
    except BrokenFile as error:
        return _Outcome(fault=str(error))


_READ = WorkerTask(_read)
