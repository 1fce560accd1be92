"""The chooser for what is left once a card was put down: a dial around the piece that turns, and a
list of what each choice would do."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from tabletop.engine.model import Move
from tabletop.language import labels
from tabletop.match.offer_matching import next_steps
from tabletop.match.seat import Seat
from tabletop.match.tentative_cards import angle_of
from ui.table.input.preview_item import PreviewItem, foreseen
from ui.table.items.rows_item import MoveRow, RowsItem, arrow_sign, point_sign
from ui.table.items.stage import Stage
from ui.table.layout.setting import Stand

CHOOSER_Z = 1100.0
PREVIEW_Z = 700.0
GAP = 10.0
"""The gap between the list and its card, in pixels."""
BUTTON = 0.115
"""Radius of a button of the dial, in card widths."""
REACH = 0.68
"""From the middle of the piece to the buttons."""


class Chooser(QObject):
    """Open from the moment there is something to choose until `chosen`, or until it is closed."""

    chosen = Signal(object)
    """The Move that was chosen."""
    weighed = Signal(object)
    """The Preview of the option being weighed, or None."""

    def __init__(
        self,
        stage: Stage,
        link: Seat,
        moves: Sequence[Move],
        *,
        at: QPointF | None = None,
        beside: QRectF | None = None,
    ) -> None:
        """`at` is the list's place if no dial is used; `beside` is what it is placed beside where
        it can."""
        super().__init__()
        self.stage = stage
        self._link, self._all, self._at, self._beside = link, list(moves), at, beside
        self._chosen_part = ""
        """The part of a sequence that is chosen already."""
        self.moves = next_steps(self._all, "")
        """The moves to choose from now."""
        self.pointed: int | None = None
        verb = moves[0].verb
        gesture = stage.prints.kit.layout.gesture(verb)
        wants_dial = gesture.chooser == "dial"
        self.turning = bool(gesture.turns)
        """Whether the card lies as the choice being weighed would turn it."""
        self.options = [self._option(link, move, wants_dial) for move in self.moves]
        angles = [option.angle for option in self.options]
        self.dial = wants_dial and None not in angles and len(set(angles)) == len(angles)
        self._preview: PreviewItem | None = None
        self._arc: QGraphicsPathItem | None = None
        self._buttons: list[tuple[QPointF, tuple[QGraphicsPathItem, QGraphicsPathItem]]] = []
        self._rows = self._list(at, beside)
        self._rows.setZValue(CHOOSER_Z)
        stage.scene.addItem(self._rows)
        if self.dial:
            self._draw_dial()

    def _option(self, link: Seat, move: Move, turning: bool) -> MoveRow:
        words = self.stage.prints.words
        preview = link.preview(move)
        notes = preview.notes if preview else ()
        effects = tuple(words.note(note, link.seat) for note in notes if note.zones)
        outcome = "\n".join(words.note(note, link.seat) for note in notes if not note.zones)
        label = self._label(move) if move.choice else words.move(move, link.seat, link.view)
        if len({one.verb for one in self.moves}) > 1:
            label = words.move(move, link.seat, link.view)
        stand = self._turned(preview.values) if preview and turning else None
        angle = stand.angle if stand else None
        if not effects and outcome:
            effects = (outcome,)
            outcome = ""
        return MoveRow(move, _capital(label), effects, outcome, preview, angle)

    def _label(self, move: Move) -> str:
        """A choice in the words of a list, which has little room, else as in a sentence."""
        prints = self.stage.prints
        if self._chosen_part and move.choice == self._chosen_part:
            return prints.words(labels.THAT_IS_ALL)
        choice = move.choice.rpartition(",")[2]
        listed = prints.kit.words.listed.get(choice)
        return prints.words(listed) if listed else prints.words.choice(choice)

    def _turned(self, values: dict[str, int | str]) -> Stand | None:
        """The piece that turns, as it would stand."""
        return next(
            (
                stand
                for stand in foreseen(self.stage, values).values()
                if any(turns for _, _, turns in stand.layers)
            ),
            None,
        )

    def _list(self, at: QPointF | None, beside: QRectF | None) -> RowsItem:
        stage = self.stage
        setting, words = stage.setting, stage.prints.words
        assert setting is not None
        size = max(11.0, 0.125 * setting.unit)
        room = QRectF(8, 8, stage.size[0] - 16, stage.size[1] - 16)
        cards = self.moves[0].cards
        title = words(labels.CHOOSE)
        if len(cards) == 1:
            title = words("With {card}", card=words.card(cards[0]))
        if setting.surface.outlook is not None and (self.dial or at is None):
            place = stage.pixels(setting.surface.outlook)
        else:
            width = max(200.0, 2.4 * setting.unit)
            place = QRectF(0, 0, width, 1)
            place.moveCenter(at or room.center())
            if beside is not None and beside.right() + GAP + width <= room.right():
                place.moveBottomLeft(beside.bottomRight() + QPointF(GAP, 0))
            elif beside is not None and beside.left() - GAP - width >= room.left():
                place.moveBottomRight(beside.bottomLeft() - QPointF(GAP, 0))
            place.moveLeft(max(room.left(), min(place.left(), room.right() - width)))
        return RowsItem(self.options, stage.prints.theme, title, place, size, room)

    def _draw_dial(self) -> None:
        stage = self.stage
        setting, theme = stage.setting, stage.prints.theme
        assert setting is not None
        piece = next(
            stand for stand in setting.pieces if any(turns for _, _, turns in stand.layers)
        )
        middle = QPointF(*setting.point(piece.x, piece.y))
        reach = REACH * setting.unit
        radius = max(11.0, BUTTON * setting.unit)
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
            self._buttons.append((at, arrow_sign(at, radius, angle, theme, self._arc)))
        stage.scene.addItem(self._arc)

    # Weighing and choosing

    def point(self, number: int | None) -> None:
        """Weigh this option: its preview is drawn on the table."""
        if number == self.pointed:
            return
        self.pointed = number
        self._rows.point(number)
        for i, (_, sign) in enumerate(self._buttons):
            point_sign(sign, i == number, self.stage.prints.theme)
        self._drop_preview()
        preview = self.options[number].preview if number is not None else None
        if preview is not None:
            self._preview = PreviewItem(self.stage, preview)
            self._preview.setZValue(PREVIEW_Z)
            self.stage.scene.addItem(self._preview)
        self.weighed.emit(preview)

    @property
    def angle(self) -> float:
        """By how many degrees the option being weighed turns the card."""
        if self.pointed is None:
            return 0.0
        return angle_of(self.moves[self.pointed], self.stage.prints.kit)

    def step(self, by: int) -> None:
        """Weigh the next option, or the one before."""
        start = -1 if self.pointed is None and by > 0 else self.pointed or 0
        self.point((start + by) % len(self.options))

    @property
    def columns(self) -> int:
        """The number of options side by side."""
        return self._rows.columns

    def at(self, point: QPointF) -> int | None:
        """The option at this point of the scene: a row or a button."""
        for i, (middle, (disc, _)) in enumerate(self._buttons):
            if (point - middle).manhattanLength() <= disc.boundingRect().width() * 0.7:
                return i
        return self._rows.at(point)

    @property
    def place(self) -> QRectF:
        """The place of the list."""
        return self._rows.sceneBoundingRect()

    def covers(self, point: QPointF) -> bool:
        """Whether the chooser is at this point."""
        return self.at(point) is not None or self._rows.covers(point)

    def choose(self, number: int | None = None) -> None:
        """Take this option, or the one being weighed."""
        number = self.pointed if number is None else number
        if number is None or not 0 <= number < len(self.options):
            return
        move = self.options[number].move
        further = next_steps(self._all, move.choice) if move.choice != self._chosen_part else []
        if len(further) > 1:
            self._go_on(move.choice, further)
        else:
            self.chosen.emit(move)

    def _go_on(self, chosen_part: str, moves: list[Move]) -> None:
        """List what may follow upon this beginning."""
        self._drop_preview()
        self.stage.scene.removeItem(self._rows)
        self._chosen_part, self.moves, self.pointed = chosen_part, moves, None
        self.options = [self._option(self._link, move, False) for move in moves]
        self._rows = self._list(self._at, self._beside)
        self._rows.setZValue(CHOOSER_Z)
        self.stage.scene.addItem(self._rows)
        self.point(0)

    def close(self) -> None:
        """Take it off the table."""
        self._drop_preview()
        for item in (self._rows, self._arc):
            if item is not None and item.scene() is not None:
                self.stage.scene.removeItem(item)
        self._buttons = []

    def _drop_preview(self) -> None:
        if self._preview is not None:
            self.stage.scene.removeItem(self._preview)
            self._preview = None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
