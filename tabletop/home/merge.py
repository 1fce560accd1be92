"""Merges an exported data folder into this computer's data folder.

Nothing is lost on this computer or from the export, and importing the same file again changes
nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct, field

from tabletop.background.processes import ignore_interrupts
from tabletop.catalogue import game_folders, receiving
from tabletop.files import background_writes, folders
from tabletop.files.atomic_write import make_folder, retry_if_locked, write_new
from tabletop.files.errors import BadFile, StorageError, read_error, write_error
from tabletop.files.new_files import NewFiles
from tabletop.files.regular_file import MIB, read_regular
from tabletop.files.temporary_folder import temporary_folder
from tabletop.games import received_games
from tabletop.games.folder_content import compute_digest, read_game_files
from tabletop.games.game_id import DIGEST_DIGITS
from tabletop.games.typed_toml import BrokenFile
from tabletop.home.guarded_unpacking import UnpackedHome, unpack_home
from tabletop.home.home_file import (
    GAMES,
    HOSTED,
    KEY,
    KEYRING,
    MATCHES,
    NOTE_FILE,
    RECEIVED,
    REPLAYS,
    SETTINGS,
    STATISTICS,
    TRASH,
)
from tabletop.home.hosted_tables import import_tables
from tabletop.home.known_hosts import KnownHosts
from tabletop.net.certificate import FILE as CERTIFICATE
from tabletop.storage import playtest_notes, seal, settings
from tabletop.storage.match_import import ImportOutcome, import_match, import_notes
from tabletop.storage.statistics import open_statistics
from tabletop.storage.statistics_file import open_foreign_database
from tabletop.text.phrases import phrase

MAX_WAITING_NOTES = 1_000
"""The maximum number of imported notes files for online matches that were never finished."""
MAX_TRASH_DAYS = 200
"""The maximum number of day folders in the trash; it is emptied after 30 days of use."""
GAME_NOT_IMPORTED = phrase('The game in "{file}" was not taken in: {cause}.')


class MergeResult(Struct):
    """What an import has added."""

    matches: Counter[ImportOutcome] = field(default_factory=Counter)
    """The number of imported matches by outcome."""
    tables: int = 0
    games: int = 0
    counted: int = 0
    """The number of matches added to the statistics."""
    remarks: list[str] = []
    """Messages about data that wasn't imported or needs the user's attention."""


def merge_home(file: Path) -> MergeResult:
    """Import everything in the export `file`. After a disk error, the import can be repeated.

    While the file is being read, Ctrl+C stops the import with nothing changed; after that it is
    ignored.

    Raises:
        BadFile: the file isn't a complete export; nothing has changed.
        StorageError: a file can't be written. Whatever was imported before remains.
    """
    background_writes.finish()
    try:
        make_folder(folders.data())
        with temporary_folder(folders.data()) as folder:
            unpacked = unpack_home(file, folder)
            with ignore_interrupts():
                return _Merger(folder, unpacked).merge()
    except OSError as error:
        raise write_error(error, file.name) from error


class _Merger:
    """Imports the files of another data folder, which an export was unpacked into."""

    def __init__(self, theirs: Path, unpacked: UnpackedHome) -> None:
        """Prepare to import the files in the folder `theirs`."""
        self._theirs = theirs
        self._unpacked = unpacked
        self._merged = MergeResult()
        self._new_files = NewFiles()
        self._key: bytes | None = None
        """The other computer's record key; None if missing or the same as this computer's."""

    def merge(self) -> MergeResult:
        """Import everything, starting with keys and games because matches need them."""
        self._key = seal.import_key(self._theirs / KEY)
        # a killed import must not leave the key behind
        (self._theirs / KEY).unlink(missing_ok=True)
        keyring, theirs = self._theirs / KEYRING, self._theirs / SETTINGS
        if keyring.is_file():
            self._try_or_remark(lambda: KnownHosts(folders.known_hosts()).import_from(keyring))
        if theirs.is_file():
            self._try_or_remark(lambda: settings.import_settings(theirs))
        self._import_games()
        self._import_matches()
        self._try_or_remark(self._import_tables)
        if (self._theirs / STATISTICS).is_file():
            self._try_or_remark(self._import_statistics)
        return self._merged

    def _try_or_remark(self, act: Callable[[], None]) -> None:
        """Call `act`; turn a file error into a remark."""
        try:
            act()
        except (BadFile, StorageError) as error:
            self._merged.remarks.append(str(error))

    def _import_games(self) -> None:
        theirs = [*_folders_in(self._theirs / GAMES)]
        here = (
            {_digest_or_empty(path) for path in _folders_in(folders.games())} if theirs else set()
        )
        for path in theirs:
            self._try_or_remark(partial(self._import_game, path, here))
        game_folders.clear_cache()
        left = 0
        for path in _folders_in(self._theirs / RECEIVED):
            if (folders.received() / path.name).exists():
                continue
            if path.name in self._unpacked.faults and received_games.has_room(folders.received()):
                self._try_or_remark(partial(self._import_received_game, path))
            else:
                left += 1
        if left:
            self._merged.remarks.append(
                f"{left} games from other tables were not taken in: {received_games.MAX_GAMES} are "
                "kept already. Remove some, then import the file again."
            )

    def _import_game(self, path: Path, here: set[str]) -> None:
        """Import a game unless its digest is in `here`.

        A different version of an existing game is stored beside it.

        Raises:
            StorageError: the folder isn't a game, or can't be written.
        """
        digest = self._unpacked.digests.get(path.name)
        if digest is None:
            raise StorageError(
                GAME_NOT_IMPORTED, file=path.name, cause="it isn't a game, or is damaged"
            )
        if digest in here:
            return
        target = folders.games() / path.name
        if target.exists():
            target = target.with_name(f"{target.name}-{digest[:DIGEST_DIGITS]}")
            self._merged.remarks.append(
                f'"{path.name}" is another game at each computer: the other one is in '
                f'"{target.name}" now.'
            )
        try:
            make_folder(target.parent)
            retry_if_locked(lambda: path.rename(target))
        except OSError as error:
            raise write_error(error, path.name) from error
        here.add(digest)
        self._merged.games += 1

    def _import_received_game(self, path: Path) -> None:
        try:
            note = received_games.read_note(path / NOTE_FILE)
            game = path.name.rpartition("-")[0]
            if fault := self._unpacked.faults[path.name]:
                raise BrokenFile(fault)
            receiving.keep_checked_game(
                game, note.digest, read_game_files(path), note.giver, note.title, note.when
            )
            self._merged.games += 1
        except BrokenFile as error:
            raise StorageError(GAME_NOT_IMPORTED, file=path.name, cause=str(error)) from error
        except OSError as error:
            raise write_error(error, path.name) from error

    def _import_matches(self) -> None:
        matches, replays = folders.matches(), folders.replays()
        for path in _records_in(self._theirs / MATCHES):
            self._import_match(path, matches, replays)
        self._commit()  # a match in several folders must be compared with the first
        for path in _records_in(self._theirs / REPLAYS):
            self._import_match(path, replays, matches)
        self._commit()
        self._try_or_remark(lambda: self._import_trash(matches, replays))
        for path in islice(playtest_notes.find_orphans(self._theirs / MATCHES), MAX_WAITING_NOTES):
            self._try_or_remark(partial(import_notes, path, matches / path.name, self._new_files))
        self._commit()

    def _import_trash(self, *elsewhere: Path) -> None:
        """Import the matches in the trash, except those that are in one of the folders `elsewhere`.

        Raises:
            StorageError: the trash has more than `MAX_TRASH_DAYS` folders.
        """
        days = [*_folders_in(self._theirs / TRASH)]
        if len(days) > MAX_TRASH_DAYS:
            raise StorageError(
                "The trash of the other computer has more than {most} days: its matches are "
                "missing.",
                most=MAX_TRASH_DAYS,
            )
        for day in days:
            for path in _records_in(day):
                self._import_match(path, folders.trash() / day.name, *elsewhere)
            self._commit()

    def _import_match(self, path: Path, folder: Path, *elsewhere: Path) -> None:
        def take() -> None:
            self._merged.matches[
                import_match(path, folder, self._new_files, self._key, elsewhere)
            ] += 1

        self._try_or_remark(take)

    def _commit(self) -> None:
        self._merged.remarks += map(str, self._new_files.commit())

    def _import_tables(self) -> None:
        theirs, ours = self._theirs / HOSTED, folders.hosted()
        if not theirs.is_dir():
            return
        certificate = theirs / CERTIFICATE
        if certificate.is_file() and not (ours / CERTIFICATE).exists():
            make_folder(ours, 0o700)
            try:
                content = read_regular(certificate, MIB)
            except OSError as error:
                raise read_error(error, CERTIFICATE) from error
            write_new(ours / CERTIFICATE, content)
        self._merged.tables = import_tables(theirs, ours, self._key, self._merged.remarks)

    def _import_statistics(self) -> None:
        with (
            open_foreign_database(self._theirs / STATISTICS) as other,
            open_statistics() as counted,
        ):
            self._merged.counted = counted.import_matches(other)


def _digest_or_empty(folder: Path) -> str:
    """Return the digest of a game folder; "" if it can't be read."""
    try:
        return compute_digest(read_game_files(folder))
    except (BrokenFile, OSError):
        return ""


def _folders_in(folder: Path) -> Iterator[Path]:
    """Yield the subfolders of `folder` in order; nothing if it doesn't exist."""
    if folder.is_dir():
        yield from sorted(path for path in folder.iterdir() if path.is_dir())


def _records_in(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{folders.SUFFIX}"))
