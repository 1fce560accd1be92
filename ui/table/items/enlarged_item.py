"""An enlarged card beside its original, with its name and the reason why it can't be played."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsPixmapItem, QGraphicsTextItem

from tabletop.games.layout import CARD_HEIGHT
from ui.style.art import CARD_MARGIN_PX
from ui.style.rich_text import Rich, bold, in_colour, lines
from ui.style.sandboxed_document import SandboxedDocument
from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.items.lettering import rounded_path, table_font

PREFERRED_MIN_WIDTH_PX = 170
MIN_WIDTH_PX = 120
"""Width of an enlarged card if there is little space, in pixels."""
GAP_PX = 14
PADDING_PX = 8


class EnlargedItem(QGraphicsPathItem):
    """An enlarged card inside `room` that avoids `covered` and, if possible, `targets`. It ignores
    the mouse.
    """

    def __init__(
        self,
        pixmaps: CardPixmaps,
        card: int,
        beside: QRectF,
        room: QRectF,
        note: str,
        covered: Sequence[QRectF] = (),
        targets: Sequence[QRectF] = (),
    ) -> None:
        """All rectangles are in scene pixels. `beside`: the card on the table."""
        super().__init__()
        self.card = card
        theme = pixmaps.theme
        text = self._text = QGraphicsTextItem(self)
        text.setDocument(SandboxedDocument(text))
        text.setDefaultTextColor(QColor(theme.ink))
        largest = round(max(PREFERRED_MIN_WIDTH_PX, room.height() * 0.38 / CARD_HEIGHT))
        widths = [*range(largest, MIN_WIDTH_PX, -10), MIN_WIDTH_PX]
        shunned = [*covered, *targets]
        # If there is no space for the reason, a click on the card shows it.
        tries = [(note, shunned), (note, covered), ("", covered)]
        for (said, taken), width in product(tries, widths):
            height = round(width * CARD_HEIGHT)
            text.setHtml(_rich(pixmaps.words.card(card), said, theme.ink_soft))
            text.setFont(table_font(max(13.0, width * 0.052)))
            text.setTextWidth(width - 2 * PADDING_PX)
            tall = height + text.boundingRect().height() + PADDING_PX
            sheet = QSizeF(width + 2 * PADDING_PX, tall + 2 * PADDING_PX)
            corner = _place_beside(sheet, beside, room, taken)
            place = QRectF(corner, sheet)
            if not any(place.intersects(rect) for rect in taken):
                break
        whole = QRectF(corner, sheet).adjusted(PADDING_PX, PADDING_PX, -PADDING_PX, -PADDING_PX)
        self.setPath(
            rounded_path(whole.adjusted(-PADDING_PX, -PADDING_PX, PADDING_PX, PADDING_PX), 14)
        )
        self.setPen(QPen(QColor(theme.line), 1))
        self.setBrush(QBrush(QColor(theme.paper)))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        face = QGraphicsPixmapItem(pixmaps.face_pixmap(card, float(width)), self)
        face.setOffset(whole.left() - CARD_MARGIN_PX, whole.top() - CARD_MARGIN_PX)
        text.setPos(whole.left() + PADDING_PX, whole.top() + height + PADDING_PX / 2)
        self.rect = whole.adjusted(-PADDING_PX, -PADDING_PX, PADDING_PX, PADDING_PX)


def _place_beside(
    sheet: QSizeF, beside: QRectF, room: QRectF, covered: Sequence[QRectF]
) -> QPointF:
    """Return the top left corner of a sheet of size `sheet` beside the card.

    The preferred position is on the card's outer side at the same height, otherwise the nearest
    free one. If none is free, the preferred position is used anyway.
    """
    w, h = sheet.width(), sheet.height()
    free = room.adjusted(
        GAP_PX - PADDING_PX, GAP_PX - PADDING_PX, PADDING_PX - GAP_PX - w, PADDING_PX - GAP_PX - h
    )
    left, right = beside.left() - GAP_PX - w, beside.right() + GAP_PX
    outer, inner = (left, right) if beside.center().x() < room.center().x() else (right, left)
    across = [outer, inner, free.left(), free.right()]
    middle = max(free.top(), min(beside.center().y() - h / 2, free.bottom()))
    down = [middle, free.top(), free.bottom()]
    for taken in covered:
        across += [taken.left() - GAP_PX - w, taken.right() + GAP_PX]
        down += [taken.top() - GAP_PX - h, taken.bottom() + GAP_PX]

    def cost(corner: QPointF) -> tuple[bool, bool, bool, float]:
        place = QRectF(corner, sheet)
        return (
            any(place.intersects(taken) for taken in covered),
            place.intersects(beside),
            corner.x() != outer,
            abs(corner.x() - outer) + abs(corner.y() - middle),
        )

    inside = [
        QPointF(round(x), round(y))
        for x in across
        for y in down
        if free.left() <= x <= free.right() and free.top() <= y <= free.bottom()
    ]
    clamped = QPointF(max(free.left(), min(right, free.right())), middle)
    return min(inside, key=cost, default=clamped)


def _rich(name: str, note: str, soft: str) -> Rich:
    return lines(bold(name), in_colour(note, soft)) if note else bold(name)
