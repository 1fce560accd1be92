"""Animates how a table is laid out of the game's box at the start of a match."""

from PySide6.QtCore import QObject, QPoint, QPointF, Signal

from tabletop.catalogue.catalogue import GameKit
from tabletop.match.seat import Seat
from ui.shell.app_context import AppContext
from ui.table.animation.opening import BOX_HEIGHT
from ui.table.view import TableView
from ui.widgets.box_sides import FRONT, natural_size, side_picture


class BoxOpener(QObject):
    """Plays the opening of the game's box once for each viewer, before the first move."""

    table_laid = Signal()
    """The opening animation has ended."""

    def __init__(self, context: AppContext, kit: GameKit, view: TableView) -> None:
        super().__init__(view)
        self._context, self._kit, self._view = context, kit, view
        self.shelf_place: QPoint | None = None
        """The box's position on the shelf in window coordinates, or None if it wasn't visible."""
        self._seen_by: set[int] = set()

    def claim_opening(self, seat: Seat) -> bool:
        """Return whether the caller should open the box for `seat`.

        The result is True at most once for each seat, before the first move and with animations on.
        """
        new = seat.view.ply == 0 and seat.number not in self._seen_by
        if new:
            self._seen_by.add(seat.number)
        return new and bool(self._view.table.animator.duration_factor)

    def open(self) -> None:
        """Start the opening animation."""
        view, at = self._view, self.shelf_place
        stood = view.mapToScene(view.mapFrom(view.window(), at)) if at is not None else None
        open_box(self._context, self._kit, view, stood)
        if view.table.animator.is_opening:
            view.table.settled.connect(self._note_settled)

    def _note_settled(self) -> None:
        if not self._view.table.animator.is_opening:
            self._view.table.settled.disconnect(self._note_settled)
            self.table_laid.emit()


def open_box(
    context: AppContext, kit: GameKit, view: TableView, shelf: QPointF | None = None
) -> None:
    """Animate how the table is laid out of the game's box, unless animations are off.

    Args:
        shelf: The box's initial position in scene coordinates, or None for the default.
    """
    if not view.table.animator.duration_factor:
        return
    natural, height = natural_size(context, kit, FRONT), round(BOX_HEIGHT * view.height())
    width = height * natural.width() / natural.height()
    front = side_picture(context, kit, FRONT, width, height, view.devicePixelRatioF())
    view.table.play_opening(front, shelf)
