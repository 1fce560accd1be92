"""Counts for how many days files have waited for deletion, on days when the program runs.

The date may be wrong, so each run counts one day at most and nothing is deleted early.
"""

from collections.abc import Collection
from datetime import date

from msgspec import Struct

from tabletop.files import folders
from tabletop.files.errors import StorageError
from tabletop.files.regular_file import MIB
from tabletop.files.small_file import SmallFile, json_file, notify_user

FILE_NAME = "clearing.json"
MAX_FILE_BYTES = 16 * MIB
DAMAGED_NOTICE = (
    '"{file}" was damaged and is now "{aside}". What waits to be cleared away waits anew.'
)


class _WaitingDays(Struct):
    """The last day that was counted, and the number of days that each file has waited, by name."""

    counted: date
    waited: dict[str, int] = {}


def count_today_and_find_due(names: Collection[str], days: int) -> frozenset[str]:
    """Count today once for all `names`, and return the names that are due for deletion.

    A file is due once it has waited for more than `days` days. Names that aren't passed are
    forgotten. If the disk fails, the user is notified and nothing is due.
    """
    file: SmallFile[_WaitingDays] = json_file(
        folders.data() / FILE_NAME, _WaitingDays, DAMAGED_NOTICE, MAX_FILE_BYTES
    )

    def count(known: _WaitingDays | None) -> _WaitingDays:
        today = date.today()
        before = known or _WaitingDays(today)
        new_day = known is not None and known.counted != today
        return _WaitingDays(today, {name: before.waited.get(name, 0) + new_day for name in names})

    if not names:
        return frozenset()
    try:
        known = file.read()
        if known is None or known.counted != date.today() or set(known.waited) != set(names):
            known = file.update(count)
    except StorageError as error:
        notify_user(error.reason)
        return frozenset()
    return frozenset(name for name, passed in known.waited.items() if passed > days)
