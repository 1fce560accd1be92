"""The base class of all screens with a table and a sidebar."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTransform
from PySide6.QtWidgets import QMainWindow, QWidget

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.match.story import PlayerAct
from ui.accessibility.spoken_table import RECENT_LOG_LINES, SpokenTable
from ui.match.board_view import BoardView
from ui.match.dock import MIN_WIDTH_PX, Dock
from ui.match.side_sheet import SideSheet
from ui.match.table_area import TableArea
from ui.shell.app_context import AppContext
from ui.table.scene import ShownState, TableScene
from ui.table.view import TableView
from ui.widgets.styled_widgets import ScalingMixin, scale_pixels

DOCK_WIDTH_PX = 340
"""The sidebar's default width."""
HANDLE_WIDTH_PX = 8
"""The width of the strip between table and sidebar that is dragged to resize the sidebar."""
DOCK_WIDTH_DIVISOR = 6
"""With enlarged text, the sidebar may be wider, up to the window's width divided by this."""
RESIZE_CURSORS = (Qt.CursorShape.SplitHCursor, Qt.CursorShape.SplitVCursor)
"""Mouse cursors shown while the resize strip is under the mouse."""


class TableFrame(QMainWindow, ScalingMixin):
    """A table with a sidebar that can be docked and resized.

    It is a QMainWindow embedded in the program's window, because only a main window can have docks.
    """

    title_changed = Signal(str, str)
    """The title changed. The arguments are the game's title and a heading as rich text."""
    allowed_commands_changed = Signal(object)
    """The allowed commands may have changed. The argument is a dict of command name to bool."""
    command_requested = Signal(str)
    """The user requested a command of the window. The argument is its name."""

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
            self.resize(parent.size())  # the saved width of the sidebar is relative to this size
        self.setWindowFlags(Qt.WindowType.Widget)
        self.context = context
        self.kit = kit
        self.words = self._make_words(players)
        self.scene = TableScene(kit, context.art, self.words, context.theme)
        self.view = TableView(self.scene)
        self.table_area = TableArea(self.view, len(players))
        """The central widget. Subclasses add their floating line to it."""
        self.spoken = SpokenTable(context, self, self.scene)
        self.board_view = BoardView(context, self.table_area, self.scene)
        self.scene.player_board_requested.connect(self.board_view.show_board)
        self.board_view.closed.connect(self.view.setFocus)
        self.dock = Dock(context, kit, self.scene.stage, self)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.side_sheet = SideSheet(context, self, self.table_area, self.dock)
        self.scene.selection_view.viewed_card_changed.connect(self._show_pointed_card)
        self.scene.card_details_requested.connect(self._show_card_tab)
        self.scene.magnifier.show_in_sidebar = self.dock.zoom_card
        self.dock.now.story.act_pointed.connect(self._highlight_act)
        self.view_commands: Mapping[str, Callable[[], None]] = {
            **{name: partial(self._show_tab, name) for name in ("now", "card", "log")},
            "score": self._show_score,
            "boards": lambda: self.board_view.step_player(1),
            "copy_log": self._copy_log,
            "reset_layout": self._reset_layout,
            "zoom_in": partial(self._zoom, self.view.zoom_in),
            "zoom_out": partial(self._zoom, self.view.zoom_out),
            "zoom_usual": partial(self._zoom, self.view.reset_zoom),
        }
        """Handlers by name of the commands for viewing and reading the table, always available."""

    def apply_size(self) -> None:
        """Lay out the screen at once, so that it is rendered only once and at its final size."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.view.sharpen()

    def reset_dock_width(self) -> None:
        """Set the sidebar to its default width, if it is docked at the right."""
        if self.dockWidgetArea(self.dock) is not Qt.DockWidgetArea.RightDockWidgetArea:
            return
        wide = self.width()
        usual = max(
            min(DOCK_WIDTH_PX, wide // 4 - 20),
            min(scale_pixels(self, DOCK_WIDTH_PX), wide // DOCK_WIDTH_DIVISOR),
        )
        self.resizeDocks([self.dock], [max(MIN_WIDTH_PX, usual)], Qt.Orientation.Horizontal)

    def _show_tab(self, name: str) -> None:
        """Show the tab `name`, and read out what it shows."""
        self.dock.show_tab(name)
        told = self.shown_state
        log, viewer = (told.log, told.view.viewer) if told is not None else ((), None)
        lines = (self.words.log_line(line, viewer) for line in log[-RECENT_LOG_LINES:])
        texts = {
            "now": lambda: self.dock.now.spoken_text,
            "card": lambda: self.dock.card.spoken_text,
            "log": lambda: self.words.sentences(lines),
        }
        self.spoken.speak(texts[name]())

    @property
    def shown_state(self) -> ShownState | None:
        """The view and log that the scene shows."""
        return self.scene.shown_state

    def _zoom(self, change: Callable[[], None]) -> None:
        """Call `change`, and read out the new size of the table."""
        change()
        self.spoken.speak(self.context.words.percent(self.view.zoom))

    def _copy_log(self) -> None:
        self.dock.log.copy()
        self.spoken.speak(self.context.words("Copied"))

    def _show_score(self) -> None:
        """Show the Score tab and read out the standings."""
        self.dock.show_tab("score")
        self.spoken.speak(self.dock.race.spoken_text)

    def _reset_layout(self) -> None:
        self.dock.show_tab("now")
        self.reset_dock_width()

    def refresh_appearance(self) -> None:
        """Update everything for the chosen language, theme and size."""
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.update_growth(event.size()):
            self.refresh_appearance()
            if not self.context.settings.docks:
                self.reset_dock_width()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Extend the table's background behind the resize strip.

        The outermost pixels are stretched. A mirrored background would repeat a seam near the edge.
        While the strip is under the mouse, its handle is visible instead.
        """
        if self.side_sheet.overlays_table or self.cursor().shape() in RESIZE_CURSORS:
            return
        place = QRect(self.table_area.mapTo(self, QPoint()), self.table_area.size())
        left, right, bottom, wide = (
            place.left(),
            place.right() + 1,
            place.bottom() + 1,
            HANDLE_WIDTH_PX,
        )
        across = QRect(left - wide, bottom, place.width() + 2 * wide, wide)
        strips = (
            (
                QRect(left - wide, place.top(), wide, place.height()),
                QTransform(wide, 0, 0, 1, left - wide - wide * left, 0),
            ),
            (
                QRect(right, place.top(), wide, place.height()),
                QTransform(wide, 0, 0, 1, right - wide * (right - 1), 0),
            ),
            (across, QTransform(1, 0, 0, wide, 0, bottom - wide * (bottom - 1))),
        )
        with QPainter(self) as painter:
            for strip, stretch in strips:
                painter.resetTransform()
                painter.setClipRegion(event.region() & strip)
                painter.setTransform(stretch)
                self.scene.paint_background(painter, place)

    def _make_words(self, players: Sequence[Player]) -> Words:
        """Return the words that this screen uses for `players`."""
        return self.context.table_words(self.kit, players)

    def _update_frame(self, players: Sequence[Player]) -> None:
        """Update the table, the sidebar and the player names for the chosen language and theme."""
        self.words = self._make_words(players)
        self.setStyleSheet(self.scaled_style_sheet(self.context.theme))
        self.scene.set_appearance(self.words, self.context.theme, self.context.art)
        self.dock.refresh_appearance()
        self.side_sheet.refresh_appearance()

    def _show_pointed_card(self, card: int | None) -> None:
        """Show `card`, which is hovered or focused on the table, in the Card tab."""
        if card is not None:
            self.dock.card.show_card(card)

    def _highlight_act(self, act: PlayerAct | None) -> None:
        """Highlight the cards, zones and player of `act`, or nothing if `act` is None."""
        if act is None:
            self.scene.highlight()
        else:
            seats = [act.seat] if act.seat != AUDIENCE else []
            self.scene.highlight(act.cards, act.zones, seats)

    def _show_card_tab(self, card: int) -> None:
        """Select the Card tab and show `card` in it."""
        self._show_pointed_card(card)
        self.dock.show_tab("card")
