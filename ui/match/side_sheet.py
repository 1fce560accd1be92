"""Places the sidebar beside, below or over the table, depending on the window's shape.

In portrait windows, the sidebar is below the table. In narrow landscape windows, it overlays the
table when open, and a rail of buttons at the right edge opens its tabs.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QToolBar

from ui.match.dock import Dock
from ui.match.table_area import TableArea
from ui.shell.app_context import AppContext
from ui.style.rich_text import escape_mnemonics

OVERLAY_BELOW_PX = 1100
"""The sidebar overlays the table in landscape table screens narrower than this."""
OVERLAY_WIDTH_PX = 300
"""The sidebar's width while it overlays the table."""
MIN_HEIGHT_SHARE = 0.23
"""The least height of a sidebar below the table, as a share of the screen's height."""
MAX_HEIGHT_SHARE = 0.42
"""The greatest height of a normal sidebar below the table, as a share of the screen's height."""
EXTENDED_HEIGHT_SHARE = 0.44
"""The height of an extended sidebar below the table, as a share of the screen's height."""
ICONS = {
    "now": "clock",
    "card": "info",
    "log": "log",
    "score": "score",
    "rules": "rules",
    "actions": "step",
    "chat": "chat",
}
"""The rail's icons by tab name, in the order of the rail's buttons."""


