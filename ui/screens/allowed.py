"""Which commands of the menus make sense at a table now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabletop.engine.model import AUDIENCE
from ui.screens.tasks import asks, gathers

if TYPE_CHECKING:
    from ui.screens.table import TableScreen


def allowed(screen: TableScreen) -> dict[str, bool]:
    """The commands by name, and whether each may be chosen."""
    open_ = not screen.curtain.drawn
    sitting, handing, shared = screen.sitting, screen.hand_over.due, screen.company is not None
    looks = open_ and sitting.looking != AUDIENCE
    arranged = screen.arranged and gathers(sitting.link)
    return {
        **dict.fromkeys(("leave", "reset_layout"), True),
        **dict.fromkeys(("restart", "save"), sitting.match is not None),
        **dict.fromkeys(("card", "log", "score", "actions", "copy_log"), open_),
        "chat": open_ and shared,
        "away": open_ and shared and bool(sitting.people),
        **dict.fromkeys(("zoom_in", "zoom_out", "zoom_usual"), open_),
        "undo": open_ and (sitting.can_undo or sitting.can_agree),
        "redo": open_ and sitting.can_redo,
        "sort_hand": looks,
        "concede": looks and not sitting.over,
        "reactions": open_ and bool(sitting.people) and sitting.has_chances,
        "review": open_ and sitting.over and sitting.match is not None,
        "hint": open_ and not handing and bool(asks(sitting.link)),
        "end_turn": open_ and (handing or arranged),
    }
