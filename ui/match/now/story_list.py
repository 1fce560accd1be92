"""A list of the other players' acts, with pictures of the cards and places involved."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from PySide6.QtCore import (
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
)
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from tabletop.language.story_text import act_text
from tabletop.language.words import Words
from tabletop.match.story import PlayerAct
from ui.match.now.place_picture import draw_places, place_groups
from ui.shell.app_context import AppContext, name_row
from ui.style.art import CARD_MARGIN_PX
from ui.style.line_breaks import wrap_for_column
from ui.style.theme import SMOOTH_HINTS, with_opacity
from ui.table.items.stage import Stage
from ui.widgets.lists import Index
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import scale_pixels, scaled_font

BADGE_PX = 26
SMALL_BADGE_PX = 18
MARGIN_PX = 6
PADDING_PX = 8
"""The padding inside an entry."""
FONT_PX = 14
CARD_WIDTH_PX = 34
CARD_HEIGHT_PX = 48
MAX_PLACE_WIDTH_PX = 56
"""The greatest width of a map of zones."""
PART_GAP_PX = 6
"""The gap between the text and the pictures of an entry, and between two pictures."""
MAX_CARDS = 6
MAX_PLACES = 2
CORNER_RADIUS_PX = 10.0
ACT_ROLE = Qt.ItemDataRole.UserRole
"""Item data role of an entry's PlayerAct."""


class _ShownActs(NamedTuple):
    """The listed acts, and what their wording depends on."""

    acts: tuple[PlayerAct, ...]
    viewer: int
    words: Words
    symbols: tuple[str, ...]
    """The players' symbols by seat."""


