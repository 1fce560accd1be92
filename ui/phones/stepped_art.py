"""Cards for pictures of tables: drawn at a few widths, and shrunk from these to all others.

A table for a browser has cards of many widths, by the game's layout and the phone's screen; drawing
a face from its lines takes ten times as long as shrinking it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap

from tabletop.caches.lru_cache import LruCache
from tabletop.games.layout import CARD_HEIGHT
from ui.style.art import Art
from ui.style.drawn_templates import key_of
from ui.style.theme import Theme

STEPS = (32, 45, 64, 90, 128, 181, 256)
"""The widths, in device pixels; a wider card is drawn as it is. Each is less than half as wide
again as the one before it, so that no line is lost in shrinking."""


PRINT_BYTES = 6 << 20
"""The space for what was drawn for the steps: apart from other drawings, which are larger and would
be dropped for it."""


def bytes_of(step: int) -> int:
    """The memory of a card that is drawn at this width."""
    return 4 * step * math.ceil(step * CARD_HEIGHT)


def step_of(pixels: float) -> int | None:
    """The width at which a card of this many device pixels is drawn."""
    return next((step for step in STEPS if step >= pixels), None)


class SteppedArt(Art):
    """Draws faces and backs at the next step of width, and keeps them so."""

    def __init__(self, theme: Theme, *, compiled: Path, pixmap_bytes: int) -> None:
        super().__init__(theme, compiled=compiled, pixmap_bytes=pixmap_bytes)
        self._prints: LruCache[bytes, QPixmap] = LruCache(PRINT_BYTES)

    def cover(
        self,
        painter: QPainter,
        game: str,
        name: str,
        place: QRectF,
        variables: Mapping[str, object],
    ) -> bool:
        """As in any art; the drawing is told to be plain, because pictures are sent to phones."""
        return super().cover(painter, game, name, place, {**variables, "plain": True})

    def _draw_card_side(
        self, painter: QPainter, path: str, place: QRectF, variables: Mapping[str, object]
    ) -> None:
        step = step_of(place.width() * painter.device().devicePixelRatio())
        if step is None:
            super()._draw_card_side(painter, path, place, variables)
            return
        key, height = key_of(path, variables, step), step * CARD_HEIGHT
        drawn = self._prints.get(key)
        if drawn is None:
            drawn = self._draw_template(path, step, height, 1.0, variables)
            self._prints.put(key, drawn, bytes_of(step))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(place, drawn, QRectF(0, 0, step, height))
