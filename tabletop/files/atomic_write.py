"""Files that are written whole or not at all."""

import errno
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TypeVar

from tabletop.files.errors import StorageError, write_error

TEMPORARY_SUFFIX = ".new"
"""The suffix of a file that is still being written."""
PRIVATE_SDDL = "D:P(A;;FA;;;OW)(A;;FA;;;SY)(A;;FA;;;BA)"
"""The access to a private file on Windows: its owner, the system and administrators (SDDL)."""
DACL_SECURITY_INFORMATION = 4
"""DACL_SECURITY_INFORMATION of winnt.h."""
STALE_AFTER_S = 24 * 3600.0
"""Seconds after which no process can still be writing such a file."""
LOCKS_OPEN_FILES = sys.platform == "win32"
"""Whether the system refuses to replace or rename a file that another program has open."""
RETRY_DELAYS_S = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
"""Seconds between the attempts where it refuses: virus scanners and indexers let go soon."""

T = TypeVar("T")


def write_atomically(path: Path, content: bytes, *, private: bool = False) -> None:
    """Replace a file's content at once: nobody ever sees half of it. A `private` file can't be read
    by others on this computer.

    Raises:
        StorageError: the file cannot be written; what was there before is still there.
    """
    path = _resolve_symlink(path)
    no_file = StorageError("Can't write \"{file}\": it's not a regular file.", file=path.name)
    if not path.name:
        raise no_file
    try:
        if path.exists() and not path.is_file():
            raise no_file
        with _temporary_file_beside(path, content, private=private) as new:
            retry_if_locked(lambda: new.replace(path))
        sync_folder(path.parent)
    except OSError as error:
        raise write_error(error, path.name) from error


def _resolve_symlink(path: Path) -> Path:
    """The file itself where a link leads to it, which then stays a link."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def write_without_sync(path: Path, content: bytes) -> None:
    """Replace a file that can be made again at any time: whole, but a power cut may take it. A disk
    error leaves the file unwritten and is not reported."""
    with suppress(OSError):
        target = _resolve_symlink(path)
        with _temporary_file_beside(target, content, private=True, lasting=False) as new:
            retry_if_locked(lambda: new.replace(target))


def write_new(path: Path, content: bytes) -> None:
    """Write a new file at once, which others on this computer can't read; never over the file of
    another window.

    Raises:
        StorageError: it cannot be written, or there is a file.
    """
    try:
        with _temporary_file_beside(path, content, private=True) as new:
            rename_to_new(new, path)
        try:
            sync_folder(path.parent)
        except OSError:
            path.unlink()
            raise
    except OSError as error:
        raise write_error(error, path.name) from error


def rename_to_new(file: Path, path: Path) -> None:
    """Give a file a name that nothing has yet; unlike a rename, it replaces nothing."""
    try:
        os.link(file, path)
    except FileExistsError:
        raise
    except OSError:  # the disk has no hard links
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        retry_if_locked(lambda: file.rename(path))


@contextmanager
def _temporary_file_beside(
    path: Path, content: bytes, *, private: bool = False, lasting: bool = True
) -> Iterator[Path]:
    """A file beside another, with the content safe on the disk where it is `lasting`; gone
    afterwards, or moved away."""
    new = path.with_name(f".{os.urandom(8).hex()}{TEMPORARY_SUFFIX}")
    make_folder(path.parent)
    try:
        with create_private(new) if private else open(new, "xb") as file:
            file.write(content)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        yield new
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def create_private(path: Path) -> IO[bytes]:
    """Create a file that only its owner can open, and on Windows, where modes do nothing, the
    system and administrators; on a disk without access control everybody can.

    Raises:
        OSError: the disk refused, or there is a file.
    """
    file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    if sys.platform == "win32":
        from ctypes import byref, c_void_p, windll

        descriptor = c_void_p()
        convert = windll.advapi32.ConvertStringSecurityDescriptorToSecurityDescriptorW
        if convert(PRIVATE_SDDL, 1, byref(descriptor), None):
            windll.advapi32.SetFileSecurityW(str(path), DACL_SECURITY_INFORMATION, descriptor)
            windll.kernel32.LocalFree(descriptor)
    return file


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder and its missing parents; a power cut takes none of them.

    Raises:
        OSError: the disk refused.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(mode, parents=True, exist_ok=True)
    except FileExistsError as error:  # it is a file
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from error
    for each in missing:
        sync_folder(each.parent)


def move_file(path: Path, target: Path) -> None:
    """Give a file another name, also on another disk; a power cut leaves it under one of both
    names, or both, never under none.

    Raises:
        OSError: the disk refused.
    """
    try:
        retry_if_locked(lambda: path.replace(target))
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _move_to_other_disk(path, target)
    else:
        sync_folder(target.parent)
        if path.parent != target.parent:
            sync_folder(path.parent)


def _move_to_other_disk(path: Path, target: Path) -> None:
    with _temporary_file_beside(target, path.read_bytes(), private=True) as new:
        shutil.copystat(path, new)
        retry_if_locked(lambda: new.replace(target))
    sync_folder(target.parent)
    retry_if_locked(path.unlink)
    sync_folder(path.parent)


def retry_if_locked(act: Callable[[], T]) -> T:
    """Rename, replace or delete files by `act`; try again for about a second where Windows refuses
    it because another program has one of them open.

    Raises:
        OSError: the disk refused.
    """
    for pause in RETRY_DELAYS_S if LOCKS_OPEN_FILES else ():
        try:
            return act()
        except PermissionError:
            time.sleep(pause)
    return act()


def delete_leftovers(folder: Path) -> None:
    """Delete the unfinished files of processes that were killed while they wrote here, once these
    are a day old. Files that the disk refuses stay."""
    with suppress(OSError):
        for left in list(folder.glob(f".*{TEMPORARY_SUFFIX}")):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > STALE_AFTER_S:
                    left.unlink()


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that new names in it are safe, where the system lets a folder be opened."""
    if os.name == "posix":
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except PermissionError:  # a folder that may be written but not read
            return
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
