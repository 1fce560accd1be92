"""A small picture of a table as the audience sees it, for the shelf."""

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

LAID = QSize(910, 520)
"""The size at which the table is laid: of the shape in which the shelf shows it, so that nothing
of it is cut off."""
MARGIN = 20.0
"""Round what is used of a table, in pixels."""
KEPT = 0.5
"""The picture is kept in this share of that: more than twice as large as the shelf shows it."""


def picture_of(
    context: AppContext, kit: GameKit, seat: Seat, size: QSize, laid: QSize = LAID
) -> QImage:
    """The table of a seat in this size, laid out as it would be in `laid`; the seat is closed."""
    scene = TableScene(kit, context.art, context.words_of(kit, seat.players), context.theme)
    scene.set_speed("off")
    scene.set_size(laid.width(), laid.height())
    scene.sharpen(max(1.0, size.width() / laid.width()))
    scene.show_seat(seat)
    picture = paint_scene(scene, size)
    scene.clear_seat()
    seat.close()
    return picture


def used_picture(
    context: AppContext, kit: GameKit, seat: Seat, size: QSize, laid: QSize = LAID
) -> QImage:
    """The part of the table of a seat that is used, as large as it can be in this size; the seat is
    closed."""
    scene = TableScene(kit, context.art, context.words_of(kit, seat.players), context.theme)
    scene.set_speed("off")
    scene.set_size(laid.width(), laid.height())
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
    """The rectangle around all cards, pieces and players that are seen, with a margin."""
    stage = scene.stage
    seen = [item.sceneBoundingRect() for item in stage.items if item.isVisible()]
    seen += [item.sceneBoundingRect() for item in stage.pieces.values()]
    seen += [item.sceneBoundingRect() for _, item in stage.background.plaques]
    used = reduce(QRectF.united, seen) if seen else scene.sceneRect()
    return used.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN) & scene.sceneRect()


def paint_scene(scene: TableScene, size: QSize) -> QImage:
    """The scene as it is now, in this size."""
    picture = QImage(size, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        painter.setRenderHints(SMOOTH_HINTS)
        scene.render(painter, QRectF(picture.rect()), scene.sceneRect())
    return picture


def keep_picture(context: AppContext, kit: GameKit, seat: Seat, file: Path) -> None:
    """Draw the table of the audience's seat beside a journal. The journal matters, the picture does
    not: where it cannot be written the shelf shows an empty table."""
    picture_of(context, kit, seat, LAID * KEPT).save(str(picture_path(file)))
