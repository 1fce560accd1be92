"""Renders the sides of cards and the fronts of boxes for a browser, without shadows, which the web
page draws itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import hidden_card
from tabletop.games.layout import CARD_HEIGHT
from tabletop.language.words import Words
from tabletop.web.drawer import FaceOrder
from ui.style.art import CARD_MARGIN_PX, Art
from ui.style.theme import load_theme as theme_named
from ui.table.items.card_pixmaps import CardPixmaps
from ui.widgets.box_sides import FRONT, draw_side, natural_side_size

PIXEL_RATIO = 2.0
"""The pixel ratio at which cards are rendered.

It decides how much is printed on a card: cards in hand show large numbers, enlarged cards their
text.
"""


class FaceRenderer:
    """Renders cards in the thread of the QApplication."""

    def __init__(self, art: Mapping[tuple[str, str], Art]) -> None:
        """`art`: the Art to draw with, by theme and language."""
        self._art = art

    def render(self, kit: GameKit, order: FaceOrder) -> QImage:
        """Return the card's side or the box of `kit` requested by `order`, cropped to its edges."""
        if order.is_box:
            return self._render_box(kit, order)
        words, theme = Words(order.language, kit), theme_named(order.theme)
        prints = CardPixmaps(kit, self._art[order.theme, order.language], words, theme)
        prints.ratio = PIXEL_RATIO
        width = order.width / PIXEL_RATIO
        if order.card >= 0:
            sheet = prints.face_pixmap(order.card, width)
        else:
            sheet = prints.back_pixmap(hidden_card(order.back), width)
        edge, height = round(CARD_MARGIN_PX * PIXEL_RATIO), round(order.width * CARD_HEIGHT)
        image = sheet.toImage().copy(QRect(edge, edge, order.width, height))
        image.setDevicePixelRatio(1.0)
        return image

    def _render_box(self, kit: GameKit, order: FaceOrder) -> QImage:
        art = self._art[order.theme, order.language]
        size = natural_side_size(art, order.language, kit, FRONT)
        height = order.width * size.height() / size.width()
        front = draw_side(art, order.language, kit, FRONT, (order.width, height), 1.0)
        return front.toImage()
