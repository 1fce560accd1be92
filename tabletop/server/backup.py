"""Backup, restore and check of a server's folder.
A backup is one file, taken while the server runs.

A table's file is written atomically, and a journal only grows. Table files are copied before
journals, so each journal in the backup contains at least the entries that its table's file refers
to. A partly written entry counts as truncated, as after a power failure. A match that started after
its table's file was copied isn't in the backup.
"""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from time import process_time, sleep

from cryptography.x509 import load_pem_x509_certificate
from msgspec import Struct

from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.files import folders
from tabletop.files.atomic_write import make_folder, retry_if_locked
from tabletop.files.errors import BadFile, RulesMismatch, StorageError, read_error, write_error
from tabletop.files.folder_walk import files_below
from tabletop.files.ownership import find_ownership
from tabletop.files.packed_files import MAX_FILE_BYTES, ArchiveFormat, FileToPack, pack, unpack
from tabletop.files.regular_file import MIB, read_regular
from tabletop.files.temporary_folder import temporary_folder
from tabletop.net.certificate import FILE as CERTIFICATE
from tabletop.net.host.finished_file import FINISHED_SUFFIX, read_finished
from tabletop.net.host.table_disk import TABLE_SUFFIX, journal_path, read_table, table_files_in
from tabletop.server.bans import FILE as BANS
from tabletop.storage.playtest_notes import NOTES_SUFFIX
from tabletop.storage.record import SUFFIX, read
from tabletop.storage.verification import verify_record
from tabletop.text.phrases import phrase

WORK_SLICE_S = 0.005
"""The CPU time in seconds after which the backup sleeps for as long, so that the
server stays responsive.
"""
BACKED_UP_SUFFIXES = (TABLE_SUFFIX, FINISHED_SUFFIX, SUFFIX, NOTES_SUFFIX)
SECRET_FILES = (CERTIFICATE, folders.KEY_FILE)
"""The server's secrets: the certificate that guests pin, and the key that decrypts its matches."""
OTHER_FILES = (*SECRET_FILES, BANS)
"""The files that don't belong to a table."""
NOT_A_BACKUP = phrase('"{file}" is no backup of a server.')


def _belongs(inside: PurePosixPath) -> bool:
    return inside.name in OTHER_FILES or inside.name.endswith(BACKED_UP_SUFFIXES)


BACKUP = ArchiveFormat(
    "backup.json",
    _belongs,
    NOT_A_BACKUP,
    phrase('"{file}" is no whole backup of a server.'),
    max_files=2_000_000,
    max_folders=10_000,
)


class CheckedFolder:
    """The result of a check: the number of tables and matches, and the errors."""

    def __init__(self) -> None:
        self.tables = 0
        self.matches = 0
        self.wrong: list[str] = []


def back_up(folder: Path, file: Path) -> int:
    """Write everything in the server's `folder` to `file`, and return the number of files.

    The backup contains the server's secrets, so only its owner can read it. Missing parent folders
    are created. The backup uses at most half of the CPU time.

    Raises:
        StorageError: a file can't be read or written. No backup is left behind.
    """
    try:
        make_folder(file.parent)
    except OSError as error:
        raise write_error(error, file.name) from error
    return pack(file, BACKUP, _read_slowly(folder))


def _read_slowly(folder: Path) -> Iterator[FileToPack]:
    """Yield all files of a backup, and pause in between so that the running
    server stays responsive.
    """
    started = process_time()
    for path in _files_to_back_up(folder):
        try:
            content, changed = read_regular(path, MAX_FILE_BYTES), path.stat().st_mtime
        except FileNotFoundError:  # its table was closed meanwhile
            continue
        yield FileToPack(path.relative_to(folder).as_posix(), content, changed)
        if (worked := process_time() - started) > WORK_SLICE_S:
            sleep(worked)
            started = process_time()


class RestoredFolder(Struct, frozen=True):
    """The result of a restore."""

    count: int
    """The number of files."""
    owner: str
    """The name of the folder's owner; "" on Windows."""


