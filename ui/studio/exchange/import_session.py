"""Imports games from other programs' files, with a dialog."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tabletop.engine.model import Reason
from tabletop.exchange.game_file import GameFile
from tabletop.exchange.guarded_reading import GuardedReading
from tabletop.files import folders
from tabletop.studio.exchange import free_game
from tabletop.studio.exchange.found_game import FoundGame
from tabletop.studio.exchange.guarded_import import guard_import
from ui.exchange.exchange_session import result_or_reason
from ui.shell.app_context import AppContext
from ui.shell.background_call import run_in_background
from ui.studio.exchange.import_dialog import ImportDialog


class ImportSession(QObject):
    """Shows the import dialog and writes the imported game."""

    made = Signal(Path)
    """Emitted with the folder of a game after it was imported."""

    def __init__(self, context: AppContext, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self.dialog: ImportDialog | None = None

    def guard(self, file: Path) -> GuardedReading[GameFile | FoundGame]:
        """Return a guarded reading of `file`, a file or folder that may also
        contain a game of this program.
        """
        return guard_import(file)

    def ask(self, found: FoundGame) -> None:
        """Show the import dialog for `found`."""
        self.dialog = ImportDialog(self._context, self._window, found)
        self.dialog.wanted.connect(self._make)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def _make(self, found: FoundGame, called: str) -> None:
        folder = free_game.unused_folder(folders.games(), called)

        def make() -> Path:
            free_game.write(found, folder, called)
            return folder

        run_in_background(lambda: result_or_reason(make), "import", self._show_made)

    def _show_made(self, made: Path | Reason) -> None:
        if isinstance(made, Reason):
            self._context.show_error(made)
        else:
            self.made.emit(made)
