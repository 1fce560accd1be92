"""Applies a game's table colours to a theme, and renders the picture of the table."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPixmap

from tabletop.games.table_look import TableLook
from ui.style.art import Art
from ui.style.drawn_templates import cache_key
from ui.style.theme import SMOOTH_HINTS, Theme

TABLE_DRAWING = "table.svg"
"""File name of the drawing of a game's table, in the game's picture folder."""
SLOT_DRAWING = "slot.svg"
"""File name of the drawing in an empty card slot."""
GRAIN_PX = 512
"""Side of the grain tile on a table without a drawing, in pixels."""
MAX_PIXELS = 3840 * 2160
"""Maximum number of device pixels of a rendered table; on larger screens it is stretched."""
DEFAULT_CARDS_ACROSS = 12.0
"""Assumed width of a table without cards, in card widths."""


@lru_cache(maxsize=64)
def apply_table_look(theme: Theme, look: TableLook | None) -> Theme:
    """Return `theme` with the table colours of `look`, or unchanged if there is no look or the
    theme is the contrast theme.

    Colours of paper, cards and seats aren't changed.
    """
    if look is None or theme.name == "contrast":
        return theme
    worn = look.dark() if theme.name == "dark" else look
    return replace(
        theme,
        table=worn.table,
        mat=worn.mat,
        line=worn.line,
        table_ink=worn.ink,
        table_soft=worn.soft,
        table_accent=worn.accent,
        table_accent_2=worn.accent_2,
    )


def table_pixmap(
    art: Art,
    look: Theme,
    game: str,
    size: QSize,
    ratio: float,
    centre: QPointF | None = None,
    unit: float = 0.0,
) -> QPixmap:
    """Return the picture of a game's table, `size` device-independent pixels large.

    It shows the game's drawing, or a plain table with a faint grain if the game has none. `centre`
    is the point around which the drawing is arranged, `unit` the number of pixels per card width.
    """
    ratio = min(ratio, (MAX_PIXELS / max(1, size.width() * size.height())) ** 0.5)
    unit = unit or size.width() / DEFAULT_CARDS_ACROSS
    centre = centre or QPointF(size.width() / 2, size.height() / 2)
    place = tuple(
        round(100 * each / unit) for each in (size.width(), size.height(), *centre.toTuple())
    )
    key = cache_key("cloth", game, look.name, look.table, size.toTuple(), ratio, place)
    made = art.pixmaps.get(key)
    if made is None:
        made = _draw_table(art, look, game, size, ratio, place)
        art.pixmaps.put(key, made, made.width() * made.height() * 4)
    return made


def _draw_table(
    art: Art, look: Theme, game: str, size: QSize, ratio: float, place: tuple[int, ...]
) -> QPixmap:
    made = QPixmap(size * ratio)
    made.setDevicePixelRatio(ratio)
    made.fill(QColor(look.table))
    if look.name == "contrast":
        return made
    whole = QRectF(0, 0, size.width(), size.height())
    with QPainter(made) as painter:
        painter.setRenderHints(SMOOTH_HINTS)
        given = dict(zip("whxy", place, strict=True), theme=look)
        if not (game and art.paint_cover(painter, game, TABLE_DRAWING, whole, given)):
            grain = art.pixmap("common/grain.svg", GRAIN_PX, GRAIN_PX, ratio)
            painter.drawTiledPixmap(whole, grain, QPointF(0, 0))
    return made