def restore(file: Path, folder: Path) -> RestoredFolder:
    """Restore a backup into a missing or empty `folder`.

    Owner and permissions of an existing folder are kept. If root creates the folder, it belongs to
    the owner of its parent, so that a service can use it.

    Raises:
        StorageError: `folder` isn't empty, can't be written, or is another user's.
        BadFile: `file` isn't a complete backup of a server. Nothing was restored.
    """
    if folder.exists() and any(folder.iterdir()):
        raise StorageError('"{file}" is not empty: nothing was restored.', file=folder.name)
    ownership = find_ownership(folder)
    try:
        created = [each for each in folder.absolute().parents if not each.exists()]
        make_folder(folder.parent, 0o700)
        if ownership is not None and created:
            ownership.apply(created[-1])
        with temporary_folder(folder.parent) as beside:
            restored = beside / "restored"
            restored.mkdir(mode=0o700)
            count = unpack(file, BACKUP, restored)
            if not (restored / CERTIFICATE).is_file():
                raise BadFile(NOT_A_BACKUP, file=file.name)
            if ownership is not None:
                ownership.apply(restored)
            if folder.exists():
                folder.rmdir()
            retry_if_locked(lambda: os.replace(restored, folder))
    except OSError as error:
        raise write_error(error, folder.name) from error
    return RestoredFolder(count, ownership.owner_name if ownership is not None else "")


def check(folder: Path) -> CheckedFolder:
    """Load every table in `folder` as a server would, and verify every match, including matches of
    closed tables.

    Raises:
        StorageError: a folder can't be read.
    """
    checked = CheckedFolder()
    files = _files_in(folder)
    sealed = any(
        path.name.endswith(SUFFIX) for path in files
    )  # the key is made with the first match
    for secret in SECRET_FILES if sealed else (CERTIFICATE,):
        if not (folder / secret).is_file():
            checked.wrong.append(f'"{secret}" is missing.')
    try:
        load_pem_x509_certificate(read_regular(folder / CERTIFICATE, MIB))
    except FileNotFoundError:
        pass
    except (OSError, ValueError):
        checked.wrong.append(f'"{CERTIFICATE}" holds no certificate, or can\'t be read.')
    played = set()
    for path in table_files_in(folder):
        checked.tables += 1
        try:
            kept = read_table(path)
        except (BadFile, StorageError, UnknownGame, BrokenGame) as error:
            checked.wrong.append(str(error))
        except OSError as error:
            checked.wrong.append(str(read_error(error, path.name)))
        except ValueError:
            checked.wrong.append(f'"{path.name}" is no table.')
        else:
            if kept.phase in ("playing", "over") and kept.number:
                played.add(journal_path(folder, kept.table, kept.number))
    records = {path for path in files if path.name.endswith(SUFFIX)}
    checked.wrong += [f'"{path.name}" is missing.' for path in sorted(played - records)]
    for path in sorted(records):
        checked.matches += 1
        if wrong := _fault_of(path, path in played):
            checked.wrong.append(wrong)
    for path in (each for each in files if each.name.endswith(FINISHED_SUFFIX)):
        try:
            read_finished(path)
        except OSError as error:
            checked.wrong.append(str(read_error(error, path.name)))
        except ValueError:
            checked.wrong.append(f'"{path.name}" says of no match how it ended.')
    return checked


def _fault_of(record: Path, played: bool) -> str:
    """Return what is wrong with a record; "" if nothing is. A finished match (`played` is false)
    may follow other rules than the current ones.
    """
    try:
        verify_record(read(record))
    except RulesMismatch as error:
        return str(error) if played else ""
    except (BadFile, StorageError, UnknownGame, BrokenGame) as error:
        return str(error)
    except OSError:
        return f'"{record.name}" can\'t be read.'
    return ""


def _files_to_back_up(folder: Path) -> Iterator[Path]:
    """Yield all files of a backup, tables before matches."""
    for name in OTHER_FILES:
        if (folder / name).is_file():
            yield folder / name
    files = _files_in(folder)
    for suffix in BACKED_UP_SUFFIXES:
        yield from (path for path in files if path.name.endswith(suffix))


def _files_in(folder: Path) -> list[Path]:
    """Return all files in `folder` and its subfolders.

    Raises:
        StorageError: a folder can't be read.
    """
    try:
        return sorted(files_below(folder))
    except OSError as error:
        raise read_error(error, Path(error.filename or folder).name) from error
