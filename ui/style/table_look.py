"""A theme with the colours of one game's table, and that table as a picture."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPixmap

from tabletop.games.table_look import TableLook
from ui.style.art import Art
from ui.style.drawn_templates import key_of
from ui.style.theme import SMOOTH, Theme

TABLE = "table.svg"
"""The drawing of a game's table, in the folder of its drawings."""
SLOT = "slot.svg"
"""The drawing in a place for a card."""
GRAIN = 512
"""Side of the piece of grain that is repeated on a table without a drawing, in pixels."""
MOST = 3840 * 2160
"""The device pixels of a drawn table; on larger screens it is stretched."""
ACROSS = 12.0
"""The width of a table on which nothing lies, in card widths."""


@lru_cache(maxsize=64)
def dress(theme: Theme, look: TableLook | None) -> Theme:
    """The theme as it is at a table of this look: the same in the contrast theme, or without one.

    Only what is printed on the table is different; paper, cards and seats are not.
    """
    if look is None or theme.name == "contrast":
        return theme
    worn = look.by_night() if theme.name == "dark" else look
    return replace(
        theme,
        table=worn.table,
        mat=worn.mat,
        line=worn.line,
        table_ink=worn.ink,
        table_soft=worn.soft,
        table_accent=worn.accent,
    )


def cloth(
    art: Art,
    look: Theme,
    game: str,
    size: QSize,
    ratio: float,
    centre: QPointF | None = None,
    unit: float = 0.0,
) -> QPixmap:
    """A game's table as a picture of this size in device-independent pixels, for a device pixel
    ratio: its drawing covers it; without one it is flat, with a barely visible grain.

    `centre` is the point round which the drawing is arranged, `unit` the pixels of a card width.
    """
    ratio = min(ratio, (MOST / max(1, size.width() * size.height())) ** 0.5)
    unit = unit or size.width() / ACROSS
    centre = centre or QPointF(size.width() / 2, size.height() / 2)
    place = tuple(
        round(100 * each / unit) for each in (size.width(), size.height(), *centre.toTuple())
    )
    key = key_of("cloth", game, look.name, look.table, size.toTuple(), ratio, place)
    made = art.pixmaps.get(key)
    if made is None:
        made = _draw_cloth(art, look, game, size, ratio, place)
        art.pixmaps.put(key, made, made.width() * made.height() * 4)
    return made


def _draw_cloth(
    art: Art, look: Theme, game: str, size: QSize, ratio: float, place: tuple[int, ...]
) -> QPixmap:
    made = QPixmap(size * ratio)
    made.setDevicePixelRatio(ratio)
    made.fill(QColor(look.table))
    if look.name == "contrast":
        return made
    whole = QRectF(0, 0, size.width(), size.height())
    with QPainter(made) as painter:
        painter.setRenderHints(SMOOTH)
        given = dict(zip("whxy", place, strict=True), theme=look)
        if not (game and art.cover(painter, game, TABLE, whole, given)):
            grain = art.pixmap("common/grain.svg", GRAIN, GRAIN, ratio)
            painter.drawTiledPixmap(whole, grain, QPointF(0, 0))
    return made
