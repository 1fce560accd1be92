"""Unpacks an exported home in a worker process, which also tries the decoders of its files: what
makes one of them crash, hang or grow ends there, before anything of this home has changed.

The decoders run here once more while the files are merged, on files that they have survived.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from msgspec import Struct

from tabletop.background.worker_process import (
    MIB,
    FailureCause,
    WorkerCall,
    WorkerFailed,
    WorkerLimits,
    WorkerTask,
    is_orphaned,
    limits_for,
)
from tabletop.catalogue import catalogue, game_folders
from tabletop.catalogue.catalogue import BrokenGame
from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.files.errors import BadFile, StorageError, write_error
from tabletop.files.packed_files import unpack
from tabletop.files.small_file import DAMAGE_ERRORS
from tabletop.files.temporary_folder import delete_abandoned
from tabletop.games import received_games
from tabletop.games.folder_content import digest_of, files_of
from tabletop.games.typed_toml import BrokenFile
from tabletop.home.home_file import (
    GAMES,
    HOME_FORMAT,
    HOSTED,
    KEYRING,
    NOTE_FILE,
    RECEIVED,
    SETTINGS,
    STATISTICS,
)
from tabletop.home.known_hosts import check_foreign_known_hosts
from tabletop.net.host.table_disk import read_table, tables_in
from tabletop.storage import playtest_notes, record, settings
from tabletop.storage.statistics_file import open_foreign_database
from tabletop.text.phrases import phrase

TOO_LARGE_FOR_HOME = phrase('"{file}" holds more than any home.')
FAILURE_SENTENCES = {
    FailureCause.OUT_OF_TIME: phrase('"{file}" takes longer to read than any home.'),
    FailureCause.OUT_OF_MEMORY: TOO_LARGE_FOR_HOME,
    FailureCause.TOO_MUCH_OUTPUT: TOO_LARGE_FOR_HOME,
    FailureCause.CRASHED: phrase('"{file}" can\'t be read: it is damaged.'),
    FailureCause.NOT_STARTED: phrase(
        'Can\'t read "{file}": the system starts no more processes. Close some programs, then try '
        "again."
    ),
}
MAX_OUTPUT_BYTES = MIB
UNLOCK_TIMEOUT_S = 10.0
FILES_PER_ORPHAN_CHECK = 20
"""Files that are unpacked between two looks at whether the program is still there."""


class _UnpackArguments(Struct, frozen=True):
    file: str
    folder: str


class _Refusal(Struct, frozen=True, tag=True):
    reason: Reason


class UnpackedHome(Struct, frozen=True, tag=True):
    """What was found about the games in an unpacked home, by the names of their folders."""

    digests: dict[str, str] = {}
    """The digests of the games that were added; without those that can't be read."""
    faults: dict[str, str] = {}
    """Why received games can't be kept; "" for those that can. Others were not read."""


def unpack_home(file: Path, folder: Path) -> UnpackedHome:
    """Unpack the exported home in `file` into an empty temporary folder. It blocks; an interrupt
    ends it at once.

    Raises:
        BadFile: the file is no such export, or not whole, or needs more than any home.
        StorageError: the disk refused.
    """
    try:
        size = file.stat().st_size
    except OSError:  # the worker finds the sentence
        size = 0
    export = _UnpackArguments(str(file.absolute()), str(folder.absolute()))
    try:
        unpacked = WorkerCall(_UNPACK_TASK, export, _limits_for(size)).run()
    except WorkerFailed as error:
        raise BadFile(FAILURE_SENTENCES[error.cause], file=file.name) from error
    if isinstance(unpacked, _Refusal):
        error_type = StorageError if unpacked.reason.code else BadFile
        raise error_type(unpacked.reason.text, **unpacked.reason.args)
    return unpacked


def _limits_for(size: int) -> WorkerLimits:
    """Return the limits for an export of `size` bytes.

    A home of 5,000 matches, packed to 40 MiB, gets ten times the CPU time that it needs, for slow
    computers. Memory doesn't grow with the size, because one file is read at a time.
    """
    small = limits_for(0)
    cpu = small.cpu + size / MIB
    return WorkerLimits(small.memory, cpu, MAX_OUTPUT_BYTES, small.wall + 10 * cpu)


