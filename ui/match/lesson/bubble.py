"""A bubble over the table that points at what its lesson speaks of."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QRegion,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.match.lesson.bubble_place import BubblePlace
from ui.match.lesson.page import LessonPage
from ui.shell.app_context import AppContext

INSIDE = (13, 7, 13, 5)
"""Free round the words: left, above, right, below, in pixels."""
ROUND = 14.0
FOOT = 6.0
"""Half the width of the pointer where it leaves the paper, in pixels."""
SHORT = 3.0
"""The pointer ends so far before what it points at, in pixels."""


class Bubble(QWidget):
    """Paper with a pointer; hidden while it is empty."""

    def __init__(self, context: AppContext, table_area: QWidget, page: LessonPage) -> None:
        super().__init__(table_area)
        self._context = context
        self.place = BubblePlace(QRectF(), QPointF())
        """Its place in the table's area."""
        self._column = QVBoxLayout(self)
        self._column.addWidget(page)
        self.hide()

    def take(self, page: LessonPage, place: BubblePlace) -> None:
        """Show this lesson there."""
        self.place = place
        whole = place.paper.united(place.pointer).toAlignedRect().adjusted(-2, -2, 2, 2)
        paper = place.paper.toAlignedRect()
        self._column.setContentsMargins(
            paper.left() - whole.left() + INSIDE[0],
            paper.top() - whole.top() + INSIDE[1],
            whole.right() - paper.right() + INSIDE[2],
            whole.bottom() - paper.bottom() + INSIDE[3],
        )
        self._column.addWidget(page)
        page.show()
        self.setGeometry(whole)
        parts = (paper.adjusted(-2, -2, 2, 2), place.pointer.toAlignedRect())
        first, second = (QRegion(part.translated(-whole.topLeft())) for part in parts)
        self.setMask(first + second)
        self.show()
        self.raise_()
        self.update()

    def _outline(self) -> QPainterPath:
        """Paper and pointer in the bubble's own pixels."""
        origin = QPointF(self.pos())
        paper, tip = self.place.paper.translated(-origin), self.place.tip - origin
        path = QPainterPath()
        path.addRoundedRect(paper, ROUND, ROUND)
        near = self.place.foot - origin
        away = tip - near
        long = max(1.0, abs(away.x()) + abs(away.y()))
        across = QPointF(-away.y(), away.x()) * (FOOT / long)
        inwards = away * (2 / long)
        end = tip - away * (SHORT / long)
        pointer = QPainterPath()
        pointer.addPolygon(QPolygonF([near + across - inwards, end, near - across - inwards]))
        pointer.closeSubpath()
        return path.united(pointer)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(QColor(theme.paper))
            pen = QPen(QColor(theme.accent), 2.0)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.drawPath(self._outline())
