"""A small picture of a table as the audience sees it, for the shelf."""

from pathlib import Path

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from tabletop.engine.model import AUDIENCE, Move, Preview, Reason, State
from tabletop.engine.play import Illegal
from tabletop.games.catalogue import Kit
from tabletop.link import Link
from tabletop.match import Player, Reset
from tabletop.playback import WATCHED
from tabletop.storage.saved_matches import picture_path
from tabletop.viewed_table import ViewedTable
from ui.shell.app_context import AppContext
from ui.table.scene import TableScene

LAID = QSize(910, 520)
"""The size at which the table is laid: of the shape in which the shelf shows it, so that nothing
of it is cut off."""
KEPT = 0.5
"""The picture is kept in this share of that: more than twice as large as the shelf shows it."""


class StillTable(ViewedTable):
    """A link to a table that was left: it is looked at, and nothing happens there."""

    seat = AUDIENCE

    def __init__(self, view: State, players: tuple[Player, ...]) -> None:
        super().__init__(Reset(view, ()))
        self.players = players

    def send(self, move: Move) -> None:
        raise Illegal(WATCHED)

    def undo(self) -> None:
        raise Illegal(WATCHED)

    def why(self, ask: int, card: int, to: str = "") -> Reason | None:
        return WATCHED

    def preview(self, move: Move) -> Preview | None:
        return None


def keep_picture(context: AppContext, kit: Kit, link: Link, file: Path) -> None:
    """Draw the table of the audience's link beside a journal. The journal matters, the picture does
    not: where it cannot be written the shelf shows an empty table."""
    scene = TableScene(kit, context.art, context.of(kit, link.players), context.theme)
    scene.set_speed("off")
    scene.set_size(LAID.width(), LAID.height())
    scene.sit(link)
    picture = QImage(LAID * KEPT, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
        )
        scene.render(painter, QRectF(picture.rect()), scene.sceneRect())
    scene.leave()
    link.close()
    picture.save(str(picture_path(file)))
