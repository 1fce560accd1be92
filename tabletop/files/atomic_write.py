"""Atomic writing, moving and creation of files."""

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
"""The suffix of temporary files while they are being written."""
PRIVATE_SDDL = "D:P(A;;FA;;;OW)(A;;FA;;;SY)(A;;FA;;;BA)"
"""The access rights of a private file on Windows, in SDDL: owner, system, administrators."""
DACL_SECURITY_INFORMATION = 4
"""The value of this constant in winnt.h."""
STALE_AFTER_S = 24 * 3600.0
"""The age in seconds from which a temporary file is considered abandoned."""
LOCKS_OPEN_FILES = sys.platform == "win32"
"""Whether the system refuses to replace or rename files that another program has open."""
RETRY_DELAYS_S = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
"""The delays between retries, in seconds; virus scanners and indexers release files soon."""

T = TypeVar("T")


def write_atomically(path: Path, content: bytes, *, private: bool = False) -> None:
    """Replace the content of a file atomically.

    `private`: whether to keep other users of this computer from reading the file.

    Raises:
        StorageError: the file can't be written; its old content is unchanged.
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
    """Return the target of a symlink, so that the target is replaced rather than the link."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def write_without_sync(path: Path, content: bytes) -> None:
    """Replace a file that can be recomputed at any time, ignoring disk errors.

    The file is never written partially, but a power cut may lose it.
    """
    with suppress(OSError):
        target = _resolve_symlink(path)
        with _temporary_file_beside(target, content, private=True, synced=False) as new:
            retry_if_locked(lambda: new.replace(target))


def write_new(path: Path, content: bytes) -> None:
    """Create a private file atomically, without overwriting an existing one.

    Raises:
        StorageError: the file can't be written, or exists already.
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
    """Rename `file` to `path` without overwriting an existing file.

    Raises:
        FileExistsError: `path` exists.
    """
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
    path: Path, content: bytes, *, private: bool = False, synced: bool = True
) -> Iterator[Path]:
    """Yield a temporary file with `content`, in the same folder as `path`.

    Unless the file has been renamed, it is deleted afterwards. `synced`: whether to sync the
    content to disk.
    """
    new = path.with_name(f".{os.urandom(8).hex()}{TEMPORARY_SUFFIX}")
    make_folder(path.parent)
    try:
        with create_private(new) if private else open(new, "xb") as file:
            file.write(content)
            file.flush()
            if synced:
                os.fsync(file.fileno())
        yield new
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def create_private(path: Path) -> IO[bytes]:
    """Create a file that only its owner can open.

    On Windows, the system and administrators can open it too. On a disk without access control,
    everybody can.

    Raises:
        OSError: the file can't be created, or exists already.
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
    """Create a folder and any missing parents, and sync them to disk.

    Raises:
        OSError: the folder can't be created.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(mode, parents=True, exist_ok=True)
    except FileExistsError as error:  # `folder` is a file
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from error
    for each in missing:
        sync_folder(each.parent)


def move_file(path: Path, target: Path) -> None:
    """Move a file, even to another disk.

    After a power cut, it exists under the old path, the new path, or both.

    Raises:
        OSError: the file can't be moved.
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
    """Return `act()`; on Windows, retry for about a second if a file is in use.

    Windows refuses to rename, replace or delete a file that another program has open.

    Raises:
        OSError: the operation fails.
    """
    for pause in RETRY_DELAYS_S if LOCKS_OPEN_FILES else ():
        try:
            return act()
        except PermissionError:
            time.sleep(pause)
    return act()


def delete_leftovers(folder: Path) -> None:
    """Delete the temporary files that crashed processes have left in `folder`.

    Files younger than `STALE_AFTER_S` are kept, as are files that can't be deleted.
    """
    with suppress(OSError):
        for left in list(folder.glob(f".*{TEMPORARY_SUFFIX}")):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > STALE_AFTER_S:
                    left.unlink()


def sync_folder(folder: Path) -> None:
    """Sync a folder to disk, so that new file names in it survive a power cut.

    On Windows, do nothing.
    """
    if os.name == "posix":
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except PermissionError:  # the folder is writable but not readable
            return
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
