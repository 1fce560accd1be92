"""The central widget of a table screen: the table view with a line of text floating over it."""

from typing import Protocol

from PySide6.QtCore import QPoint, QRect, QSize, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ui.table.view import TableView
from ui.widgets.notice_bar import NoticeBar
from ui.widgets.prompt_line import DEFAULT_FONT_PX

MARGIN_PX = 8
"""The margin around widgets that float over the table."""
MAX_READABLE_WIDTH_PX = 760
"""The width up to which a floating line may grow if its band is narrower."""
FONT_CARD_WIDTHS = 0.24
"""The floating line's font size in card widths, the same as that of a nameplate."""
LARGE_FONT_PX = 27
"""The font size from which the table counts as large.

On a large table, the line may exceed its readable width to keep its buttons in one row.
"""
OVERHANG_CARD_WIDTHS = 0.1
"""By how much the line may be higher than its band, in card widths.

The band ends a little before the cards above and below it, so nothing is covered.
"""
COMPACT_VIEW_WIDTH_PX = 860
"""The line is compact if the view is narrower than this."""
COMPACT_BAND_WIDTH_PX = 560
"""The line is compact if its band is narrower than this.

A low window has a small table however wide it is. The line is also compact if its band is too low.
"""


class FloatingLine(Protocol):
    """A line of text over the table: the prompt, or the comment of a replay."""

    @property
    def resized(self) -> SignalInstance:
        """A signal: the line needs a different size."""
        ...

    def set_letters(self, pixels: int, compact: bool) -> None:
        """Set the font size in pixels, and whether padding and buttons are compact."""

    def wanted_size(self, widest: int, room: int = 0, high: int = 0) -> QSize:
        """Return the preferred size in pixels.

        Args:
            widest: The preferred maximum width.
            room: The maximum width if the text doesn't fit into `widest`.
            high: The available height.
        """
        ...

    def setGeometry(self, place: QRect, /) -> None: ...


class TableArea(QWidget):
    """The table view with a line of text floating over it.

    The line isn't a child of the view, because Tab moves between cards there.
    """

    line_placed = Signal()
    """The view and the floating line have been placed."""

    def __init__(self, view: TableView, seats: int) -> None:
        super().__init__()
        self._view = view
        self._seats = seats
        self._notice_bar: NoticeBar | None = None
        self._line: FloatingLine | None = None
        self.covered_width = 0
        """The width covered by a side sheet at the right, in pixels. The line stays clear of it."""
        view.setParent(self)

    def add_notice_bar(self, notice_bar: NoticeBar) -> None:
        """Add `notice_bar` above the table, which shrinks accordingly."""
        self._notice_bar = notice_bar
        notice_bar.resized.connect(self._lay_out)

    def set_floating_line(self, line: FloatingLine) -> None:
        """Float `line` over the table, in the band that the layout leaves free for it."""
        self._line = line
        line.resized.connect(self.place_line)

    def used_height(self, room: QSize) -> int:
        """Return how much of the height of `room` the table uses, in pixels."""
        return min(room.height(), self._view.table_height(room, self._seats))

    def set_covered_width(self, width: int) -> bool:
        """Set the width covered by a side sheet in pixels, and return whether it changed."""
        changed = width != self.covered_width
        if changed:
            self.covered_width = width
            self.place_line()
        return changed

    def place_line(self) -> None:
        """Place the floating line in the band that the layout leaves free for it."""
        if self._line is not None:
            self._fit_line(self._line)
            self.line_placed.emit()

    def _fit_line(self, line: FloatingLine) -> None:
        whole = self._view.rect().adjusted(0, 0, -self.covered_width, 0)
        band = self._view.prompt_rect().intersected(whole)
        compact = whole.width() < COMPACT_VIEW_WIDTH_PX or band.width() < COMPACT_BAND_WIDTH_PX
        unit = self._view.table.unit
        letters = max(DEFAULT_FONT_PX, round(FONT_CARD_WIDTHS * unit))
        line.set_letters(letters, compact)
        is_off_centre = abs(band.center().x() - whole.center().x()) > MARGIN_PX
        left = max(MARGIN_PX, band.left()) if is_off_centre else MARGIN_PX
        widest = min(
            whole.width() - left - MARGIN_PX,
            max(band.width(), MAX_READABLE_WIDTH_PX * letters // DEFAULT_FONT_PX),
        )
        room, high = (
            whole.width() - 2 * MARGIN_PX,
            band.height() + round(OVERHANG_CARD_WIDTHS * unit),
        )
        spacious = compact or letters >= LARGE_FONT_PX
        size = line.wanted_size(widest, room if spacious else widest, high)
        if not compact and size.height() > high:
            line.set_letters(letters, True)
            size = line.wanted_size(widest, room, high)
        x = max(left, band.center().x() - size.width() // 2)
        y = band.center().y() - size.height() // 2
        x = max(MARGIN_PX, min(x, whole.width() - size.width() - MARGIN_PX))
        y = max(MARGIN_PX, min(y, whole.height() - size.height() - MARGIN_PX))
        line.setGeometry(QRect(QPoint(x, y) + self._view.pos(), size))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        place = self.rect()
        if self._notice_bar is not None and not self._notice_bar.isHidden():
            self._notice_bar.place()
            place.setTop(self._notice_bar.geometry().bottom() + 1)
        if place != self._view.geometry():
            self._view.setGeometry(place)
        self.place_line()
