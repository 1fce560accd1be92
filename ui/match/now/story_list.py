"""The acts of the others as a list: an entry for each, with its player's sign and small pictures of
the cards and places it names."""

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
from ui.match.now.place_picture import draw_places, families
from ui.shell.app_context import AppContext, name_line
from ui.style.art import CARD_MARGIN
from ui.style.line_breaks import for_column
from ui.style.theme import SMOOTH, make_sheer
from ui.table.items.stage import Stage
from ui.widgets.lists import Index
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import scale_pixels, scaled_font

BADGE, SMALL_BADGE = 26, 18
EDGE, PAD = 6, 8
"""What is free round an entry, and inside of it."""
LETTERS = 14
CARD, CARD_HIGH = 34, 48
PLACE = 56
"""The widest picture of a place."""
BETWEEN = 6
"""The gap between two parts of an entry; as all above, in pixels."""
MOST_CARDS, MOST_PLACES = 6, 2
ROUND = 10.0
ACT = Qt.ItemDataRole.UserRole
"""The PlayerAct of an entry."""


class _Told(NamedTuple):
    """What the list shows, and to whom."""

    acts: tuple[PlayerAct, ...]
    viewer: int
    words: Words
    symbols: tuple[str, ...]
    """The symbol of each seat."""


class StoryList(QListWidget):
    """One entry an act. The one under the pointer or the focus is pointed at; a click or Enter
    plays it back."""

    pointed = Signal(object)
    """An act is looked at, or with None none any more."""
    chosen = Signal(object)
    """An act is to be played back."""

    def __init__(self, context: AppContext, stage: Stage) -> None:
        super().__init__()
        self.context, self.stage = context, stage
        self.told = _Told((), 0, context.words, ())
        self.at: PlayerAct | None = None
        """The act that is pointed at."""
        self.setItemDelegate(EntryDelegate(self))
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
        self.itemClicked.connect(lambda item: self.chosen.emit(item.data(ACT)))
        self.currentItemChanged.connect(lambda item, _: self._point_by_keys(item))

    def tell(
        self, acts: Sequence[PlayerAct], viewer: int, words: Words, symbols: Sequence[str]
    ) -> None:
        """List these acts; where they go on from those listed, the new ones are added."""
        told = _Told(tuple(acts), viewer, words, tuple(symbols))
        if told == self.told:
            return
        before, self.told = self.told, told
        pairs = zip(told.acts, before.acts if told[1:] == before[1:] else (), strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        while self.count() > same:
            self.takeItem(self.count() - 1)
        for act in told.acts[same:]:
            item = QListWidgetItem()
            item.setText(self.text_of(act))
            item.setData(ACT, act)
            name_line(item, words, self.spoken_of(act))
            self.addItem(item)
        if self.at is not None and self.at not in told.acts:
            self.point(None)
        self.scrollToBottom()

    def text_of(self, act: PlayerAct) -> str:
        """The act in sentences."""
        return act_text(act, self.told.viewer, self.told.words)

    def spoken_of(self, act: PlayerAct) -> str:
        """The act for a screen reader, which sees no frame."""
        text = self.text_of(act)
        return self.context.words("About you: {text}", text=text) if act.concerns_viewer else text

    def point(self, act: PlayerAct | None) -> None:
        """Have this act lit on the table, or none."""
        if act is not self.at:
            self.at = act
            self.pointed.emit(act)
            self.viewport().update()

    def _point_by_keys(self, item: QListWidgetItem | None) -> None:
        if self.hasFocus():
            self.point(item.data(ACT) if item is not None else None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        item = self.itemAt(event.position().toPoint())
        self.point(item.data(ACT) if item is not None else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.point(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.MouseFocusReason:
            if self.currentItem() is None and self.count():
                self.setCurrentRow(0)
            self._point_by_keys(self.currentItem())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.point(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and item:
            self.chosen.emit(item.data(ACT))
        else:
            super().keyPressEvent(event)


class EntryDelegate(QStyledItemDelegate):
    """Draws an entry: the sign, the sentences, the pictures; framed where it concerns the viewer,
    with the viewer's own sign below the player's."""

    def __init__(self, shown: StoryList) -> None:
        super().__init__(shown)
        self._list = shown

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        act: PlayerAct = index.data(ACT)
        shown, wide = self._list, self._list.viewport().width()
        high = max(self._text_room(wide, str(index.data())).height(), scale_pixels(shown, BADGE))
        if act.cards or self._families(act):
            high += scale_pixels(shown, CARD_HIGH) + scale_pixels(shown, BETWEEN)
        if act.concerns_viewer:
            high = max(high, scale_pixels(shown, BADGE + SMALL_BADGE) + 4)
        return QSize(60, high + 2 * (scale_pixels(shown, PAD) + EDGE // 2))

    def _families(self, act: PlayerAct) -> list[list[str]]:
        setting = self._list.stage.setting
        return list(families(setting, act.zones))[:MOST_PLACES] if setting is not None else []

    def _left_of_text(self) -> int:
        return EDGE + 2 * scale_pixels(self._list, PAD) + scale_pixels(self._list, BADGE)

    def _text_room(self, wide: int, text: str) -> QRect:
        """The rectangle of these sentences in an entry of this width, from its top left."""
        left, pad = self._left_of_text(), scale_pixels(self._list, PAD)
        room = max(60, wide - left - EDGE - pad)
        metrics = QFontMetrics(scaled_font(self._list, LETTERS))
        flags = int(Qt.TextFlag.TextWordWrap)
        rect = metrics.boundingRect(QRect(0, 0, room, 10_000), flags, for_column(text))
        return QRect(left, pad + EDGE // 2, room, rect.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shown, act = self._list, index.data(ACT)
        theme, origin = shown.context.theme, option.rect.topLeft()
        painter.save()
        painter.setRenderHints(SMOOTH)
        frame = QRectF(option.rect).adjusted(EDGE, EDGE / 2, -EDGE, -EDGE / 2)
        self._draw_ground(painter, frame, act)
        badge, pad = scale_pixels(shown, BADGE), scale_pixels(shown, PAD)
        corner = origin + QPoint(EDGE + pad, pad + EDGE // 2)
        symbols = shown.told.symbols
        if 0 <= act.seat < len(symbols):
            picture = seat_badge(shown.context, symbols[act.seat], badge, shown)
            painter.drawPixmap(corner, picture)
        if act.concerns and 0 <= shown.told.viewer < len(symbols):
            small = scale_pixels(shown, SMALL_BADGE)
            own = seat_badge(shown.context, symbols[shown.told.viewer], small, shown)
            painter.drawPixmap(corner + QPoint((badge - small) // 2, badge + 4), own)
        text = str(index.data())
        room = self._text_room(option.rect.width(), text)
        painter.setFont(scaled_font(shown, LETTERS))
        painter.setPen(QColor(theme.ink))
        painter.drawText(room.translated(origin), int(Qt.TextFlag.TextWordWrap), for_column(text))
        top = origin.y() + room.bottom() + 1 + scale_pixels(shown, BETWEEN)
        self._draw_pictures(painter, origin.x() + room.left(), top, room.width(), act)
        painter.restore()

    def _draw_ground(self, painter: QPainter, frame: QRectF, act: PlayerAct) -> None:
        shown, theme = self._list, self._list.context.theme
        if act.concerns_viewer:
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.setBrush(make_sheer(theme.accent, 0.1))
            painter.drawRoundedRect(frame, ROUND, ROUND)
        if act is shown.at:
            painter.setPen(
                QPen(QColor(theme.accent_2), 2) if shown.hasFocus() else Qt.PenStyle.NoPen
            )
            painter.setBrush(make_sheer(theme.ink, 0.07))
            painter.drawRoundedRect(frame, ROUND, ROUND)

    def _draw_pictures(
        self, painter: QPainter, x: int, top: int, room: int, act: PlayerAct
    ) -> None:
        """The cards, then the places, as far as they have room."""
        shown, prints = self._list, self._list.stage.prints
        wide, high, between = (scale_pixels(shown, each) for each in (CARD, CARD_HIGH, BETWEEN))
        right = x + room
        for card in act.cards[:MOST_CARDS]:
            if x + wide > right:
                return
            corner = QPointF(x - CARD_MARGIN, top - CARD_MARGIN)
            painter.drawPixmap(corner, prints.face(card, float(wide)))
            x += wide + between
        setting = shown.stage.setting
        for family in self._families(act):
            if setting is None or x + wide > right:
                return
            place = QRectF(x, top, min(scale_pixels(shown, PLACE), right - x), high)
            draw_places(painter, place, setting, family, act.zones, shown.context.theme)
            x += round(place.width()) + between
