"""A slider for the number of players, drawn as a row of badges."""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QSlider

from ui.shell.app_context import AppContext, name_widget
from ui.style.theme import SMOOTH_HINTS
from ui.widgets.focus_ring import has_ring
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import scale_pixels

BADGE_SIZE_PX, BADGE_PITCH_PX = 30, 35
"""The size of a badge, and the distance from one badge's left edge to the next, in pixels."""
MARGIN_PX = 4


class SeatCountSlider(QSlider):
    """A slider that selects one of the allowed numbers of players."""

    count_chosen = Signal(int)

    def __init__(self, context: AppContext) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._context = context
        self._numbers = [1]
        self._shown = 1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.valueChanged.connect(self._choose_nearest)

    def set_allowed(self, numbers: Iterable[int]) -> None:
        """Set the allowed numbers of players. The caller must then call `show_count`."""
        self._numbers = sorted(numbers)
        with QSignalBlocker(self):
            self.setRange(self._numbers[0], self._numbers[-1])
        self.updateGeometry()

    def show_count(self, count: int) -> None:
        """Show `count` as the current number of players."""
        self._shown = count
        self.setValue(count)
        self._describe()
        self.update()

    def refresh_appearance(self) -> None:
        """Update texts and size."""
        self._describe()
        self.updateGeometry()
        self.update()

    def badge_centre(self, number: int) -> QPointF:
        """Return the centre of the badge for player `number`, from 1, in widget coordinates."""
        x = (
            MARGIN_PX
            + scale_pixels(self, BADGE_PITCH_PX) * (number - 1)
            + scale_pixels(self, BADGE_SIZE_PX) / 2
        )
        return QPointF(x, self.height() / 2)

    def sizeHint(self) -> QSize:
        between = scale_pixels(self, BADGE_PITCH_PX) * (self._numbers[-1] - 1)
        badge = scale_pixels(self, BADGE_SIZE_PX)
        return QSize(2 * MARGIN_PX + between + badge, badge + 2 * MARGIN_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose_at(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose_at(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the wheel scrolls the page

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            place = self._numbers.index(self._shown) + step
            self.setValue(self._numbers[max(0, min(place, len(self._numbers) - 1))])

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, badge = self._context.theme, scale_pixels(self, BADGE_SIZE_PX)
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            for number in range(1, self._numbers[-1] + 1):
                middle = self.badge_centre(number)
                if number <= self._shown:
                    symbol = theme.seats[number - 1].symbol
                    picture = seat_badge(self._context, symbol, badge, self)
                    painter.drawPixmap(middle - QPointF(badge / 2, badge / 2), picture)
                    continue
                painter.setPen(QPen(QColor(theme.line), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(middle, badge / 2 - 2, badge / 2 - 2)
                painter.setPen(QColor(theme.ink_soft))
                place = QRectF(0, 0, badge, badge)
                place.moveCenter(middle)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(number))
            if has_ring(self):
                painter.setPen(QPen(QColor(theme.accent_2), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(self.badge_centre(self._shown), badge / 2 + 2, badge / 2 + 2)

    def _choose_at(self, x: float) -> None:
        self.setValue(min(self._numbers, key=lambda number: abs(self.badge_centre(number).x() - x)))

    def _choose_nearest(self, number: int) -> None:
        """Choose the allowed number nearest to `number`. Screen readers may set any number."""
        near = min(self._numbers, key=lambda each: abs(each - number))
        if near != number:
            self.setValue(near)
        elif number != self._shown:
            self._shown = number
            self._describe()
            self.update()
            self.count_chosen.emit(number)

    def _describe(self) -> None:
        words, n = self._context.words, self._shown
        count = words("{n} players", n=n) if n > 1 else words("1 player")
        name_widget(self, words("Number of players"), count)
        self.setToolTip(count)
