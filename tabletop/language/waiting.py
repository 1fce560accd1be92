"""The text for a player with nothing to do: why, whom the table waits for, and since when."""

from tabletop.engine.model import AUDIENCE
from tabletop.language.table_status import TableStatus

NAMED = 3
"""As many of those who are waited for are named; of more, the rest is counted."""
QUIET = 10
"""Seconds of a wait before its length is shown, and the steps in which it is shown."""
MINUTE = 60


def waiting_text(status: TableStatus, waited: int = 0) -> str:
    """Return why the viewer is not asked, who must play now, and for how many seconds already."""
    told = _reason_to_wait(status), _awaited_names(status, waited)
    return status.words.join_facts(filter(None, told))


def rounded_wait(seconds: int) -> int:
    """The seconds of a wait as they are shown: in tens of seconds, then whole minutes."""
    return seconds // MINUTE * MINUTE if seconds >= MINUTE else seconds // QUIET * QUIET


def all_idle_for_good(status: TableStatus) -> bool:
    """Whether nothing will be asked of anybody at this screen any more."""
    idle = [status.kit.meaning.idle_reason(status.view, seat) for seat in status.people.here]
    return all(found is not None and found.for_good for found in idle)


def _awaited_names(status: TableStatus, waited: int) -> str:
    words = status.words
    seats = [seat for seat in status.waiting if seat != status.looking]
    if not seats:
        return ""
    named, rest = seats[:NAMED], seats[NAMED:]
    names = words.seats(named)
    if rest:
        listed = words.join_list(map(words.seat, named))
        names = words("{names} and {n} more", names=listed, n=len(rest))
    seconds = rounded_wait(waited)
    if seconds >= MINUTE:
        return words("{names} to play… ({n} min)", names=names, n=seconds // MINUTE)
    if seconds:
        return words("{names} to play… ({n} s)", names=names, n=seconds)
    return words("{names} to play…", names=names)


def _reason_to_wait(status: TableStatus) -> str:
    """Return why the viewer is not asked; empty where it is simply another's turn."""
    words, seat, view = status.words, status.looking, status.view
    if seat == AUDIENCE:
        return ""
    if any(ask.seat == seat and ask.id in view.answers for ask in view.asks):
        return words("You have answered")
    if seat in status.waiting:
        return words("Sending…")
    idle = status.kit.meaning.idle_reason(view, seat)
    return words(idle.text) if idle is not None else ""
