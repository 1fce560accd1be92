"""The sides of a game's box as pictures: as its game draws them, else plain ones with its title."""

from __future__ import annotations

from zlib import crc32

from PySide6.QtCore import QByteArray, QSizeF
from PySide6.QtGui import QPixmap
from PySide6.QtSvg import QSvgRenderer

from tabletop.games.catalogue import Kit
from ui.shell.app_context import AppContext
from ui.shell.language import title

FRONT, SPINE = "box-front", "box-spine"


def natural_size(context: AppContext, kit: Kit, side: str) -> QSizeF:
    """The size of one side as it is drawn, in pixels."""
    path, given = _drawing(context, kit, side)
    return QSizeF(QSvgRenderer(QByteArray(context.art.svg(path, **given))).defaultSize())


def side_picture(
    context: AppContext, kit: Kit, side: str, width: float, height: float, ratio: float
) -> QPixmap:
    """One side of the box, so many pixels large, `ratio` device pixels to each."""
    path, given = _drawing(context, kit, side)
    return context.art.pixmap(path, width, height, ratio, **given)


def _drawing(context: AppContext, kit: Kit, side: str) -> tuple[str, dict[str, object]]:
    if (context.art.root / kit.id / f"{side}.svg").is_file():
        return f"{kit.id}/{side}.svg", {}
    plain = {"hue": crc32(kit.id.encode()), "title": title(kit, context.words.language)}
    return f"common/{side}.svg", plain
