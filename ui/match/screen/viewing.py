"""Describes who may look at a table screen, as input to the prompts."""

from tabletop.engine.model import AUDIENCE
from tabletop.language.table_status import Viewing
from tabletop.match.viewer_switch import COVERED, ViewerSwitch
from ui.match.seated_table import SeatedTable


def viewing_at(seated: SeatedTable, switch: ViewerSwitch) -> Viewing:
    """Return who may look next, and how much of the table the viewer has seen."""
    standing, bar = switch.decision, switch.decision.bar
    asked = AUDIENCE if bar.stays else standing.following
    return Viewing(
        following=standing.following,
        open_table=seated.open_table,
        covered=switch.state in COVERED,
        due=standing.handover_due,
        moving=switch.is_animating,
        went_back=switch.went_back,
        hurried=seated.record.hurried,
        reacting=bar.asks if switch.active_viewer == asked else (),
        reactions_stay_open=bar.stays,
        undoable_reactions=standing.can_undo,
    )
