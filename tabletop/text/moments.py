"""Validation of dates and times in files from other people."""

from datetime import UTC, datetime

MIN_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)
MAX_MOMENT = datetime(9999, 1, 1, tzinfo=UTC)


def check_moment(moment: datetime) -> None:
    """Check that `moment` can be shown in every calendar and time zone.

    Raises:
        ValueError: `moment` has no time zone, or isn't between `MIN_MOMENT` and `MAX_MOMENT`.
    """
    if moment.tzinfo is None or not MIN_MOMENT <= moment <= MAX_MOMENT:
        raise ValueError("no moment of this calendar")
