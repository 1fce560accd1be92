"""The dock beside the table; in an upright window it is below it, in a narrow and low one over it,
and closed while nobody needs it.

While it is closed, a rail at the edge opens it at each of its tabs.
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

BELOW = 1100
"""Width of a table screen that is not upright, in pixels, below which the dock covers the table."""
WIDE = 300
"""Width of the sheet, in pixels."""
LOWEST, HIGHEST = 0.23, 0.42
"""Bounds of the height of a dock below the table, as shares of the screen's; between them it has
what the table does not use."""
MORE = 0.44
"""The same share while it has more to show."""
ICONS = {
    "now": "clock",
    "card": "info",
    "log": "log",
    "score": "score",
    "rules": "rules",
    "actions": "step",
    "chat": "chat",
}


class SideSheet(QObject):
    """Moves the dock of a table screen between its place beside the table and one over it."""

    laid = Signal()
    """The sheet has come over the table, or has changed its size there."""
    closed = Signal()
    """Its tabs were closed: the keys belong to the table again."""

    def __init__(
        self, context: AppContext, frame: QMainWindow, table: TableArea, dock: Dock
    ) -> None:
        """`table` is the middle of the frame."""
        super().__init__(frame)
        self._table = table
        self._context = context
        self._frame = frame
        self._dock = dock
        self.over = False
        """Whether the dock covers the table, or would."""
        self.below = False
        """Whether the dock is below the table."""
        self._open = False
        """Whether somebody has asked for its tabs."""
        self._kept = QByteArray()
        """The state of the docks while the dock was beside the table."""
        self._room: Callable[[int], int] | None = None
        """The dock's width in a frame of this width, while it has more to show."""
        self._marked = False
        """Whether something is to be read on the first tab."""
        self.rail = QToolBar(movable=False, orientation=Qt.Orientation.Vertical)
        self.rail.setObjectName("rail")
        self.rail.setStyleSheet("QToolButton { padding: 8px; border-radius: 12px; }")
        self._acts: dict[str, QAction] = {}
        frame.addToolBar(Qt.ToolBarArea.RightToolBarArea, self.rail)
        self.rail.hide()
        self.refresh_appearance()
        dock.brought.connect(self._bring)
        dock.installEventFilter(self)

    def fit(self) -> None:
        """The frame has another size."""
        wide, high = self._frame.width(), self._frame.height()
        below = high > wide
        over = not below and wide < BELOW
        if (over, below) != (self.over, self.below):
            self._keep_state()
            self._move_dock(over, below)
        self._show()
        self._lay_large()

    def widen(self, room: Callable[[int], int]) -> None:
        """Make room for more than usual; `room` returns the dock's width in a frame of this width,
        in pixels. The docks' former layout is kept."""
        self._keep_state()
        self._room = room
        self._show()
        self._lay_large()

    def narrow(self) -> None:
        """Let the dock have its usual width again."""
        if self._room is not None:
            self._room = None
            self._show()
            if self._beside:
                self._frame.restoreState(self._kept)
            else:
                self._lay_large()

    @property
    def _beside(self) -> bool:
        return not (self.over or self.below)

    def _keep_state(self) -> None:
        """Remember how the docks are, where the dock is beside the table as usual."""
        if self._room is None and self._beside:
            self._kept = self._frame.saveState()

    @property
    def covered(self) -> int:
        """The width of the table's right side that is under all of the open sheet, in pixels."""
        dock, table = self._dock, self._table
        if not self.over or not dock.isVisible() or dock.height() < table.height():
            return 0
        return max(0, table.geometry().right() - dock.geometry().left() + 1)

    def state(self) -> QByteArray:
        """The state of the docks where there is room, to be kept."""
        kept = not self._beside or self._room is not None
        return self._kept if kept else self._frame.saveState()

    def close(self) -> None:
        """Nobody wants the tabs any more."""
        self._open = False
        self._show()
        self.closed.emit()

    def refresh_appearance(self) -> None:
        """Show texts and icons in the chosen language and theme."""
        self.rail.clear()
        self._acts.clear()
        titles = self._dock.titles()
        for name, text in ((name, titles[name]) for name in ICONS if name in titles):
            self._acts[name] = self.rail.addAction(
                self._context.icon(ICONS[name]), escape_mnemonics(text)
            )
            self._acts[name].triggered.connect(lambda _=False, name=name: self._toggle_tab(name))
        self._marked = False
        if self._dock.chat is not None:
            self._dock.chat.unread_changed.connect(
                self._mark_chat, Qt.ConnectionType.UniqueConnection
            )
            self._mark_chat(self._dock.chat.unread)

    def mark_now(self, marked: bool) -> None:
        """Mark the first tab's button, where something is to be read there."""
        if marked != self._marked:
            self._marked = marked
            self._mark("now", marked)

    def _mark_chat(self, unread: int) -> None:
        self._mark("chat", unread > 0)

    def _mark(self, name: str, marked: bool) -> None:
        colour = self._context.theme.accent if marked else ""
        self._acts[name].setIcon(self._context.icon(ICONS[name], colour))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.over and _closes(event):
            self.close()
        elif event.type() is QEvent.Type.Close:
            self._fold()
        return False

    def _fold(self) -> None:
        """The tabs beside the table were closed: the rail opens them again."""
        self.rail.show()
        self.closed.emit()

    def restore(self, state: QByteArray) -> None:
        """Give the docks this former `state`; older ones may have had a window of their own."""
        if self.below:
            self._kept = state
            return
        self._frame.restoreState(state)
        self._dock.setFloating(False)
        self._frame.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self._dock)
        self.rail.setVisible(self._dock.isHidden())

    def _toggle_tab(self, name: str) -> None:
        if self._open and self._dock.front == name:
            self.close()
        else:
            self._dock.bring(name)

    def _bring(self) -> None:
        self._open = True
        self.rail.setVisible(self.over)
        self._show()

    def _lay_large(self) -> None:
        if self.below:
            wide, high = self._frame.width(), self._frame.height()
            most = QSize(wide, round(high * (1 - LOWEST)))
            tall = min(high - self._table.used_height(most), HIGHEST * high)
            tall = tall if self._room is None else MORE * high
            self._frame.resizeDocks([self._dock], [round(tall)], Qt.Orientation.Vertical)
        elif self._room is not None and not self.over:
            wide = self._room(self._frame.width())
            self._frame.resizeDocks([self._dock], [wide], Qt.Orientation.Horizontal)

    def _move_dock(self, over: bool, below: bool) -> None:
        """Put the dock over the table, below it, or beside it as it was there."""
        folded = self._dock.isHidden() and not self.over
        self.over, self.below = over, below
        if over:
            self._open = False
            self._frame.removeDockWidget(self._dock)
            self.rail.show()
            return
        areas = Qt.DockWidgetArea
        area = areas.BottomDockWidgetArea if below else areas.RightDockWidgetArea
        self._frame.addDockWidget(area, self._dock)
        self._dock.setVisible(not folded)
        if not below:
            self._frame.restoreState(self._kept)
        self.rail.setVisible(self._dock.isHidden())

    def _show(self) -> None:
        if not self.over:
            return
        dock, middle = self._dock, self._table.geometry()
        dock.setVisible(self._open)
        wide = self._room(self._frame.width()) if self._room else WIDE
        left = middle.right() - wide + 1
        dock.setGeometry(QRect(left, middle.top(), wide, middle.height()))
        dock.raise_()
        self.laid.emit()


def _closes(event: QEvent) -> bool:
    escaped = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
    return event.type() is QEvent.Type.Close or (escaped and event.type() is QEvent.Type.KeyPress)
