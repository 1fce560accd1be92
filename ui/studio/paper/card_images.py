"""Draws a game's cards as images: each different card once, with its back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from tabletop.catalogue.catalogue import GameKit
from tabletop.language.words import Words
from tabletop.studio.exchange.exports import ExportedCard, count_equal_cards
from ui.pictures.shot import ensure_application
from ui.style.art import Art
from ui.style.png import encode_png
from ui.style.theme import SMOOTH_HINTS, load_theme
from ui.table.items.card_pixmaps import CardPixmaps

CARD_SIZE_PX = (500, 700)
"""The size of a card image in pixels."""


def draw_cards(kit: GameKit, language: str = "en") -> list[ExportedCard]:
    """Return each different card of a game, without dice, drawn as for printing.

    Raises:
        BrokenDrawing: A card can't be drawn.
    """
    ensure_application()
    colours, words = load_theme("light"), Words(language, kit)
    prints = CardPixmaps(kit, Art(colours), words, colours)
    prints.theme = colours
    backs: dict[int, bytes] = {}
    made = []
    cards = [card for card in range(len(kit.deck)) if not kit.is_die(card)]
    for first, copies in count_equal_cards([(kit.deck[card], kit.backs[card]) for card in cards]):
        card = cards[first]
        back = kit.backs[card]
        if back not in backs:
            backs[back] = _png(partial(prints.paint_back, card=card))
        face = _png(partial(prints.paint_face, card=card))
        made.append(
            ExportedCard(words.card(card), words.face(card), face, backs[back], copies, back)
        )
    return made


def _png(paint: Callable[..., None]) -> bytes:
    image = QImage(*CARD_SIZE_PX, QImage.Format.Format_RGB32)
    image.fill("white")
    with QPainter(image) as painter:
        painter.setRenderHints(SMOOTH_HINTS)
        paint(painter, place=QRectF(0, 0, *CARD_SIZE_PX))
    return encode_png(image)
