"""The menu commands that make sense at a table now."""

from tabletop.engine.model import AUDIENCE, Move
from tabletop.match.reactions import PASS
from ui.match.questions import gathers
from ui.match.table_status import TableStatus

ALWAYS = ("leave", "public_table")
LOCAL = ("restart", "save")
OPEN = (
    *("card", "log", "score", "actions", "copy_log", "rules", "reset_layout", "tell", "note"),
    *("zoom_in", "zoom_out", "zoom_usual"),
)
"""Commands of a table that no curtain hides."""


def allowed(status: TableStatus) -> dict[str, bool]:
    """The commands by name, and whether each may be chosen."""
    when_open = dict.fromkeys(OPEN, True) | _table(status) | _viewer(status)
    return (
        dict.fromkeys(ALWAYS, True)
        | dict.fromkeys(LOCAL, status.local)
        | {name: may and not status.covered for name, may in when_open.items()}
    )


def _table(status: TableStatus) -> dict[str, bool]:
    """Return the commands that concern everyone at an open table."""
    people = bool(status.people)
    return {
        "chat": status.shared,
        "away": status.shared and people,
        "undo": status.can_undo or status.can_agree,
        "redo": status.can_redo,
        "reactions": people and status.has_chances,
        "review": status.over and status.local,
    }


def _viewer(status: TableStatus) -> dict[str, bool]:
    """Return the commands that concern the viewer of an open table."""
    looks = status.looking != AUDIENCE
    return {
        "sort_hand": looks,
        "concede": looks and not status.over,
        "hint": can_ask(status),
        "pass": passing(status) is not None,
        "end_turn": status.due or (bool(status.arranged) and gathers(status)),
    }


def passing(status: TableStatus) -> Move | None:
    """The pass that the viewer's question admits."""
    moves = (Move(ask.id, PASS) for ask in status.asks if not status.due)
    return next(
        (move for move in moves if any(o.admits(move) for o in status.offers[move.ask])), None
    )


def can_ask(status: TableStatus) -> bool:
    """Whether the viewer has a question that a hint can answer."""
    return not status.due and bool(status.asks)
