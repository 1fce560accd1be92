"""A slip of paper beside highlighted cards or zones,
with a sentence that says what has happened there.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPen, QTextOption
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsTextItem

from ui.style.line_breaks import bind_phrases
from ui.style.theme import Theme
from ui.table.items.lettering import rounded_path, table_font

GAP_PX = 10.0
"""Distance between the slip and what it describes, in pixels."""


class SlipItem(QGraphicsPathItem):
    """A sentence on paper inside `room`, below the rectangle `about`, or above it if there is no
    space below.

    The slip avoids `kept`, the rectangle of the prompt line. If `about` takes up the whole height,
    the slip is placed in `spare`.
    """

    def __init__(
        self,
        sentence: str,
        about: QRectF,
        size: float,
        theme: Theme,
        room: QRectF,
        spare: QRectF,
        kept: QRectF,
    ) -> None:
        """`size` is the text height; all lengths are in scene pixels."""
        super().__init__()
        self.sentence = sentence
        self._text = QGraphicsTextItem(self)
        self._text.document().setDocumentMargin(0)
        self._text.setFont(table_font(size, bold=True))
        self._text.setDefaultTextColor(QColor(theme.ink))
        self._text.setPlainText(bind_phrases(sentence))
        wrapping = QTextOption()
        wrapping.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._text.document().setDefaultTextOption(wrapping)
        is_tall = about.height() > room.height() * 0.7
        widest = max(spare.width() - 2 * size, 15 * size) if is_tall else room.width() * 0.5
        widest = min(widest, 26 * size)
        if self._text.boundingRect().width() > widest:
            self._text.setTextWidth(widest)
        box = self._text.boundingRect()
        slip = QRectF(0, 0, box.width() + 2 * size, box.height() + size)
        slip.moveCenter(about.center())
        slip.moveTop(about.bottom() + GAP_PX)
        if slip.bottom() > room.bottom() or slip.intersects(kept):
            slip.moveBottom(about.top() - GAP_PX)
        if is_tall:
            slip.moveCenter(spare.center())
        slip.moveTop(max(room.top(), min(slip.top(), room.bottom() - slip.height())))
        slip.moveLeft(max(room.left(), min(slip.left(), room.right() - slip.width())))
        self.setPath(rounded_path(slip, size * 0.7))
        self.setPen(QPen(QColor(theme.ink_soft), 1.5))
        self.setBrush(QBrush(QColor(theme.paper)))
        self._text.setPos(slip.left() + size, slip.top() + size * 0.5)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
