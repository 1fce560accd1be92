"""Shows one player's board and face-up cards enlarged over the table."""

from __future__ import annotations

from functools import reduce

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QWidget

from tabletop.engine.model import is_face
from tabletop.match.match import Reset
from tabletop.match.seat import Seat
from ui.shell.app_context import AppContext, name_widget
from ui.style.theme import SMOOTH_HINTS, with_opacity
from ui.table.items.lettering import rounded_path
from ui.table.items.stage import Stage
from ui.table.scene import TableScene

MAX_AREA_SHARE = 0.92
"""The greatest size of the enlarged board, as a share of the table area's size."""
MAX_SCALE = 3.5
"""The greatest enlargement factor."""
MARGIN_PX = 12.0
"""The margin around the board in pixels, when cards are 100 pixels wide."""
CORNER_RADIUS_PX = 16.0
"""The corner radius of the frame."""
FRAME_GAP_PX = 14.0
"""The distance between the frame and the board."""
KEY_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}
"""Keys that switch to another player's board, with the number of seats to step."""


class BoardView(QAbstractButton):
    """An overlay on the table that shows one player's board. Any click or Esc closes it."""

    closed = Signal()

    def __init__(self, context: AppContext, area: QWidget, scene: TableScene) -> None:
        super().__init__(area)
        self._area = area
        self._context = context
        self._scene = scene
        self.seat: int | None = None
        """The seat whose board is shown, or None while the view is closed."""
        self.picture = QPixmap()
        """The enlarged board, or a null pixmap while the view is closed."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(self.close_board)
        self.hide()

    def show_board(self, seat: int) -> bool:
        """Show the board of `seat`. Return False if there is nothing to show."""
        region = board_rect(self._scene.stage, seat)
        looking, area = self._scene.seat, self._area
        if region is None or looking is None:
            return False
        room = area.size() * MAX_AREA_SHARE - QSize(2, 2) * round(FRAME_GAP_PX)
        scale = min(room.width() / region.width(), room.height() / region.height(), MAX_SCALE)
        if self.seat is None:
            self._scene.settled.connect(self._redraw)
        self.seat = seat
        self.picture = self._draw_board(looking, seat, max(1.0, scale))
        self._name_for_screen_readers(seat)
        self.setGeometry(area.rect())
        self.show()
        self.raise_()
        self.update()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def step_player(self, by: int) -> None:
        """Show the board of the player `by` seats further, skipping players without a board.

        If the view is closed, count from the viewer's seat.
        """
        looking = self._scene.seat
        if looking is None:
            return
        count = looking.view.seats
        now = self.seat if self.seat is not None else max(looking.number, 0)
        for step in range(1, count + 1):
            if self.show_board((now + by * step) % count):
                return

    def _redraw(self) -> None:
        """Draw the current board again, or close the view if there is nothing left to show."""
        if self.seat is not None and not self.show_board(self.seat):
            self.close_board()

    def close_board(self) -> None:
        """Close the view and emit `closed`, unless it is closed already."""
        if self.seat is not None:
            self.seat, self.picture = None, QPixmap()
            self._scene.settled.disconnect(self._redraw)
            self.hide()
            self.closed.emit()

    @property
    def picture_rect(self) -> QRectF:
        """The rectangle of the enlarged board, in this widget's coordinates."""
        rect = QRectF(0, 0, *self.picture.deviceIndependentSize().toTuple())
        rect.moveCenter(QRectF(self.rect()).center())
        return rect

    def _draw_board(self, looking: Seat, seat: int, scale: float) -> QPixmap:
        """Render the board of `seat` in a temporary scene that is larger by the factor `scale`.

        Scaling a picture of the current scene would blur its texts.
        """
        shown = self._scene.stage
        large = TableScene(
            self._scene.kit, self._context.art, shown.pixmaps.words, self._context.theme
        )
        large.set_speed("off")
        large.stage.badges = shown.badges
        large.set_size(shown.size[0] * scale, shown.size[1] * scale)
        large.sharpen(self.devicePixelRatioF())
        large.show_seat(Seat(looking.number, looking.players, Reset(looking.view, ())))
        region = board_rect(large.stage, seat)
        assert region is not None
        rect = region.toAlignedRect()
        picture = QPixmap(rect.size() * self.devicePixelRatioF())
        picture.setDevicePixelRatio(self.devicePixelRatioF())
        with QPainter(picture) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            large.render(painter, QRectF(QRect(0, 0, rect.width(), rect.height())), QRectF(rect))
        large.clear_seat()
        return picture

    def _name_for_screen_readers(self, seat: int) -> None:
        """Describe the board and its face-up cards to screen readers."""
        words, stage = self._scene.stage.pixmaps.words, self._scene.stage
        cards = [
            words.card(item.card)
            for name in owned_zones(stage, seat)
            for item in stage.zones.get(name, ())
            if is_face(item.card) and item.isVisible()
        ]
        title = words("{name}'s board, enlarged", name=words.seat(seat))
        told = words.sentences((words.join_list(cards), words("Press to close.")))
        name_widget(self, title, told, words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in KEY_STEPS:
            self.step_player(KEY_STEPS[key])
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close_board()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.close_board()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, place = self._context.table_theme(self._scene.kit), self.picture_rect
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            painter.fillRect(self.rect(), with_opacity(theme.table, 0.72))
            painter.setPen(QPen(QColor(theme.accent_2), 2))
            painter.setBrush(QColor(theme.table))
            painter.drawPath(
                rounded_path(
                    place.adjusted(-FRAME_GAP_PX, -FRAME_GAP_PX, FRAME_GAP_PX, FRAME_GAP_PX),
                    CORNER_RADIUS_PX,
                )
            )
            painter.drawPixmap(place.topLeft(), self.picture)


def owned_zones(stage: Stage, seat: int) -> list[str]:
    """Return the names of the zones of `seat`, except the viewer's hand, which is large already."""
    view, setting = stage.view, stage.placed
    if view is None or setting is None:
        return []
    return [
        name
        for name, spread in setting.zones.items()
        if view.zones[name].owner == seat
        and not (seat == view.viewer and spread.place.form == "fan")
    ]


def board_rect(stage: Stage, seat: int) -> QRectF | None:
    """Return the part of the table with the nameplate and zones of `seat`, in scene pixels.

    A zone is left out if other players' zones lie between it and the nameplate. Return None if
    there is nothing to show.
    """
    setting, view = stage.placed, stage.view
    if setting is None or view is None:
        return None
    own = owned_zones(stage, seat)
    plaques = [rect for whose, rect in stage.plaques() if whose == seat]
    laid = [(name, rect) for name in own if (rect := stage.zone_rect(name)) is not None]
    if not plaques and not laid:
        return None
    others = [rect for whose, rect in stage.plaques() if whose != seat]
    others += [
        stage.to_pixels(spread.rect)
        for name, spread in setting.zones.items()
        if view.zones[name].owner != seat
    ]
    whole = reduce(QRectF.united, plaques) if plaques else laid[0][1]
    middle = whole.center()

    def rank(entry: tuple[str, QRectF]) -> tuple[bool, float]:
        """Return a sort key that puts zones with cards first, then those near the nameplate."""
        name, rect = entry
        return not stage.zones.get(name), (rect.center() - middle).manhattanLength()

    for _, place in sorted(laid, key=rank):
        grown = whole.united(place)
        inside = grown.adjusted(1, 1, -1, -1)
        if not any(other.intersects(inside) for other in others if not other.intersects(whole)):
            whole = grown
    margin = MARGIN_PX * setting.unit / 100
    wide = whole.adjusted(-margin, -margin, margin, margin)
    others += [stage.to_pixels(setting.zones[name].rect) for name in own]
    for other in others:
        if other.intersects(wide) and not other.intersects(whole):
            _drop_margin_towards(wide, whole, other)
    return wide & QRectF(0, 0, *stage.size)


def _drop_margin_towards(wide: QRectF, whole: QRectF, other: QRectF) -> None:
    """Remove the margin of `wide` on the side where `other` lies."""
    if other.bottom() <= whole.top():
        wide.setTop(whole.top())
    elif other.top() >= whole.bottom():
        wide.setBottom(whole.bottom())
    elif other.right() <= whole.left():
        wide.setLeft(whole.left())
    else:
        wide.setRight(whole.right())
