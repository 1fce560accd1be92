"""The finished matches that were kept, to be watched again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from tabletop.catalogue.catalogue import BrokenGame, UnknownGame
from tabletop.files.errors import BadFile
from tabletop.language import labels
from tabletop.language.table_text import points_text
from tabletop.storage.saved_matches import Kept, in_order
from tabletop.text.phrases import phrase
from ui.replay.no_replays import NoReplays
from ui.replay.replay_filter import Facets, ReplayFilter, month_text
from ui.shelf.table_picture import LAID
from ui.shelf.thumbnails import Thumbnails
from ui.shell.app_context import AppContext, name_line, name_widget
from ui.shell.language import title, versus, when_text
from ui.style.line_breaks import by_phrases
from ui.style.theme import SMOOTH
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.fading_bars import FadingBars
from ui.widgets.focus_ring import has_ring
from ui.widgets.lists import Index
from ui.widgets.surface import Screen, button, grown_font, label, scale_pixels

BUTTONS = (
    ("watch", labels.WATCH_AGAIN),
    ("name", phrase("Name…")),
    ("delete", phrase("Delete")),
    ("open_replay", phrase("Open a replay…")),
    ("leave", phrase("Back to the shelf")),
)
CHOSEN = ("watch", "name", "delete")
"""The buttons that act on the chosen replays."""
SEVERAL = ("delete",)
"""The buttons that take several replays at once."""
FILE = Qt.ItemDataRole.UserRole
LINES = Qt.ItemDataRole.UserRole + 1
"""The role of the lines under a picture."""
MONTH = Qt.ItemDataRole.UserRole + 2
"""The role that marks a heading: the month of the replays after it."""
COLUMNS, WIDEST = 3, 460
"""The cards side by side at least, and the width in pixels beyond which there are more."""
SHAPE = LAID.height() / LAID.width()
"""The height of a picture, as a share of its width."""
GAP, EDGE, TEXT = 12, 10, 76
"""The gap between two cards, that round what is on one, and the height of its text, in pixels."""
BEYOND = GAP + 12
"""What the cards leave free at the right of their list, for a gap and the scroll bar, in pixels."""
HEADING = 52
"""The height of a month's row, in pixels."""
BAR = 3
"""The width of the bar at the left of the chosen card, in pixels."""
BARE = """QListWidget { background: transparent; border: none; padding: 0; }
QListWidget[ring="true"]:focus { border: none; padding: 0; }"""


