"""Errors of files, each with a sentence for the person, in any language."""

import errno
from pathlib import Path

from tabletop.engine.model import Reason, Value
from tabletop.files.regular_file import MIB, NotRegular, TooLarge
from tabletop.text.phrases import fill_gaps
from tabletop.text.plain_text import plain_line

MAX_QUOTED_LENGTH = 300
"""Characters of a file's name, or of its content, that a sentence quotes."""


class BadFile(Exception):
    """A file that cannot be what it should be. `line` is where it goes wrong, 0 for the whole."""

    def __init__(self, text: str, line: int = 0, /, **args: Value) -> None:
        self.reason = _make_reason(text, args)
        super().__init__(fill_gaps(text, self.reason.args))
        self.line = line
        self.path: Path | None = None
        """The file of the match, where a list of matches reports it."""


class RulesMismatch(BadFile):
    """A record that these rules cannot play on; it may still be watched."""


class Damaged(BadFile):
    """A record that cannot be right; what comes before the named line may be good."""


class StorageError(Exception):
    """The disk did not do what it was asked for; what the program holds in memory is unharmed."""

    def __init__(self, text: str, /, **args: Value) -> None:
        self.reason = _make_reason(text, args, code="disk")
        super().__init__(fill_gaps(text, self.reason.args))


class DiskFull(StorageError):
    """There is no room left on the disk, or in the person's share of it."""


class OpenElsewhere(StorageError):
    """A match that another window has open; `path` is its file."""

    def __init__(self, text: str, path: Path) -> None:
        super().__init__(text, file=path.name)
        self.path = path


def _make_reason(text: str, args: dict[str, Value], code: str = "") -> Reason:
    """The sentence with what it quotes of a file or its name on one line, and not too long."""
    quoted = {
        name: plain_line(value, MAX_QUOTED_LENGTH) if isinstance(value, str) else value
        for name, value in args.items()
    }
    return Reason(text, quoted, code=code)


class NotReadable(StorageError):
    """A file that can't be read now, though it may be sound."""


def read_error(error: OSError, place: str) -> NotReadable:
    """The sentence for an operating system's refusal to read a small file."""
    reason = bad_file_error(error, place).reason
    return NotReadable(reason.text, **reason.args)


def write_error(error: OSError, place: str) -> StorageError:
    """The sentence for an operating system's refusal to write at a place."""
    match error:
        case PermissionError():
            return StorageError('Can\'t write "{file}": permission denied.', file=place)
        case NotRegular():
            return StorageError("Can't write \"{file}\": it's not a regular file.", file=place)
        case NotADirectoryError():
            return StorageError(
                'Can\'t write "{file}": where its folder should be, there is a file.', file=place
            )
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return DiskFull('Can\'t write "{file}": the disk is full.', file=place)
        case OSError(errno=errno.EROFS):
            return StorageError('Can\'t write "{file}": the disk is read-only.', file=place)
        case OSError(strerror=str(cause)):
            return StorageError('Can\'t write "{file}": {cause}.', file=place, cause=cause)
    return StorageError('Can\'t write "{file}".', file=place)


def bad_file_error(error: Exception, place: str) -> BadFile:
    """The sentence for what keeps a file or a folder from being read: the operating system, or
    something in it that no check has foreseen."""
    match error:
        case PermissionError():
            return BadFile('Can\'t read "{file}": permission denied.', file=place)
        case NotRegular():
            return BadFile("Can't read \"{file}\": it's not a regular file.", file=place)
        case TooLarge(most=most):
            return BadFile(
                "Can't read \"{file}\": it's larger than {most} MiB.",
                file=place,
                most=max(1, most // MIB),
            )
        case OSError(strerror=str(cause)):
            return BadFile('Can\'t read "{file}": {cause}.', file=place, cause=cause)
    return BadFile('Can\'t read "{file}": it may be damaged.', file=place)
