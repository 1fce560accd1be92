"""Renders small pictures of tables for the shelf."""

from functools import reduce
from pathlib import Path

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from tabletop.catalogue.catalogue import GameKit
from tabletop.match.seat import Seat
from tabletop.storage.saved_matches import picture_path
from ui.shell.app_context import AppContext
from ui.style.theme import SMOOTH_HINTS
from ui.table.scene import TableScene

LAYOUT_SIZE = QSize(910, 520)
"""The size in pixels for which a table is laid out, with the aspect ratio of thumbnails."""
MARGIN_PX = 20.0
"""The margin in pixels around the used part of a table."""
SAVED_SCALE = 0.5
"""The scale of saved pictures, at more than twice the size that the shelf shows."""


def render_table(
    context: AppContext, kit: GameKit, seat: Seat, size: QSize, layout_size: QSize = LAYOUT_SIZE
) -> QImage:
    """Return a picture of the seat's table, laid out for `layout_size` and scaled to `size`.

    Closes `seat`.
    """
    scene = TableScene(kit, context.art, context.game_words(kit, seat.players), context.theme)
    scene.set_speed("off")
    scene.set_size(layout_size.width(), layout_size.height())
    scene.sharpen(max(1.0, size.width() / layout_size.width()))
    scene.show_seat(seat)
    picture = render_scene(scene, size)
    scene.clear_seat()
    seat.close()
    return picture


def render_used_part(
    context: AppContext, kit: GameKit, seat: Seat, size: QSize, layout_size: QSize = LAYOUT_SIZE
) -> QImage:
    """Return a picture of the used part of the seat's table, as large as fits in `size`.

    Closes `seat`.
    """
    scene = TableScene(kit, context.art, context.game_words(kit, seat.players), context.theme)
    scene.set_speed("off")
    scene.set_size(layout_size.width(), layout_size.height())
    scene.show_seat(seat)
    used = _used_rect(scene)
    scale = min(size.width() / used.width(), size.height() / used.height())
    scene.sharpen(max(1.0, scale))
    picture = QImage((used.size() * scale).toSize(), QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        painter.setRenderHints(SMOOTH_HINTS)
        scene.render(painter, QRectF(picture.rect()), used)
    scene.clear_seat()
    seat.close()
    return picture


def _used_rect(scene: TableScene) -> QRectF:
    """Return the bounding rectangle of all visible cards, pieces and nameplates, plus a margin."""
    stage = scene.stage
    seen = [item.sceneBoundingRect() for item in stage.items if item.isVisible()]
    seen += [item.sceneBoundingRect() for item in stage.pieces.values()]
    seen += [item.sceneBoundingRect() for _, item in stage.background.plaques]
    used = reduce(QRectF.united, seen) if seen else scene.sceneRect()
    return used.adjusted(-MARGIN_PX, -MARGIN_PX, MARGIN_PX, MARGIN_PX) & scene.sceneRect()


def render_scene(scene: TableScene, size: QSize) -> QImage:
    """Return a picture of the whole scene, scaled to `size`."""
    picture = QImage(size, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        painter.setRenderHints(SMOOTH_HINTS)
        scene.render(painter, QRectF(picture.rect()), scene.sceneRect())
    return picture


def save_thumbnail(context: AppContext, kit: GameKit, seat: Seat, file: Path) -> None:
    """Save the thumbnail of the match in `file`, as seen from `seat`, and close `seat`.

    Write errors are ignored, because the shelf then shows an empty table.
    """
    render_table(context, kit, seat, LAYOUT_SIZE * SAVED_SCALE).save(str(picture_path(file)))
