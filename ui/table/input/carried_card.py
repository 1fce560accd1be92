"""A card that is being dragged, and the ghost left at its original position."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QGraphicsPixmapItem

from tabletop.games.layout import CARD_HEIGHT
from ui.table.items.card_item import CardItem
from ui.table.items.stage import Stage

CARRIED_Z = 1000.0
GHOST_OPACITY = 0.35
"""The opacity of the ghost."""


class CarriedCard:
    """A card being dragged. It knows its position, but not its targets."""

    def __init__(self, stage: Stage, item: CardItem, point: QPointF) -> None:
        self.item = item
        self.home_zone = item.zone
        self._stage = stage
        self._grip = item.pos() - point
        self._pixmap = item.pixmap()
        self._ghost = QGraphicsPixmapItem(self._pixmap)
        self._ghost.setOffset(item.offset())
        self._ghost.setPos(item.pos())
        self._ghost.setRotation(item.rotation())
        self._ghost.setOpacity(GHOST_OPACITY)
        self._ghost.setZValue(item.zValue())
        self._ghost.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self._ghost.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        stage.scene.addItem(self._ghost)
        item.setZValue(CARRIED_Z)
        item.setRotation(item.slot.angle if item.slot and item.slot.angle % 90 == 0 else 0.0)
        self._width = item.width
        item.show_held()

    def move(self, point: QPointF) -> None:
        """Move the card so that the point where it was grabbed is at `point`."""
        self.item.setPos(point + self._grip)

    @property
    def rect(self) -> QRectF:
        """The rectangle of the card, in pixels."""
        w, h = self._width, self._width * CARD_HEIGHT
        if self.item.rotation() % 180 == 90:
            w, h = h, w
        middle = self.item.pos()
        return QRectF(middle.x() - w / 2, middle.y() - h / 2, w, h)

    def put_down(self) -> None:
        """Show the card as lying at its current position, and remove the ghost. The caller moves
        the card on.
        """
        self.item.show_put_down(self._pixmap, self._width)
        self._stage.lay_flat(self.item)
        self._stage.remove_item(self._ghost)
