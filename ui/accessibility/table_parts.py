"""Lists the accessible parts of a table."""

import weakref

from ui.accessibility.card_parts import WholeTablePart, ZonePart
from ui.accessibility.choice_parts import OptionListPart
from ui.accessibility.part import TablePart
from ui.accessibility.sign_parts import LabelPart, PiecePart, PlaquePart
from ui.table.scene import TableScene


def list_parts(scene: TableScene) -> list[TablePart]:
    """Return the parts of the table in reading order."""
    placed = scene.stage.placed
    if placed is None:
        return []
    at = weakref.ref(scene)
    chooser, ground = scene.selection_view.chooser, WholeTablePart(at)
    return [
        *([OptionListPart(at, weakref.ref(chooser))] if chooser is not None else []),
        *([ground] if ground.is_present else []),
        *(PlaquePart(at, seat) for seat in dict.fromkeys(sign.seat for sign in placed.plaques)),
        *(LabelPart(at, number) for number in range(len(placed.texts))),
        *(ZonePart(at, zone) for zone in placed.zones),
        *(PiecePart(at, name) for name in scene.stage.pieces),
    ]
