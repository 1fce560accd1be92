"""Faces and backs of cards as pictures for a browser: without a shadow, which the page casts."""

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

RATIO = 2.0
"""Pixels to a device-independent one, by which a face decides how much is printed on it: a hand's
cards show their large numbers, an enlarged one its text."""


class FacePictures:
    """Draws faces and backs; in the thread of the QApplication."""

    def __init__(self, art: Mapping[tuple[str, str], Art]) -> None:
        """`art` draws the cards, for each theme and language."""
        self._art = art

    def draw(self, kit: GameKit, order: FaceOrder) -> QImage:
        """A face or a back of this kit, with nothing round it."""
        words, theme = Words(order.language, kit), theme_named(order.theme)
        prints = CardPixmaps(kit, self._art[order.theme, order.language], words, theme)
        prints.ratio = RATIO
        width = order.width / RATIO
        if order.card >= 0:
            sheet = prints.face_pixmap(order.card, width)
        else:
            sheet = prints.back_pixmap(hidden_card(order.back), width)
        edge, high = round(CARD_MARGIN_PX * RATIO), round(order.width * CARD_HEIGHT)
        image = sheet.toImage().copy(QRect(edge, edge, order.width, high))
        image.setDevicePixelRatio(1.0)
        return image
