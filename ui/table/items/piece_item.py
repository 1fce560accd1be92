"""Pieces, markers and drawings: SVG templates on the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsPixmapItem

from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.layout.placed_table import PlacedDrawing, PlacedTable, Stand

Layers = tuple[tuple[str, dict[str, Any], bool], ...]


SMALL_BELOW_PX = 24
"""Width in pixels below which a piece's drawing is given `small`."""


class PieceItem(QGraphicsPixmapItem):
    """A piece or a marker: its layers one over the other, some of which turn. Its position is its
    middle; its own pixmap stays empty."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.name = name
        self.angle = 0.0
        self.zone = ""
        self._layers: Layers = ()
        self._shown: tuple[object, ...] = ()
        self._drawn: list[QGraphicsPixmapItem] = []

    def show_as(self, stand: Stand, size: float, prints: CardPixmaps) -> None:
        """Show these layers, `size` pixels across."""
        self.zone = stand.zone
        shown = (stand.layers, size, prints.art, prints.ratio, prints.common_variables)
        if shown == self._shown:
            return
        self._shown = shown
        if len(stand.layers) != len(self._drawn):
            for old in self._drawn:
                self.scene().removeItem(old)
            self._drawn = [QGraphicsPixmapItem(self) for _ in stand.layers]
        small = {"small": True} if size < SMALL_BELOW_PX else {}
        for item, (drawing, variables, _) in zip(self._drawn, stand.layers, strict=True):
            item.setPixmap(prints.drawing_pixmap(drawing, size, size, **variables, **small))
            item.setOffset(-size / 2, -size / 2)
            item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self._layers = stand.layers
        self.face(self.angle)

    def face(self, angle: float) -> None:
        """Turn to this angle, in degrees; what does not turn stays upright."""
        self.angle = angle
        for item, (_, _, turns) in zip(self._drawn, self._layers, strict=True):
            if turns:
                item.setRotation(angle)


class PictureItem(QGraphicsPixmapItem):
    """A drawing on the table, or one that comes and goes `is_flying`."""

    def __init__(self, name: str, aloft: bool = False) -> None:
        super().__init__()
        self.name = name
        self.aloft = aloft
        self._shown: tuple[object, ...] = ()
        self.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_as(
        self,
        picture: PlacedDrawing,
        setting: PlacedTable,
        prints: CardPixmaps,
        turned: Mapping[int, float] | None = None,
    ) -> None:
        """Show the drawing with the values and the cards it names; `turned` as on the stage."""
        variables = dict(picture.variables)
        variables["least"] = round(100 * setting.least / setting.unit, 1)
        for word, card in picture.named:
            variables[word] = prints.known_card_variables(card)
        if picture.held:
            variables["held"] = [
                [prints.known_card_variables(card, open_to_all) for card, open_to_all in zone]
                for zone in picture.held
            ]
        if picture.cards:
            variables["cards"] = [
                prints.card_variables(card, angle + (turned or {}).get(card, 0.0))
                if card is not None
                else None
                for card, angle in picture.cards
            ]
        x, y = setting.point(picture.rect.x, picture.rect.y)
        self.setPos(round(x), round(y))
        w, h = round(picture.rect.w * setting.unit), round(picture.rect.h * setting.unit)
        shown = (
            picture.drawing,
            variables,
            w,
            h,
            prints.art,
            prints.ratio,
            prints.common_variables,
        )
        if shown != self._shown:
            self._shown = shown
            self.setPixmap(prints.drawing_pixmap(picture.drawing, w, h, **variables))
