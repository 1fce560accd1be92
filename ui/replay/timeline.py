"""The timeline of a replay, with rounds, marks and the current position."""

from collections.abc import Sequence
from math import cos, pi, sin

from msgspec import Struct
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QFont,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tabletop.language import labels
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext, name_widget
from ui.shell.spoken_role import speak_as
from ui.widgets.styled_widgets import scale_factor_of, scale_pixels

MARGIN_PX = 14.0
"""Margin at both ends in pixels."""
TITLE_HEIGHT = 20.0
TRACK_HEIGHT = 26.0
HEIGHT_PX = 54
MARK_RADIUS = 6.5
"""Half the size of a mark in pixels."""
SQUARE = ((0, -1), (1, 0), (0, 1), (-1, 0))
STAR = tuple(
    (sin(n * pi / 5) * reach, -cos(n * pi / 5) * reach) for n, reach in enumerate((1.15, 0.5) * 5)
)
TRIANGLE = ((0, -1.1), (1.1, 0.9), (-1.1, 0.9))
SHEET = ((-0.9, -1), (0.9, -1), (0.9, 0.5), (0.4, 1), (-0.9, 1))
TAIL = ((-0.5, 0.3), (0.1, 0.3), (-0.5, 1.1))
"""The corners of a mark's tail relative to the mark's centre, in units of `MARK_RADIUS`."""
MIN_MARK_DISTANCE = 8.0
"""The distance in pixels below which the second of two marks of the same kind is left out."""
COMMENT = "comment"
REVIEW = "review"
NOTE = "note"
STAND_IN = "stand_in"

MARK_NAMES = {
    "capture": phrase("Captures"),
    "magic": labels.MAGIC,
    "battle": phrase("Battles"),
    "score": phrase("Big scores"),
    COMMENT: phrase("Comments"),
    REVIEW: phrase("Costly moves"),
    NOTE: phrase("Notes"),
    STAND_IN: phrase("Bots standing in"),
}
"""The name of each kind of mark, for the legend."""


class TimelineRound(Struct, frozen=True):
    """A round on the timeline."""

    at: int
    """The index of the beat at which the round begins."""
    title: str


class TimelineMark(Struct, frozen=True):
    """A mark on the timeline."""

    at: int
    """The index of the beat that the mark points at."""
    kind: str
    """The kind of mark: a key of `MARK_NAMES`."""
    text: str
    """The mark's tooltip."""


