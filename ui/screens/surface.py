"""What the screens lie on: the table with its grain, and sheets of paper."""

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from ui.screens.room import Room

GRAIN = 512


def grain(room: Room, ratio: float) -> QPixmap:
    """One tile of the table's grain."""
    return room.art.pixmap("common/grain.svg", GRAIN, GRAIN, ratio)


def draw_table(widget: QWidget, painter: QPainter, room: Room) -> None:
    """Paint the bare table over a whole widget; the grain runs on from widget to widget."""
    painter.fillRect(widget.rect(), QColor(room.theme.table))
    if room.theme.name == "contrast":
        return
    origin = widget.mapTo(widget.window(), QPoint(0, 0))
    painter.drawTiledPixmap(
        QRectF(widget.rect()), grain(room, widget.devicePixelRatioF()), QPointF(origin)
    )


class Surface(QWidget):
    """A screen: the bare table, on which the rest is laid out. It dresses anew with the room."""

    def __init__(self, room: Room, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.room = room
        room.changed.connect(self.dress)

    def dress(self) -> None:
        """Put every text and picture on in the room's language and theme."""
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            draw_table(self, painter, self.room)


class Paper(QFrame):
    """A sheet of paper with a hairline round it."""

    def __init__(self, parent: QWidget | None = None, kind: str = "paper") -> None:
        super().__init__(parent)
        self.setProperty("kind", kind)


class Roll(QScrollArea):
    """Scrolls what is in it, and wants to be so large that nothing needs to be scrolled."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        frame = 2 * self.frameWidth() + 1
        return self.widget().sizeHint() + QSize(frame, frame)


def lay_middle(screen: QWidget, sheet: QWidget, rows: tuple[int, int, int]) -> None:
    """Lay a sheet in the middle of its screen; `rows` share the height that is left over: above the
    sheet, the sheet itself, below it."""
    whole = QGridLayout(screen)
    whole.setContentsMargins(24, 16, 24, 16)
    for row, share in enumerate(rows):
        whole.setRowStretch(row, share)
    for column, share in enumerate((1, 20, 1)):
        whole.setColumnStretch(column, share)
    whole.addWidget(sheet, 1, 1)


def fitting(window: QWidget, usual: QSize) -> QSize:
    """How large a dialog is: as it usually is, and never larger than the window it lies over."""
    return usual.boundedTo(window.size() - QSize(80, 40))


def label(kind: str = "", wrap: bool = False, parent: QWidget | None = None) -> QLabel:
    """A plain-text label in one of the style sheet's kinds."""
    made = QLabel(parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if kind:
        made.setProperty("kind", kind)
    return made


class Shortened(QLabel):
    """A line of plain text that is shortened where it finds no room; pointed at, it tells all."""

    def __init__(self, kind: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if kind:
            self.setProperty("kind", kind)

    def paintEvent(self, event: QPaintEvent) -> None:
        metrics, room = self.fontMetrics(), self.contentsRect()
        shown = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        whole = shown == self.text()
        self.setToolTip("" if whole else self.text())
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(room, self.alignment(), shown)


def button(kind: str = "", parent: QWidget | None = None) -> QPushButton:
    """A push button in one of the style sheet's kinds, that Enter presses too."""
    made = QPushButton(parent)
    made.setAutoDefault(True)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    if kind:
        made.setProperty("kind", kind)
    return made


def link_label(parent: QWidget | None = None) -> QLabel:
    """A label whose text may hold links, followed by mouse or keyboard."""
    made = QLabel(parent)
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    return made


def anchor(room: Room, target: str, text: str) -> str:
    """A link as rich text in the colour of links; the text must be escaped already."""
    return f'<a href="{target}" style="color:{room.theme.accent_2}">{text}</a>'


def muted(widget: QWidget) -> None:
    """Let the surface below shine through a scroll area's viewport."""
    palette = widget.palette()
    palette.setColor(QPalette.ColorRole.Window, QColor(Qt.GlobalColor.transparent))
    widget.setPalette(palette)
    widget.setAutoFillBackground(False)
