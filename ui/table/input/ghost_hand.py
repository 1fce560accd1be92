"""A ghost hand that shows an advised move: the card at its target, and the path to it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsPixmapItem

from tabletop.engine.model import Move
from ui.style.theme import with_opacity
from ui.table.input.targets import target_rect
from ui.table.items.lettering import add_shape, round_pen
from ui.table.items.stage import Stage

HAND_Z = 870.0
"""The z value of the hand: above cards and highlights, below moving items."""
MIN_HAND_PX = 46.0
"""Minimum side of the hand, in pixels."""
GHOST_OPACITY, CARD_SCALE_ON_CARD = 0.5, 0.55
"""Opacity of the ghost card, and its scale if it covers another card."""
FINGERTIP = QPointF(0.44, 0.12)
"""Position of the fingertip, as a share of the hand's side."""


class GhostHand(QGraphicsPathItem):
    """A pale hand at the target of a move, or at its
    card if there is no target. It ignores the mouse.
    """

    def __init__(self, stage: Stage, move: Move) -> None:
        super().__init__()
        self.move = move
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(HAND_Z)
        item = stage.item_of(move.cards[0]) if move.cards else None
        start = item.sceneBoundingRect().center() if item is not None and item.isVisible() else None
        target = target_rect(stage, move.target) if move.target else None
        end = target.center() if target is not None else start
        self.is_visible_on_table = end is not None
        """Whether the card or the target of the move is on the table."""
        if end is None:
            return
        if start is not None and target is not None and not target.contains(start):
            self._draw_way(stage, start, end)
            assert item is not None
            width = min(item.width, target.width() * 0.8)
            taken = bool(stage.zones.get(move.target))
            self._draw_card(
                stage, item.card, width * (CARD_SCALE_ON_CARD if taken else 1.0), end, taken
            )
        self._draw_hand(stage, end)

    def _draw_way(self, stage: Stage, start: QPointF, end: QPointF) -> None:
        way = QPainterPath(start)
        middle = (start + end) / 2
        across = QPointF(end.y() - start.y(), start.x() - end.x()) * 0.08
        way.quadTo(middle + across, end)
        theme = stage.pixmaps.theme
        pen = round_pen(theme.table_accent_2, 3.0)
        pen.setDashPattern([0.1, 2.6])
        for line in (QPen(with_opacity(theme.stock, 0.8), 6.0), pen):
            add_shape(way, self, line)

    def _draw_card(
        self, stage: Stage, card: int, width: float, middle: QPointF, taken: bool
    ) -> None:
        """Draw the card half transparent, or small and
        opaque if it covers another card (`taken`).
        """
        face = QGraphicsPixmapItem(stage.pixmaps.face_pixmap(card, float(round(width))), self)
        size = face.pixmap().deviceIndependentSize()
        half = QPointF(size.width() / 2, size.height() / 2)
        face.setOffset(middle - half + (QPointF(0, half.y() * 0.7) if taken else QPointF()))
        face.setOpacity(1.0 if taken else GHOST_OPACITY)
        face.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def _draw_hand(self, stage: Stage, end: QPointF) -> None:
        pixmaps = stage.pixmaps
        side = round(max(MIN_HAND_PX, 0.42 * stage.unit))
        picture = pixmaps.art.pixmap(
            "common/hand.svg",
            side,
            side,
            pixmaps.ratio,
            ink=pixmaps.theme.table_accent_2,
            paper=pixmaps.theme.stock,
        )
        hand = QGraphicsPixmapItem(picture, self)
        hand.setOffset(end - FINGERTIP * side)
        hand.setOpacity(0.92)
        hand.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
