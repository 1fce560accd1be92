"""Moments that a stranger names: such as every calendar and time zone has."""

from datetime import UTC, datetime

FIRST = datetime(1970, 1, 1, tzinfo=UTC)
LAST = datetime(9999, 1, 1, tzinfo=UTC)


def check_moment(moment: datetime) -> None:
    """
    Raises:
        ValueError: `moment` has no time zone, or clocks of some time zones can't show it.
    """
    if moment.tzinfo is None or not FIRST <= moment <= LAST:
        raise ValueError("no moment of this calendar")