class Timeline(QWidget):
    """Shows the current beat of a replay. A click or drag selects another beat."""

    beat_requested = Signal(int)
    """Request to show another beat: its index."""
    step_requested = Signal(int)
    """Request from the mouse wheel to show the previous (-1) or next (1) beat."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.last_beat = 0
        self.at = 0
        self.rounds: Sequence[TimelineRound] = ()
        self.marks: Sequence[TimelineMark] = ()
        self.fit()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def fit(self) -> None:
        """Update the height for the current scale."""
        self.setFixedHeight(scale_pixels(self, HEIGHT_PX))
        self.update()

    def set_contents(
        self, last: int, stretches: Sequence[TimelineRound], pins: Sequence[TimelineMark]
    ) -> None:
        """Show rounds and marks of a replay; `last` is the index of its last beat."""
        self.last_beat, self.rounds, self.marks = last, stretches, pins
        self.update()

    def show_beat(self, at: int, description: str) -> None:
        """Show that the replay is at the beat `at`; screen readers read `description`."""
        self.at = at
        name_widget(self, self._context.words("Timeline"), description)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, scale_pixels(self, HEIGHT_PX))

    def x_of_beat(self, at: int) -> float:
        """Return the x coordinate of the beat `at` in pixels."""
        return scale_factor_of(self) * self._inner_place(at)

    @property
    def _wide(self) -> float:
        """The width in pixels before scaling."""
        return self.width() / scale_factor_of(self)

    def _inner_place(self, at: int) -> float:
        """Return the x coordinate of the beat `at`, in pixels before scaling."""
        return MARGIN_PX + (self._wide - 2 * MARGIN_PX) * at / max(1, self.last_beat)

    def beat_at(self, x: float) -> int:
        """Return the index of the beat nearest to the x coordinate `x` in pixels."""
        share = (x / scale_factor_of(self) - MARGIN_PX) / max(1.0, self._wide - 2 * MARGIN_PX)
        return round(max(0.0, min(1.0, share)) * self.last_beat)

    def mark_at(self, x: float) -> TimelineMark | None:
        """Return the mark at the x coordinate `x` in pixels; None if no mark is there."""
        reach = scale_pixels(self, MARK_RADIUS + 1)
        near = [pin for pin in self.marks if abs(self.x_of_beat(pin.at) - x) <= reach]
        return min(near, key=lambda pin: abs(self.x_of_beat(pin.at) - x), default=None)

    # Pointer

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            x = event.position().x()
            pin = self.mark_at(x)
            self.beat_requested.emit(pin.at if pin else self.beat_at(x))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.beat_requested.emit(self.beat_at(event.position().x()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        if turned:
            self.step_requested.emit(-1 if turned > 0 else 1)
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            pin = self.mark_at(event.pos().x())
            text = pin.text if pin else self._title_at(event.pos().x())
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def _title_at(self, x: float) -> str:
        at = self.beat_at(x)
        titles = [stretch.title for stretch in self.rounds if stretch.at <= at]
        return titles[-1] if titles else ""

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        track = QRectF(MARGIN_PX, TITLE_HEIGHT, self._wide - 2 * MARGIN_PX, TRACK_HEIGHT)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(scale_factor_of(self), scale_factor_of(self))
            shape = QPainterPath()
            shape.addRoundedRect(track.adjusted(-6, 0, 6, 0), 8, 8)
            painter.fillPath(shape, QColor(theme.paper))
            painter.save()
            painter.setClipPath(shape)
            self._draw_stretches(painter, track)
            painter.restore()
            painter.setPen(QPen(QColor(theme.line), 1.2))
            painter.drawPath(shape)
            self._draw_pins(painter, track)
            self._draw_place(painter, track)

    def _draw_stretches(self, painter: QPainter, track: QRectF) -> None:
        theme = self._context.theme
        gone = QColor(theme.accent_2)
        gone.setAlpha(46)
        painter.setPen(Qt.PenStyle.NoPen)
        ends = [*(stretch.at for stretch in self.rounds[1:]), self.last_beat]
        for number, (stretch, end) in enumerate(zip(self.rounds, ends, strict=False)):
            left, right = self._inner_place(stretch.at), self._inner_place(end)
            if number % 2:
                painter.fillRect(
                    QRectF(left, track.y(), right - left, TRACK_HEIGHT), QColor(theme.mat)
                )
        painter.fillRect(QRectF(0, track.y(), self._inner_place(self.at), TRACK_HEIGHT), gone)
        painter.setClipping(False)
        painter.setFont(_letters(self))
        painter.setPen(QColor(theme.ink_soft))
        free = 0.0
        for stretch in self.rounds:
            left = self._inner_place(stretch.at)
            wide = painter.fontMetrics().horizontalAdvance(stretch.title)
            left = min(left, self._wide - wide - 4.0)
            if left >= free:
                painter.drawText(QPointF(left, TITLE_HEIGHT - 6), stretch.title)
                free = left + wide + 14

    def _draw_pins(self, painter: QPainter, track: QRectF) -> None:
        drawn: dict[str, float] = {}
        for pin in self.marks:
            x = self._inner_place(pin.at)
            if x - drawn.get(pin.kind, -MIN_MARK_DISTANCE) >= MIN_MARK_DISTANCE:
                drawn[pin.kind] = x
                draw_mark(painter, self._context, pin.kind, QPointF(x, track.center().y()))

    def _draw_place(self, painter: QPainter, track: QRectF) -> None:
        theme, x = self._context.theme, self._inner_place(self.at)
        painter.setPen(QPen(QColor(theme.ink), 2.4))
        painter.drawLine(QPointF(x, track.top() - 3), QPointF(x, track.bottom() + 3))
        painter.setBrush(QColor(theme.accent))
        painter.setPen(QPen(QColor(theme.paper), 1.5))
        painter.drawEllipse(QPointF(x, track.bottom() + 2), 5.5, 5.5)


class Legend(QWidget):
    """The legend of the timeline's marks."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._kinds: tuple[str, ...] = ()
        speak_as(self, QAccessible.Role.StaticText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_kinds(self, kinds: Sequence[str]) -> None:
        """Show an entry for each kind of mark in `kinds`."""
        self._kinds = tuple(kind for kind in MARK_NAMES if kind in kinds)
        self.setAccessibleName(self._context.words.join_list(self._texts()))
        self.fit()

    def fit(self) -> None:
        """Update the height for the current scale."""
        self.setFixedHeight(scale_pixels(self, 20) if self._kinds else 0)
        self.update()

    def _texts(self) -> list[str]:
        return [self._context.words(MARK_NAMES[kind]) for kind in self._kinds]

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(scale_factor_of(self), scale_factor_of(self))
            painter.setFont(_letters(self))
            metrics = painter.fontMetrics()
            texts = self._texts()
            x = self.width() / scale_factor_of(self) - MARGIN_PX
            for kind, text in reversed(list(zip(self._kinds, texts, strict=True))):
                x -= metrics.horizontalAdvance(text)
                painter.setPen(QColor(self._context.theme.ink_soft))
                painter.drawText(QPointF(x, 14.5), text)
                draw_mark(painter, self._context, kind, QPointF(x - 12, 10))
                x -= 36


def _letters(widget: QWidget) -> QFont:
    """Return the font for the timeline's texts, before scaling."""
    font = QFont(widget.font())
    font.setPixelSize(12)
    return font


def draw_mark(painter: QPainter, context: AppContext, kind: str, middle: QPointF) -> None:
    """Draw a mark of `kind` centred on `middle`. Kinds differ by shape as well as colour."""
    theme = context.theme
    painter.setPen(QPen(QColor(theme.paper), 1.2))
    match kind:
        case "capture":
            _draw_polygon(painter, theme.good, middle, SQUARE)
        case "magic":
            _draw_polygon(painter, theme.accent_2, middle, STAR)
        case "battle":
            for colour, width in ((theme.paper, 5.0), (theme.bad, 2.8)):
                _draw_cross(painter, QPen(QColor(colour), width), middle)
        case "score":
            painter.setBrush(QColor(theme.warn))
            painter.drawEllipse(middle, MARK_RADIUS * 0.85, MARK_RADIUS * 0.85)
        case "review":
            _draw_polygon(painter, theme.accent, middle, TRIANGLE)
        case "note":
            _draw_polygon(painter, theme.warn, middle, SHEET)
            painter.setPen(QPen(QColor(theme.paper), 1.2))
            for y in (-0.35, 0.25):
                ends = (QPointF(x, y) * MARK_RADIUS + middle for x in (-0.45, 0.45))
                painter.drawLine(*ends)
        case "stand_in":
            painter.setBrush(QColor(theme.ink_soft))
            painter.drawRoundedRect(
                QRectF(-MARK_RADIUS, -MARK_RADIUS, 2 * MARK_RADIUS, 2 * MARK_RADIUS).translated(
                    middle
                ),
                3,
                3,
            )
            for x in (-0.4, 0.4):
                painter.setBrush(QColor(theme.paper))
                painter.drawEllipse(middle + QPointF(x, 0) * MARK_RADIUS, 1.2, 1.2)
        case _:
            painter.setBrush(QColor(theme.ink))
            bubble = QRectF(-MARK_RADIUS, -MARK_RADIUS * 0.85, 2 * MARK_RADIUS, MARK_RADIUS * 1.4)
            painter.drawRoundedRect(bubble.translated(middle), 2.5, 2.5)
            _draw_polygon(painter, theme.ink, middle, TAIL)


def _draw_polygon(
    painter: QPainter, colour: str, middle: QPointF, corners: Sequence[tuple[float, float]]
) -> None:
    painter.setBrush(QColor(colour))
    painter.drawPolygon(QPolygonF([middle + QPointF(x, y) * MARK_RADIUS for x, y in corners]))


def _draw_cross(painter: QPainter, pen: QPen, middle: QPointF) -> None:
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    for corner in (QPointF(0.75, 0.75) * MARK_RADIUS, QPointF(0.75, -0.75) * MARK_RADIUS):
        painter.drawLine(middle - corner, middle + corner)
