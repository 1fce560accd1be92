"""The program's part about the public table: a second window beside the one that is played in."""

from PySide6.QtCore import QObject, Signal

from ui.match.screen.match_session import MatchSession
from ui.match.screen.table_screen import TableScreen
from ui.public.public_table import PublicTable
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator


class PublicSession(QObject):
    """At most one public table at a time: of the match that is on the screen."""

    opened = Signal(bool)
    """A public table was opened (True) or closed."""

    def __init__(self, context: AppContext, navigator: Navigator, matches: MatchSession) -> None:
        super().__init__(navigator.window())
        self._context = context
        self._navigator = navigator
        self._matches = matches
        self._invited = ""
        self._always = False
        self.table: PublicTable | None = None
        matches.table_shown.connect(self._note_shown)
        matches.table_left.connect(self.close)

    def show_always(self) -> None:
        """Show every match that comes to the screen."""
        self._always = True

    def toggle(self) -> None:
        """Show the match that is on the screen to everybody in the room, or no more."""
        if self.table is not None:
            self.close()
        elif self._matches.table is not None:
            self._show(self._matches.table)

    def close(self) -> None:
        """Close the public table."""
        if self.table is not None:
            self.table.close()

    def _note_shown(self, table: TableScreen) -> None:
        if self._always:
            self._show(table)

    def _show(self, table: TableScreen) -> None:
        self.table = PublicTable(self._context, table.seated)
        self.table.closed.connect(self._leave)
        self.table.invite(self._invited)
        self.table.show_large(self._navigator.window())
        self.opened.emit(True)

    def invite(self, address: str) -> None:
        """Show phones the way to a free seat; empty: none is free."""
        self._invited = address
        if self.table is not None:
            self.table.invite(address)

    def _leave(self) -> None:
        table, self.table = self.table, None
        if table is not None:
            table.leave()
            table.deleteLater()
            self.opened.emit(False)
