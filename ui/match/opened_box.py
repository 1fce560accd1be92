"""A game's box, out of which its table is laid at the beginning of a match."""

from PySide6.QtCore import QPointF

from tabletop.catalogue.catalogue import Kit
from ui.shell.app_context import AppContext
from ui.table.animation.opening import HIGH
from ui.table.view import TableView
from ui.widgets.box_sides import FRONT, natural_size, side_picture


def open_box(context: AppContext, kit: Kit, view: TableView, shelf: QPointF | None = None) -> None:
    """Show how the table of this view is laid out of the game's box, where things move; `shelf` is
    where it stood, in the scene."""
    if not view.table.animator.factor:
        return
    natural, high = natural_size(context, kit, FRONT), round(HIGH * view.height())
    wide = high * natural.width() / natural.height()
    front = side_picture(context, kit, FRONT, wide, high, view.devicePixelRatioF())
    view.table.open(front, shelf)