def _unpack_in_worker(export: _UnpackArguments) -> UnpackedHome | _Refusal:
    """Unpack an export and try all decoders. Runs in the worker process."""
    file, folder = Path(export.file), Path(export.folder)
    try:
        unpack(file, HOME_FORMAT, folder, _make_orphan_check())
        _decode_all(folder)
        unpacked = UnpackedHome(_digest_games(folder / GAMES), _check_received(folder / RECEIVED))
        if is_orphaned():
            raise _ProgramKilled
        return unpacked
    except (BadFile, StorageError) as error:
        return _Refusal(error.reason)
    except OSError as error:
        return _Refusal(write_error(error, file.name).reason)
    except _ProgramKilled:
        _delete_temporary_folder(folder)  # the keys in it included
        raise


class _ProgramKilled(Exception):
    """The program was killed."""


def _delete_temporary_folder(folder: Path) -> None:
    """Remove the temporary folder of the killed program. The system may release its lock a moment
    after it has closed the pipe to this process."""
    until = monotonic() + UNLOCK_TIMEOUT_S
    delete_abandoned(folder.parent)
    while folder.exists() and monotonic() < until:
        sleep(0.01)
        delete_abandoned(folder.parent)


def _make_orphan_check() -> Callable[[], None]:
    """Return a function to call for each file, which raises `_ProgramKilled` once the program is
    gone."""
    seen = 0

    def look() -> None:
        nonlocal seen
        seen += 1
        if seen % FILES_PER_ORPHAN_CHECK == 0 and is_orphaned():
            raise _ProgramKilled

    return look


def _decode_all(folder: Path) -> None:
    """Decode what `merge` decodes. What is damaged is left for it to name."""
    look = _make_orphan_check()
    for decode, path in _list_decoders(folder):
        look()
        with suppress(BadFile, StorageError, BrokenFile, OSError, *DAMAGE_ERRORS):
            decode(path)


def _list_decoders(folder: Path) -> Iterator[tuple[Callable[[Path], object], Path]]:
    """Yield each file that is decoded, and its decoder."""
    for decode, name in (
        (check_foreign_known_hosts, KEYRING),
        (settings.check_foreign_settings, SETTINGS),
        (_read_statistics, STATISTICS),
    ):
        if (folder / name).is_file():
            yield decode, folder / name
    for path in tables_in(folder / HOSTED):
        yield read_table, path
    for path in folder.rglob(f"*{playtest_notes.NOTES_SUFFIX}"):
        yield playtest_notes.check_foreign_notes, path
    ours = (folders.matches(), folders.replays(), folders.trash(), folders.hosted())
    here = {path.name for each in ours for path in each.rglob(f"*{folders.SUFFIX}")}
    for path in folder.rglob(f"*{folders.SUFFIX}"):
        # one of another name is moved, and not read until somebody opens it
        yield record.read if path.name in here else record.read_record_header, path


def _read_statistics(path: Path) -> None:
    with open_foreign_database(path):
        pass


def _digest_games(folder: Path) -> dict[str, str]:
    """Return the digests of the games in `folder` that can be read."""
    look = _make_orphan_check()
    digests = {}
    for path in folder.glob("*"):
        look()
        if game_folders.is_game_folder(path):
            with suppress(BrokenFile, OSError):
                digests[path.name] = digest_of(files_of(path))
    return digests


def _check_received(folder: Path) -> dict[str, str]:
    """Return why games in `folder` that aren't here can't be kept, by the names of their folders:
    "" for those that can. Once as many can as are ever kept, the rest is left out."""
    faults: dict[str, str] = {}
    look = _make_orphan_check()
    games = sorted(path for path in folder.glob("*") if path.is_dir())
    for path in games:
        look()
        if (folders.received() / path.name).exists():
            continue
        if sum(1 for fault in faults.values() if not fault) == received_games.MOST:
            break
        try:
            catalogue.check_received_game(path, received_games.read_note(path / NOTE_FILE))
            faults[path.name] = ""
        except BrokenGame as error:
            faults[path.name] = error.fault
        except BrokenFile as error:
            faults[path.name] = str(error)
    return faults


_UNPACK_TASK = WorkerTask(_unpack_in_worker)
