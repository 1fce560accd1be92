"""Backup of a server's whole folder as one file: taken while it runs, checked, and restored.

A table's file is written whole or not at all, and a journal only grows. So the files of tables are
copied first and the journals after them: a journal holds at least everything that its table's file
refers to, and a line that is being written is a line cut off, as after a power failure. A match
that started after a table's file was copied is not in the copy, nor is anything that was sent about
it.
"""

import gzip
import io
import os
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from time import perf_counter, sleep, time
from typing import IO, cast

import msgspec
from cryptography.x509 import load_pem_x509_certificate
from msgspec import Struct

from tabletop import __version__
from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.files import folders
from tabletop.files.atomic_write import make_folder, open_private, patiently
from tabletop.files.errors import BadFile, OtherRules, StorageError, disk_trouble
from tabletop.files.regular_file import MIB, open_regular, read_regular
from tabletop.net.certificate import FILE as CERTIFICATE
from tabletop.net.host.finished_file import FINISHED, read_finished
from tabletop.net.host.table_disk import TABLE, journal_of, read_table, tables_in
from tabletop.server.bans import FILE as BANS
from tabletop.storage.playtest_notes import ENDING
from tabletop.storage.record import SUFFIX, read
from tabletop.storage.verification import verify_record
from tabletop.text.portable_name import is_portable

QUICKLY = 1
"""Level of compression, of 9: a running server wants its core back."""
AT_ONCE = 2**20
"""Bytes that are made safe at a time: the moves of a server that runs wait for the same disk."""
SPELL = 0.005
"""Seconds of work after which it rests for as long: a backup has time, who plays has not."""
KEPT = (TABLE, FINISHED, SUFFIX, ENDING)
OURS = (CERTIFICATE, folders.KEY)
"""The secrets of a server: who its guests know it by, and what opens its matches."""
BESIDE = (*OURS, BANS)
"""The other files beside the tables."""
LAST = "backup.json"
"""The last file of a backup: its `Contents`."""
LARGEST = 2**40
"""Bytes of one file that is backed up."""
LEAST_LIMIT, MOST_PACKED = 16 * 2**20, 100
"""Bytes that a backup may hold in any case, and how many for each byte of its own: what is made to
fill a disk holds a thousand."""
PIECE = 2**20
"""Bytes that are unpacked at a time."""


class Contents(Struct, frozen=True):
    """The end of a backup: proof that it is whole."""

    files: int
    program: str
    """The version of the program that made it."""


class CheckedFolder:
    """The findings of a check: the number of files, and what is wrong with which."""

    def __init__(self) -> None:
        self.tables = 0
        self.matches = 0
        self.wrong: list[str] = []


def back_up(folder: Path, file: Path) -> int:
    """Write all that a server keeps in this folder into one file, which holds its secrets and is
    the owner's alone. Return the number of files. Half of the time it rests.

    Raises:
        StorageError: something cannot be read or written; there is no file then.
    """
    part = file.with_name(f".{file.name}.part")
    count = safe = 0
    started = perf_counter()
    try:
        part.unlink(missing_ok=True)  # of a backup that was killed
        with (
            open_private(part) as raw,
            tarfile.open(fileobj=raw, mode="w:gz", compresslevel=QUICKLY) as tar,
        ):
            for path in _files_to_back_up(folder):
                try:
                    content, changed = read_regular(path, LARGEST), path.stat().st_mtime
                except FileNotFoundError:  # a table that was closed meanwhile
                    continue
                _add(tar, path.relative_to(folder).as_posix(), content, changed)
                count += 1
                if (worked := perf_counter() - started) > SPELL:
                    sleep(worked)
                    started = perf_counter()
                if raw.tell() - safe > AT_ONCE:
                    safe = raw.tell()
                    raw.flush()
                    os.fsync(raw.fileno())
            _add(tar, LAST, msgspec.json.encode(Contents(count, __version__)), time())
            tar.close()
            raw.flush()
            os.fsync(raw.fileno())
        patiently(lambda: os.replace(part, file))
    except OSError as error:
        part.unlink(missing_ok=True)
        raise disk_trouble(error, file.name) from error
    return count


def restore(file: Path, folder: Path) -> int:
    """Restore a backup into a folder that does not exist or is empty. Return the number of files.

    Raises:
        StorageError: the folder holds something, or cannot be written.
        BadFile: this is no backup of a server, or not a whole one; nothing was put back.
    """
    if folder.exists() and any(folder.iterdir()):
        raise StorageError('"{file}" is not empty: nothing was restored.', file=folder.name)
    part = folder.with_name(f".{folder.name}.part")
    try:
        make_folder(folder.parent, 0o700)
        shutil.rmtree(part, ignore_errors=True)  # of a restoration that was killed
        part.mkdir(mode=0o700)
        limit = max(LEAST_LIMIT, MOST_PACKED * file.stat().st_size)
        with (
            open_regular(file) as raw,
            gzip.GzipFile(fileobj=raw) as packed,
            tarfile.open(fileobj=cast(IO[bytes], _Unpacking(packed, limit)), mode="r:") as tar,
        ):
            count = 0
            while (entry := tar.next()) is not None and entry.name != LAST:
                _write_entry(tar, entry, part, file.name)
                tar.members.clear()  # type: ignore[attr-defined]  # it would keep every entry
                count += 1
            contents = tar.extractfile(entry) if entry is not None else None
            if (
                contents is None
                or msgspec.json.decode(contents.read(PIECE), type=Contents).files != count
            ):
                raise EOFError
        if not (part / CERTIFICATE).is_file():
            raise BadFile('"{file}" is no backup of a server.', file=file.name)
        if folder.exists():
            folder.rmdir()
        patiently(lambda: os.replace(part, folder))
    except (tarfile.TarError, EOFError, ValueError, zlib.error, gzip.BadGzipFile) as error:
        raise BadFile('"{file}" is no whole backup of a server.', file=file.name) from error
    except OSError as error:
        raise disk_trouble(error, file.name) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return count


class _Unpacking:
    """A packed file as tarfile reads it, a piece at a time and no more than a limit in all."""

    def __init__(self, packed: gzip.GzipFile, limit: int) -> None:
        self._packed = packed
        self._limit = limit
        self.tell = packed.tell

    def read(self, size: int) -> bytes:
        """
        Raises:
            ReadError: it is more than a backup holds.
        """
        if not 0 <= size <= PIECE or self._packed.tell() + size > self._limit:
            raise tarfile.ReadError("too much for a backup")
        return self._packed.read(size)

    def seek(self, position: int) -> int:
        """Raises as `read`."""
        if position > self._limit:
            raise tarfile.ReadError("too much for a backup")
        return self._packed.seek(position)


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
    except OtherRules as error:
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


def _add(tar: tarfile.TarFile, name: str, content: bytes, changed: float) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = len(content), 0o600, changed
    tar.addfile(entry, io.BytesIO(content))


def _write_entry(tar: tarfile.TarFile, entry: tarfile.TarInfo, folder: Path, name: str) -> None:
    """Write one file of a backup, if it is one that a backup has."""
    inside = PurePosixPath(entry.name)
    ours = inside.name in BESIDE or inside.name.endswith(KEPT)
    if not entry.isfile() or not ours or not all(map(is_portable, inside.parts)):
        raise BadFile('"{file}" is no backup of a server.', file=name)
    source = tar.extractfile(entry)
    if source is None:
        raise BadFile('"{file}" is no backup of a server.', file=name)
    target = folder / inside
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open_private(target) as out:
        while piece := source.read(PIECE):
            out.write(piece)
    os.utime(target, (entry.mtime, entry.mtime))
