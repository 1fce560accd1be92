"""Imports and exports games as files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tabletop.catalogue import catalogue
from tabletop.engine.model import Reason
from tabletop.exchange import game_file
from tabletop.exchange.game_file import GameFile, GameFileImport
from tabletop.exchange.guarded_reading import GuardedReading, is_game_file, read_game_file_guarded
from tabletop.files.atomic_write import write_atomically
from tabletop.files.errors import BadFile, StorageError
from tabletop.games.game_kit import CatalogueEntry
from ui.exchange.file_reading import CancellableWork, FileReading
from ui.received.take_game_dialog import KEPT_SEPARATE_NOTE
from ui.shell.app_context import AppContext
from ui.shell.language import game_title
from ui.shell.navigator import Navigator
from ui.shell.peekable_property import PeekableCachedProperty
from ui.shell.studio_entry import studio
from ui.widgets import file_dialogs
from ui.widgets.question import ask_question

T = TypeVar("T")


class GameImports(Protocol):
    """Imports games of other programs; implemented by the studio."""

    def guard(self, file: Path) -> GuardedReading[Any]:
        """Return a cancellable task that reads the file or folder `file`.

        It may also contain a game of this program.
        """
        ...

    def ask(self, found: Any) -> None:
        """Ask the user what to create from `found`, the result of the task."""


class ExchangeSession(QObject):
    """Imports games from files, and exports them to files."""

    game_imported = Signal(str)
    """Emitted with the ID of a game that was imported or was already on the shelf."""
    game_created = Signal(Path)
    """Emitted with the folder of a game that was created from another program's file."""

    def __init__(self, context: AppContext, navigator: Navigator, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._navigator = navigator
        self._window = window

    def open(self, file: Path) -> None:
        """Read a file or folder in the background, then
        ask the user whether to import the game in it.
        """
        self._start(file.name, self._guard(file), self._ask)

    def _start(self, file: str, work: CancellableWork, then: Callable[[Any], None]) -> None:
        reading = FileReading(self._context, self._window, file, work, self)
        reading.ended.connect(then)
        reading.start()

    def _guard(self, file: Path) -> GuardedReading[Any]:
        return read_game_file_guarded(file) if is_game_file(file) else self.imports.guard(file)

    @PeekableCachedProperty
    def imports(self) -> GameImports:
        """The importer of other programs' games, created on first use."""
        imports: GameImports = studio().game_imports(
            self._context, self._window, self.game_created.emit
        )
        return imports

    def close(self) -> None:
        """Cancel all file reading because the window closes."""
        for reading in self.findChildren(FileReading):
            reading.cancel()

    def _ask(self, found: object) -> None:
        if isinstance(found, Reason):
            self._context.show_error(found)
        elif isinstance(found, GameFile):
            self._offer(found)
        else:
            self.imports.ask(found)

    def _offer(self, found: GameFile) -> None:
        if (known := found.installed_entry) is not None:
            self.game_imported.emit(known.id)
            return
        words = self._context.words
        wanted = ask_question(
            words,
            self._window,
            words.reason(found.question),
            words("Add to the shelf"),
            words("Not now"),
            words(KEPT_SEPARATE_NOTE),
        )
        if wanted:
            self._start(found.file, GameFileImport(found), self._show)

    def _show(self, taken: str | Reason) -> None:
        if isinstance(taken, Reason):
            self._context.show_error(taken)
            return
        catalogue.reread(taken)
        self.game_imported.emit(taken)

    def export_game(self, game: CatalogueEntry) -> None:
        """Ask the user where to save `game`, and export it to that file."""
        words = self._context.words
        content = result_or_reason(partial(game_file.encode_shared_game, game))
        if isinstance(content, Reason):
            self._context.show_error(content)
            return
        wish = game_title(game, words.language) + game_file.GAME_FILE_SUFFIX
        kinds = words("Tabletop games") + f" (*{game_file.GAME_FILE_SUFFIX})"
        out = file_dialogs.ask_where_to_save(
            self._window, words, words("Share the game"), wish, kinds
        )
        if out is None:
            return
        try:
            write_atomically(out, content)
        except StorageError as error:
            self._context.show_error(error.reason)
            return
        done = words(
            "Send “{file}” to your friends. They double-click it or drop it onto the window.",
            file=out.name,
        )

        def show() -> None:
            file_dialogs.open_externally(out.parent)

        self._navigator.show_message(done, "check", words("Show the folder"), show)


def result_or_reason(work: Callable[[], T]) -> T | Reason:
    """Return the result of `work`, or the reason if it raises BadFile or StorageError."""
    try:
        return work()
    except (BadFile, StorageError) as error:
        return error.reason
