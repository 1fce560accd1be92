"""Decides which menu commands are allowed at a table."""

from tabletop.engine.model import AUDIENCE, Move
from tabletop.language.answer_buttons import can_arrange
from tabletop.language.rare_actions import rare_action_kinds
from tabletop.language.table_status import TableStatus
from tabletop.match.reactions import PASS, can_pass

ALWAYS_ALLOWED = ("leave", "public_table")
ALLOWED_WHEN_OPEN = (
    *("now", "card", "log", "score", "actions", "copy_log", "rules", "reset_layout"),
    *("tell", "say_again", "note", "zoom_in", "zoom_out", "zoom_usual", "boards"),
)
"""Commands that are allowed whenever the curtain is open."""


def allowed_commands(status: TableStatus) -> dict[str, bool]:
    """Return whether each command is allowed at a table with `status`, by command name."""
    when_open = (
        dict.fromkeys(ALLOWED_WHEN_OPEN, True) | _table_commands(status) | _viewer_commands(status)
    )
    return (
        dict.fromkeys(ALWAYS_ALLOWED, True)
        | {"restart": status.capabilities.restart, "save": status.capabilities.save}
        | {name: may and not status.viewing.covered for name, may in when_open.items()}
    )


def _table_commands(status: TableStatus) -> dict[str, bool]:
    people = status.people
    return {
        "chat": people.shared,
        "seat_code": people.shared and any(people.codes.values()),
        "undo": status.can_undo or status.can_agree,
        "redo": status.can_redo,
        "reactions": bool(people.here) and status.has_chances,
        "review": status.over and status.capabilities.review and not status.viewing.moving,
    }


def _viewer_commands(status: TableStatus) -> dict[str, bool]:
    rare = set(rare_action_kinds(status))
    return {
        "sort_hand": status.looking != AUDIENCE,
        "away": "away" in rare,
        "concede": "concede" in rare,
        "stand_ins": status.can_stand_in,
        "hint": "hint" in rare,
        "pass": find_pass(status) is not None,
        "end_turn": status.viewing.due or (bool(status.half_made.arranged) and can_arrange(status)),
    }


def find_pass(status: TableStatus) -> Move | None:
    """Return the move that passes on the viewer's question, or None if passing isn't allowed."""
    asks = status.asks if not status.viewing.due else ()
    return next((Move(a.id, PASS) for a in asks if can_pass(a, status.offers[a.id])), None)
