"""The match log as a list of lines."""

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from tabletop.engine.events import Said
from tabletop.language import labels
from tabletop.language.words import Words
from tabletop.match.match import Player
from ui.shell.app_context import AppContext, name_row, name_widget
from ui.style.line_breaks import wrap_for_column
from ui.style.theme import mix
from ui.widgets.box_layout import lay
from ui.widgets.fading_bars import FadingBars
from ui.widgets.lists import Index, wrap_entries
from ui.widgets.seat_badge import seat_badge
from ui.widgets.styled_widgets import button, scale_pixels

BADGE_PX = 22
"""The side of the badge beside a line."""
HORIZONTAL_PADDING_PX = 32
"""The width that the style takes from the text of a line."""
VERTICAL_PADDING_PX = 18
"""The height that the style adds to a line."""
INITIAL_LINES = 200
"""The number of latest lines created at first. Scrolling to the top adds the earlier ones."""


class LogDelegate(QStyledItemDelegate):
    """Draws log lines. Lines that a replay hasn't reached yet have a pale colour.

    Qt would lay out thousands of items again if the items themselves changed their colour.
    """

    last_reached_row: int | None = None
    """The last row that isn't pale, or None if no row is pale."""
    pale_colour = QColor()

    def __init__(self, shown: QListWidget) -> None:
        super().__init__(shown)
        self._shown = shown
        self._heights: dict[tuple[str, int, int], int] = {}
        """Cached text heights by text, width and font height. Many lines have the same text."""

    def reset(self) -> None:
        """Clear the cached heights, and draw no line in the pale colour."""
        self.last_reached_row = None
        self._heights.clear()

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.text = wrap_for_column(option.text)
        if self.last_reached_row is not None and index.row() > self.last_reached_row:
            option.palette.setColor(QPalette.ColorRole.Text, self.pale_colour)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of the wrapped text. Qt's own calculation ignores the icon's width."""
        width = self._shown.viewport().width() - scale_pixels(self._shown, HORIZONTAL_PADDING_PX)
        if index.data(Qt.ItemDataRole.DecorationRole) is not None:
            width -= scale_pixels(self._shown, BADGE_PX) + 8
        text, wrapped = str(index.data()), Qt.TextFlag.TextWordWrap
        asked = (text, max(width, 60), option.fontMetrics.height())
        height = self._heights.get(asked)
        if height is None:
            whole = (0, 0, asked[1], 10_000, wrapped, wrap_for_column(text))
            room = option.fontMetrics.boundingRect(*whole)
            height = self._heights[asked] = room.height()
        return QSize(
            60,
            max(height, scale_pixels(self._shown, BADGE_PX))
            + scale_pixels(self._shown, VERTICAL_PADDING_PX),
        )


class LogPanel(QWidget):
    """The match log, in which each line has the badge of the player it mentions."""

    line_chosen = Signal(object, int)
    """The user chose a line. The arguments are its Said and its index in the log."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._lines: list[Said] = []
        self._unloaded_count = 0
        """The number of earliest lines that have no row yet."""
        self._written_for: tuple[Words, Sequence[Player], int] | None = None
        """The words, players and viewer for which the current rows were written."""
        self.list_widget = QListWidget()
        FadingBars(self.list_widget)
        wrap_entries(self.list_widget)
        self.list_widget.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list_widget.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.delegate = LogDelegate(self.list_widget)
        self.list_widget.setItemDelegate(self.delegate)
        self.list_widget.itemClicked.connect(self._choose)
        self.list_widget.itemActivated.connect(self._choose)
        bar = self.list_widget.verticalScrollBar()
        for moved in (bar.valueChanged, bar.rangeChanged):  # queued, so that scrolling has ended
            moved.connect(self._load_if_at_top, Qt.ConnectionType.QueuedConnection)
        self._is_at_end = True
        """Whether the last line is visible."""
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._stay_at_end)
        copying = QShortcut(QKeySequence.StandardKey.Copy, self.list_widget)
        copying.setContext(Qt.ShortcutContext.WidgetShortcut)
        copying.activated.connect(self.copy)
        self._copy = button("quiet")
        self._copy.clicked.connect(self.copy)
        copy = (self._copy, 0, Qt.AlignmentFlag.AlignRight)
        lay(QVBoxLayout(self), [(self.list_widget, 1), copy], margins=8)
        self.refresh_appearance()

    def show_lines(
        self, lines: Sequence[Said], words: Words, players: Sequence[Player], viewer: int
    ) -> None:
        """Show `lines` as worded for `viewer`. Only add the new ones if they continue the log."""
        known = len(self._lines)
        if known > len(lines) or list(lines[:known]) != self._lines:
            self.clear()
            known = 0
        self._written_for = words, players, viewer
        if not known:
            self._unloaded_count = max(0, len(lines) - INITIAL_LINES)
        for item in self._items(lines[max(known, self._unloaded_count) :]):
            self.list_widget.addItem(item)
        self._lines = list(lines)
        self.list_widget.scrollToBottom()

    def load_earlier_lines(self) -> None:
        """Add the missing rows of the earliest lines, without moving the visible ones."""
        if not self._unloaded_count:
            return
        bar = self.list_widget.verticalScrollBar()
        below = bar.maximum() - bar.value()
        early, self._unloaded_count = self._unloaded_count, 0
        for row, item in enumerate(self._items(self._lines[:early])):
            self.list_widget.insertItem(row, item)
        self.list_widget.doItemsLayout()
        bar.setValue(bar.maximum() - below)

    def mark_reached(self, row: int) -> None:
        """Select `row`, the last one reached by a replay (-1: none), and make later rows pale."""
        self.load_earlier_lines()
        self.delegate.last_reached_row = row
        self.delegate.pale_colour = QColor(
            mix(self._context.theme.ink_soft, self._context.theme.paper, 0.45)
        )
        self.list_widget.setCurrentRow(row)
        if row >= 0:
            self.list_widget.scrollToItem(
                self.list_widget.item(row), QListWidget.ScrollHint.PositionAtCenter
            )
        self.list_widget.viewport().update()

    def clear(self) -> None:
        """Remove all lines."""
        self._lines, self._unloaded_count = [], 0
        self.delegate.reset()
        self.list_widget.clear()

    def copy(self) -> None:
        """Copy the selected lines to the clipboard, or all lines if fewer than two are selected."""
        chosen = self.list_widget.selectedItems()
        if len(chosen) < 2:
            self.load_earlier_lines()
            chosen = [self.list_widget.item(row) for row in range(self.list_widget.count())]
        QGuiApplication.clipboard().setText("\n".join(item.text() for item in chosen))

    def refresh_appearance(self) -> None:
        """Update the fixed texts and clear the list. The caller must then call `show_lines`."""
        self.clear()
        side = scale_pixels(self, BADGE_PX)
        self.list_widget.setIconSize(QSize(side, side))
        words = self._context.words
        self._copy.setText(words("Copy the log"))
        name_widget(self.list_widget, words(labels.LOG))

    def _badge(self, symbol: str) -> QIcon:
        picture = seat_badge(self._context, symbol, scale_pixels(self, BADGE_PX), self)
        icon = QIcon()
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            icon.addPixmap(picture, mode)
        return icon

    def _on_scrolled(self, at: int) -> None:
        self._is_at_end = at >= self.list_widget.verticalScrollBar().maximum()

    def _stay_at_end(self, _: int, end: int) -> None:
        """Keep the last line visible when the list's height changes."""
        if self._is_at_end:
            self.list_widget.verticalScrollBar().setValue(end)

    def _load_if_at_top(self) -> None:
        bar = self.list_widget.verticalScrollBar()
        if bar.value() == bar.minimum() and self.list_widget.isVisible():
            self.load_earlier_lines()

    def _items(self, lines: Iterable[Said]) -> Iterator[QListWidgetItem]:
        """Yield a list item for each of `lines`."""
        if self._written_for is None:
            return
        words, players, viewer = self._written_for
        badges: dict[str, QIcon] = {}
        for said in lines:
            item = QListWidgetItem(words.log_line(said, viewer))
            name_row(item, words)
            seat = said.args.get("seat")
            if isinstance(seat, int) and 0 <= seat < len(players):
                symbol = players[seat].symbol
                if symbol not in badges:
                    badges[symbol] = self._badge(symbol)
                item.setIcon(badges[symbol])
            yield item

    def _choose(self, item: QListWidgetItem) -> None:
        row = self._unloaded_count + self.list_widget.row(item)
        self.line_chosen.emit(self._lines[row], row)
