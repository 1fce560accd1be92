"""The window's part about games that come and go as files."""

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
from ui.received.take_game_dialog import KEPT_APART
from ui.shell.app_context import AppContext
from ui.shell.language import title
from ui.shell.navigator import Navigator
from ui.shell.peekable_property import PeekableCachedProperty
from ui.shell.studio_entry import studio
from ui.widgets import file_dialogs
from ui.widgets.question import ask_question

T = TypeVar("T")


class GameImports(Protocol):
    """The studio's imports of other programs' games."""

    def guard(self, file: Path) -> GuardedReading[Any]:
        """Return the reading of a file or a folder, which may hold a game of this program too."""
        ...

    def ask(self, found: Any) -> None:
        """Ask what is to be made of what such a reading has found."""


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

    def open(self, file: Path) -> None:
        """Look into a file or a folder, and ask whether its game is to be taken in."""
        self._start(file.name, self._guard(file), self._ask)

    def _start(self, file: str, work: CancellableWork, then: Callable[[Any], None]) -> None:
        reading = FileReading(self._context, self._window, file, work, self)
        reading.ended.connect(then)
        reading.start()

    def _guard(self, file: Path) -> GuardedReading[Any]:
        return read_game_file_guarded(file) if is_game_file(file) else self.imports.guard(file)

    @PeekableCachedProperty
    def imports(self) -> GameImports:
        """The session of other programs' games; made when it is first wanted."""
        imports: GameImports = studio().game_imports(self._context, self._window, self.made.emit)
        return imports

    def close(self) -> None:
        """Cancel all work with files: the window closes."""
        for reading in self.findChildren(FileReading):
            reading.cancel()

    def _ask(self, found: object) -> None:
        if isinstance(found, Reason):
            self._context.tell(found)
        elif isinstance(found, GameFile):
            self._offer(found)
        else:
            self.imports.ask(found)

    def _offer(self, found: GameFile) -> None:
        if (known := found.installed_entry) is not None:
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
            self._start(found.file, GameFileImport(found), self._show)

    def _show(self, taken: str | Reason) -> None:
        if isinstance(taken, Reason):
            self._context.tell(taken)
            return
        catalogue.reread(taken)
        self.kept.emit(taken)

    def share(self, game: CatalogueEntry) -> None:
        """Write a game as one file where the person wants it."""
        words = self._context.words
        content = result_of(partial(game_file.encode_shared_game, game))
        if isinstance(content, Reason):
            self._context.tell(content)
            return
        wish = title(game, words.language) + game_file.GAME_FILE_SUFFIX
        kinds = words("Tabletop games") + f" (*{game_file.GAME_FILE_SUFFIX})"
        out = file_dialogs.to_write(self._window, words, words("Share the game"), wish, kinds)
        if out is None:
            return
        try:
            write_atomically(out, content)
        except StorageError as error:
            self._context.tell(error.reason)
            return
        done = words("The game is in “{file}”: give it to your friends.", file=out.name)

        def show() -> None:
            file_dialogs.show_outside(out.parent)

        self._navigator.tell(done, "check", words("Show the folder"), show)


def result_of(work: Callable[[], T]) -> T | Reason:
    """The result of this work with a file, or why there is none."""
    try:
        return work()
    except (BadFile, StorageError) as error:
        return error.reason