class SideSheet(QObject):
    """Moves a table screen's sidebar between its places beside, below and over the table."""

    geometry_changed = Signal()
    """The overlay was opened, closed or resized."""
    tabs_closed = Signal()
    """The sidebar was closed, so the table should get keyboard focus."""

    def __init__(
        self, context: AppContext, frame: QMainWindow, table: TableArea, dock: Dock
    ) -> None:
        """`table`: the central widget of `frame`."""
        super().__init__(frame)
        self._table = table
        self._context = context
        self._frame = frame
        self._dock = dock
        self.overlays_table = False
        """Whether the sidebar covers the table when it is open."""
        self.is_below_table = False
        """Whether the sidebar is below the table."""
        self._is_open = False
        """Whether the overlay is open."""
        self._saved_state = QByteArray()
        """The frame's dock state as last saved while the sidebar was beside the table."""
        self._extended_width: Callable[[int], int] | None = None
        """Returns the extended sidebar's width for a frame width, or None if it isn't extended."""
        self._is_now_marked = False
        """Whether the rail's button of the Now tab is highlighted because there is news."""
        self.rail = QToolBar(movable=False, orientation=Qt.Orientation.Vertical)
        self.rail.setObjectName("rail")
        self.rail.setStyleSheet("QToolButton { padding: 8px; border-radius: 12px; }")
        self._actions: dict[str, QAction] = {}
        frame.addToolBar(Qt.ToolBarArea.RightToolBarArea, self.rail)
        self.rail.hide()
        self.refresh_appearance()
        dock.tab_requested.connect(self._on_tab_requested)
        dock.installEventFilter(self)

    def fit_frame(self) -> None:
        """Move and resize the sidebar to suit the frame's current size."""
        width, height = self._frame.width(), self._frame.height()
        below = height > width
        over = not below and width < OVERLAY_BELOW_PX
        if (over, below) != (self.overlays_table, self.is_below_table):
            self._save_state()
            self._move_dock(over, below)
        self._place_overlay()
        self._resize_dock()

    def widen(self, width_for: Callable[[int], int]) -> None:
        """Save the sidebar's layout, then extend the sidebar, for instance for the score sheet.

        Args:
            width_for: Returns the sidebar's width for a given frame width, both in pixels.
        """
        self._save_state()
        self._extended_width = width_for
        self._place_overlay()
        self._resize_dock()

    def reset_width(self) -> None:
        """Undo `widen`, restoring the sidebar's previous layout."""
        if self._extended_width is not None:
            self._extended_width = None
            self._place_overlay()
            if self._is_beside_table:
                self._frame.restoreState(self._saved_state)
            else:
                self._resize_dock()

    @property
    def _is_beside_table(self) -> bool:
        return not (self.overlays_table or self.is_below_table)

    def _save_state(self) -> None:
        """Save the dock state, unless the sidebar is extended or not beside the table."""
        if self._extended_width is None and self._is_beside_table:
            self._saved_state = self._frame.saveState()

    @property
    def covered_width(self) -> int:
        """How much of the table's width an open overlay covers, in pixels."""
        dock, table = self._dock, self._table
        if not self.overlays_table or not dock.isVisible() or dock.height() < table.height():
            return 0
        return max(0, table.geometry().right() - dock.geometry().left() + 1)

    def dock_state(self) -> QByteArray:
        """Return the dock state to store in the settings, with the sidebar beside the table."""
        kept = not self._is_beside_table or self._extended_width is not None
        return self._saved_state if kept else self._frame.saveState()

    def close_tabs(self) -> None:
        """Close the sidebar that overlays the table."""
        self._is_open = False
        self._place_overlay()
        self.tabs_closed.emit()

    def refresh_appearance(self) -> None:
        """Rebuild the rail for the chosen language and theme."""
        self.rail.clear()
        self._actions.clear()
        titles = self._dock.titles()
        for name, text in ((name, titles[name]) for name in ICONS if name in titles):
            self._actions[name] = self.rail.addAction(
                self._context.icon(ICONS[name]), escape_mnemonics(text)
            )
            self._actions[name].triggered.connect(lambda _=False, name=name: self._toggle_tab(name))
        self._is_now_marked = False
        if self._dock.chat is not None:
            self._dock.chat.unread_changed.connect(
                self._mark_chat, Qt.ConnectionType.UniqueConnection
            )
            self._mark_chat(self._dock.chat.unread)

    def set_now_marked(self, marked: bool) -> None:
        """Set whether the rail's button of the Now tab is highlighted."""
        if marked != self._is_now_marked:
            self._is_now_marked = marked
            self._mark("now", marked)

    def _mark_chat(self, unread: int) -> None:
        self._mark("chat", unread > 0)

    def _mark(self, name: str, marked: bool) -> None:
        colour = self._context.theme.accent if marked else ""
        self._actions[name].setIcon(self._context.icon(ICONS[name], colour))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.overlays_table and _is_closing_event(event):
            self.close_tabs()
        elif event.type() is QEvent.Type.Close:
            self._on_dock_closed()
        return False

    def _on_dock_closed(self) -> None:
        """Show the rail, whose buttons open the sidebar again."""
        self.rail.show()
        self.tabs_closed.emit()

    def restore_state(self, state: QByteArray) -> None:
        """Restore the dock state stored in the settings.

        The sidebar is docked even if an older version stored it as a floating window.
        """
        if self.is_below_table:
            self._saved_state = state
            return
        self._frame.restoreState(state)
        self._dock.setFloating(False)
        self._frame.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self._dock)
        self.rail.setVisible(self._dock.isHidden())

    def _toggle_tab(self, name: str) -> None:
        if self._is_open and self._dock.current_tab == name:
            self.close_tabs()
        else:
            self._dock.show_tab(name)

    def _on_tab_requested(self) -> None:
        self._is_open = True
        self.rail.setVisible(self.overlays_table)
        self._place_overlay()

    def _resize_dock(self) -> None:
        if self.is_below_table:
            width, height = self._frame.width(), self._frame.height()
            most = QSize(width, round(height * (1 - MIN_HEIGHT_SHARE)))
            tall = min(height - self._table.used_height(most), MAX_HEIGHT_SHARE * height)
            tall = tall if self._extended_width is None else EXTENDED_HEIGHT_SHARE * height
            self._frame.resizeDocks([self._dock], [round(tall)], Qt.Orientation.Vertical)
        elif self._extended_width is not None and not self.overlays_table:
            width = self._extended_width(self._frame.width())
            self._frame.resizeDocks([self._dock], [width], Qt.Orientation.Horizontal)

    def _move_dock(self, over: bool, below: bool) -> None:
        """Move the sidebar over the table, below it, or back beside it with the saved layout."""
        folded = self._dock.isHidden() and not self.overlays_table
        self.overlays_table, self.is_below_table = over, below
        if over:
            self._is_open = False
            self._frame.removeDockWidget(self._dock)
            self.rail.show()
            return
        areas = Qt.DockWidgetArea
        area = areas.BottomDockWidgetArea if below else areas.RightDockWidgetArea
        self._frame.addDockWidget(area, self._dock)
        self._dock.setVisible(not folded)
        if not below:
            self._frame.restoreState(self._saved_state)
        self.rail.setVisible(self._dock.isHidden())

    def _place_overlay(self) -> None:
        if not self.overlays_table:
            return
        dock, middle = self._dock, self._table.geometry()
        dock.setVisible(self._is_open)
        width = (
            self._extended_width(self._frame.width()) if self._extended_width else OVERLAY_WIDTH_PX
        )
        left = middle.right() - width + 1
        dock.setGeometry(QRect(left, middle.top(), width, middle.height()))
        dock.raise_()
        self.geometry_changed.emit()


def _is_closing_event(event: QEvent) -> bool:
    escaped = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
    return event.type() is QEvent.Type.Close or (escaped and event.type() is QEvent.Type.KeyPress)
