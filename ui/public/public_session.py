"""Opens and closes the public table, a second window beside the one used for playing."""

from PySide6.QtCore import QObject, Signal

from ui.match.screen.match_session import MatchSession
from ui.match.screen.table_screen import TableScreen
from ui.public.public_table import PublicTable
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator


class PublicSession(QObject):
    """Manages the public table of the current match. At most one is open."""

    opened = Signal(bool)
    """The public table was opened (True) or closed."""

    def __init__(self, context: AppContext, navigator: Navigator, matches: MatchSession) -> None:
        super().__init__(navigator.window())
        self._context = context
        self._navigator = navigator
        self._matches = matches
        self._invitation_url = ""
        self._opens_automatically = False
        self.table: PublicTable | None = None
        matches.table_shown.connect(self._on_table_shown)
        matches.table_left.connect(self.close)

    def enable_auto_open(self) -> None:
        """Open the public table automatically for every following match."""
        self._opens_automatically = True

    def toggle(self) -> None:
        """Close the public table if it is open, or else open it for the current match."""
        if self.table is not None:
            self.close()
        elif self._matches.table is not None:
            self._open_table(self._matches.table)

    def close(self) -> None:
        """Close the public table."""
        if self.table is not None:
            self.table.close()

    def _on_table_shown(self, table: TableScreen) -> None:
        if self._opens_automatically:
            self._open_table(table)

    def _open_table(self, table: TableScreen) -> None:
        self.table = PublicTable(self._context, table.seated)
        self.table.closed.connect(self._on_table_closed)
        self.table.show_invitation(self._invitation_url)
        self.table.fill_screen(self._navigator.window())
        self.opened.emit(True)

    def show_invitation(self, address: str) -> None:
        """Show `address`, the URL of a free seat, on the public table, unless it is empty."""
        self._invitation_url = address
        if self.table is not None:
            self.table.show_invitation(address)

    def _on_table_closed(self) -> None:
        table, self.table = self.table, None
        if table is not None:
            table.clear_table()
            table.deleteLater()
            self.opened.emit(False)
