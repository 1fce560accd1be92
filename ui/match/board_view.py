"""One player's board and open cards, enlarged over the table until the next press."""

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

SHARE = 0.92
"""The share of the table's area that it takes at most."""
MOST = 3.5
"""The greatest factor by which it is drawn larger."""
MARGIN = 12.0
"""What is left free round the board, in pixels, where a card is 100 pixels wide."""
ROUND, EDGE = 16.0, 14.0
"""Radius of the frame's corners, and its distance from what is shown, in pixels."""
STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}
"""Keys that go on to another player, and by how many."""


class BoardView(QAbstractButton):
    """Covers the table; a press anywhere or Esc closes it, arrows go on to other players."""

    closed = Signal()

    def __init__(self, context: AppContext, area: QWidget, scene: TableScene) -> None:
        super().__init__(area)
        self._area = area
        self._context = context
        self._scene = scene
        self.seat: int | None = None
        """The player whose board is shown."""
        self.picture = QPixmap()
        """The enlarged board."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(self.close_board)
        self.hide()

    def show_board(self, seat: int) -> bool:
        """Enlarge what this player has on the table; whether there is anything."""
        region = board_of(self._scene.stage, seat)
        looking, area = self._scene.seat, self._area
        if region is None or looking is None:
            return False
        room = area.size() * SHARE - QSize(2, 2) * round(EDGE)
        scale = min(room.width() / region.width(), room.height() / region.height(), MOST)
        if self.seat is None:
            self._scene.settled.connect(self._renew)
        self.seat = seat
        self.picture = self._draw_board(looking, seat, max(1.0, scale))
        self._name_for_screen_readers(seat)
        self.setGeometry(area.rect())
        self.show()
        self.raise_()
        self.update()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def go_on(self, by: int) -> None:
        """Show the next player's board, or with -1 the one before; where none is shown the first
        of another player."""
        looking = self._scene.seat
        if looking is None:
            return
        count = looking.view.seats
        now = self.seat if self.seat is not None else max(looking.number, 0)
        for step in range(1, count + 1):
            if self.show_board((now + by * step) % count):
                return

    def _renew(self) -> None:
        """Show the board as it is now."""
        if self.seat is not None and not self.show_board(self.seat):
            self.close_board()

    def close_board(self) -> None:
        """Show the table again."""
        if self.seat is not None:
            self.seat, self.picture = None, QPixmap()
            self._scene.settled.disconnect(self._renew)
            self.hide()
            self.closed.emit()

    @property
    def place(self) -> QRectF:
        """Where the enlarged board is."""
        rect = QRectF(0, 0, *self.picture.deviceIndependentSize().toTuple())
        rect.moveCenter(QRectF(self.rect()).center())
        return rect

    def _draw_board(self, looking: Seat, seat: int, scale: float) -> QPixmap:
        """The board, drawn afresh on a table of its own that is so much larger."""
        shown = self._scene.stage
        large = TableScene(
            self._scene.kit, self._context.art, shown.pixmaps.words, self._context.theme
        )
        large.set_speed("off")
        large.stage.badges = shown.badges
        large.set_size(shown.size[0] * scale, shown.size[1] * scale)
        large.sharpen(self.devicePixelRatioF())
        large.show_seat(Seat(looking.number, looking.players, Reset(looking.view, ())))
        region = board_of(large.stage, seat)
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
        """Name it for screen readers, with the cards that lie open."""
        words, stage = self._scene.stage.pixmaps.words, self._scene.stage
        cards = [
            words.card(item.card)
            for name in zones_of(stage, seat)
            for item in stage.zones.get(name, ())
            if is_face(item.card) and item.isVisible()
        ]
        title = words("{name}'s board, enlarged", name=words.seat(seat))
        told = words.sentences((words.join_list(cards), words("Press to close.")))
        name_widget(self, title, told, words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS:
            self.go_on(STEPS[key])
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close_board()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Any button closes it."""
        event.accept()
        self.close_board()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, place = self._context.table_theme(self._scene.kit), self.place
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            painter.fillRect(self.rect(), with_opacity(theme.table, 0.72))
            painter.setPen(QPen(QColor(theme.accent_2), 2))
            painter.setBrush(QColor(theme.table))
            painter.drawPath(rounded_path(place.adjusted(-EDGE, -EDGE, EDGE, EDGE), ROUND))
            painter.drawPixmap(place.topLeft(), self.picture)


def zones_of(stage: Stage, seat: int) -> list[str]:
    """The places of a player that are laid out; not the viewer's own hand, which is large."""
    view, setting = stage.view, stage.placed
    if view is None or setting is None:
        return []
    return [
        name
        for name, spread in setting.zones.items()
        if view.zones[name].owner == seat
        and not (seat == view.viewer and spread.place.form == "fan")
    ]


def board_of(stage: Stage, seat: int) -> QRectF | None:
    """The part of the table with a player's plaque and places, in pixels; None where nothing of
    them is laid out. A place among those of others, as beside a public card, is left out."""
    setting, view = stage.placed, stage.view
    if setting is None or view is None:
        return None
    own = zones_of(stage, seat)
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
        """Places with cards come first, and those near the plaque."""
        name, rect = entry
        return not stage.zones.get(name), (rect.center() - middle).manhattanLength()

    for _, place in sorted(laid, key=rank):
        grown = whole.united(place)
        inside = grown.adjusted(1, 1, -1, -1)
        if not any(other.intersects(inside) for other in others if not other.intersects(whole)):
            whole = grown
    margin = MARGIN * setting.unit / 100
    wide = whole.adjusted(-margin, -margin, margin, margin)
    others += [stage.to_pixels(setting.zones[name].rect) for name in own]
    for other in others:
        if other.intersects(wide) and not other.intersects(whole):
            _keep_out(wide, whole, other)
    return wide & QRectF(0, 0, *stage.size)


def _keep_out(wide: QRectF, whole: QRectF, other: QRectF) -> None:
    """Leave no margin on the side where something else is."""
    if other.bottom() <= whole.top():
        wide.setTop(whole.top())
    elif other.top() >= whole.bottom():
        wide.setBottom(whole.bottom())
    elif other.right() <= whole.left():
        wide.setLeft(whole.left())
    else:
        wide.setRight(whole.right())
