"""Backup of a server's whole folder as one file: taken while it runs, checked, and restored.

A table's file is written whole or not at all, and a journal only grows. So the files of tables are
copied first and the journals after them: a journal holds at least everything that its table's file
refers to, and a line that is being written is a line cut off, as after a power failure. A match
that started after a table's file was copied is not in the copy, nor is anything that was sent about
it.
"""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from time import process_time, sleep

from cryptography.x509 import load_pem_x509_certificate

from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.files import folders
from tabletop.files.atomic_write import make_folder, retry_if_locked
from tabletop.files.errors import BadFile, RulesMismatch, StorageError, write_error
from tabletop.files.packed_files import MAX_FILE_BYTES, ArchiveFormat, FileToPack, pack, unpack
from tabletop.files.regular_file import MIB, read_regular
from tabletop.files.temporary_folder import temporary_folder
from tabletop.net.certificate import FILE as CERTIFICATE
from tabletop.net.host.finished_file import FINISHED, read_finished
from tabletop.net.host.table_disk import TABLE, journal_of, read_table, tables_in
from tabletop.server.bans import FILE as BANS
from tabletop.storage.playtest_notes import NOTES_SUFFIX
from tabletop.storage.record import SUFFIX, read
from tabletop.storage.verification import verify_record
from tabletop.text.phrases import phrase

SPELL = 0.005
"""Seconds of processor time after which it rests for as long: a backup can wait, players can't."""
KEPT = (TABLE, FINISHED, SUFFIX, NOTES_SUFFIX)
OURS = (CERTIFICATE, folders.KEY_FILE)
"""The secrets of a server: who its guests know it by, and what opens its matches."""
BESIDE = (*OURS, BANS)
"""The other files beside the tables."""
OTHER = phrase('"{file}" is no backup of a server.')


def _belongs(inside: PurePosixPath) -> bool:
    return inside.name in BESIDE or inside.name.endswith(KEPT)


BACKUP = ArchiveFormat(
    "backup.json",
    _belongs,
    OTHER,
    phrase('"{file}" is no whole backup of a server.'),
    max_files=2_000_000,
    max_folders=10_000,
)


class CheckedFolder:
    """The findings of a check: the number of files, and what is wrong with which."""

    def __init__(self) -> None:
        self.tables = 0
        self.matches = 0
        self.wrong: list[str] = []


def back_up(folder: Path, file: Path) -> int:
    """Write all that a server keeps in this folder into one file, which holds its secrets and is
    the owner's alone; a missing folder for it is made. Return the number of files. It rests for as
    long as it works.

    Raises:
        StorageError: something cannot be read or written; there is no file then.
    """
    try:
        make_folder(file.parent)
    except OSError as error:
        raise write_error(error, file.name) from error
    return pack(file, BACKUP, _read_slowly(folder))


def _read_slowly(folder: Path) -> Iterator[FileToPack]:
    """Yield all files that belong into a backup, with rests in which a server plays."""
    started = process_time()
    for path in _files_to_back_up(folder):
        try:
            content, changed = read_regular(path, MAX_FILE_BYTES), path.stat().st_mtime
        except FileNotFoundError:  # its table was closed meanwhile
            continue
        yield FileToPack(path.relative_to(folder).as_posix(), content, changed)
        if (worked := process_time() - started) > SPELL:
            sleep(worked)
            started = process_time()


def restore(file: Path, folder: Path) -> int:
    """Restore a backup into a folder that does not exist or is empty. Return the number of files.

    Raises:
        StorageError: the folder holds something, or cannot be written.
        BadFile: this is no backup of a server, or not a whole one; nothing was put back.
    """
    if folder.exists() and any(folder.iterdir()):
        raise StorageError('"{file}" is not empty: nothing was restored.', file=folder.name)
    try:
        make_folder(folder.parent, 0o700)
        with temporary_folder(folder.parent) as beside:
            restored = beside / "restored"
            restored.mkdir(mode=0o700)
            count = unpack(file, BACKUP, restored)
            if not (restored / CERTIFICATE).is_file():
                raise BadFile(OTHER, file=file.name)
            if folder.exists():
                folder.rmdir()
            retry_if_locked(lambda: os.replace(restored, folder))
    except OSError as error:
        raise write_error(error, file.name) from error
    return count


def check(folder: Path) -> CheckedFolder:
    """Read every table of a server's folder as the server would, and verify every match there:
    those that are played, earlier ones of the same tables, and what is kept of closed tables."""
    checked = CheckedFolder()
    sealed = any(folder.rglob(f"*{SUFFIX}"))  # the key is made with the first match
    for secret in OURS if sealed else (CERTIFICATE,):
        if not (folder / secret).is_file():
            checked.wrong.append(f'"{secret}" is missing.')
    try:
        load_pem_x509_certificate(read_regular(folder / CERTIFICATE, MIB))
    except FileNotFoundError:
        pass
    except (OSError, ValueError):
        checked.wrong.append(f'"{CERTIFICATE}" holds no certificate.')
    played = set()
    for path in tables_in(folder):
        checked.tables += 1
        try:
            kept = read_table(path)
        except (BadFile, StorageError, UnknownGame, BrokenGame) as error:
            checked.wrong.append(str(error))
        except (OSError, ValueError):
            checked.wrong.append(f'"{path.name}" is no table.')
        else:
            if kept.phase in ("playing", "over") and kept.number:
                played.add(journal_of(folder, kept.table, kept.number))
    records = set(folder.rglob(f"*{SUFFIX}"))
    checked.wrong += [f'"{path.name}" is missing.' for path in sorted(played - records)]
    for path in sorted(records):
        checked.matches += 1
        if wrong := _fault_of(path, path in played):
            checked.wrong.append(wrong)
    for path in sorted(folder.rglob(f"*{FINISHED}")):
        try:
            read_finished(path)
        except (OSError, ValueError):
            checked.wrong.append(f'"{path.name}" says of no match how it ended.')
    return checked


def _fault_of(record: Path, played: bool) -> str:
    """What is wrong with a record; empty if nothing is. Other rules than today's are no fault of a
    match that is over."""
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
    """All files that belong into a backup, those of tables before those of matches."""
    for name in BESIDE:
        if (folder / name).is_file():
            yield folder / name
    for suffix in KEPT:
        yield from sorted(path for path in folder.rglob(f"*{suffix}") if path.is_file())
