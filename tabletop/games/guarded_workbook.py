"""Reader for workbooks that runs in a worker process, because the library may crash or hang."""

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
from tabletop.games.workbook import Cells, WorkbookSheets

MAX_CACHED = 8
"""The maximum number of cached workbooks. At start, a game's workbook is read several times."""


class _Workbook(Struct, frozen=True):
    content: bytes
    file: str


class _Outcome(Struct, frozen=True):
    cells: Cells = ()
    fault: str = ""


_cache: dict[tuple[bytes, str], _Outcome] = {}
"""Cells or errors, by the SHA-256 digest of the content and the file name."""


def read_cells(content: bytes, file: str) -> Cells:
    """Return the cells of a workbook's card sheet as text, row by row.

    Results are cached. `file` is the file's name, for error messages.

    Raises:
        BrokenFile: `content` isn't a workbook, exceeds the limits, or no process can be started.
    """
    key = sha256(content).digest(), file
    outcome = _cache.get(key) or _read_in_worker(_Workbook(content, file))
    if len(_cache) >= MAX_CACHED:
        _cache.clear()
    _cache[key] = outcome
    if outcome.fault:
        raise BrokenFile(outcome.fault)
    return outcome.cells


def read_sheets(content: bytes, file: str) -> WorkbookSheets:
    """Return all visible sheets of a workbook, with the pictures pasted into their cells.

    Raises:
        BrokenFile: `content` isn't a workbook, exceeds the limits, or no process can be started.
    """
    call = WorkerCall(_READ_SHEETS_TASK, _Workbook(content, file), limits_for(len(content)))
    try:
        outcome = call.run()
    except WorkerFailed as error:
        raise _fault(error.cause, file) from error
    if outcome.sheets is None:
        raise BrokenFile(outcome.fault)
    return outcome.sheets


def _read_in_worker(book: _Workbook) -> _Outcome:
    """Read a workbook in a worker process; return its cells or an error message.

    Raises:
        BrokenFile: the system can't start a process.
    """
    try:
        return WorkerCall(_READ_TASK, book, limits_for(0)).run()
    except WorkerFailed as error:
        fault = _fault(error.cause, book.file)
        if error.cause is FailureCause.NOT_STARTED:  # may succeed later, so don't cache it
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
    """Read a workbook in the current process, which is the worker process."""
    try:
        return _Outcome(workbook.read_cells(book.content, book.file))
    except BrokenFile as error:
        return _Outcome(fault=str(error))


_READ_TASK = WorkerTask(_read)


class _SheetsOutcome(Struct, frozen=True):
    sheets: WorkbookSheets | None = None
    fault: str = ""


def _read_sheets(book: _Workbook) -> _SheetsOutcome:
    """Read a workbook in the current process, which is the worker process."""
    try:
        return _SheetsOutcome(workbook.read_sheets(book.content, book.file))
    except BrokenFile as error:
        return _SheetsOutcome(fault=str(error))


_READ_SHEETS_TASK = WorkerTask(_read_sheets)
