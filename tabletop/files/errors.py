"""File errors, each with a translatable message for the user."""

import errno
from pathlib import Path

from tabletop.engine.model import Reason, Value
from tabletop.files.regular_file import MIB, NotRegular, TooLarge
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import plain_line

MAX_QUOTED_LENGTH = 300
"""The maximum number of characters of a file name or file content quoted in a message."""


class BadFile(Exception):
    """A file is missing, damaged or of the wrong kind.

    `line`: the number of the invalid line; 0 if the error concerns the whole file.
    """

    def __init__(self, text: str, line: int = 0, /, **args: Value) -> None:
        self.reason = _make_reason(text, args)
        super().__init__(fill_gaps(text, self.reason.args))
        self.line = line
        self.path: Path | None = None
        """The path of the match file, set by functions that list matches."""


class RulesMismatch(BadFile):
    """A record can be watched but not continued, because the installed rules are different."""


class Damaged(BadFile):
    """A record is damaged; the lines before `line` may be valid."""


class StorageError(Exception):
    """A disk operation failed, without affecting data in memory."""

    def __init__(self, text: str, /, **args: Value) -> None:
        self.reason = _make_reason(text, args, code="disk")
        super().__init__(fill_gaps(text, self.reason.args))


class DiskFull(StorageError):
    """The disk or the user's quota is full."""


class OpenElsewhere(StorageError):
    """The match at `path` is open in another window."""

    def __init__(self, text: str, path: Path) -> None:
        super().__init__(text, file=path.name)
        self.path = path


def _make_reason(text: str, args: dict[str, Value], code: str = "") -> Reason:
    """Return a reason whose quoted texts are shortened and put on one line."""
    quoted = {
        name: plain_line(value, MAX_QUOTED_LENGTH) if isinstance(value, str) else value
        for name, value in args.items()
    }
    return Reason(text, quoted, code=code)


class NotReadable(StorageError):
    """A file can't be read at the moment, but may be intact."""


def read_error(error: OSError, name: str) -> NotReadable:
    """Return the error to raise when the system can't read the file `name`."""
    reason = bad_file_error(error, name).reason
    return NotReadable(reason.text, **reason.args)


def write_error(error: OSError, name: str) -> StorageError:
    """Return the error to raise when the system can't write the file `name`."""
    match error:
        case PermissionError():
            return StorageError('Can\'t write "{file}": permission denied.', file=name)
        case NotRegular():
            return StorageError("Can't write \"{file}\": it's not a regular file.", file=name)
        case NotADirectoryError():
            return StorageError(
                'Can\'t write "{file}": where its folder should be, there is a file.', file=name
            )
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return DiskFull('Can\'t write "{file}": the disk is full.', file=name)
        case OSError(errno=errno.EROFS):
            return StorageError('Can\'t write "{file}": the disk is read-only.', file=name)
        case OSError(strerror=str(cause)):
            return StorageError('Can\'t write "{file}": {cause}.', file=name, cause=cause)
    return StorageError('Can\'t write "{file}".', file=name)


def bad_file_error(error: Exception, name: str) -> BadFile:
    """Return the error to raise when the file or folder `name` can't be read for any reason."""
    match error:
        case PermissionError():
            return BadFile('Can\'t read "{file}": permission denied.', file=name)
        case NotRegular():
            return BadFile("Can't read \"{file}\": it's not a regular file.", file=name)
        case TooLarge(max_bytes=max_bytes):
            return BadFile(
                "Can't read \"{file}\": it's larger than {most} MiB.",
                file=name,
                most=max(1, max_bytes // MIB),
            )
        case OSError(strerror=str(cause)):
            return BadFile('Can\'t read "{file}": {cause}.', file=name, cause=cause)
    return BadFile('Can\'t read "{file}": it may be damaged.', file=name)
