"""Small pictures of stored tables, as everybody at them could see them. A picture is drawn when it
is first looked at, one after the other; nobody waits for it."""

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

MOST = 48
"""The pictures held in memory: more than any window shows at once."""


class Thumbnails(QObject):
    """The pictures that one screen shows, by the record of the match."""

    drawn = Signal(Path)
    """The picture of this record's last table was drawn."""

    def __init__(self, context: AppContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._loaded: OrderedDict[Path, tuple[int, QPixmap]] = OrderedDict()
        """The pictures that were looked at last, each with the time when it was drawn."""
        self._wanted: list[Path] = []
        self._tried: dict[Path, int] = {}
        """Records whose table was drawn or cannot be, and when they were last written."""
        self._reading = False
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._read_next)

    def picture(self, file: Path) -> QPixmap:
        """The picture as far as there is one; one that is missing, or older than what happened at
        the table, is drawn soon. Null where there is none yet."""
        try:
            written = file.stat().st_mtime_ns
        except OSError:
            return QPixmap()  # the file is gone meanwhile
        path = picture_path(file)
        try:
            made = path.stat().st_mtime_ns if path.is_file() else 0  # Qt would wait on a pipe
        except OSError:
            made = 0
        if made < written and self._tried.get(file) != written and file not in self._wanted:
            self._wanted.append(file)
            if not self._reading:
                self._next.start()
        if not made:
            return QPixmap()
        if self._loaded.get(file, (0,))[0] != made:
            self._loaded[file] = made, QPixmap(str(path))
        self._loaded.move_to_end(file)
        while len(self._loaded) > MOST:
            self._loaded.popitem(last=False)
        return self._loaded[file][1]

    @property
    def waiting(self) -> bool:
        """Whether pictures are still to be drawn."""
        return self._reading or bool(self._wanted)

    def _read_next(self) -> None:
        """Read the next record, in a thread: it may have to be played through for that."""
        if self._reading or not self._wanted:
            return
        file = self._wanted[0]
        try:
            self._tried[file] = file.stat().st_mtime_ns
        except OSError:  # this record is gone; the others are still to be drawn
            self._wanted.remove(file)
            if self._wanted:
                self._next.start()
            return
        self._reading = True
        run_in_background(partial(_read, file), "thumbnail", self._draw, self._not_read)

    def _not_read(self, error: Exception) -> None:
        """The others are drawn all the same."""
        self._reading = False
        self._wanted.pop(0)
        if self._wanted:
            self._next.start()

    def _draw(self, read: tuple[Path, tuple[Header, SaveSummary] | None]) -> None:
        file, save = read
        self._reading = False
        if file in self._wanted:
            self._wanted.remove(file)
        if save is not None:
            faults.run_guarded(partial(self._keep, file, *save), "a thumbnail")
        if self._wanted:
            self._next.start()

    def _keep(self, file: Path, head: Header, seen: SaveSummary) -> None:
        kit = head.load_kit()
        if not head.is_compatible_with(kit):
            return
        from ui.shelf.table_picture import keep_picture

        keep_picture(self._context, kit, Seat(AUDIENCE, head.players, Reset(seen.view, ())), file)
        self.drawn.emit(file)


def _read(file: Path) -> tuple[Path, tuple[Header, SaveSummary] | None]:
    try:
        return file, summaries.read_summary(file)
    except BadFile:
        return file, None  # the list reports what is wrong with it
