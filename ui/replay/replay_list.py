"""The finished matches that were kept, to be watched again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import compress
from pathlib import Path

from PySide6.QtCore import QItemSelection, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from tabletop.files.errors import BadFile
from tabletop.language import labels
from tabletop.storage.saved_matches import SavedReplay, sort_key
from tabletop.text.phrases import phrase
from ui.replay.no_replays import NoReplays
from ui.replay.replay_filter import ReplayFilter
from ui.replay.replay_loader import ReplayLoader
from ui.replay.replay_model import FILE, LINES, MONTH, ListedReplay, ReplayModel, describe
from ui.shelf.table_picture import LAID
from ui.shelf.thumbnails import Thumbnails
from ui.shell.app_context import AppContext, name_widget
from ui.style.line_breaks import by_phrases
from ui.style.theme import SMOOTH
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.fading_bars import FadingBars
from ui.widgets.focus_ring import has_ring
from ui.widgets.lists import Index
from ui.widgets.styled_widgets import Screen, button, grown_font, label, scale_pixels

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
LATE_MS = 400
"""The time after which a list that is still empty says that it is loading."""
BARE = """QListView { background: transparent; border: none; padding: 0; }
QListView[ring="true"]:focus { border: none; padding: 0; }"""


class ReplayCards(QStyledItemDelegate):
    """Draws each replay as a card: the picture of its last table, read when it is first seen, over
    what it is called, who played, when and how it ended."""

    def __init__(self, context: AppContext, thumbnails: Thumbnails, parent: ReplayListView) -> None:
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


class ReplayListView(QListView):
    """Cards in rows, whose keys do what the buttons do."""

    asked = Signal(str)
    chosen = Signal()
    """Other cards are selected, or another one is current."""

    def __init__(self, model: ReplayModel) -> None:
        super().__init__()
        self.setModel(model)
        self._model = model
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.touched = False
        """Whether the person has used keys or the pointer here."""
        self.card = self.heading = QSize()
        """Their sizes, in pixels: a heading has a row of its own."""
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(False)
        self.setMouseTracking(True)
        self.setStyleSheet(BARE)
        FadingBars(self)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
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

    def selectAll(self) -> None:
        self._model.fetch_all()
        super().selectAll()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.chosen.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.touched = True
        super().mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.touched = True
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.touched = True
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
    """The replays, by months, as they are loaded; each request carries the files that are
    chosen."""

    grows = True
    asked = Signal(str, object)
    game_wanted = Signal(object)
    """Request to set up a match of this kit, while there is nothing to watch."""
    unreadable_found = Signal(object)
    """A BadFile is among the replays."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self._replays: dict[Path, ListedReplay] = {}
        self._unreadable: list[BadFile] = []
        self._gone: set[Path] = set()
        """Files that were taken away since loading began."""
        self._chosen: Path | None = None
        """The replay to be chosen once it is loaded."""
        self._title = label("title")
        self._none = label(wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty: NoReplays | None = None
        """Shown while there is nothing to watch; it loads every game, so it is made then."""
        self.filter = ReplayFilter(context)
        self.filter.changed.connect(self._refill)
        self._model = ReplayModel(context.words, self)
        self.shown = ReplayListView(self._model)
        self.thumbnails = Thumbnails(context, self)
        self.thumbnails.drawn.connect(lambda _: self.shown.viewport().update())
        self.shown.setItemDelegate(ReplayCards(context, self.thumbnails, self.shown))
        self.shown.doubleClicked.connect(lambda _: self._ask("watch"))
        self.shown.asked.connect(self._ask)
        self.shown.chosen.connect(self._allow)
        self.buttons: dict[str, QPushButton] = {}
        row = lay(QHBoxLayout(), spacing=10)
        for name, _ in BUTTONS:
            self.buttons[name] = button("primary" if name == "watch" else "")
            self.buttons[name].clicked.connect(lambda _=False, name=name: self._ask(name))
            row.addWidget(self.buttons[name])
            if name == "delete":
                row.addStretch(1)
        head = lay(QHBoxLayout(), [self._title, STRETCH, (self.filter, 4)], spacing=16)
        for each in (head, self._none, row):
            each.setContentsMargins(0, 0, BEYOND, 0)
        rows: list[Part] = [head, (self._none, 1), (self.shown, 1), row]
        self._column = lay(QVBoxLayout(self), rows, spacing=14, margins=(48, 24, 48 - BEYOND, 24))
        self.left.connect(lambda: self._ask("leave"))
        self.loader = ReplayLoader(self)
        self.loader.found.connect(self._take)
        self.loader.ended.connect(self._end)
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(self._show_late)
        self.refresh_appearance()

    @property
    def files(self) -> tuple[Path, ...]:
        """Those that are chosen, from above."""
        chosen = sorted(self.shown.selectedIndexes(), key=lambda index: index.row())
        return tuple(index.data(FILE) for index in chosen)

    def load(self) -> None:
        """Read the replays; those that are listed so far go."""
        self._replays, self._unreadable, self._gone = {}, [], set()
        self.shown.touched = False
        self._model.words = self.context.words
        self.loader.start(self.context.words)
        self._late.start()
        self._model.show((), (), grown=False)
        self._show_parts()
        self._focus()

    def stop(self) -> None:
        """Stop reading replays: the list is left."""
        self.loader.stop()
        self._late.stop()

    def change(self, gone: Collection[Path], come: Sequence[SavedReplay]) -> None:
        """Take these from the list, and list those; nothing else is read again."""
        self._gone.update(gone)
        for path in gone:
            self._replays.pop(path, None)
        for kept in come:
            self._gone.discard(kept.path)
            self._replays[kept.path] = describe(kept, self.context.words)
        self._refill()
        self._focus()

    def refresh_appearance(self) -> None:
        super().refresh_appearance()
        words = self.context.words
        self._title.setText(words("Replays"))
        name_widget(self, self._title.text())
        name_widget(self.shown, words("Replays"))
        for name, text in BUTTONS:
            self.buttons[name].setText(words(text))
        self.shown.fit()
        if self.empty is not None:
            self.empty.refresh_appearance()
        if self._model.words.language != words.language:
            self._chosen = self.shown.currentIndex().data(FILE)
            self.load()  # every text is another one

    def _take(self, replays: Sequence[ListedReplay], unreadable: Sequence[BadFile]) -> None:
        """List what was loaded; what the person has chosen stays so."""
        first = not self._replays
        for replay in replays:
            path = replay.kept.path
            if path not in self._replays and path not in self._gone:
                self._replays[path] = replay
        for broken in unreadable:
            self._unreadable.append(broken)
            self.unreadable_found.emit(broken)
        self._fill(grown=True)
        if not self.shown.touched:
            self._choose(0)
        if first and self._replays and not self._is_used():
            self._focus()

    def _end(self) -> None:
        self._late.stop()
        self._chosen = None
        self._show_parts()
        if not self._replays and not self._is_used():
            self._focus()

    def _show_late(self) -> None:
        self._show_parts()
        self._focus()

    def _focus(self) -> None:
        first = self.shown if self.shown.isVisibleTo(self) else self.buttons["open_replay"]
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _is_used(self) -> bool:
        """Whether the person has gone to another part of this screen."""
        inside = self.focusWidget()
        return inside not in (None, self.shown, self.buttons["open_replay"])

    def _refill(self) -> None:
        """List what is wanted, and choose near where the choice was."""
        row = max(0, self.shown.currentIndex().row())
        self._fill(grown=False)
        self._choose(row)

    def _fill(self, *, grown: bool) -> None:
        """`grown`: nothing has gone, and the same is wanted as before."""
        words = self.context.words
        every = sorted(self._replays.values(), key=lambda each: sort_key(each.kept), reverse=True)
        facets = [replay.facets for replay in every]
        if self.filter.offer(facets):
            grown = False
        wanted = list(compress(every, self.filter.accepted(facets)))
        texts = [words.reason(broken.reason) for broken in self._unreadable]
        self._model.show(wanted, texts, grown=grown)
        self._show_parts()
        self._allow()

    def _show_parts(self) -> None:
        """Show the list, or what there is to say instead of it."""
        words, loading = self.context.words, self.loader.loading
        any_kept, any_shown = bool(self._replays), self._model.rowCount() > 0
        late = loading and not self._late.isActive()
        self._none.setText(words("No replay fits.") if any_kept else words(labels.LOADING))
        self._none.setVisible(not any_shown and (any_kept or late))
        self._show_empty(not any_kept and not any_shown and not loading)
        self.shown.setVisible(any_shown or (loading and not late and not any_kept))
        self.filter.setVisible(len(self._replays) > 1)
        for name in CHOSEN:
            self.buttons[name].setVisible(any_kept)

    def _show_empty(self, visible: bool) -> None:
        if visible and self.empty is None:
            self.empty = NoReplays(self.context)
            self.empty.setContentsMargins(0, 0, BEYOND, 0)
            self.empty.wanted.connect(self.game_wanted)
            self.empty.refresh_appearance()
            self._column.insertWidget(self._column.indexOf(self.shown), self.empty, 1)
        if self.empty is not None:
            self.empty.setVisible(visible)

    def _choose(self, row: int) -> None:
        """Choose the replay that was chosen in another language, or is nearest to this row."""
        before = self._model.row_of(self._chosen) if self._chosen is not None else None
        if before is not None:
            row = before
        near = self._model.row_near(row)
        if near is not None:
            self.shown.setCurrentIndex(self._model.index(near))

    def _allow(self) -> None:
        count = len(self.shown.selectedIndexes())
        for name in CHOSEN:
            self.buttons[name].setEnabled(count > 0 if name in SEVERAL else count == 1)

    def _ask(self, name: str) -> None:
        if name not in CHOSEN or self.buttons[name].isEnabled():
            self.asked.emit(name, self.files)
