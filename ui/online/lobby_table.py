"""The table of a lobby: the game's box in the middle, and round it a place for each seat."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from tabletop.catalogue.catalogue import Kit
from ui.setup.about_game import OpenedFront
from ui.setup.lobby_seat import LobbySeat
from ui.shell.app_context import AppContext
from ui.style.table_look import cloth
from ui.style.theme import SMOOTH
from ui.widgets.box_layout import STRETCH, lay
from ui.widgets.surface import scale_pixels

BOX, TALL = 140, 260
"""The width that the box has, and its greatest height, in pixels."""
FEW = 4
"""The most seats that are round the box; of more, all are below it, so that it is in view."""
MANY = 6
"""More seats than these are low, and use all the height: as many as possible are seen."""
EDGE, CORNER = 14, 14


class LobbyTable(QWidget):
    """The first half of few seats is above the box, the others are below it."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._kit: Kit | None = None
        self.front: OpenedFront | None = None
        self._middle = lay(QHBoxLayout(), [STRETCH, STRETCH])
        self._column = lay(QVBoxLayout(self), [(self._middle, 1)], spacing=8, margins=EDGE)

    def show_game(self, kit: Kit) -> None:
        """Let it be the table of this game."""
        if self._kit is None:
            self._kit, self.front = kit, OpenedFront(self._context, kit)
            self._middle.insertWidget(1, self.front)
            self.apply_looks()

    def add(self, row: LobbySeat, seats: int) -> None:
        """Put up the next one of so many seats."""
        self._column.setSpacing(4 if seats > MANY else 8)
        above = seats <= FEW and row.number < (seats + 1) // 2
        self._column.insertWidget(row.number if above else row.number + 1, row)

    def apply_looks(self) -> None:
        """Show the table in the chosen theme, and the box in its size."""
        if self.front is not None:
            self.front.fit(small=False)
            self.front.setFixedWidth(scale_pixels(self, BOX))
            self.front.setMaximumHeight(scale_pixels(self, TALL))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._kit is None:
            return
        context, shape = self._context, QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), CORNER, CORNER)
        look, ratio = context.look(self._kit), self.devicePixelRatioF()
        with QPainter(self) as painter:
            painter.setRenderHints(SMOOTH)
            painter.setClipPath(shape)
            painter.drawPixmap(0, 0, cloth(context.art, look, self._kit.id, self.size(), ratio))
