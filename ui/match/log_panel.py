"""The log beside the table: all that was said, line by line."""

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

BADGE = 22
"""Side of the badge beside a line, in pixels."""
BESIDE, ABOVE = 32, 18
"""Pixels that the style sheet and wrapping take beside a line, and above and below it."""
LATE = 200
"""Lines of a log that are there at once; the earlier ones come when somebody goes up to them."""


class Lines(QStyledItemDelegate):
    """Painter of a log's lines; those that a replay has not come to yet are pale. (Giving the items
    a colour of their own would lay out thousands of lines again at every step.)"""

    upto: int | None = None
    """The last line that is not pale; None where none is."""
    pale = QColor()

    def __init__(self, shown: QListWidget) -> None:
        super().__init__(shown)
        self._shown = shown
        self._heights: dict[tuple[str, int, int], int] = {}
        """Heights of texts, by width and size of letters: much is said again and again."""

    def forget(self) -> None:
        """There are no lines any more."""
        self.upto = None
        self._heights.clear()

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.text = wrap_for_column(option.text)
        if self.upto is not None and index.row() > self.upto:
            option.palette.setColor(QPalette.ColorRole.Text, self.pale)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Be as high as the text needs in the width there is; Qt forgets the icon beside it."""
        wide = self._shown.viewport().width() - scale_pixels(self._shown, BESIDE)
        if index.data(Qt.ItemDataRole.DecorationRole) is not None:
            wide -= scale_pixels(self._shown, BADGE) + 8
        text, wrapped = str(index.data()), Qt.TextFlag.TextWordWrap
        asked = (text, max(wide, 60), option.fontMetrics.height())
        high = self._heights.get(asked)
        if high is None:
            whole = (0, 0, asked[1], 10_000, wrapped, wrap_for_column(text))
            room = option.fontMetrics.boundingRect(*whole)
            high = self._heights[asked] = room.height()
        return QSize(
            60, max(high, scale_pixels(self._shown, BADGE)) + scale_pixels(self._shown, ABOVE)
        )


class LogPanel(QWidget):
    """All that was said, each line with the badge of the player it is about."""

    chosen = Signal(object, int)
    """A line was chosen: its Said, and which it is."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._lines: list[Said] = []
        self._early = 0
        """Lines that are not shown yet, before those that are."""
        self._written_for: tuple[Words, Sequence[Player], int] | None = None
        """The words, players and viewer that the lines were written for."""
        self.shown = QListWidget()
        FadingBars(self.shown)
        wrap_entries(self.shown)
        self.shown.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.shown.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.lines = Lines(self.shown)
        self.shown.setItemDelegate(self.lines)
        self.shown.itemClicked.connect(self._choose)
        self.shown.itemActivated.connect(self._choose)
        bar = self.shown.verticalScrollBar()
        for moved in (bar.valueChanged, bar.rangeChanged):  # queued: once it has come to rest
            moved.connect(self._look_up, Qt.ConnectionType.QueuedConnection)
        self._at_end = True
        """Whether the last line is in sight."""
        bar.valueChanged.connect(self._note_end)
        bar.rangeChanged.connect(self._stay_at_end)
        copying = QShortcut(QKeySequence.StandardKey.Copy, self.shown)
        copying.setContext(Qt.ShortcutContext.WidgetShortcut)
        copying.activated.connect(self.copy)
        self._copy = button("quiet")
        self._copy.clicked.connect(self.copy)
        copy = (self._copy, 0, Qt.AlignmentFlag.AlignRight)
        lay(QVBoxLayout(self), [(self.shown, 1), copy], margins=8)
        self.refresh_appearance()

    def show_lines(
        self, lines: Sequence[Said], words: Words, players: Sequence[Player], viewer: int
    ) -> None:
        """Show these lines; where they go on from those shown, the new ones are added."""
        known = len(self._lines)
        if known > len(lines) or list(lines[:known]) != self._lines:
            self.clear()
            known = 0
        self._written_for = words, players, viewer
        if not known:
            self._early = max(0, len(lines) - LATE)
        for item in self._items(lines[max(known, self._early) :]):
            self.shown.addItem(item)
        self._lines = list(lines)
        self.shown.scrollToBottom()

    def show_early(self) -> None:
        """Show the early lines as well; those that are seen stay where they are."""
        if not self._early:
            return
        bar = self.shown.verticalScrollBar()
        below = bar.maximum() - bar.value()
        early, self._early = self._early, 0
        for row, item in enumerate(self._items(self._lines[:early])):
            self.shown.insertItem(row, item)
        self.shown.doItemsLayout()
        bar.setValue(bar.maximum() - below)

    def mark(self, row: int) -> None:
        """A replay has come to this line: those after it are pale; -1 for none yet."""
        self.show_early()
        self.lines.upto = row
        self.lines.pale = QColor(mix(self._context.theme.ink_soft, self._context.theme.paper, 0.45))
        self.shown.setCurrentRow(row)
        if row >= 0:
            self.shown.scrollToItem(self.shown.item(row), QListWidget.ScrollHint.PositionAtCenter)
        self.shown.viewport().update()

    def clear(self) -> None:
        """Forget every line."""
        self._lines, self._early = [], 0
        self.lines.forget()
        self.shown.clear()

    def copy(self) -> None:
        """Put the chosen lines, or all, on the clipboard as plain text."""
        chosen = self.shown.selectedItems()
        if len(chosen) < 2:
            self.show_early()
            chosen = [self.shown.item(row) for row in range(self.shown.count())]
        QGuiApplication.clipboard().setText("\n".join(item.text() for item in chosen))

    def refresh_appearance(self) -> None:
        """Set the button's text; `show_lines` fills in the lines again."""
        self.clear()
        side = scale_pixels(self, BADGE)
        self.shown.setIconSize(QSize(side, side))
        words = self._context.words
        self._copy.setText(words("Copy the log"))
        name_widget(self.shown, words(labels.LOG))

    def _badge(self, symbol: str) -> QIcon:
        picture = seat_badge(self._context, symbol, scale_pixels(self, BADGE), self)
        icon = QIcon()
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
            icon.addPixmap(picture, mode)
        return icon

    def _note_end(self, at: int) -> None:
        self._at_end = at >= self.shown.verticalScrollBar().maximum()

    def _stay_at_end(self, _: int, end: int) -> None:
        """It has another size: the last line stays in sight."""
        if self._at_end:
            self.shown.verticalScrollBar().setValue(end)

    def _look_up(self) -> None:
        bar = self.shown.verticalScrollBar()
        if bar.value() == bar.minimum() and self.shown.isVisible():
            self.show_early()

    def _items(self, lines: Iterable[Said]) -> Iterator[QListWidgetItem]:
        """These lines, as the list shows them."""
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
        row = self._early + self.shown.row(item)
        self.chosen.emit(self._lines[row], row)
