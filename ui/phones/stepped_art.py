"""Draws cards at a few fixed widths and scales them down to any other width.

Tables for browsers need cards of many widths, depending on layout and screen. Rendering a card from
its template takes ten times as long as scaling it.
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
from ui.style.drawn_templates import cache_key
from ui.style.theme import Theme

WIDTH_STEPS_PX = (32, 45, 64, 90, 128, 181, 256)
"""The fixed card widths in device pixels. Wider cards are drawn at their own width.

Each is less than 1.5 times the previous one, so that scaling down doesn't lose thin lines.
"""


CACHE_BYTES = 6 << 20
"""The size of the cache of card sides.

It is separate from the cache of other drawings, which are larger and would evict the cards.
"""


def cached_bytes(step: int) -> int:
    """Return how much memory a card `step` pixels wide takes, in bytes."""
    return 4 * step * math.ceil(step * CARD_HEIGHT)


def next_width_step(pixels: float) -> int | None:
    """Return the fixed width at which to draw a card `pixels` wide, or None if all are narrower."""
    return next((step for step in WIDTH_STEPS_PX if step >= pixels), None)


class SteppedArt(Art):
    """An Art that draws and caches card sides at the next larger fixed width."""

    def __init__(self, theme: Theme, *, compiled: Path, pixmap_bytes: int) -> None:
        super().__init__(theme, compiled=compiled, pixmap_bytes=pixmap_bytes)
        self._prints: LruCache[bytes, QPixmap] = LruCache(CACHE_BYTES)

    def paint_cover(
        self,
        painter: QPainter,
        game: str,
        name: str,
        place: QRectF,
        variables: Mapping[str, object],
    ) -> bool:
        """Draw the cover in its `plain` variant, as needed in pictures for phones."""
        return super().paint_cover(painter, game, name, place, {**variables, "plain": True})

    def _draw_card_side(
        self, painter: QPainter, path: str, place: QRectF, variables: Mapping[str, object]
    ) -> None:
        step = next_width_step(place.width() * painter.device().devicePixelRatio())
        if step is None:
            super()._draw_card_side(painter, path, place, variables)
            return
        key, height = cache_key(path, variables, step), step * CARD_HEIGHT
        drawn = self._prints.get(key)
        if drawn is None:
            drawn = self._draw_template(path, step, height, 1.0, variables)
            self._prints.put(key, drawn, cached_bytes(step))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(place, drawn, QRectF(0, 0, step, height))
