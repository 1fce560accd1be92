"""A card that is being dragged, and the ghost left at its original position."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtWidgets import QGraphicsPixmapItem

from tabletop.games.layout import CARD_HEIGHT
from ui.table.items.card_item import CardItem
from ui.table.items.stage import Stage

CARRIED_Z = 1000.0
GHOST_OPACITY = 0.35
"""The opacity of the ghost."""
FIT_MS = 90
"""Time in ms in which the card takes the size of the target below it."""


class CarriedCard:
    """A card being dragged. It knows its position, but not its targets."""

    def __init__(
        self, stage: Stage, item: CardItem, point: QPointF, on_moved: Callable[[], object]
    ) -> None:
        """`on_moved` is called whenever the card has moved or changed its size."""
        self.item = item
        self.home_zone = item.zone
        self._stage = stage
        self._grip = item.pos() - point
        self._middle = item.pos()
        self._on_moved = on_moved
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
        self._scale = 1.0
        self._fitted_width = item.width
        self._fit = QVariantAnimation(duration=FIT_MS)
        self._fit.valueChanged.connect(self._resize)

    def move(self, point: QPointF) -> None:
        """Move the card so that the point where it was grabbed is at `point`."""
        self._middle = point + self._grip
        self._resize(self._scale)

    def fit_to(self, width: float | None, animated: bool) -> None:
        """Scale the card around the pointer to `width` pixels, by default to its own width."""
        wanted = self.item.width if width is None else width
        if wanted == self._fitted_width:
            return
        self._fitted_width = wanted
        self._fit.stop()
        if animated:
            self._fit.setStartValue(self._scale)
            self._fit.setEndValue(wanted / self.item.width)
            self._fit.start()
        else:
            self._resize(wanted / self.item.width)

    def _resize(self, scale: float) -> None:
        """Scale the card, and keep the pointer at the same point of it."""
        self._scale = scale
        self.item.setScale(scale)
        self.item.setPos(self._middle + self._grip * (scale - 1))
        self._on_moved()

    @property
    def rect(self) -> QRectF:
        """The rectangle of the card at its own size, in pixels."""
        w, h = self._width, self._width * CARD_HEIGHT
        if self.item.rotation() % 180 == 90:
            w, h = h, w
        middle = self._middle
        return QRectF(middle.x() - w / 2, middle.y() - h / 2, w, h)

    def put_down(self) -> None:
        """Show the card as lying at its current position, and remove the ghost. The caller moves
        the card on.
        """
        self._fit.stop()
        scale = self._scale * self.item.width / self._width
        self.item.show_put_down(self._pixmap, self._width)
        self._stage.lay_flat(self.item)
        self.item.setScale(scale)
        self._stage.remove_item(self._ghost)
