"""Highlights the subject of a lesson or hint on the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from tabletop.match.tutorial import ResolvedSubject
from ui.match.lesson.bubble_place import nearest_point
from ui.style.theme import Theme, with_opacity
from ui.table.items.lettering import add_shape, rounded_path
from ui.table.items.stage import Stage

HALO_Z = 299.0
"""The z-value of highlights: above the cards, and below the lights of legal targets."""
HALO_WIDTH_PX = 3.0
"""The width of the line around a highlighted item."""
GLOW_WIDTH_PX = 5.0
POINTER_WIDTH_PX = 2.0
"""The width of the line from a bubble to its subject."""
DOT_RADIUS_PX = 4.0
"""The radius of the dot at the end of the line from a bubble."""


class Halo(QGraphicsPathItem):
    """The highlight around one card, zone, nameplate or drawing."""

    def __init__(self, rect: QRectF, theme: Theme) -> None:
        super().__init__(rounded_path(rect.adjusted(-2, -2, 2, 2), 10))
        self.rect = rect
        self.setPen(QPen(QColor(theme.table_accent), HALO_WIDTH_PX))
        glow = rounded_path(rect.adjusted(-5, -5, 5, 5), 13)
        add_shape(glow, self, QPen(with_opacity(theme.table_accent, 0.35), GLOW_WIDTH_PX))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(HALO_Z)


class Pointer(QGraphicsPathItem):
    """A thin line with a dot at its end. It is transparent to the mouse."""

    def __init__(self, foot: QPointF, tip: QPointF, theme: Theme) -> None:
        path = QPainterPath(foot)
        path.lineTo(tip)
        super().__init__(path)
        self.foot, self.tip = foot, tip
        self.setPen(QPen(QColor(theme.table_accent), POINTER_WIDTH_PX))
        dot = QPainterPath()
        dot.addEllipse(tip, DOT_RADIUS_PX, DOT_RADIUS_PX)
        add_shape(dot, self, fill=theme.table_accent)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.setZValue(HALO_Z)


class SubjectHighlighter:
    """Finds and highlights the subject of a lesson or hint on the table."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._halos: list[Halo] = []
        self._pointer: Pointer | None = None
        """The line from a bubble to the nearest highlight, or None."""

    def rects_of(self, spoken: ResolvedSubject) -> list[QRectF]:
        """Return the scene rectangles of all visible parts of the table that `spoken` names."""
        return list(self._find_rects(spoken)) if self._stage.placed is not None else []

    def _find_rects(self, spoken: ResolvedSubject) -> Iterator[QRectF]:
        stage, setting = self._stage, self._stage.placed_table
        for card in spoken.cards:
            item = stage.item_of(card)
            if item is not None and item.isVisible():
                yield item.mapRectToScene(item.card_rect)
        for zone in spoken.zones:
            rect = self._fan_rect(zone) or stage.zone_rect(zone)
            if rect is not None:
                yield rect
        yield from (rect for seat, rect in stage.plaques() if seat in spoken.plaques)
        for drawing in spoken.drawings:
            drawn = (each for each in setting.drawings if each.drawing == drawing)
            yield from (stage.to_pixels(each.rect) for each in drawn)

    def _fan_rect(self, zone: str) -> QRectF | None:
        """Return the rectangle around a fan's cards, or None if `zone` is empty or isn't a fan."""
        cards = [item for item in self._stage.zones.get(zone, ()) if item.isVisible()]
        if self._stage.zone_form(zone) != "fan" or not cards:
            return None
        rects = [item.mapRectToScene(item.card_rect) for item in cards]
        return reduce(QRectF.united, rects)

    def highlight(self, rects: list[QRectF]) -> None:
        """Highlight `rects`, which are in scene coordinates, and remove all previous highlights."""
        self.draw_pointer_from(None)
        for halo in self._halos:
            self._stage.remove_item(halo)
        self._halos = [Halo(rect, self._stage.pixmaps.theme) for rect in rects]
        for halo in self._halos:
            self._stage.scene.addItem(halo)

    def draw_pointer_from(self, bubble: QRectF | None) -> None:
        """Draw a line from the scene rectangle `bubble` to the nearest highlight.

        If `bubble` is None, remove the line.
        """
        self._stage.remove_item(self._pointer)
        self._pointer = None
        if bubble is None or not self._halos:
            return
        rects = [halo.rect for halo in self._halos]
        tip = nearest_point(bubble.center(), rects)
        self._pointer = Pointer(nearest_point(tip, [bubble]), tip, self._stage.pixmaps.theme)
        self._stage.scene.addItem(self._pointer)
