"""Times that matches and their files name, as far as every calendar here has them."""

from datetime import UTC, datetime
from pathlib import Path

from tabletop.files.errors import BadFile


def valid_time(time: datetime | None) -> datetime | None:
    """A time that a file names, if every calendar here has it."""
    if time is None:
        return None
    try:
        aware = time if time.tzinfo else time.replace(tzinfo=UTC)
        aware.astimezone()
        return aware.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def time_from_unix(seconds: int) -> datetime | None:
    """A moment of Unix time, if every calendar here has it."""
    try:
        return valid_time(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def modified_time(path: Path) -> datetime:
    """When a file was last written.

    Raises:
        BadFile: on a day that no calendar here has.
        OSError: the file cannot be reached.
    """
    seconds = path.stat().st_mtime
    try:
        changed = datetime.fromtimestamp(seconds, UTC)
        changed.astimezone()  # at the ends of the calendar, another time zone may be out of range
    except (ValueError, OverflowError, OSError) as error:
        raise BadFile('"{file}" has an invalid date.', file=path.name) from error
    return changed
