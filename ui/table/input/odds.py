"""Tags on cards and zones with the odds of a move."""

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
    """A tag for each card or zone with a move whose verb
    has `odds`; it shows the best odds of its moves.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._card_tags: list[TagItem] = []
        self._zone_tags: list[TagItem] = []

    def show_tags(self, seat: Seat, offers: Offers) -> None:
        """Tag the cards and zones of `offers`."""
        self.clear()
        pixmaps = self.stage.pixmaps
        for item in self.stage.items:
            if item.is_playable and item.is_known and item.isVisible():
                moves = odds.moves_of_card(offers, item.card)
                text = odds.odds_text(pixmaps.words, pixmaps.kit, seat, moves)
                if text:
                    # over the picture, left of the part that the next card of a fan covers
                    at = QPointF(-item.width * 0.12, 0.0)
                    self._card_tags.append(TagItem(text, at, self._size, pixmaps.theme, item))
        for zone in (t for asked in offered.cardless_offers(offers) for t in asked.offer.targets):
            rect = self.stage.zone_rect(zone)
            text = odds.odds_text(
                pixmaps.words, pixmaps.kit, seat, odds.moves_to_zone(offers, zone)
            )
            if rect is not None and text:
                self._tag_place(text, rect)

    def _tag_place(self, text: str, rect: QRectF) -> None:
        top = QPointF(rect.center().x(), rect.top() + self._size * 0.5)
        tag = TagItem(text, top, self._size, self.stage.pixmaps.theme)
        tag.setZValue(LIGHT_Z + 1)
        self.stage.scene.addItem(tag)
        self._zone_tags.append(tag)

    @property
    def _size(self) -> float:
        return max(12.0, 0.15 * self.stage.unit)

    def clear(self) -> None:
        """Remove all tags."""
        self.clear_zone_tags()
        self._take_off(self._card_tags)

    def clear_zone_tags(self) -> None:
        """Remove the tags on zones."""
        self._take_off(self._zone_tags)

    def _take_off(self, tags: list[TagItem]) -> None:
        for tag in tags:
            self.stage.remove_item(tag)
        tags.clear()


class TagItem(QGraphicsPathItem):
    """A short text in a rounded frame, centred at a point."""

    def __init__(
        self,
        text: str,
        middle: QPointF,
        size: float,
        theme: Theme,
        parent: QGraphicsItem | None = None,
    ) -> None:
        """`size`: the text height, in pixels."""
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
