"""Another player's last turn, from the log. No Qt."""

from collections.abc import Sequence

from tabletop.engine.events import Said

MOST = 8
"""Lines that are shown of one turn."""


def last_turn(log: Sequence[Said], viewer: int) -> tuple[Said, ...]:
    """The lines of another player's last turn: those about that player, and about nobody, until
    anybody else comes in."""
    about = [said.args.get("seat") for said in log]
    end = next((n for n in range(len(log), 0, -1) if about[n - 1] not in (None, viewer)), 0)
    if not end:
        return ()
    start = last = end - 1
    while start and end - start < MOST and about[start - 1] in (None, about[last]):
        start -= 1
    while about[start] is None:
        start += 1
    while end < len(log) and about[end] is None:
        end += 1
    return tuple(log[start:end])
