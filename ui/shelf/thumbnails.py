"""Thumbnails of stored matches, drawn one by one when they are first needed."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QPixmap

from tabletop.background import faults
from tabletop.engine.model import AUDIENCE
from tabletop.files.errors import BadFile
from tabletop.match.match import Reset
from tabletop.match.seat import Seat
from tabletop.storage import save_summaries as summaries
from tabletop.storage.record_lines import Header
from tabletop.storage.save_summaries import SaveSummary
from tabletop.storage.saved_matches import picture_path
from ui.shell.app_context import AppContext
from ui.shell.background_call import run_in_background

MAX_LOADED = 48
"""The number of thumbnails kept in memory, which is more than a window shows at once."""


class Thumbnails(QObject):
    """The thumbnails on one screen, by the path of the match's record."""

    thumbnail_drawn = Signal(Path)
    """A thumbnail was drawn: the path of its record."""

    def __init__(self, context: AppContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._loaded: OrderedDict[Path, tuple[int, QPixmap]] = OrderedDict()
        """The most recently used thumbnails, each with the modification time of its file."""
        self._queue: list[Path] = []
        self._tried: dict[Path, int] = {}
        """The modification time of each record that has already been handled."""
        self._reading = False
        self._next_timer = QTimer(self, singleShot=True)
        self._next_timer.timeout.connect(self._read_next)

    def thumbnail_of(self, file: Path) -> QPixmap:
        """Return the thumbnail of the record `file`; a null pixmap if there is none yet.

        A missing or outdated thumbnail is scheduled to be drawn.
        """
        try:
            written = file.stat().st_mtime_ns
        except OSError:
            return QPixmap()  # the file was deleted meanwhile
        path = picture_path(file)
        try:
            made = path.stat().st_mtime_ns if path.is_file() else 0  # Qt would wait on a pipe
        except OSError:
            made = 0
        if made < written and self._tried.get(file) != written and file not in self._queue:
            self._queue.append(file)
            if not self._reading:
                self._next_timer.start()
        if not made:
            return QPixmap()
        if self._loaded.get(file, (0,))[0] != made:
            self._loaded[file] = made, QPixmap(str(path))
        self._loaded.move_to_end(file)
        while len(self._loaded) > MAX_LOADED:
            self._loaded.popitem(last=False)
        return self._loaded[file][1]

    @property
    def is_busy(self) -> bool:
        """Whether some thumbnails haven't been drawn yet."""
        return self._reading or bool(self._queue)

    def _read_next(self) -> None:
        """Read the next record in a background thread, since this may replay the whole match."""
        if self._reading or not self._queue:
            return
        file = self._queue[0]
        try:
            self._tried[file] = file.stat().st_mtime_ns
        except OSError:  # the record was deleted meanwhile
            self._queue.remove(file)
            if self._queue:
                self._next_timer.start()
            return
        self._reading = True
        run_in_background(partial(_read, file), "thumbnail", self._on_read, self._on_read_error)

    def _on_read_error(self, error: Exception) -> None:
        """Skip the unreadable record and continue with the next one."""
        self._reading = False
        self._queue.pop(0)
        if self._queue:
            self._next_timer.start()

    def _on_read(self, read: tuple[Path, tuple[Header, SaveSummary] | None]) -> None:
        file, save = read
        self._reading = False
        if file in self._queue:
            self._queue.remove(file)
        if save is not None:
            faults.run_guarded(partial(self._save, file, *save), "a thumbnail")
        if self._queue:
            self._next_timer.start()

    def _save(self, file: Path, head: Header, seen: SaveSummary) -> None:
        kit = head.load_kit()
        if not head.is_compatible_with(kit):
            return
        from ui.shelf.table_picture import save_thumbnail

        save_thumbnail(self._context, kit, Seat(AUDIENCE, head.players, Reset(seen.view, ())), file)
        self.thumbnail_drawn.emit(file)


def _read(file: Path) -> tuple[Path, tuple[Header, SaveSummary] | None]:
    try:
        return file, summaries.read_summary(file)
    except BadFile:
        return file, None  # the list shows the error
