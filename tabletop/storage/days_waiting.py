"""How long things have been waiting to be cleared away, in days on which the program was opened.

No clock is trusted for more than a day: one that runs ahead at one start clears nothing away at
once, and what was put away by one that is behind waits as long as anything.
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
BROKEN = '"{file}" was damaged and is now "{aside}". What waits to be cleared away waits anew.'


class _WaitingDays(Struct):
    """The last day that was counted, and by the name of each thing how many days it has waited."""

    counted: date
    waited: dict[str, int] = {}


def count_today_and_find_due(names: Collection[str], days: int) -> frozenset[str]:
    """Count today, once, for all these things that are to be cleared away; return those that have
    waited for more than this many days. Things that aren't named are forgotten. If the disk
    refuses, that is reported and nothing is due."""
    file: SmallFile[_WaitingDays] = json_file(
        folders.data() / FILE_NAME, _WaitingDays, BROKEN, MAX_FILE_BYTES
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