class ReplayCards(QStyledItemDelegate):
    """Draws each replay as a card: the picture of its last table, read when it is first seen, over
    what it is called, who played, when and how it ended."""

    def __init__(
        self, context: AppContext, thumbnails: Thumbnails, parent: ReplayListWidget
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._thumbnails = thumbnails
        self._list = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self._list.heading if index.data(MONTH) else self._list.card

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, state = self._context.theme, option.state
        card = QRectF(option.rect).adjusted(1, 1, -GAP, -GAP)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHints(SMOOTH)
        ground = theme.mat if chosen else theme.paper
        if index.data(MONTH):
            painter.setPen(QColor(theme.ink))
            painter.setFont(grown_font(self._list, 20, bold=True))
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(card, flags, index.data(LINES)[0])
            painter.restore()
            return
        painter.setPen(QPen(QColor(theme.accent_2 if over else theme.line), 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(card, 12, 12)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent_2))
            painter.drawRect(QRectF(card.left(), card.top() + 12, BAR, card.height() - 24))
        if state & QStyle.StateFlag.State_HasFocus and has_ring(self._list):
            painter.setPen(QPen(QColor(theme.accent_2), 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(card.adjusted(1, 1, -1, -1), 12, 12)
        inside = card.adjusted(EDGE, EDGE, -EDGE, -EDGE / 2)
        text = inside.adjusted(2, inside.height() - scale_pixels(self._list, TEXT), -2, 0)
        picture = inside.adjusted(0, 0, 0, -scale_pixels(self._list, TEXT) - 4)
        self._draw_picture(painter, picture, index.data(FILE))
        self._write(painter, text, index.data(LINES))
        painter.restore()

    def _draw_picture(self, painter: QPainter, place: QRectF, file: Path | None) -> None:
        """The picture with round corners; where there is none yet, an empty table; of a file that
        cannot be read, a sign."""
        theme = self._context.theme
        picture = self._thumbnails.picture(file) if file is not None else QPixmap()
        shape = QPainterPath()
        shape.addRoundedRect(place, 8, 8)
        painter.save()
        painter.setClipPath(shape)
        painter.fillRect(place, QColor(theme.table))
        if picture.isNull():
            name, colour = ("replay", theme.ink_soft) if file else ("warning", theme.warn)
            side = scale_pixels(self._list, 36)
            sign = self._context.icon_pixmap(name, side, colour)
            painter.drawPixmap(place.center() - QPointF(side / 2, side / 2), sign)
        else:
            whole = QRectF(picture.rect())
            high = whole.width() * place.height() / place.width()
            part = QRectF(0, (whole.height() - high) / 2, whole.width(), high)
            painter.drawPixmap(place, picture, part)
        painter.restore()

    def _write(self, painter: QPainter, place: QRectF, lines: Sequence[str]) -> None:
        theme = self._context.theme
        if len(lines) == 1:  # what is wrong with a file
            painter.setPen(QColor(theme.ink_soft))
            painter.setFont(grown_font(self._list, 13))
            flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
            painter.drawText(place, flags, by_phrases(lines[0]))
            return
        y = place.top()
        for number, line in enumerate(lines):
            painter.setFont(grown_font(self._list, 13 if number else 15, bold=not number))
            painter.setPen(QColor(theme.ink_soft if number == 2 else theme.ink))
            metrics = painter.fontMetrics()
            shown = metrics.elidedText(line, Qt.TextElideMode.ElideRight, round(place.width()))
            painter.drawText(QPointF(place.left(), y + metrics.ascent()), shown)
            y += metrics.height() + 2


class ReplayListWidget(QListWidget):
    """Cards in rows, whose keys do what the buttons do."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setMovement(QListWidget.Movement.Static)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.card = self.heading = QSize()
        """Their sizes, in pixels: a heading has a row of its own."""
        self.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.setDragEnabled(False)
        self.setMouseTracking(True)
        self.setStyleSheet(BARE)
        FadingBars(self)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fit()
        super().resizeEvent(event)

    def fit(self) -> None:
        """Let the cards fill the width."""
        room = self.viewport().width()
        wide = room // max(COLUMNS, -(-room // scale_pixels(self, WIDEST)))
        picture = round((wide - GAP - 2 * EDGE) * SHAPE)
        self.card = QSize(wide, picture + scale_pixels(self, TEXT) + 2 * EDGE + GAP)
        self.heading = QSize(room, scale_pixels(self, HEADING))
        self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        acts = {
            Qt.Key.Key_Return: "watch",
            Qt.Key.Key_Enter: "watch",
            Qt.Key.Key_F2: "name",
            Qt.Key.Key_Delete: "delete",
        }
        act = acts.get(Qt.Key(event.key()))
        if act:
            self.asked.emit(act)
        else:
            super().keyPressEvent(event)


class ReplayList(Screen):
    """The replays, by months; each request carries the files that are chosen."""

    grows = True
    asked = Signal(str, object)
    game_wanted = Signal(object)
    """Request to set up a match of this kit, while there is nothing to watch."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self._kept: tuple[Kept, ...] = ()
        self._unreadable: Sequence[BadFile] = ()
        self._facets: dict[Path, tuple[Facets, tuple[str, str, str], str]] = {}
        """What each is found by, and what is written on its card, in the current language."""
        self._title = label("title")
        self._none = label(wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty = NoReplays(context)
        self.empty.wanted.connect(self.game_wanted)
        self.filter = ReplayFilter(context)
        self.filter.changed.connect(self._refill)
        self.shown = ReplayListWidget()
        self.thumbnails = Thumbnails(context, self)
        self.thumbnails.drawn.connect(lambda _: self.shown.viewport().update())
        self.shown.setItemDelegate(ReplayCards(context, self.thumbnails, self.shown))
        self.shown.itemDoubleClicked.connect(lambda _: self._ask("watch"))
        self.shown.asked.connect(self._ask)
        self.shown.currentItemChanged.connect(lambda *_: self._allow())
        self.shown.itemSelectionChanged.connect(self._allow)
        self.buttons: dict[str, QPushButton] = {}
        row = lay(QHBoxLayout(), spacing=10)
        for name, _ in BUTTONS:
            self.buttons[name] = button("primary" if name == "watch" else "")
            self.buttons[name].clicked.connect(lambda _=False, name=name: self._ask(name))
            row.addWidget(self.buttons[name])
            if name == "delete":
                row.addStretch(1)
        head = lay(QHBoxLayout(), [self._title, STRETCH, (self.filter, 4)], spacing=16)
        for each in (head, self._none, self.empty, row):
            each.setContentsMargins(0, 0, BEYOND, 0)
        rows: list[Part] = [head, (self._none, 1), (self.empty, 1), (self.shown, 1), row]
        lay(QVBoxLayout(self), rows, spacing=14, margins=(48, 24, 48 - BEYOND, 24))
        self.left.connect(lambda: self._ask("leave"))
        self.apply_looks()

    @property
    def files(self) -> tuple[Path, ...]:
        """Those that are chosen, from above."""
        rows = (self.shown.item(row) for row in range(self.shown.count()))
        return tuple(item.data(FILE) for item in rows if item.isSelected())

    def show_kept(self, kept: Sequence[Kept], unreadable: Sequence[BadFile]) -> None:
        """List these, and keep the choice near where it was; after them, what is wrong with the
        files that cannot be read."""
        self._kept, self._unreadable = tuple(kept), unreadable
        self._offer()
        self._refill()
        first = self.shown if kept else self.buttons["open_replay"]
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def change(self, gone: Collection[Path], come: Sequence[Kept]) -> None:
        """Take these from the list, and list those; nothing else is read again."""
        rest = [kept for kept in self._kept if kept.path not in gone]
        for path in gone:
            self._facets.pop(path, None)
        self.show_kept(sorted((*rest, *come), key=in_order, reverse=True), self._unreadable)

    def apply_looks(self) -> None:
        super().apply_looks()
        words = self.context.words
        self._title.setText(words("Replays"))
        name_widget(self, self._title.text())
        name_widget(self.shown, words("Replays"))
        for name, text in BUTTONS:
            self.buttons[name].setText(words(text))
        self.shown.fit()
        self.empty.apply_looks()
        self._facets.clear()
        self._offer()
        self._refill()

    def _offer(self) -> None:
        """Describe those that are new, and offer what there is to be filtered by."""
        for kept in self._kept:
            if kept.path not in self._facets:
                self._facets[kept.path] = self._describe(kept)
        self.filter.offer([self._facets[kept.path][0] for kept in self._kept])
        self.filter.setVisible(len(self._kept) > 1)

    def _refill(self) -> None:
        """List what is wanted, and choose near where the choice was."""
        row = max(0, self.shown.currentRow())
        self.shown.clear()
        wanted = [kept for kept in self._kept if self.filter.accepts(self._facets[kept.path][0])]
        months = [self._facets[kept.path][0].month for kept in wanted]
        grouped, before = len(set(months)) > 1, None
        for kept, month in zip(wanted, months, strict=True):
            if grouped and month != before:
                self._add_heading(month, months.count(month))
            before = month
            _, lines, heard = self._facets[kept.path]
            item = self._add(lines)
            item.setData(FILE, kept.path)
            name_line(item, self.context.words, heard)
        for broken in self._unreadable:
            item = self._add((self.context.words.reason(broken.reason),))
            # focusable, so that it is read out, but not selectable
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        any_kept, any_shown = bool(self._kept), self.shown.count() > 0
        self._none.setText(self.context.words("No replay fits."))
        self._none.setVisible(any_kept and not any_shown)
        self.empty.setVisible(not any_kept and not any_shown)
        self.shown.setVisible(any_shown)
        for name in CHOSEN:
            self.buttons[name].setVisible(any_kept)
        self._choose(row)
        self._allow()

    def _choose(self, row: int) -> None:
        """Choose the replay that is nearest to this row."""
        items = [self.shown.item(each) for each in range(self.shown.count())]
        rows = [number for number, item in enumerate(items) if item.data(FILE)]
        if rows:
            self.shown.setCurrentRow(min(rows, key=lambda each: abs(each - row)))

    def _add(self, lines: tuple[str, ...]) -> QListWidgetItem:
        item = QListWidgetItem("\n".join(lines))
        item.setToolTip(item.text())
        item.setData(LINES, lines)
        self.shown.addItem(item)
        return item

    def _add_heading(self, month: date, count: int) -> None:
        called = month_text(month, self.context.words.language)
        words = self.context.words
        item = self._add((words("{month} ({n})", month=called, n=count),))
        replays = words("1 replay") if count == 1 else words("{n} replays", n=count)
        name_line(item, words, words.with_label(called, replays))
        item.setData(MONTH, True)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)  # as above

    def _allow(self) -> None:
        count = len(self.shown.selectedItems())
        for name in CHOSEN:
            self.buttons[name].setEnabled(count > 0 if name in SEVERAL else count == 1)

    def _describe(self, kept: Kept) -> tuple[Facets, tuple[str, str, str], str]:
        """What it is found by; what it is called, who played, when and how it ended; and this as it
        is heard, with every score's player."""
        words = self.context.words
        try:
            kit = kept.header.kit()
        except (UnknownGame, BrokenGame):
            game, players = kept.header.game, words
        else:
            game, players = (
                title(kit, words.language),
                self.context.words_of(kit, kept.header.players),
            )
        called = words.join_facts((kept.name, game))
        won = words.join_list(players.seat(seat) for seat in kept.end.winners)
        nobody = words("everyone lost") if kept.end.lost else words("nobody won")
        end = words(labels.WON, names=won) if won else nobody
        when = when_text(words, kept.changed)
        scores = [
            words.with_label(players.seat(seat), points_text(points, players))
            for seat, points in enumerate(kept.end.points)
        ]
        heard = words.sentences((called, versus(players, kept.header.players), when, end, *scores))
        if kept.end.points:
            end = words.with_note(end, words.join_scores(kept.end.points))
        lines = called, versus(players, kept.header.players), words.join_facts((when, end))
        seated = tuple(players.seat(seat) for seat in range(len(kept.header.players)))
        month = kept.changed.astimezone().date().replace(day=1)
        return Facets(game, seated, month, "\n".join(lines).casefold()), lines, heard

    def _ask(self, name: str) -> None:
        if name not in CHOSEN or self.buttons[name].isEnabled():
            self.asked.emit(name, self.files)
