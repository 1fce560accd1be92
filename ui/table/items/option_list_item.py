"""The graphics item of a list of options with their outcomes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsTextItem

from tabletop.engine.model import Move, Preview
from ui.style.line_breaks import bind_phrases
from ui.style.theme import Theme, with_opacity
from ui.table.items.lettering import add_shape, rounded_path, table_font

PADDING = 0.75
ROW_GAP = 0.45
"""Distance between rows, in text heights."""


MAX_BRIEF_LENGTH = 4
"""Maximum number of characters of a label that can be shown in a grid. More than `MAX_LIST_OPTIONS`
options with such labels form a grid.
"""
MAX_LIST_OPTIONS, MAX_GRID_OPTIONS = 6, 50
GRID_COLUMNS = 5
MAX_COLUMNS = 12


class ListedOption(NamedTuple):
    """An option in a list: its move, label, effect and outcome, and the angle in degrees at which a
    piece would point.
    """

    move: Move
    label: str
    effect: str
    outcome: str
    preview: Preview | None
    angle: float | None


class OptionListItem(QGraphicsPathItem):
    """A list of options on paper, or a grid if labels are short, with the outcome of the
    highlighted option at the bottom.
    """

    def __init__(
        self,
        options: Sequence[ListedOption],
        theme: Theme,
        title: str,
        place: QRectF,
        size: float,
        room: QRectF,
    ) -> None:
        """The list has the width of `place`, starts at its bottom and grows upwards as needed
        within `room`.

        `size` is the text height, in pixels.
        """
        super().__init__()
        self._theme = theme
        self._options = options
        self._size = size
        self._pad = PADDING * size
        self.columns = 1
        """The number of columns; 1 for a list."""
        width = place.width()
        if len(options) > MAX_LIST_OPTIONS and all(_is_brief(option) for option in options):
            self.columns = GRID_COLUMNS if len(options) <= MAX_GRID_OPTIONS else 2 * GRID_COLUMNS
            width *= self.columns / GRID_COLUMNS
        height = self._lay_out(title, min(width, room.width()))
        while height > room.height() and self.columns < MAX_COLUMNS:
            self.columns += 1
            height = self._lay_out(title, min(self.columns * width, room.width()))
        top = min(place.top(), place.bottom() - height)
        top = max(room.top(), min(top, room.bottom() - height))
        left = max(room.left(), min(place.left(), room.right() - self._width))
        self.setPos(round(left), round(top))
        self.setPath(rounded_path(QRectF(0, 0, self._width, height), 14))
        self.setPen(QPen(QColor(theme.line), 1))
        self.setBrush(QBrush(QColor(theme.paper)))
        self.highlight(None)

    def _lay_out(self, title: str, width: float) -> float:
        """Arrange the options on paper `width` pixels wide. Return the paper's height."""
        for item in self.childItems():
            item.setParentItem(None)  # type: ignore[arg-type]  # Qt knows items of no parent
        gap, self._width = ROW_GAP * self._size, width
        self._frames: list[QGraphicsPathItem] = []
        self._signs: list[tuple[QGraphicsPathItem, QGraphicsPathItem]] = []
        self._effects: list[QGraphicsTextItem] = []
        # keeps the Python objects alive, which their parent item doesn't
        self._texts: list[QGraphicsTextItem] = []
        self._rows: list[QRectF] = []
        y = self._pad
        head = self._text(title, QPointF(self._pad, y), width - 2 * self._pad, bold=True)
        y += head.boundingRect().height() + gap
        between = gap if self.columns > 1 else 0.0
        each = (width - self._pad + between) / self.columns
        options = self._options
        for first in range(0, len(options), self.columns):
            bottoms = [
                self._add_row(option, QPointF(self._pad / 2 + column * each, y), each - between)
                for column, option in enumerate(options[first : first + self.columns])
            ]
            y = max(bottoms) + gap
        self._outcome = self._text("", QPointF(self._pad, y), width - 2 * self._pad)
        tallest = 0.0
        for option in options:
            self._outcome.setPlainText(bind_phrases(option.outcome))
            shown = self._outcome.boundingRect().height() if option.outcome else 0.0
            tallest = max(tallest, shown)
        self._outcome.setPlainText("")
        return y + (tallest + gap if tallest else 0.0) + self._pad - gap

    def _add_row(self, option: ListedOption, at: QPointF, width: float) -> float:
        """Add an option at `at`. Return the y coordinate of its bottom edge."""
        x, y = at.x() + self._pad / 2 + 4, at.y()
        sign = self._size * 0.85
        left = x + 2 * sign + 8 if option.angle is not None else x + 4
        room = at.x() + width - self._pad / 2 - left
        if self.columns > 1 and _is_brief(option):  # centre numbers
            left, room = at.x() + 2, width - 4
        label = self._text(option.label, QPointF(left, y + 4), room, soft=True)
        if self.columns > 1 and _is_brief(option):
            centred = label.document().defaultTextOption()
            centred.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.document().setDefaultTextOption(centred)
        below = y + 4 + label.boundingRect().height()
        counts = bool(option.preview and any(note.zones for note in option.preview.notes))
        effect = self._text(option.effect, QPointF(left, below - 2), room, bold=counts)
        self._effects.append(effect)
        bottom = below + (effect.boundingRect().height() - 2 if option.effect else 0) + 4
        row = QRectF(at.x(), y, width, max(bottom - y, 2 * sign + 8))
        frame = QGraphicsPathItem(rounded_path(row, 10), self)
        frame.setFlag(QGraphicsItem.GraphicsItemFlag.ItemStacksBehindParent, False)
        frame.setZValue(-1)
        self._frames.append(frame)
        self._rows.append(row)
        if option.angle is not None:
            middle = QPointF(x + sign, row.center().y())
            self._signs.append(make_arrow_sign(middle, sign, option.angle, self._theme, self))
        return row.bottom()

    def _text(
        self, text: str, at: QPointF, width: float, *, bold: bool = False, soft: bool = False
    ) -> QGraphicsTextItem:
        item = QGraphicsTextItem(self)
        item.document().setDocumentMargin(0)
        item.setFont(table_font(self._size, bold))
        item.setDefaultTextColor(QColor(self._theme.ink_soft if soft else self._theme.ink))
        item.setTextWidth(max(width, 20))
        item.setPlainText(bind_phrases(text))
        item.setPos(at)
        self._texts.append(item)
        return item

    def highlight(self, number: int | None) -> None:
        """Highlight row `number` and show its outcome; None for no row."""
        theme = self._theme
        for i, frame in enumerate(self._frames):
            chosen = i == number
            frame.setPen(QPen(QColor(theme.accent if chosen else theme.line), 2 if chosen else 1))
            frame.setBrush(QBrush(with_opacity(theme.accent, 0.10 if chosen else 0.0)))
            self._effects[i].setDefaultTextColor(QColor(theme.accent if chosen else theme.ink))
        for i, sign in enumerate(self._signs):
            highlight_sign(sign, i == number, theme)
        outcome = self._options[number].outcome if number is not None else ""
        self._outcome.setPlainText(bind_phrases(outcome))

    def row_at(self, point: QPointF) -> int | None:
        """Return the index of the row at `point` of the scene, or None."""
        here = self.mapFromScene(point)
        return next((i for i, row in enumerate(self._rows) if row.contains(here)), None)

    def contains_scene_point(self, point: QPointF) -> bool:
        """Return whether `point` of the scene is on the list."""
        return self.path().contains(self.mapFromScene(point))


