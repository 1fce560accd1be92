"""Exclusive locks on open files, released by the system when the process ends."""

import errno
import os
import sys
from contextlib import suppress
from typing import IO

_LOCK_OFFSET = 0x7FFF_0000
"""The offset of the locked byte, far beyond the content so that the content stays readable."""

if sys.platform == "win32":
    import msvcrt

    def _is_conflict(error: OSError) -> bool:
        """Return whether `error` means that another process holds the lock.

        The C library of Windows reports a conflict as EACCES or EDEADLOCK, and Wine reports it
        without an error number. All of them use one of the numbers below for a disk without locks.
        """
        return error.errno not in (errno.EINVAL, errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)

    def _lock(descriptor: int) -> None:
        _at_far_byte(descriptor, msvcrt.LK_NBLCK)

    def _unlock(descriptor: int) -> None:
        _at_far_byte(descriptor, msvcrt.LK_UNLCK)

    def _try_range(descriptor: int) -> None:
        _lock(descriptor)
        _unlock(descriptor)

    def _at_far_byte(descriptor: int, mode: int) -> None:
        here = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _LOCK_OFFSET, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, mode, 1)
        finally:
            os.lseek(descriptor, here, os.SEEK_SET)

else:
    import fcntl

    def _is_conflict(error: OSError) -> bool:
        """Return whether another process holds the lock."""
        return error.errno in (errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES)

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _try_range(descriptor: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, _LOCK_OFFSET)
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, _LOCK_OFFSET)


def try_lock(file: IO[bytes]) -> bool:
    """Lock a file until it is unlocked or closed; return False if another process has locked it.

    Return True on a disk without locks.
    """
    try:
        _lock(file.fileno())
    except OSError as error:
        return not _is_conflict(error)
    return True


def try_supported_lock(file: IO[bytes]) -> bool:
    """Lock a file like `try_lock`, but return False on a disk without locks."""
    try:
        _lock(file.fileno())
    except OSError:
        return False
    return True


def supports_range_locks(file: IO[bytes]) -> bool:
    """Return whether the disk of an open file supports locks on byte ranges, as databases need."""
    try:
        _try_range(file.fileno())
    except OSError as error:
        return _is_conflict(error)
    return True


def unlock_and_close(file: IO[bytes]) -> None:
    """Unlock a file if it is locked, and close it."""
    if not file.closed:
        with suppress(OSError):  # it was not locked, or the disk has no locks
            _unlock(file.fileno())
        file.close()
