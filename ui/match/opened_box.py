"""A game's box, out of which its table is laid at the beginning of a match."""

from PySide6.QtCore import QObject, QPoint, QPointF, Signal

from tabletop.catalogue.catalogue import GameKit
from tabletop.match.seat import Seat
from ui.shell.app_context import AppContext
from ui.table.animation.opening import BOX_HEIGHT
from ui.table.view import TableView
from ui.widgets.box_sides import FRONT, natural_size, side_picture


class OpenedBox(QObject):
    """Has the table laid out of the box for each viewer who sees it before the first move."""

    laid = Signal()
    """The table lies as it should: what waited for that may come, as a lesson does."""

    def __init__(self, context: AppContext, kit: GameKit, view: TableView) -> None:
        super().__init__(view)
        self._context, self._kit, self._view = context, kit, view
        self.shelf_place: QPoint | None = None
        """Where the box stood on the shelf, in the window, if it was seen there."""
        self._seen_by: set[int] = set()

    def is_new_to(self, seat: Seat) -> bool:
        """Whether this seat is to see the box opened as it sits down: once, if things move."""
        new = seat.view.ply == 0 and seat.number not in self._seen_by
        if new:
            self._seen_by.add(seat.number)
        return new and bool(self._view.table.animator.duration_factor)

    def open(self) -> None:
        """Lay the table out of it."""
        view, at = self._view, self.shelf_place
        stood = view.mapToScene(view.mapFrom(view.window(), at)) if at is not None else None
        open_box(self._context, self._kit, view, stood)
        if view.table.animator.is_opening:
            view.table.settled.connect(self._note_settled)

    def _note_settled(self) -> None:
        if not self._view.table.animator.is_opening:
            self._view.table.settled.disconnect(self._note_settled)
            self.laid.emit()


def open_box(
    context: AppContext, kit: GameKit, view: TableView, shelf: QPointF | None = None
) -> None:
    """Show how the table of this view is laid out of the game's box, where things move; `shelf` is
    where it stood, in the scene."""
    if not view.table.animator.duration_factor:
        return
    natural, high = natural_size(context, kit, FRONT), round(BOX_HEIGHT * view.height())
    wide = high * natural.width() / natural.height()
    front = side_picture(context, kit, FRONT, wide, high, view.devicePixelRatioF())
    view.table.play_opening(front, shelf)
