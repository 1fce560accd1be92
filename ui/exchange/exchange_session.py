"""The window's part about games that come and go as files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import Reason
from tabletop.exchange import free_game, game_file
from tabletop.exchange.found_game import FoundGame
from tabletop.exchange.game_file import GameFile, GameFileKeeping
from tabletop.exchange.guarded_reading import GuardedReading
from tabletop.files import folders
from tabletop.files.atomic_write import write_whole
from tabletop.files.errors import BadFile, StorageError
from ui.exchange.file_reading import CancellableWork, FileReading
from ui.exchange.import_dialog import ImportDialog
from ui.received.take_game_dialog import KEPT_APART
from ui.shell.app_context import AppContext
from ui.shell.beside_window import beside_window
from ui.shell.language import title
from ui.shell.navigator import Navigator
from ui.widgets import file_dialogs
from ui.widgets.question import ask_question

T = TypeVar("T")


class ExchangeSession(QObject):
    """Takes games in from files, and gives them away as files."""

    kept = Signal(str)
    """A game of a file is on the shelf, or was already: its id."""
    made = Signal(Path)
    """A game was made of what another program's file holds: its folder."""

    def __init__(self, context: AppContext, navigator: Navigator, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._navigator = navigator
        self._window = window
        self.dialog: ImportDialog | None = None

    def open(self, file: Path) -> None:
        """Look into a file or a folder, and ask whether its game is to be taken in."""
        self._start(file.name, GuardedReading(file), self._ask)

    def _start(self, file: str, work: CancellableWork, then: Callable[[Any], None]) -> None:
        reading = FileReading(self._context, self._window, file, work, self)
        reading.ended.connect(then)
        reading.start()

    def close(self) -> None:
        """Cancel all work with files: the window closes."""
        for reading in self.findChildren(FileReading):
            reading.cancel()

    def _ask(self, found: GameFile | FoundGame | Reason) -> None:
        if isinstance(found, Reason):
            self._context.tell(found)
        elif isinstance(found, FoundGame):
            self.dialog = ImportDialog(self._context, self._window, found)
            self.dialog.wanted.connect(self._make)
            self.dialog.finished.connect(self.dialog.deleteLater)
            self.dialog.open()
        else:
            self._offer(found)

    def _make(self, found: FoundGame, called: str) -> None:
        folder = free_game.free_folder(folders.games(), called)

        def make() -> Path:
            free_game.write(found, folder, called)
            return folder

        beside_window(lambda: _result_of(make), "import", self._show_made)

    def _show_made(self, made: Path | Reason) -> None:
        if isinstance(made, Reason):
            self._context.tell(made)
        else:
            self.made.emit(made)

    def _offer(self, found: GameFile) -> None:
        if (known := found.here) is not None:
            self.kept.emit(known.id)
            return
        words = self._context.words
        wanted = ask_question(
            words,
            self._window,
            words.reason(found.question),
            words("Add to the shelf"),
            words("Not now"),
            words(KEPT_APART),
        )
        if wanted:
            self._start(found.file, GameFileKeeping(found), self._show)

    def _show(self, taken: str | Reason) -> None:
        if isinstance(taken, Reason):
            self._context.tell(taken)
            return
        catalogue.reread(taken)
        self.kept.emit(taken)

    def share(self, kit: Kit) -> None:
        """Write a game as one file where the person wants it."""
        words = self._context.words
        content = _result_of(partial(game_file.shared, kit))
        if isinstance(content, Reason):
            self._context.tell(content)
            return
        wish = title(kit, words.language) + game_file.SUFFIX
        kinds = words("Tabletop games") + f" (*{game_file.SUFFIX})"
        out = file_dialogs.to_write(self._window, words, words("Share the game"), wish, kinds)
        if out is None:
            return
        try:
            write_whole(out, content)
        except StorageError as error:
            self._context.tell(error.reason)
            return
        done = words("The game is in “{file}”: give it to your friends.", file=out.name)

        def show() -> None:
            file_dialogs.show_outside(out.parent)

        self._navigator.tell(done, "check", words("Show the folder"), show)


def _result_of(work: Callable[[], T]) -> T | Reason:
    """The result of this work with a file, or why there is none."""
    try:
        return work()
    except (BadFile, StorageError) as error:
        return error.reason