class StoryList(QListWidget):
    """A list with one entry for each act.

    Hovering or focusing an entry highlights its act on the table. A click or Enter replays the act.
    """

    act_pointed = Signal(object)
    """The hovered or focused act changed. The argument is its PlayerAct, or None."""
    act_chosen = Signal(object)
    """The user chose an act to replay. The argument is its PlayerAct."""

    def __init__(self, context: AppContext, stage: Stage) -> None:
        super().__init__()
        self.context, self.stage = context, stage
        self.shown = _ShownActs((), 0, context.words, ())
        self.pointed_act: PlayerAct | None = None
        """The hovered or focused act, or None."""
        self.setItemDelegate(StoryDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setStyleSheet(
            "QListWidget { background: transparent; border: none; padding: 0; }"
            "QListWidget:focus { border: none; padding: 0; }"
        )
        self.viewport().setAutoFillBackground(False)
        self.itemClicked.connect(lambda item: self.act_chosen.emit(item.data(ACT_ROLE)))
        self.currentItemChanged.connect(lambda item, _: self._point_by_keys(item))

    def show_acts(
        self, acts: Sequence[PlayerAct], viewer: int, words: Words, symbols: Sequence[str]
    ) -> None:
        """List `acts` as worded for `viewer`, keeping the entries that are listed already."""
        told = _ShownActs(tuple(acts), viewer, words, tuple(symbols))
        if told == self.shown:
            return
        before, self.shown = self.shown, told
        pairs = zip(told.acts, before.acts if told[1:] == before[1:] else (), strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        while self.count() > same:
            self.takeItem(self.count() - 1)
        for act in told.acts[same:]:
            item = QListWidgetItem()
            item.setText(self.text_of(act))
            item.setData(ACT_ROLE, act)
            name_row(item, words, self.spoken_text_of(act))
            self.addItem(item)
        if self.pointed_act is not None and self.pointed_act not in told.acts:
            self.point_at(None)
        self.scrollToBottom()

    @property
    def content_height(self) -> int:
        """The height in pixels at which all acts are in sight."""
        rows = (self.visualItemRect(self.item(row)).height() for row in range(self.count()))
        return sum(rows) + 2 * (self.frameWidth() + self.spacing() * self.count())

    def text_of(self, act: PlayerAct) -> str:
        """Return the description of `act` in sentences."""
        return act_text(act, self.shown.viewer, self.shown.words)

    def spoken_text_of(self, act: PlayerAct) -> str:
        """Return the text of `act` for screen readers, which says if it affects the viewer."""
        text = self.text_of(act)
        return self.context.words("About you: {text}", text=text) if act.concerns_viewer else text

    def point_at(self, act: PlayerAct | None) -> None:
        """Mark `act` as hovered or focused, or no act if it is None."""
        if act is not self.pointed_act:
            self.pointed_act = act
            self.act_pointed.emit(act)
            self.viewport().update()

    def _point_by_keys(self, item: QListWidgetItem | None) -> None:
        if self.hasFocus():
            self.point_at(item.data(ACT_ROLE) if item is not None else None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        item = self.itemAt(event.position().toPoint())
        self.point_at(item.data(ACT_ROLE) if item is not None else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.point_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.MouseFocusReason:
            if self.currentItem() is None and self.count():
                self.setCurrentRow(0)
            self._point_by_keys(self.currentItem())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and item:
            self.act_chosen.emit(item.data(ACT_ROLE))
        else:
            super().keyPressEvent(event)


class StoryDelegate(QStyledItemDelegate):
    """Draws an entry with badge, text and pictures.

    If the act affects the viewer, it has a frame, and the viewer's badge below the acting player's.
    """

    def __init__(self, shown: StoryList) -> None:
        super().__init__(shown)
        self._list = shown

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        act: PlayerAct = index.data(ACT_ROLE)
        shown, width = self._list, self._list.viewport().width()
        height = max(
            self._text_room(width, str(index.data())).height(), scale_pixels(shown, BADGE_PX)
        )
        if act.cards or self._families(act):
            height += scale_pixels(shown, CARD_HEIGHT_PX) + scale_pixels(shown, PART_GAP_PX)
        if act.concerns_viewer:
            height = max(height, scale_pixels(shown, BADGE_PX + SMALL_BADGE_PX) + 4)
        return QSize(60, height + 2 * (scale_pixels(shown, PADDING_PX) + MARGIN_PX // 2))

    def _families(self, act: PlayerAct) -> list[list[str]]:
        setting = self._list.stage.placed
        return list(place_groups(setting, act.zones))[:MAX_PLACES] if setting is not None else []

    def _left_of_text(self) -> int:
        return (
            MARGIN_PX
            + 2 * scale_pixels(self._list, PADDING_PX)
            + scale_pixels(self._list, BADGE_PX)
        )

    def _text_room(self, width: int, text: str) -> QRect:
        """Return the rectangle of `text` within an entry that is `width` pixels wide."""
        left, pad = self._left_of_text(), scale_pixels(self._list, PADDING_PX)
        room = max(60, width - left - MARGIN_PX - pad)
        metrics = QFontMetrics(scaled_font(self._list, FONT_PX))
        flags = int(Qt.TextFlag.TextWordWrap)
        rect = metrics.boundingRect(QRect(0, 0, room, 10_000), flags, wrap_for_column(text))
        return QRect(left, pad + MARGIN_PX // 2, room, rect.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shown, act = self._list, index.data(ACT_ROLE)
        theme, origin = shown.context.theme, option.rect.topLeft()
        painter.save()
        painter.setRenderHints(SMOOTH_HINTS)
        frame = QRectF(option.rect).adjusted(MARGIN_PX, MARGIN_PX / 2, -MARGIN_PX, -MARGIN_PX / 2)
        self._draw_ground(painter, frame, act)
        badge, pad = scale_pixels(shown, BADGE_PX), scale_pixels(shown, PADDING_PX)
        corner = origin + QPoint(MARGIN_PX + pad, pad + MARGIN_PX // 2)
        symbols = shown.shown.symbols
        if 0 <= act.seat < len(symbols):
            picture = seat_badge(shown.context, symbols[act.seat], badge, shown)
            painter.drawPixmap(corner, picture)
        if act.concerns_viewer and 0 <= shown.shown.viewer < len(symbols):
            small = scale_pixels(shown, SMALL_BADGE_PX)
            own = seat_badge(shown.context, symbols[shown.shown.viewer], small, shown)
            painter.drawPixmap(corner + QPoint((badge - small) // 2, badge + 4), own)
        text = str(index.data())
        room = self._text_room(option.rect.width(), text)
        painter.setFont(scaled_font(shown, FONT_PX))
        painter.setPen(QColor(theme.ink))
        painter.drawText(
            room.translated(origin), int(Qt.TextFlag.TextWordWrap), wrap_for_column(text)
        )
        top = origin.y() + room.bottom() + 1 + scale_pixels(shown, PART_GAP_PX)
        self._draw_pictures(painter, origin.x() + room.left(), top, room.width(), act)
        painter.restore()

    def _draw_ground(self, painter: QPainter, frame: QRectF, act: PlayerAct) -> None:
        shown, theme = self._list, self._list.context.theme
        if act.concerns_viewer:
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.setBrush(with_opacity(theme.accent, 0.1))
            painter.drawRoundedRect(frame, CORNER_RADIUS_PX, CORNER_RADIUS_PX)
        if act is shown.pointed_act:
            painter.setPen(
                QPen(QColor(theme.accent_2), 2) if shown.hasFocus() else Qt.PenStyle.NoPen
            )
            painter.setBrush(with_opacity(theme.ink, 0.07))
            painter.drawRoundedRect(frame, CORNER_RADIUS_PX, CORNER_RADIUS_PX)

    def _draw_pictures(
        self, painter: QPainter, x: int, top: int, room: int, act: PlayerAct
    ) -> None:
        """Draw the cards, then the maps of zones, as many as fit."""
        shown, prints = self._list, self._list.stage.pixmaps
        width, height, between = (
            scale_pixels(shown, each) for each in (CARD_WIDTH_PX, CARD_HEIGHT_PX, PART_GAP_PX)
        )
        right = x + room
        for card in act.cards[:MAX_CARDS]:
            if x + width > right:
                return
            corner = QPointF(x - CARD_MARGIN_PX, top - CARD_MARGIN_PX)
            painter.drawPixmap(corner, prints.face_pixmap(card, float(width)))
            x += width + between
        setting = shown.stage.placed
        for family in self._families(act):
            if setting is None or x + width > right:
                return
            place = QRectF(x, top, min(scale_pixels(shown, MAX_PLACE_WIDTH_PX), right - x), height)
            draw_places(painter, place, setting, family, act.zones, shown.context.theme)
            x += round(place.width()) + between
