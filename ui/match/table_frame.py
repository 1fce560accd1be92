"""The frame of every screen with a table: the scene large, the dock beside it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QRegion, QResizeEvent, QTransform
from PySide6.QtWidgets import QMainWindow, QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE
from tabletop.match.match import Player
from tabletop.match.story import PlayerAct
from ui.accessibility.spoken_table import SpokenTable
from ui.match.board_view import BoardView
from ui.match.dock import LEAST, Dock
from ui.match.side_sheet import SideSheet
from ui.match.table_area import TableArea
from ui.shell.app_context import AppContext
from ui.table.scene import TableScene
from ui.table.view import TableView
from ui.widgets.styled_widgets import ScalingMixin, scale_pixels

DOCK = 340
"""Width of the dock, usually, in pixels."""
HANDLE = 8
"""Width of the strip between table and dock, by which the dock is made wider, in pixels."""
LARGE_SHARE = 6
"""The number of equal parts of a large window's width, where letters grow, of which the dock has
one."""
HANDLED = (Qt.CursorShape.SplitHCursor, Qt.CursorShape.SplitVCursor)
"""The shapes that the mouse has over that strip."""


class TableFrame(QMainWindow, ScalingMixin):
    """A table and its dock. It is a window within the window, so that the dock can move."""

    titled = Signal(str, str)
    """The table's title, as rich text."""
    allowed = Signal(object)
    """The commands that make sense now, by name."""
    asked = Signal(str)
    """A command for the window, by its name."""

    grows = True

    def __init__(
        self,
        context: AppContext,
        kit: GameKit,
        players: Sequence[Player],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        if parent is not None:
            self.resize(parent.size())  # the dock's kept width is one in a frame as large as this
        self.setWindowFlags(Qt.WindowType.Widget)
        self.context = context
        self.kit = kit
        self.words = context.words_of(kit, players)
        self.scene = TableScene(kit, context.art, self.words, context.theme)
        self.view = TableView(self.scene)
        self.table_area = TableArea(self.view, len(players))
        """The middle of the screen, laid out by the screen that fills the frame."""
        self.spoken = SpokenTable(context, self, self.scene)
        self.board_view = BoardView(context, self.table_area, self.scene)
        self.scene.examined.connect(self.board_view.show_board)
        self.board_view.closed.connect(self.view.setFocus)
        self.dock = Dock(context, kit, self.scene.stage, self)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.side_sheet = SideSheet(context, self, self.table_area, self.dock)
        self.scene.look.looked.connect(self._look_at)
        self.scene.about.connect(self._tell_about)
        self.scene.closer.elsewhere = self.dock.look_closer
        self.dock.now.story.pointed.connect(self._point_at_act)
        self.arranging: Mapping[str, Callable[[], None]] = {
            **{name: partial(self.dock.bring, name) for name in ("now", "card", "log")},
            "score": self._tell_score,
            "boards": lambda: self.board_view.go_on(1),
            "copy_log": self.dock.log.copy,
            "reset_layout": self._reset_layout,
            "zoom_in": self.view.zoom_in,
            "zoom_out": self.view.zoom_out,
            "zoom_usual": self.view.zoom_whole,
        }
        """Commands for seeing and reading a table, always available."""

    def take_size(self) -> None:
        """Be as large and as sharp as the table is to be seen, at once: what is drawn from now on
        is drawn once."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.view.sharpen()

    def size_dock(self) -> None:
        """Give the dock its usual width, where it is beside the table."""
        if self.dockWidgetArea(self.dock) is not Qt.DockWidgetArea.RightDockWidgetArea:
            return
        wide = self.width()
        usual = max(min(DOCK, wide // 4 - 20), min(scale_pixels(self, DOCK), wide // LARGE_SHARE))
        self.resizeDocks([self.dock], [max(LEAST, usual)], Qt.Orientation.Horizontal)

    def _tell_score(self) -> None:
        """Show who is how far, and say it."""
        self.dock.bring("score")
        self.spoken.say(self.dock.race.as_text)

    def _reset_layout(self) -> None:
        self.dock.bring("now")
        self.size_dock()

    def refresh_appearance(self) -> None:
        """Update everything for the chosen language, theme and size."""
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.update_growth(event.size()):
            self.refresh_appearance()
            if not self.context.settings.docks:
                self.size_dock()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Go on with the table as far as the dock, where the mouse does not show the handle: with
        its mirror image, in which no line of a ground comes a second time beside itself."""
        if self.side_sheet.over or self.cursor().shape() in HANDLED:
            return
        place = QRect(self.table_area.mapTo(self, QPoint()), self.table_area.size())
        beside = QRegion(place.adjusted(-HANDLE, 0, HANDLE, HANDLE)) - QRegion(place)
        with QPainter(self) as painter:
            painter.setClipRegion(event.region() & beside)
            for mirror in (
                QTransform(-1, 0, 0, 1, 2 * place.left(), 0),
                QTransform(-1, 0, 0, 1, 2 * (place.right() + 1), 0),
                QTransform(1, 0, 0, -1, 0, 2 * (place.bottom() + 1)),
            ):
                painter.setTransform(mirror)
                self.scene.paint_ground(painter, place)

    def _update_frame(self, players: Sequence[Player]) -> None:
        """Update table and dock for the chosen language and theme; the players' names too."""
        self.words = self.context.words_of(self.kit, players)
        self.setStyleSheet(self.scaled_style_sheet(self.context.theme))
        self.scene.set_looks(self.words, self.context.theme, self.context.art)
        self.dock.refresh_appearance()
        self.side_sheet.refresh_appearance()

    def _look_at(self, card: int | None) -> None:
        """A card has the focus: show it large."""
        if card is not None:
            self.dock.card.show_card(card)

    def _point_at_act(self, act: PlayerAct | None) -> None:
        """An act of the story is looked at: what it names lights up on the table."""
        if act is None:
            self.scene.point_at()
        else:
            seats = [act.seat] if act.seat != AUDIENCE else []
            self.scene.point_at(act.cards, act.zones, seats)

    def _tell_about(self, card: int) -> None:
        """The person wants to read what a card says."""
        self._look_at(card)
        self.dock.bring("card")
