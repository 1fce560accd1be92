"""Texts for a player who must wait: the reason, the awaited players and how long it has taken."""

from tabletop.engine.model import AUDIENCE
from tabletop.language.table_status import TableStatus

MAX_NAMED_PLAYERS = 3
"""The maximum number of awaited players to name. Any others are counted."""
WAIT_STEP_S = 10
"""The number of seconds before the length of a wait is shown, and between updates of it."""
MINUTE_S = 60


def waiting_text(status: TableStatus, waited: int = 0) -> str:
    """Return why the viewer must wait, who must play, and how long the table has waited.

    `waited`: the length of the wait in seconds.
    """
    told = _reason_to_wait(status), _awaited_names(status, waited)
    return status.words.join_facts(filter(None, told))


def rounded_wait(seconds: int) -> int:
    """Return `seconds` rounded down to a multiple of 10, or of 60 from one minute on."""
    return (
        seconds // MINUTE_S * MINUTE_S
        if seconds >= MINUTE_S
        else seconds // WAIT_STEP_S * WAIT_STEP_S
    )


def all_idle_for_good(status: TableStatus) -> bool:
    """Return whether all people at this screen have nothing left to do in this match."""
    idle = [status.kit.meaning.idle_reason(status.view, seat) for seat in status.people.here]
    return all(found is not None and found.for_good for found in idle)


def _awaited_names(status: TableStatus, waited: int) -> str:
    words = status.words
    seats = [seat for seat in status.waiting if seat != status.looking]
    if not seats:
        return ""
    named, rest = seats[:MAX_NAMED_PLAYERS], seats[MAX_NAMED_PLAYERS:]
    names = words.seats(named)
    if rest:
        listed = words.join_list(map(words.seat, named))
        names = words("{names} and {n} more", names=listed, n=len(rest))
    seconds = rounded_wait(waited)
    if seconds >= MINUTE_S:
        return words("{names} to play… ({n} min)", names=names, n=seconds // MINUTE_S)
    if seconds:
        return words("{names} to play… ({n} s)", names=names, n=seconds)
    return words("{names} to play…", names=names)


def _reason_to_wait(status: TableStatus) -> str:
    """Return why the viewer can't act, or "" if it is simply another player's turn."""
    words, seat, view = status.words, status.looking, status.view
    if seat == AUDIENCE:
        return ""
    if any(ask.seat == seat and ask.id in view.answers for ask in view.asks):
        return words("You have answered")
    if seat in status.waiting:
        is_sent = status.people.shared and not status.people.hosts
        return words("Sending…") if is_sent else words("Resolving…")
    idle = status.kit.meaning.idle_reason(view, seat)
    return words(idle.text) if idle is not None else ""
