"""Odds of a move, shown on its card or its place before it is chosen."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem

from tabletop.language import odds
from tabletop.match import offer_matching as offered
from tabletop.match.offer_matching import Offers
from tabletop.match.seat import Seat
from ui.style.theme import Theme
from ui.table.input.target_lights import LIGHT_Z
from ui.table.items.lettering import make_text_item, rounded_path, table_font
from ui.table.items.stage import Stage


class OddsTags:
    """A tag for every card and lit place whose verb has `odds`, the way its chance is shown.

    The number is the best that the previews of its moves name.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._on_cards: list[TagItem] = []
        self._on_places: list[TagItem] = []

    def show(self, seat: Seat, offers: Offers) -> None:
        """Tag what may be chosen now."""
        self.clear()
        prints = self.stage.pixmaps
        for item in self.stage.items:
            if item.is_playable and item.is_known and item.isVisible():
                moves = odds.of_card(offers, item.card)
                text = odds.in_words(prints.words, prints.kit, seat, moves)
                if text:
                    # over its picture, left of what the next card of a fan covers
                    at = QPointF(-item.width * 0.12, 0.0)
                    self._on_cards.append(TagItem(text, at, self._size, prints.theme, item))
        for zone in (t for asked in offered.cardless_offers(offers) for t in asked.offer.targets):
            rect = self.stage.zone_rect(zone)
            text = odds.in_words(prints.words, prints.kit, seat, odds.of_place(offers, zone))
            if rect is not None and text:
                self._tag_place(text, rect)

    def _tag_place(self, text: str, rect: QRectF) -> None:
        top = QPointF(rect.center().x(), rect.top() + self._size * 0.5)
        tag = TagItem(text, top, self._size, self.stage.pixmaps.theme)
        tag.setZValue(LIGHT_Z + 1)
        self.stage.scene.addItem(tag)
        self._on_places.append(tag)

    @property
    def _size(self) -> float:
        return max(12.0, 0.15 * self.stage.unit)

    def clear(self) -> None:
        """Take every tag off."""
        self.clear_places()
        self._take_off(self._on_cards)

    def clear_places(self) -> None:
        """Take off those on places."""
        self._take_off(self._on_places)

    def _take_off(self, tags: list[TagItem]) -> None:
        for tag in tags:
            self.stage.remove_item(tag)
        tags.clear()


class TagItem(QGraphicsPathItem):
    """A word or two on a label round its middle."""

    def __init__(
        self,
        text: str,
        middle: QPointF,
        size: float,
        theme: Theme,
        parent: QGraphicsItem | None = None,
    ) -> None:
        """`size` is the height of its letters, in pixels."""
        super().__init__(parent)
        self.text = text
        label = make_text_item(text, table_font(size, bold=True), theme.stock_ink, self)
        box = label.boundingRect()
        room = QRectF(0, 0, box.width() + size, box.height() + 2)
        room.moveCenter(middle)
        self.setPath(rounded_path(room, room.height() / 2))
        self.setBrush(QBrush(QColor(theme.stock)))
        self.setPen(QPen(QColor(theme.accent), 2))
        label.setPos(room.left() + size / 2, room.top() + 1)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
