"""Safe opening and reading of files that may have been replaced by something else.

Even a known path may lead to a pipe, a device, a folder or a huge file. Opening a pipe blocks, and
reading a device may never end. Therefore only regular files are opened, and reading stops at a
limit.
"""

import errno
import os
import stat
from io import FileIO
from pathlib import Path

KIB = 1024
MIB = 1024 * KIB
NON_BLOCKING_FLAGS = (
    getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
)


class NotRegular(OSError):
    """A path leads to a folder, pipe, socket or device."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "not a regular file", str(path))


class TooLarge(OSError):
    """A file is larger than `max_bytes` bytes."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        super().__init__(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        self.max_bytes = max_bytes


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to the same existing file."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o666) -> FileIO:
    """Open a regular file, unbuffered and non-blocking.

    `flags` and `mode`: passed to `os.open`.

    Raises:
        NotRegular: `path` isn't a regular file.
        OSError: the file can't be opened.
    """
    try:
        # check before opening, because opening a device may have side effects
        _check_is_regular(os.stat(path), path)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    file = FileIO(
        os.open(path, flags | NON_BLOCKING_FLAGS, mode), _PYTHON_MODES[flags & _ACCESS_MASK]
    )
    try:
        # check again: the file may have been replaced in between
        _check_is_regular(os.fstat(file.fileno()), path)
    except BaseException:
        file.close()
        raise
    return file


def read_regular(path: Path, max_bytes: int) -> bytes:
    """Return the content of a regular file of at most `max_bytes` bytes.

    Raises:
        NotRegular: `path` isn't a regular file.
        TooLarge: the file is larger.
        OSError: the file can't be read.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > max_bytes:
            raise TooLarge(path, max_bytes)
        content = b""
        while part := file.read(size + 1):  # allocate for the file's actual size, not for the limit
            content += part
            if len(content) > max_bytes:  # the file has grown meanwhile
                raise TooLarge(path, max_bytes)
    return content


_PYTHON_MODES = {os.O_RDONLY: "rb", os.O_WRONLY: "wb", os.O_RDWR: "r+b"}
_ACCESS_MASK = os.O_RDONLY | os.O_WRONLY | os.O_RDWR


def _check_is_regular(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotRegular(path)
