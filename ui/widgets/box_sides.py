"""Pictures of a game box's sides: the game's own drawings, or plain ones with its title."""

from __future__ import annotations

import logging
from zlib import crc32

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QPixmap

from tabletop.games.game_kit import CatalogueEntry
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing

log = logging.getLogger("tabletop")

FRONT, SPINE = "box-front", "box-spine"


def natural_size(context: AppContext, game: CatalogueEntry, side: str) -> QSizeF:
    """Return the size in pixels that the drawing of
    `side` has by default. `side` is `FRONT` or `SPINE`.
    """
    return natural_side_size(context.art, context.words.language, game, side)


def natural_side_size(art: Art, language: str, game: CatalogueEntry, side: str) -> QSizeF:
    """Return what `natural_size` does, without a window's context."""
    path, _ = _drawing(art, language, game, side)  # the text doesn't affect the size
    return art.natural_size(path)


def side_picture(
    context: AppContext, game: CatalogueEntry, side: str, width: float, height: float, ratio: float
) -> QPixmap:
    """Return the picture of one side of the box.

    Args:
        side: `FRONT` or `SPINE`.
        width: the width in logical pixels.
        height: the height in logical pixels.
        ratio: device pixels per logical pixel.
    """
    return draw_side(context.art, context.words.language, game, side, (width, height), ratio)


def draw_side(
    art: Art,
    language: str,
    game: CatalogueEntry,
    side: str,
    size: tuple[float, float],
    ratio: float,
) -> QPixmap:
    """Return what `side_picture` does, without a window's context. `size` is in logical pixels."""
    path, given = _drawing(art, language, game, side)
    width, height = size
    return art.pixmap(path, width, height, ratio, **given)


def _drawing(
    art: Art, language: str, game: CatalogueEntry, side: str
) -> tuple[str, dict[str, object]]:
    """Return (path, template variables) of the game's own drawing, or of the plain one.

    The plain drawing also replaces a broken one, so that the shelf can still open.
    """
    own = f"{game.id}/{side}.svg"
    if (art.picture_folder(game.id) / f"{side}.svg").is_file() and _can_be_drawn(art, own):
        return own, {}
    named = game.id.partition("-")[0]  # the original ID of a received game
    plain: dict[str, object] = {"hue": crc32(named.encode()), "title": game_title(game, language)}
    if side == FRONT:  # a deck's last cards are usually its best
        icons = dict.fromkeys(str(card["icon"]) for card in game.deck if "icon" in card)
        plain["icons"] = tuple(icons)[-2:]
    return f"common/{side}.svg", plain


def _can_be_drawn(art: Art, path: str) -> bool:
    try:
        art.natural_size(path)
    except BrokenDrawing as error:
        log.warning("%s", error)
        return False
    return True
