"""The graphics items of pieces, markers and drawings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsPixmapItem

from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.layout.placed_table import PlacedDrawing, PlacedPiece, PlacedTable

Layers = tuple[tuple[str, dict[str, Any], bool], ...]


SMALL_BELOW_PX = 24
"""Size in pixels below which a piece's template gets the variable `small`."""


class PieceItem(QGraphicsPixmapItem):
    """A piece or marker made of layered pixmaps,
    some of which rotate. Its position is its centre.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.name = name
        self.angle = 0.0
        self.zone = ""
        self._layers: Layers = ()
        self._shown: tuple[object, ...] = ()
        self._drawn: list[QGraphicsPixmapItem] = []

    def show_piece(self, stand: PlacedPiece, size: float, pixmaps: CardPixmaps) -> None:
        """Show the layers of `stand`, `size` pixels across."""
        self.zone = stand.zone
        shown = (stand.layers, size, pixmaps.art, pixmaps.ratio, pixmaps.common_variables)
        if shown == self._shown:
            return
        self._shown = shown
        if len(stand.layers) != len(self._drawn):
            for old in self._drawn:
                self.scene().removeItem(old)
            self._drawn = [QGraphicsPixmapItem(self) for _ in stand.layers]
        small = {"small": True} if size < SMALL_BELOW_PX else {}
        for item, (drawing, variables, _) in zip(self._drawn, stand.layers, strict=True):
            item.setPixmap(pixmaps.drawing_pixmap(drawing, size, size, **variables, **small))
            item.setOffset(-size / 2, -size / 2)
            item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self._layers = stand.layers
        self.set_angle(self.angle)

    def set_angle(self, angle: float) -> None:
        """Rotate the layers that turn to `angle` degrees; the other layers stay upright."""
        self.angle = angle
        for item, (_, _, turns) in zip(self._drawn, self._layers, strict=True):
            if turns:
                item.setRotation(angle)


class PictureItem(QGraphicsPixmapItem):
    """A drawing on the table, or an overlay that fades in and out."""

    def __init__(self, name: str, aloft: bool = False) -> None:
        super().__init__()
        self.name = name
        self.is_overlay = aloft
        self._shown: tuple[object, ...] = ()
        self.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_drawing(
        self,
        picture: PlacedDrawing,
        placed: PlacedTable,
        pixmaps: CardPixmaps,
        turned: Mapping[int, float] | None = None,
    ) -> None:
        """Show a drawing with its values and cards.
        `turned` has the extra rotation of cards in degrees.
        """
        variables = dict(picture.variables)
        variables["least"] = round(100 * placed.min_text_px / placed.unit, 1)
        for word, card in picture.named:
            variables[word] = pixmaps.known_card_variables(card)
        if picture.held:
            variables["held"] = [
                [pixmaps.known_card_variables(card, open_to_all) for card, open_to_all in zone]
                for zone in picture.held
            ]
        if picture.cards:
            variables["cards"] = [
                pixmaps.card_variables(card, angle + (turned or {}).get(card, 0.0))
                if card is not None
                else None
                for card, angle in picture.cards
            ]
        x, y = placed.to_pixels(picture.rect.x, picture.rect.y)
        self.setPos(round(x), round(y))
        w, h = round(picture.rect.w * placed.unit), round(picture.rect.h * placed.unit)
        shown = (
            picture.drawing,
            variables,
            w,
            h,
            pixmaps.art,
            pixmaps.ratio,
            pixmaps.common_variables,
        )
        if shown != self._shown:
            self._shown = shown
            self.setPixmap(pixmaps.drawing_pixmap(picture.drawing, w, h, **variables))
