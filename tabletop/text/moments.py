"""Validation of dates and times in other people's files."""

from datetime import UTC, datetime

FIRST = datetime(1970, 1, 1, tzinfo=UTC)
LAST = datetime(9999, 1, 1, tzinfo=UTC)


def check_moment(moment: datetime) -> None:
    """Check that every calendar and time zone can show `moment`.

    Raises:
        ValueError: `moment` has no time zone, or isn't between `FIRST` and `LAST`.
    """
    if moment.tzinfo is None or not FIRST <= moment <= LAST:
        raise ValueError("no moment of this calendar")
