"""A die that tumbles and stops on its result."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem

from ui.style.theme import Theme
from ui.table.items.lettering import add_shape, make_text_item, rounded_path, table_font

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
FACES_SHOWN = 9
REST_SHARE = 0.57
"""Share of the animation's duration after which the die lies still."""


class DieItem(QGraphicsPathItem):
    """A die; its position is its centre."""

    def __init__(self, sides: int, size: float, theme: Theme) -> None:
        """`size` is the length of an edge, in pixels."""
        super().__init__(rounded_path(QRectF(-size / 2, -size / 2, size, size), size * 0.2))
        self._sides = sides
        self._size = size
        self._ink = QColor(theme.stock_ink)
        self.setBrush(QBrush(QColor(theme.stock)))
        self.setPen(QPen(self._ink, 2))
        shade = add_shape(self.path(), self, QPen(QColor(42, 28, 8, 40), 6), behind=True)
        shade.setPos(0, 4)
        self.face = 0
        """The face that is up; 0 if none has been shown yet."""
        self._marks: list[QGraphicsItem] = []

    def show_face(self, face: int) -> None:
        """Show `face` as pips if the die has at most six sides, otherwise as a number."""
        if face == self.face:
            return
        self.face = face
        for mark in self._marks:
            self.scene().removeItem(mark)
        if face in PIPS and self._sides <= 6:
            path = QPainterPath()
            for x, y in PIPS[face]:
                at = QPointF(x * self._size * 0.26, y * self._size * 0.26)
                path.addEllipse(at, self._size * 0.095, self._size * 0.095)
            self._marks = [add_shape(path, self, fill=self._ink)]
        else:
            number = make_text_item(
                str(face), table_font(self._size * 0.5, bold=True), self._ink, self
            )
            box = number.boundingRect()
            number.setPos(-box.width() / 2, -box.height() / 2)
            self._marks = [number]

    def tumble(self, face: int, number: int) -> Callable[[float], None]:
        """Return the track update of a throw that ends on `face`; dice with different `number`
        tumble differently.
        """
        self.show_face((face + number) % self._sides + 1)  # so that no die is blank before it moves

        def step(share: float) -> None:
            if share >= REST_SHARE:
                self.show_face(face)
                self.setRotation(0)
                return
            turns = int(share / REST_SHARE * FACES_SHOWN)
            self.show_face((face + number + FACES_SHOWN - turns) % self._sides + 1)
            self.setRotation((1 - share / REST_SHARE) * 200 * (1 if number % 2 else -1))

        return step
