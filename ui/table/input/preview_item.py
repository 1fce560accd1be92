"""The preview of a move on the table: where a piece
would go, and which lines of cards would score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsPixmapItem

from tabletop.engine.model import Preview, Remark, Value
from ui.table.animation.lights import find_ink
from ui.table.items.lettering import add_shape, make_text_item, round_pen, rounded_path, table_font
from ui.table.items.stage import Stage
from ui.table.layout.geometry import lay_out_table
from ui.table.layout.placed_table import PlacedPiece

SILHOUETTE_OPACITY = 0.62


def preview_pieces(stage: Stage, values: Mapping[str, Value]) -> dict[str, PlacedPiece]:
    """Return the pieces by name, positioned as they would be with `values`."""
    placed = stage.placed_table
    if any(key.startswith(stage.movement_prefixes) for key in values):
        view = stage.current_view()
        changed = replace(view, values={**view.values, **values})
        placed = lay_out_table(stage.layouts, changed, stage.size)
    return {stand.name: stand for stand in placed.pieces}


class PreviewItem(QGraphicsPathItem):
    """The preview drawn over the table while an option is highlighted. It ignores the mouse."""

    def __init__(self, stage: Stage, preview: Preview) -> None:
        super().__init__()
        self._stage = stage
        self._bold = max(1.0, stage.unit / 108)
        """The factor by which all line widths are multiplied."""
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        now = {stand.name: stand for stand in stage.placed_table.pieces}
        moves = [
            (now[name], stand)
            for name, stand in preview_pieces(stage, preview.values).items()
            if name in now and (now[name].zone, now[name].angle) != (stand.zone, stand.angle)
        ]
        ways = {then.zone: _way_note(preview, then) for _, then in moves}
        for note in preview.notes:
            if note.zones and note not in ways.values():
                self._draw_line(note)
        for before, stand in moves:
            self._draw_piece(before, stand, ways[stand.zone])

    def _draw_piece(self, now: PlacedPiece, then: PlacedPiece, along: Remark | None) -> None:
        """Draw a piece at its new position and its path there: through the zones of `along`, or
        straight if that is None.
        """
        placed, pixmaps = self._stage.placed_table, self._stage.pixmaps
        here = QPointF(*placed.to_pixels(now.x, now.y))
        end = QPointF(*placed.to_pixels(then.x, then.y))
        way = end - here
        if way.manhattanLength() < 1:
            return
        heading = math.radians(then.angle)
        ahead = QPointF(math.sin(heading), -math.cos(heading))
        wraps = then.is_directional and way.x() * ahead.x() + way.y() * ahead.y() < 0
        reach = placed.unit * 0.46
        if along is not None:
            self._draw_way(here, end, along, now)
        elif wraps:
            out = placed.unit * 0.84
            self._draw_arrow(here + ahead * reach, here + ahead * out)
            self._draw_arrow(end - ahead * out, end - ahead * reach)
        else:
            long = math.hypot(way.x(), way.y())
            ahead = way / long
            reach = min(reach, long * 0.3)  # keep a short arrow visible
            self._draw_arrow(here + ahead * reach, end - ahead * reach)
        size = round(then.size * placed.unit)
        for drawing, variables, turns in then.layers:
            layer = QGraphicsPixmapItem(self)
            pixmap = pixmaps.drawing_pixmap(drawing, size, size, **variables)
            layer.setPixmap(pixmap)
            layer.setOffset(-size / 2, -size / 2)
            layer.setPos(end)
            layer.setRotation(then.angle if turns else 0)
            layer.setOpacity(SILHOUETTE_OPACITY)
            layer.setTransformationMode(Qt.TransformationMode.SmoothTransformation)

    def _draw_way(self, here: QPointF, there: QPointF, note: Remark, now: PlacedPiece) -> None:
        """Draw the path through the zones of `note`, with the number of steps at its end."""
        stage = self._stage
        size = stage.unit * now.size
        rects = [rect for zone in note.zones if (rect := stage.zone_rect(zone)) is not None]
        stops = [here, *[rect.center() + QPointF(0, size * 0.2) for rect in rects[:-1]], there]
        first, last = stops[1] - stops[0], stops[-1] - stops[-2]
        stops[0] += first * min(0.4, size * 0.45 / max(1.0, math.hypot(first.x(), first.y())))
        stops[-1] -= last * min(0.4, size * 0.5 / max(1.0, math.hypot(last.x(), last.y())))
        self._draw_arrow(stops[-2], stops[-1], stops[:-1])
        number = next((str(word) for word in note.args.values() if isinstance(word, int)), "")
        if number and rects:
            corner = rects[-1].topRight() + QPointF(-12, 12)
            self._draw_tag(number, corner, QColor(stage.pixmaps.theme.accent))

    def _draw_arrow(self, start: QPointF, end: QPointF, through: Sequence[QPointF] = ()) -> None:
        """Draw an arrow from `start` to `end`, or along the points `through` to `end`."""
        theme = self._stage.pixmaps.theme
        way = end - start
        long = max(1.0, math.hypot(way.x(), way.y()))
        along = way / long
        side = QPointF(-along.y(), along.x())
        bold = self._bold
        head = min(11.0 * bold, long * 0.6)
        path = QPainterPath(through[0] if through else start)
        for stop in through[1:]:
            path.lineTo(stop)
        path.lineTo(end - along * head * 0.7)
        tip = QPainterPath(end)
        tip.lineTo(end - along * head + side * head * 0.7)
        tip.lineTo(end - along * head - side * head * 0.7)
        tip.closeSubpath()
        for colour, width in ((theme.stock, 8.0 * bold), (theme.accent, 4.0 * bold)):
            add_shape(path, self, round_pen(colour, width))
            add_shape(tip, self, round_pen(colour, max(0.5, width - 4 * bold)), colour)

    def _draw_line(self, note: Remark) -> None:
        """Draw a line through the zones that would score, with the ink's symbol and the points."""
        stage, pixmaps = self._stage, self._stage.pixmaps
        rects = [
            rect for rect in (stage.zone_rect(zone) for zone in note.zones) if rect is not None
        ]
        if not rects:
            return
        words = list(note.args.values())
        colour = QColor(find_ink(pixmaps.inks, words) or pixmaps.theme.accent)
        pale = QColor(pixmaps.theme.stock)
        frames, line = QPainterPath(), QPainterPath(rects[0].center())
        for rect in rects:
            frames.addPath(rounded_path(rect.adjusted(1, 1, -1, -1), 9))
            line.lineTo(rect.center())
        for path, tint, width in (
            (line, pale, 13.0 * self._bold),
            (frames, pale, 7.0 * self._bold),
            (line, colour, 7.0 * self._bold),
            (frames, colour, 4.0 * self._bold),
        ):
            add_shape(path, self, round_pen(tint, width))
        if tag := self._find_count(words):
            self._draw_tag(tag, (rects[0].center() + rects[-1].center()) / 2, colour)
        for zone, rect in zip(note.zones, rects, strict=False):
            self._draw_badges(zone, rect, colour)

    def _find_count(self, words: Sequence[Value]) -> str:
        """Return the ink symbol and the number among `words`, or "" if there are neither."""
        signs = self._stage.pixmaps.ink_signs
        sign = next((signs[word] for word in words if isinstance(word, str) and word in signs), "")
        number = next((str(word) for word in words if isinstance(word, int)), "")
        return f"{sign} {number}".strip()

    def _draw_badges(self, zone: str, rect: QRectF, colour: QColor) -> None:
        """Draw how often each card in `zone` counts, if it counts more than once."""
        stage = self._stage
        for item in stage.zones.get(zone, []):
            if not item.is_known:
                continue
            face = stage.pixmaps.kit.deck[item.card]
            for badge in stage.badges:
                if all(face.get(key) == value for key, value in badge.card.items()):
                    at = QPointF(rect.right() - 8, rect.top() + 10)
                    self._draw_tag(stage.pixmaps.words(badge.text), at, colour)

    def _draw_tag(self, text: str, middle: QPointF, colour: QColor) -> None:
        stage = self._stage
        label = make_text_item(text, table_font(0.15 * stage.unit, bold=True), colour)
        box = label.boundingRect()
        room = QRectF(0, 0, box.width() + 14, box.height() + 4)
        room.moveCenter(middle)
        ground = rounded_path(room, room.height() / 2)
        tag = add_shape(ground, self, QPen(colour, 2), stage.pixmaps.theme.stock)
        label.setParentItem(tag)
        label.setPos(room.left() + 7, room.top() + 2)


def _way_note(preview: Preview, then: PlacedPiece) -> Remark | None:
    """Return the note with the zones a piece passes, or
    None; always None for a piece that shows a direction.
    """
    if then.is_directional:
        return None
    ends = (note for note in preview.notes if note.zones and note.zones[-1] == then.zone)
    return next((note for note in ends if "n" in note.args), None)
