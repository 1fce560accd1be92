"""Unpacks an export in a worker process, which also tries to decode its files.

Content that crashes a decoder, hangs it or exhausts memory only ends the worker, before anything
has changed. During the merge, the decoders run again in this process, but only on files that they
could decode in the worker.
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
from tabletop.games.folder_content import compute_digest, read_game_files
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
from tabletop.net.host.table_disk import read_table, table_files_in
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
"""How long to wait for the system to release the lock of a killed program, in seconds."""
FILES_PER_ORPHAN_CHECK = 20
"""How many files are processed between checks whether the main program is still running."""


class _UnpackArguments(Struct, frozen=True):
    file: str
    folder: str


class _Refusal(Struct, frozen=True, tag=True):
    reason: Reason


class UnpackedHome(Struct, frozen=True, tag=True):
    """What the worker found out about the games in an export, by folder name."""

    digests: dict[str, str] = {}
    """The digests of the user's own games, without unreadable games."""
    faults: dict[str, str] = {}
    """Why each received game can't be imported; "" for valid games.

    Games that weren't checked are missing.
    """


def unpack_home(file: Path, folder: Path) -> UnpackedHome:
    """Unpack the export `file` into the empty temporary `folder`.

    This blocks; Ctrl+C interrupts it immediately.

    Raises:
        BadFile: the file isn't a complete export, or exceeds the limits.
        StorageError: a file can't be written.
    """
    try:
        size = file.stat().st_size
    except OSError:  # the worker reports the error
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

    An export of 5,000 matches in 40 MiB may take ten times the CPU time that it needs, to allow for
    slow computers. The memory limit doesn't depend on the size, because files are read one by one.
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
        _delete_temporary_folder(folder)  # including the keys in it
        raise


class _ProgramKilled(Exception):
    """Raised in the worker process if the main program was killed."""


def _delete_temporary_folder(folder: Path) -> None:
    """Delete the temporary folder that the killed program has left.

    The system may release the folder's lock a little later than it closes the pipe to this process.
    """
    until = monotonic() + UNLOCK_TIMEOUT_S
    delete_abandoned(folder.parent)
    while folder.exists() and monotonic() < until:
        sleep(0.01)
        delete_abandoned(folder.parent)


def _make_orphan_check() -> Callable[[], None]:
    """Return a function to call for each file; it raises `_ProgramKilled` if the program is
    gone.
    """
    seen = 0

    def look() -> None:
        nonlocal seen
        seen += 1
        if seen % FILES_PER_ORPHAN_CHECK == 0 and is_orphaned():
            raise _ProgramKilled

    return look


def _decode_all(folder: Path) -> None:
    """Decode all files that `merge_home` will decode.

    Damaged files are ignored here, because `merge_home` reports them.
    """
    look = _make_orphan_check()
    for decode, path in _list_decoders(folder):
        look()
        with suppress(BadFile, StorageError, BrokenFile, OSError, *DAMAGE_ERRORS):
            decode(path)


def _list_decoders(folder: Path) -> Iterator[tuple[Callable[[Path], object], Path]]:
    """Yield a decoder and a path for each file that `merge_home` decodes."""
    for decode, name in (
        (check_foreign_known_hosts, KEYRING),
        (settings.check_foreign_settings, SETTINGS),
        (_read_statistics, STATISTICS),
    ):
        if (folder / name).is_file():
            yield decode, folder / name
    for path in table_files_in(folder / HOSTED):
        yield read_table, path
    for path in folder.rglob(f"*{playtest_notes.NOTES_SUFFIX}"):
        yield playtest_notes.check_foreign_notes, path
    ours = (folders.matches(), folders.replays(), folders.trash(), folders.hosted())
    here = {path.name for each in ours for path in each.rglob(f"*{folders.SUFFIX}")}
    for path in folder.rglob(f"*{folders.SUFFIX}"):
        # a file with an unused name is only moved, not read
        yield record.read if path.name in here else record.read_record_header, path


def _read_statistics(path: Path) -> None:
    with open_foreign_database(path):
        pass


def _digest_games(folder: Path) -> dict[str, str]:
    """Return the digests of the readable games in `folder`, by folder name."""
    look = _make_orphan_check()
    digests = {}
    for path in folder.glob("*"):
        look()
        if game_folders.is_game_folder(path):
            with suppress(BrokenFile, OSError):
                digests[path.name] = compute_digest(read_game_files(path))
    return digests


def _check_received(folder: Path) -> dict[str, str]:
    """Return why each received game in `folder` can't be imported; "" for valid games.

    The reasons are keyed by folder name. Games that this computer already has are skipped. The
    check stops once there are as many valid games as can be stored.
    """
    faults: dict[str, str] = {}
    look = _make_orphan_check()
    games = sorted(path for path in folder.glob("*") if path.is_dir())
    for path in games:
        look()
        if (folders.received() / path.name).exists():
            continue
        if sum(1 for fault in faults.values() if not fault) == received_games.MAX_GAMES:
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
