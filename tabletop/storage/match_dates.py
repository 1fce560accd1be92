"""Validation of dates in records and of file times, which may be out of range."""

from datetime import UTC, datetime
from pathlib import Path

from tabletop.files.errors import BadFile


def valid_time(time: datetime | None) -> datetime | None:
    """Return `time` in UTC; None if it is None or can't be converted between time zones."""
    if time is None:
        return None
    try:
        aware = time if time.tzinfo else time.replace(tzinfo=UTC)
        aware.astimezone()
        return aware.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def time_from_unix(seconds: int) -> datetime | None:
    """Return the UTC time `seconds` after the Unix epoch; None if it is out of range."""
    try:
        return valid_time(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def modified_time(path: Path) -> datetime:
    """Return the modification time of a file, in UTC.

    Raises:
        BadFile: the time is out of range.
        OSError: the file can't be accessed.
    """
    seconds = path.stat().st_mtime
    try:
        changed = datetime.fromtimestamp(seconds, UTC)
        changed.astimezone()  # may be out of range in the local time zone
    except (ValueError, OverflowError, OSError) as error:
        raise BadFile('"{file}" has an invalid date.', file=path.name) from error
    return changed
