"""Imports games from other programs' files, with a dialog."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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
from tabletop.studio.exchange.import_record import EarlierImport, find_earlier_import
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
        self._found: FoundGame | None = None
        """The game that the user is asked about."""

    def guard(self, file: Path) -> GuardedReading[GameFile | FoundGame]:
        """Return a guarded reading of `file`, a file or folder that may also
        contain a game of this program.
        """
        return guard_import(file)

    def ask(self, found: FoundGame) -> None:
        """Show the import dialog for `found`."""
        self._found = found
        run_in_background(partial(find_earlier_import, found), "import", self._show)

    def _show(self, earlier: EarlierImport | None) -> None:
        if (found := self._found) is None:
            return
        title = earlier.title if earlier is not None else ""
        self.dialog = ImportDialog(self._context, self._window, found, title)
        self.dialog.wanted.connect(self._make)
        if earlier is not None:
            self.dialog.update_wanted.connect(partial(self._update, earlier.folder))
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def _make(self, found: FoundGame, called: str) -> None:
        folder = free_game.unused_folder(folders.games(), called)
        self._write(folder, lambda: free_game.write(found, folder, called))

    def _update(self, folder: Path, found: FoundGame) -> None:
        self._write(folder, lambda: free_game.update(found, folder))

    def _write(self, folder: Path, write: Callable[[], object]) -> None:
        def make() -> Path:
            write()
            return folder

        run_in_background(lambda: result_or_reason(make), "import", self._show_made)

    def _show_made(self, made: Path | Reason) -> None:
        if isinstance(made, Reason):
            self._context.show_error(made)
        else:
            self.made.emit(made)
