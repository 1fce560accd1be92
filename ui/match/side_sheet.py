"""The dock beside the table; in a narrow window it is over it, and closed while nobody needs it.

While it is closed, a rail at the edge opens it at each of its tabs.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget

from ui.match.dock import Dock
from ui.shell.app_context import AppContext
from ui.style.rich_text import literal

BELOW = 1100
"""Width of the table screen, in pixels, below which the dock covers the table."""
WIDE = 300
"""Width of the sheet, in pixels."""
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

    def __init__(self, context: AppContext, frame: QMainWindow, table: QWidget, dock: Dock) -> None:
        """`table` is the middle of the frame."""
        super().__init__(frame)
        self._table = table
        self._context = context
        self._frame = frame
        self._dock = dock
        self.over = False
        """Whether the dock covers the table, or would."""
        self._open = False
        """Whether somebody has asked for its tabs."""
        self._kept = QByteArray()
        """The state of the docks while there was room beside the table."""
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
        self.apply_looks()
        dock.brought.connect(self._bring)
        dock.installEventFilter(self)

    def fit(self) -> None:
        """The frame has another width."""
        over = self._frame.width() < BELOW
        if over and not self.over:
            self._cover_table()
        elif self.over and not over:
            self._dock_beside()
        self._show()
        self._lay_wide()

    def widen(self, room: Callable[[int], int]) -> None:
        """Make room for more than usual; `room` returns the dock's width in a frame of this width,
        in pixels. The docks' former layout is kept."""
        if self._room is None and not self.over:
            self._kept = self._frame.saveState()
        self._room = room
        self._show()
        self._lay_wide()

    def narrow(self) -> None:
        """Let the dock have its usual width again."""
        if self._room is not None:
            self._room = None
            self._show()
            if not self.over:
                self._frame.restoreState(self._kept)

    @property
    def covered(self) -> int:
        """The width of the table's right side that is under all of the open sheet, in pixels."""
        dock, table = self._dock, self._table
        if not self.over or not dock.isVisible() or dock.height() < table.height():
            return 0
        return max(0, table.geometry().right() - dock.geometry().left() + 1)

    def state(self) -> QByteArray:
        """The state of the docks where there is room, to be kept."""
        kept = self.over or self._room is not None
        return self._kept if kept else self._frame.saveState()

    def close(self) -> None:
        """Nobody wants the tabs any more."""
        self._open = False
        self._show()
        self.closed.emit()

    def apply_looks(self) -> None:
        """Show texts and icons in the chosen language and theme."""
        self.rail.clear()
        self._acts.clear()
        titles = self._dock.titles()
        for name, text in ((name, titles[name]) for name in ICONS if name in titles):
            self._acts[name] = self.rail.addAction(self._context.icon(ICONS[name]), literal(text))
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

    def _lay_wide(self) -> None:
        if self._room is not None and not self.over:
            wide = self._room(self._frame.width())
            self._frame.resizeDocks([self._dock], [wide], Qt.Orientation.Horizontal)

    def _cover_table(self) -> None:
        if self._room is None:
            self._kept = self._frame.saveState()
        self.over, self._open = True, False
        self._frame.removeDockWidget(self._dock)
        self.rail.show()

    def _dock_beside(self) -> None:
        self.over = False
        self.rail.hide()
        self._frame.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self._dock)
        self._dock.show()
        self._frame.restoreState(self._kept)

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
