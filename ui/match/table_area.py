"""The middle of the table screen."""

from typing import Protocol

from PySide6.QtCore import QPoint, QRect, QSize, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.table.view import TableView
from ui.widgets.notice_bar import NoticeBar
from ui.widgets.prompt_line import DEFAULT_FONT_PX

EDGE = 8
"""Margin round everything on the table, in pixels."""
READABLE = 760
"""A prompt line may be as wide as this, even if the layout gives it less room."""
NAME = 0.24
"""Size of the prompt's letters, in card widths: that of a name on a plaque."""
LARGE = 27
"""Letters of this size, in pixels, are those of a large table: there the line is rather wider than
it is read best than that its buttons are low."""
OVER = 0.1
"""By so much the prompt line may be higher than its room, in card widths: it ends before what lies
above and below."""
COMPACT_BELOW = 860
"""Width of the view, in pixels, below which the prompt line is set smaller."""
COMPACT_BAND = 560
"""Width of the room that the layout names for it, in pixels, below which it is set smaller too: a
low window has a small table, however wide it is. So it is where that room is too low for it."""


class FloatingLine(Protocol):
    """A line over the table: the prompt, or the comment of a replay."""

    @property
    def resized(self) -> SignalInstance:
        """It wants another size."""
        ...

    def set_letters(self, pixels: int, compact: bool) -> None:
        """Set its letters in this size, in pixels, and all of it smaller or as usual."""

    def wanted_size(self, widest: int, room: int = 0, high: int = 0) -> QSize:
        """The size it wants at this width at most, in pixels; where that is too little for its
        words, it may be as wide as `room`. It has this height."""
        ...

    def setGeometry(self, place: QRect, /) -> None: ...


class TableArea(QWidget):
    """The view, and over it a line: no child of the view, where Tab goes from card to card."""

    laid = Signal()
    """The view and the line lie where they should."""

    def __init__(self, view: TableView, seats: int) -> None:
        super().__init__()
        self._view = view
        self._seats = seats
        self._notice_bar: NoticeBar | None = None
        self._line: FloatingLine | None = None
        self.covered = 0
        """The width of its right side that is under a sheet, in pixels: no line goes there."""
        view.setParent(self)

    def add_notice_bar(self, notice_bar: NoticeBar) -> None:
        """Put a notice bar above the table, which makes room for it."""
        self._notice_bar = notice_bar
        notice_bar.resized.connect(self._lay)

    def take_line(self, line: FloatingLine) -> None:
        """Keep this line where the scene leaves room for it."""
        self._line = line
        line.resized.connect(self.lay_line)

    def used_height(self, room: QSize) -> int:
        """How much height the table uses in this room, in pixels."""
        return min(room.height(), self._view.used_height(room, self._seats))

    def cover(self, width: int) -> bool:
        """Note how much is under a sheet now; whether that is another width than before."""
        changed = width != self.covered
        if changed:
            self.covered = width
            self.lay_line()
        return changed

    def lay_line(self) -> None:
        """Lay the line where the scene leaves room for it."""
        if self._line is not None:
            self._place_line(self._line)
            self.laid.emit()

    def _place_line(self, line: FloatingLine) -> None:
        whole = self._view.rect().adjusted(0, 0, -self.covered, 0)
        band = self._view.prompt_place().intersected(whole)
        compact = whole.width() < COMPACT_BELOW or band.width() < COMPACT_BAND
        unit = self._view.table.unit
        letters = max(DEFAULT_FONT_PX, round(NAME * unit))
        line.set_letters(letters, compact)
        beside = abs(band.center().x() - whole.center().x()) > EDGE  # something is beside that room
        left = max(EDGE, band.left()) if beside else EDGE
        widest = min(
            whole.width() - left - EDGE, max(band.width(), READABLE * letters // DEFAULT_FONT_PX)
        )
        room, high = whole.width() - 2 * EDGE, band.height() + round(OVER * unit)
        spacious = compact or letters >= LARGE
        size = line.wanted_size(widest, room if spacious else widest, high)
        if not compact and size.height() > high:
            line.set_letters(letters, True)
            size = line.wanted_size(widest, room, high)
        x = max(left, band.center().x() - size.width() // 2)
        y = band.center().y() - size.height() // 2
        x = max(EDGE, min(x, whole.width() - size.width() - EDGE))
        y = max(EDGE, min(y, whole.height() - size.height() - EDGE))
        line.setGeometry(QRect(QPoint(x, y) + self._view.pos(), size))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay()

    def _lay(self) -> None:
        place = self.rect()
        if self._notice_bar is not None and not self._notice_bar.isHidden():
            self._notice_bar.place()
            place.setTop(self._notice_bar.geometry().bottom() + 1)
        if place != self._view.geometry():
            self._view.setGeometry(place)
        self.lay_line()
