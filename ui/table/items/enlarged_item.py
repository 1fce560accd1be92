"""A card enlarged beside the one a person looks at, with its name and why it cannot be played."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsPixmapItem, QGraphicsTextItem

from ui.style.art import CARD_MARGIN, CARD_SHAPE
from ui.table.items.lettering import letters, rounded
from ui.table.items.prints import Prints

LEAST = 170
GAP = 14
PAD = 8


class EnlargedItem(QGraphicsPathItem):
    """Lies beside `card` and never over it, wholly inside `room`. No pointer reaches it."""

    def __init__(self, prints: Prints, card: int, beside: QRectF, room: QRectF, note: str) -> None:
        """`beside` is the card on the table, `room` where there is room; in pixels of the scene."""
        super().__init__()
        self.card = card
        theme = prints.theme
        width = round(max(LEAST, room.height() * 0.38 / CARD_SHAPE))
        height = round(width * CARD_SHAPE)
        text = self._text = QGraphicsTextItem(self)
        text.setFont(letters(max(13.0, width * 0.052)))
        text.setDefaultTextColor(QColor(theme.ink))
        text.setTextWidth(width - 2 * PAD)
        text.setHtml(_html(prints.words.card(card), note, theme.ink_soft))
        tall = height + text.boundingRect().height() + PAD
        left = _aside(beside, room, width)
        top = max(
            room.top() + GAP,
            min(beside.center().y() - tall / 2, room.bottom() - GAP - tall),
        )
        whole = QRectF(round(left), round(top), width, tall)
        self.setPath(rounded(whole.adjusted(-PAD, -PAD, PAD, PAD), 14))
        self.setPen(QPen(QColor(theme.line), 1))
        self.setBrush(QBrush(QColor(theme.paper)))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        face = QGraphicsPixmapItem(prints.face(card, float(width)), self)
        face.setOffset(whole.left() - CARD_MARGIN, whole.top() - CARD_MARGIN)
        text.setPos(whole.left() + PAD, whole.top() + height + PAD / 2)
        self.rect = whole.adjusted(-PAD, -PAD, PAD, PAD)


def _aside(beside: QRectF, room: QRectF, width: float) -> float:
    """Where a sheet of this width begins: on the outer side of the card, or on the inner one."""
    right = beside.right() + GAP + PAD
    left = beside.left() - GAP - PAD - width
    outer_first = (left, right) if beside.center().x() < room.center().x() else (right, left)
    for place in outer_first:
        if place >= room.left() + GAP and place + width <= room.right() - GAP:
            return place
    return max(room.left() + GAP, min(right, room.right() - GAP - width))


def _html(name: str, note: str, soft: str) -> str:
    said = f"<b>{escape(name)}</b>"
    return f'{said}<br><span style="color:{soft}">{escape(note)}</span>' if note else said
