"""One line that tells what another player has done; a press shows where."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from ui.shell.app_context import AppContext, named

INSET = 1
"""Left and right of the line, in pixels."""


class TurnLine(QAbstractButton):
    """Shows as many of the last sentences as find room, and all of them when pointed at."""

    wanted = Signal()
    """It was pressed: what it tells is to be seen."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.sentences: tuple[str, ...] = ()
        """What it tells, one after the other."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves it to the table
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.wanted)
        self.set_size(13)
        self.hide()

    @property
    def whole(self) -> str:
        """All that it tells."""
        return " ".join(self.sentences)

    def set_size(self, pixels: int) -> None:
        """Set it in letters of this size."""
        font = self.font()
        font.setPixelSize(pixels)
        font.setBold(False)
        self.setFont(font)
        self.setStyleSheet(f"font-size: {pixels}px;")

    def tell(self, sentences: Sequence[str]) -> None:
        """Tell this from now on; with nothing, it goes."""
        if tuple(sentences) == self.sentences:
            return
        self.sentences = tuple(sentences)
        named(self, self.whole, self._context.words("Shows it on the table"))
        self.setToolTip("\n".join(self.sentences))
        self.setVisible(bool(self.sentences))
        self.updateGeometry()
        self.update()

    def fitting(self, width: int) -> str:
        """The last sentences that find room in this width, in pixels, shortened where need be."""
        metrics = self.fontMetrics()
        for first in range(len(self.sentences)):
            text = ("… " if first else "") + " ".join(self.sentences[first:])
            if metrics.horizontalAdvance(text) <= width:
                return text
        last = "".join(self.sentences[-1:])
        return metrics.elidedText(last, Qt.TextElideMode.ElideRight, width)

    def wide(self) -> int:
        """How wide all of it is, in pixels."""
        return self.fontMetrics().horizontalAdvance(self.whole) + 2 * INSET

    def sizeHint(self) -> QSize:
        return QSize(self.wide(), self.fontMetrics().height() + 1)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._context.theme
        with QPainter(self) as painter:
            font = self.font()
            font.setUnderline(self.underMouse() or self.hasFocus())
            painter.setFont(font)
            painter.setPen(QColor(theme.ink_soft))
            place = self.rect().adjusted(INSET, 0, -INSET, 0)
            where = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(place, where, self.fitting(place.width()))