def _is_brief(option: ListedOption) -> bool:
    """Return whether an option consists of nothing but a short label."""
    return len(option.label) <= MAX_BRIEF_LENGTH and not (
        option.effect or option.outcome or option.angle is not None
    )


def make_arrow_sign(
    middle: QPointF, radius: float, angle: float, theme: Theme, parent: QGraphicsItem
) -> tuple[QGraphicsPathItem, QGraphicsPathItem]:
    """Return the items of a disc and of an arrow in
    it that points `angle` degrees clockwise from up.
    """
    disc = QPainterPath()
    disc.addEllipse(middle, radius, radius)
    outline = QGraphicsPathItem(disc, parent)
    arrow = QPainterPath()
    points = ((0.66, 0.0), (0.56, 140.0), (0.2, 180.0), (0.56, -140.0))
    for i, (reach, off) in enumerate(points):
        turn = math.radians(angle + off)
        at = middle + QPointF(math.sin(turn), -math.cos(turn)) * radius * reach
        if i:
            arrow.lineTo(at)
        else:
            arrow.moveTo(at)
    arrow.closeSubpath()
    sign = (outline, add_shape(arrow, outline))
    highlight_sign(sign, False, theme)
    return sign


def highlight_sign(
    sign: tuple[QGraphicsPathItem, QGraphicsPathItem], chosen: bool, theme: Theme
) -> None:
    """Draw the disc and arrow of `sign` as highlighted or not."""
    outline, head = sign
    outline.setPen(QPen(QColor(theme.accent), 2.2))
    outline.setBrush(QBrush(QColor(theme.accent if chosen else theme.paper)))
    head.setBrush(QBrush(QColor(theme.on_accent if chosen else theme.accent)))
