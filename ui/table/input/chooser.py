"""The chooser for the remaining options of a move: a
dial of buttons around a piece, and a list of outcomes.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from tabletop.engine.model import Move, Preview
from tabletop.language import labels
from tabletop.match.offer_matching import Options
from tabletop.match.seat import Seat
from tabletop.text.typography import capitalise
from ui.table.input.preview_item import PreviewItem, preview_pieces
from ui.table.items.option_list_item import (
    ListedOption,
    OptionListItem,
    highlight_sign,
    make_arrow_sign,
)
from ui.table.items.stage import Stage
from ui.table.layout.placed_table import PlacedPiece

CHOOSER_Z = 1100.0
PREVIEW_Z = 700.0
LIST_GAP_PX = 10.0
"""The distance between the list and its card."""
BUTTON_RADIUS = 0.115
"""The radius of a dial button, in card widths."""
DIAL_RADIUS = 0.68
"""The distance from the piece to the dial buttons, in card widths."""


class OptionChooser:
    """The options of a move shown on the table, with a preview of the highlighted one."""

    def __init__(
        self, stage: Stage, seat: Seat, options: Options, at: QPointF | None, beside: QRectF | None
    ) -> None:
        """`at`: the position of the list if there is no dial. `beside`: a rectangle next to which
        the list is placed if it fits.
        """
        self.stage = stage
        self._options, self._begun = options, options.prefix
        self.highlighted: int | None = None
        gesture = stage.pixmaps.kit.layout.gesture(options.moves[0].verb)
        wants_dial = gesture.chooser == "dial" and not options.prefix
        self.turns_card = bool(gesture.turns)
        """Whether highlighting an option turns the card on its target."""
        self.options = [self._row(seat, move, wants_dial) for move in options.moves]
        angles = [row.angle for row in self.options]
        self.is_dial = wants_dial and None not in angles and len(set(angles)) == len(angles)
        self._preview: PreviewItem | None = None
        self._arc: QGraphicsPathItem | None = None
        self._buttons: list[tuple[QPointF, tuple[QGraphicsPathItem, QGraphicsPathItem]]] = []
        self._option_list = self._make_list(at, beside)
        self._option_list.setZValue(CHOOSER_Z)
        stage.scene.addItem(self._option_list)
        if self.is_dial:
            self._draw_dial()

    def is_for(self, options: Options) -> bool:
        """Return whether the chooser shows `options` with the choices made so far."""
        return self._options is options and self._begun == options.prefix

    def _row(self, seat: Seat, move: Move, turning: bool) -> ListedOption:
        words = self.stage.pixmaps.words
        preview = seat.preview(move)
        notes = preview.notes if preview else ()
        effect = words.sentences(words.note(note, seat.number) for note in notes if note.zones)
        outcome = "\n".join(words.note(note, seat.number) for note in notes if not note.zones)
        label = words.listed_choice(move.choice, self._begun) if move.choice else ""
        if not label or len({one.verb for one in self._options.moves}) > 1:
            label = words.move(move, seat.number, seat.view)
        stand = self._turned_piece(preview.values) if preview and turning else None
        angle = stand.angle if stand else None
        if not effect:
            effect, outcome = outcome, ""
        return ListedOption(move, capitalise(label), effect, outcome, preview, angle)

    def _turned_piece(self, values: dict[str, int | str]) -> PlacedPiece | None:
        stands = preview_pieces(self.stage, values).values()
        return next((stand for stand in stands if stand.is_directional), None)

    def _make_list(self, at: QPointF | None, beside: QRectF | None) -> OptionListItem:
        stage = self.stage
        placed, words = stage.placed_table, stage.pixmaps.words
        size = max(11.0, 0.125 * placed.unit)
        room = QRectF(8, 8, stage.size[0] - 16, stage.size[1] - 16)
        cards = self._options.moves[0].cards
        title = words(labels.CHOOSE)
        if len(cards) == 1:
            title = words("With {card}", card=words.card(cards[0]))
        if placed.surface.outlook is not None and (self.is_dial or at is None):
            place = stage.to_pixels(placed.surface.outlook)
        else:
            width = max(200.0, 2.4 * placed.unit)
            place = QRectF(0, 0, width, 1)
            place.moveCenter(at or room.center())
            if beside is not None and beside.right() + LIST_GAP_PX + width <= room.right():
                place.moveBottomLeft(beside.bottomRight() + QPointF(LIST_GAP_PX, 0))
            elif beside is not None and beside.left() - LIST_GAP_PX - width >= room.left():
                place.moveBottomRight(beside.bottomLeft() - QPointF(LIST_GAP_PX, 0))
            place.moveLeft(max(room.left(), min(place.left(), room.right() - width)))
        return OptionListItem(self.options, stage.pixmaps.theme, title, place, size, room)

    def _draw_dial(self) -> None:
        stage = self.stage
        placed, theme = stage.placed_table, stage.pixmaps.theme
        piece = next(stand for stand in placed.pieces if stand.is_directional)
        middle = QPointF(*placed.to_pixels(piece.x, piece.y))
        reach = DIAL_RADIUS * placed.unit
        radius = max(11.0, BUTTON_RADIUS * placed.unit)
        self._arc = QGraphicsPathItem()
        self._arc.setZValue(CHOOSER_Z)
        angles = [option.angle or 0.0 for option in self.options]
        if len(angles) > 1:
            path = QPainterPath()
            sweep = (angles[-1] - angles[0] + 180) % 360 - 180
            box = QRectF(middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach)
            path.arcMoveTo(box, 90 - angles[0])
            path.arcTo(box, 90 - angles[0], -sweep)
            self._arc.setPath(path)
            pen = QPen(QColor(theme.accent), 2.4)
            pen.setStyle(Qt.PenStyle.DotLine)
            self._arc.setPen(pen)
        for angle in angles:
            turn = math.radians(angle)
            at = middle + QPointF(math.sin(turn), -math.cos(turn)) * reach
            self._buttons.append((at, make_arrow_sign(at, radius, angle, theme, self._arc)))
        stage.scene.addItem(self._arc)

    def highlight(self, number: int | None) -> None:
        """Highlight the option at index `number` and
        draw its preview; None highlights no option.
        """
        if number == self.highlighted:
            return
        self.highlighted = number
        self._option_list.highlight(number)
        for i, (_, sign) in enumerate(self._buttons):
            highlight_sign(sign, i == number, self.stage.pixmaps.theme)
        self._drop_preview()
        if (preview := self.preview) is not None:
            self._preview = PreviewItem(self.stage, preview)
            self._preview.setZValue(PREVIEW_Z)
            self.stage.scene.addItem(self._preview)

    @property
    def preview(self) -> Preview | None:
        """The preview of the highlighted option; None if none is highlighted."""
        return self.options[self.highlighted].preview if self.highlighted is not None else None

    @property
    def columns(self) -> int:
        """The number of columns of the list."""
        return self._option_list.columns

    def option_at(self, point: QPointF) -> int | None:
        """Return the index of the option whose row or dial button is at `point`, or None."""
        for i, (middle, (disc, _)) in enumerate(self._buttons):
            if (point - middle).manhattanLength() <= disc.boundingRect().width() * 0.7:
                return i
        return self._option_list.row_at(point)

    @property
    def list_rect(self) -> QRectF:
        """The rectangle of the list, in scene pixels."""
        return self._option_list.sceneBoundingRect()

    def contains(self, point: QPointF) -> bool:
        """Return whether the list or a dial button is at `point`."""
        return self.option_at(point) is not None or self._option_list.contains_scene_point(point)

    def close(self) -> None:
        """Remove the chooser and its preview from the table."""
        self._drop_preview()
        self.stage.remove_item(self._option_list)
        self.stage.remove_item(self._arc)
        self._buttons = []

    def _drop_preview(self) -> None:
        self.stage.remove_item(self._preview)
        self._preview = None
