"""A line under a hand of cards that are all playable."""

from __future__ import annotations

import math
from collections.abc import Collection

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem

from ui.table.items.lettering import add_shape, round_pen
from ui.table.items.stage import Stage
from ui.table.layout.slots import make_slots

LINE_Z = 250.0
"""The z value of the line: above the cards of a hand, below a held card."""
LINE_OFFSET_PX, LINE_WIDTH_PX, DOT_RADIUS_PX = 6.0, 3.0, 6.0
"""Distance of the line below the cards, its width, and the radius of its dot, in pixels."""
OVERHANG = 0.4
"""Distance by which the line extends beyond the centres of the outer cards, in card widths."""


class HandLine:
    """Draws a line with a dot under each fan whose cards are all playable, in place of a frame
    around each card.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.lines: dict[str, QGraphicsItem] = {}
        """The line item by zone."""
        self._shown: tuple[object, ...] = ()

    def draw(self, playable: Collection[int]) -> list[str]:
        """Draw the lines for the `playable` cards. Return the zones that have a line."""
        stage, lines = self.stage, dict[str, QPainterPath]()
        for zone, items in stage.zones.items():
            fanned = stage.zone_form(zone) == "fan" and len(items) > 1
            if fanned and all(item.card in playable for item in items):
                lines[zone] = self._line_path(zone)
        shown = (
            stage.pixmaps.theme,
            [(zone, line.boundingRect().getRect()) for zone, line in lines.items()],
        )
        if shown != self._shown:
            self.clear()
            self._shown = shown
            for zone, line in lines.items():
                self.lines[zone] = self._item(line)
        return list(lines)

    def clear(self) -> None:
        """Remove all lines."""
        for item in self.lines.values():
            self.stage.scene.removeItem(item)
        self.lines, self._shown = {}, ()

    def _line_path(self, zone: str) -> QPainterPath:
        """Return a path below the cards of `zone` as if none were raised."""
        stage, placed = self.stage, self.stage.placed_table
        place = placed.zones[zone].place
        slots = make_slots(place, place.at, len(stage.zones[zone]), None, placed.fan_scale)
        lowest = stage.size[1] - DOT_RADIUS_PX - 1
        points = []
        for slot in slots:
            turn, half = (
                math.radians(slot.angle),
                slot.width * slot.height_ratio / 2 + LINE_OFFSET_PX / placed.unit,
            )
            x, y = placed.to_pixels(slot.x - math.sin(turn) * half, slot.y + math.cos(turn) * half)
            points.append(QPointF(x, min(y, lowest)))
        first, last = points[0] - points[1], points[-1] - points[-2]
        beyond = min(1.0, OVERHANG * slots[0].width * placed.unit / max(1.0, abs(last.x())))
        line = QPainterPath(points[0] + first * beyond)
        for point in (*points, points[-1] + last * beyond):
            line.lineTo(point)
        return line

    def _item(self, line: QPainterPath) -> QGraphicsItem:
        theme = self.stage.pixmaps.theme
        item = QGraphicsPathItem(line)
        item.setPen(round_pen(theme.table_accent, LINE_WIDTH_PX))
        dot = QPainterPath()
        dot.addEllipse(line.pointAtPercent(0.5), DOT_RADIUS_PX, DOT_RADIUS_PX)
        add_shape(dot, item, QPen(QColor(theme.stock), 2), theme.table_accent)
        item.setZValue(LINE_Z)
        self.stage.scene.addItem(item)
        return item
