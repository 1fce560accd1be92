"""The screen with the list of finished matches."""

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
from ui.replay.no_replays import EmptyReplayList
from ui.replay.replay_filter import ReplayFilter
from ui.replay.replay_loader import ReplayLoader
from ui.replay.replay_model import (
    FILE_ROLE,
    LINES_ROLE,
    MONTH_ROLE,
    ListedReplay,
    ReplayModel,
    to_listed_replay,
)
from ui.shelf.table_picture import LAYOUT_SIZE
from ui.shelf.thumbnails import Thumbnails
from ui.shell.app_context import AppContext, name_widget
from ui.style.line_breaks import bind_phrases
from ui.style.theme import SMOOTH_HINTS
from ui.widgets.box_layout import STRETCH, Part, lay
from ui.widgets.fading_bars import FadingBars
from ui.widgets.focus_ring import has_ring
from ui.widgets.lists import Index
from ui.widgets.styled_widgets import Screen, button, label, scale_pixels, scaled_font
from ui.widgets.window_shape import is_upright

BUTTONS = (
    ("watch", labels.WATCH_AGAIN),
    ("name", phrase("Name…")),
    ("delete", phrase("Delete")),
    ("open_replay", phrase("Open a replay…")),
    ("leave", phrase("Back to the shelf")),
)
SELECTION_BUTTONS = ("watch", "name", "delete")
"""The buttons that act on the selected replays."""
MULTI_SELECTION_BUTTONS = ("delete",)
"""The buttons that can act on several replays at once."""
MIN_COLUMNS, MAX_CARD_WIDTH_PX = 3, 460
"""Minimum number of columns, and the card width in pixels above which a column is added."""
UPRIGHT_COLUMNS = 2
"""Number of columns in an upright window."""
PICTURE_ASPECT = LAYOUT_SIZE.height() / LAYOUT_SIZE.width()
"""Aspect ratio of a picture: height divided by width."""
CARD_GAP_PX, CARD_PADDING_PX, TEXT_HEIGHT_PX = 12, 10, 76
"""Gap between cards, padding in a card, and height of a card's text, in pixels."""
RIGHT_MARGIN_PX = CARD_GAP_PX + 12
"""Space in pixels to the right of the cards, for a gap and the scroll bar."""
HEADING_HEIGHT_PX = 52
"""Height of a month's heading in pixels."""
SELECTION_BAR_PX = 3
"""Width in pixels of the bar at the left of the selected card."""
LOADING_NOTICE_DELAY_MS = 400
"""Time in milliseconds after which an empty list says that it is loading."""
LIST_STYLE = """QListView { background: transparent; border: none; padding: 0; }
QListView[ring="true"]:focus { border: none; padding: 0; }"""


class ReplayCardDelegate(QStyledItemDelegate):
    """An item delegate that draws each replay as a card with a picture of the final table.

    The text below has title, players, time and result. Pictures are loaded when first drawn.
    """

    def __init__(self, context: AppContext, thumbnails: Thumbnails, parent: ReplayListView) -> None:
        super().__init__(parent)
        self._context = context
        self._thumbnails = thumbnails
        self._list = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return self._list.heading if index.data(MONTH_ROLE) else self._list.card

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, state = self._context.theme, option.state
        card = QRectF(option.rect).adjusted(1, 1, -CARD_GAP_PX, -CARD_GAP_PX)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        over = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHints(SMOOTH_HINTS)
        ground = theme.mat if chosen else theme.paper
        if index.data(MONTH_ROLE):
            painter.setPen(QColor(theme.ink))
            painter.setFont(scaled_font(self._list, 20, bold=True))
            flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(card, flags, index.data(LINES_ROLE)[0])
            painter.restore()
            return
        painter.setPen(QPen(QColor(theme.accent_2 if over else theme.line), 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(card, 12, 12)
        if chosen:
            shape = QPainterPath()
            shape.addRoundedRect(card, 12, 12)
            bar = QPainterPath()
            bar.addRect(card.adjusted(0, 0, SELECTION_BAR_PX - card.width(), 0))
            painter.fillPath(shape.intersected(bar), QColor(theme.accent_2))
        if state & QStyle.StateFlag.State_HasFocus and has_ring(self._list):
            painter.setPen(QPen(QColor(theme.accent_2), 3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(card.adjusted(1, 1, -1, -1), 12, 12)
        inside = card.adjusted(
            CARD_PADDING_PX, CARD_PADDING_PX, -CARD_PADDING_PX, -CARD_PADDING_PX / 2
        )
        text = inside.adjusted(2, inside.height() - scale_pixels(self._list, TEXT_HEIGHT_PX), -2, 0)
        picture = inside.adjusted(0, 0, 0, -scale_pixels(self._list, TEXT_HEIGHT_PX) - 4)
        self._draw_picture(painter, picture, index.data(FILE_ROLE))
        self._write(painter, text, index.data(LINES_ROLE))
        painter.restore()

    def _draw_picture(self, painter: QPainter, place: QRectF, file: Path | None) -> None:
        """Draw the picture of `file` with rounded corners.

        If there is no picture, an icon on an empty table is drawn; for an unreadable file, a
        warning sign.
        """
        theme = self._context.theme
        picture = self._thumbnails.thumbnail_of(file) if file is not None else QPixmap()
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
            painter.setFont(scaled_font(self._list, 13))
            flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
            painter.drawText(place, flags, bind_phrases(lines[0]))
            return
        y = place.top()
        for number, line in enumerate(lines):
            painter.setFont(scaled_font(self._list, 13 if number else 15, bold=not number))
            painter.setPen(QColor(theme.ink_soft if number == 2 else theme.ink))
            metrics = painter.fontMetrics()
            shown = metrics.elidedText(line, Qt.TextElideMode.ElideRight, round(place.width()))
            painter.drawText(QPointF(place.left(), y + metrics.ascent()), shown)
            y += metrics.height() + 2


class ReplayListView(QListView):
    """The list view of replay cards, which also handles the buttons' shortcuts."""

    command_requested = Signal(str)
    """Request to run a button's command: the button's name."""
    selection_changed = Signal()
    """The selection or the current card has changed."""

    def __init__(self, model: ReplayModel) -> None:
        super().__init__()
        self.setModel(model)
        self._model = model
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.touched = False
        """Whether the user has used the keyboard or the pointer in the list."""
        self.card = self.heading = QSize()
        """The size in pixels of a card, and of a heading, which fills a row."""
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(False)
        self.setMouseTracking(True)
        self.setStyleSheet(LIST_STYLE)
        FadingBars(self)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fit()
        super().resizeEvent(event)

    def fit(self) -> None:
        """Resize the cards to fill the view's width."""
        room = self.viewport().width()
        if is_upright(self.window()):
            columns = UPRIGHT_COLUMNS
        else:
            columns = max(MIN_COLUMNS, -(-room // scale_pixels(self, MAX_CARD_WIDTH_PX)))
        wide = room // columns
        picture = round((wide - CARD_GAP_PX - 2 * CARD_PADDING_PX) * PICTURE_ASPECT)
        self.card = QSize(
            wide, picture + scale_pixels(self, TEXT_HEIGHT_PX) + 2 * CARD_PADDING_PX + CARD_GAP_PX
        )
        self.heading = QSize(room, scale_pixels(self, HEADING_HEIGHT_PX))
        self.scheduleDelayedItemsLayout()

    def selectAll(self) -> None:
        self._model.fetch_all()
        super().selectAll()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.selection_changed.emit()

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.selection_changed.emit()

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
            self.command_requested.emit(act)
        else:
            super().keyPressEvent(event)


class ReplayList(Screen):
    """The screen with all replays, grouped by month. It is filled while replays are loading."""

    grows = True
    command_requested = Signal(str, object)
    """Request to run a button's command: its name, and the files of the selected replays."""
    game_wanted = Signal(object)
    """Request to set up a match, possible while there are no replays: the `GameKit`."""
    unreadable_found = Signal(object)
    """A replay can't be read: the `BadFile`."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self._replays: dict[Path, ListedReplay] = {}
        self._unreadable: list[BadFile] = []
        self._gone: set[Path] = set()
        """The files that were removed since loading started."""
        self._chosen: Path | None = None
        """The replay to select once it is loaded; None if there is none."""
        self._title = label("title")
        self._none = label(wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty: EmptyReplayList | None = None
        """The empty state, created when needed because it loads every game."""
        self.filter = ReplayFilter(context)
        self.filter.changed.connect(self._refill)
        self._model = ReplayModel(context.words, self)
        self.shown = ReplayListView(self._model)
        self.thumbnails = Thumbnails(context, self)
        self.thumbnails.thumbnail_drawn.connect(lambda _: self.shown.viewport().update())
        self.shown.setItemDelegate(ReplayCardDelegate(context, self.thumbnails, self.shown))
        self.shown.doubleClicked.connect(lambda _: self._ask("watch"))
        self.shown.command_requested.connect(self._ask)
        self.shown.selection_changed.connect(self._allow)
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
            each.setContentsMargins(0, 0, RIGHT_MARGIN_PX, 0)
        rows: list[Part] = [head, (self._none, 1), (self.shown, 1), row]
        self._column = lay(
            QVBoxLayout(self), rows, spacing=14, margins=(48, 24, 48 - RIGHT_MARGIN_PX, 24)
        )
        self.left.connect(lambda: self._ask("leave"))
        self.loader = ReplayLoader(self)
        self.loader.found.connect(self._take)
        self.loader.ended.connect(self._end)
        self._late = QTimer(self, singleShot=True, interval=LOADING_NOTICE_DELAY_MS)
        self._late.timeout.connect(self._show_late)
        self.refresh_appearance()

    @property
    def selected_files(self) -> tuple[Path, ...]:
        """The files of the selected replays, from top to bottom."""
        chosen = sorted(self.shown.selectedIndexes(), key=lambda index: index.row())
        return tuple(index.data(FILE_ROLE) for index in chosen)

    def load(self) -> None:
        """Clear the list, and start loading the replays."""
        self._replays, self._unreadable, self._gone = {}, [], set()
        self.shown.touched = False
        self._model.words = self.context.words
        self.loader.start(self.context.words)
        self._late.start()
        self._model.show((), (), grown=False)
        self._show_parts()
        self._focus()

    def stop(self) -> None:
        """Stop loading replays, because the list is closed."""
        self.loader.stop()
        self._late.stop()

    def change(self, gone: Collection[Path], come: Sequence[SavedReplay]) -> None:
        """Remove the files `gone` and add the replays `come`, without reloading the others."""
        self._gone.update(gone)
        for path in gone:
            self._replays.pop(path, None)
        for kept in come:
            self._gone.discard(kept.path)
            self._replays[kept.path] = to_listed_replay(kept, self.context.words)
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
            self._chosen = self.shown.currentIndex().data(FILE_ROLE)
            self.load()  # every text is another one

    def _take(self, replays: Sequence[ListedReplay], unreadable: Sequence[BadFile]) -> None:
        """Add loaded replays to the list, and keep the user's selection."""
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
        """Return whether a widget other than the list and the *Open* button has the focus."""
        inside = self.focusWidget()
        return inside not in (None, self.shown, self.buttons["open_replay"])

    def _refill(self) -> None:
        """Apply the filter again, and select the replay nearest to the current row."""
        row = max(0, self.shown.currentIndex().row())
        self._fill(grown=False)
        self._choose(row)

    def _fill(self, *, grown: bool) -> None:
        """Show the replays that match the filter.

        `grown`: whether replays were only added, so that the selection can stay.
        """
        words = self.context.words
        every = sorted(self._replays.values(), key=lambda each: sort_key(each.kept), reverse=True)
        facets = [replay.facets for replay in every]
        if self.filter.update_choices(facets):
            grown = False
        wanted = list(compress(every, self.filter.filter_mask(facets)))
        texts = [words.reason(broken.reason) for broken in self._unreadable]
        self._model.show(wanted, texts, grown=grown)
        self._show_parts()
        self._allow()

    def _show_parts(self) -> None:
        """Show the list, a message or the empty state."""
        words, loading = self.context.words, self.loader.loading
        any_kept, any_shown = bool(self._replays), self._model.rowCount() > 0
        late = loading and not self._late.isActive()
        self._none.setText(words("No replay fits.") if any_kept else words(labels.LOADING))
        self._none.setVisible(not any_shown and (any_kept or late))
        self._show_empty(not any_kept and not any_shown and not loading)
        self.shown.setVisible(any_shown or (loading and not late and not any_kept))
        self.filter.setVisible(len(self._replays) > 1)
        for name in SELECTION_BUTTONS:
            self.buttons[name].setVisible(any_kept)

    def _show_empty(self, visible: bool) -> None:
        if visible and self.empty is None:
            self.empty = EmptyReplayList(self.context)
            self.empty.setContentsMargins(0, 0, RIGHT_MARGIN_PX, 0)
            self.empty.game_requested.connect(self.game_wanted)
            self.empty.refresh_appearance()
            self._column.insertWidget(self._column.indexOf(self.shown), self.empty, 1)
        if self.empty is not None:
            self.empty.setVisible(visible)

    def _choose(self, row: int) -> None:
        """Select the replay chosen before, or if it isn't listed, the one nearest to `row`."""
        before = self._model.row_of(self._chosen) if self._chosen is not None else None
        if before is not None:
            row = before
        near = self._model.row_near(row)
        if near is not None:
            self.shown.setCurrentIndex(self._model.index(near))

    def _allow(self) -> None:
        count = len(self.shown.selectedIndexes())
        for name in SELECTION_BUTTONS:
            self.buttons[name].setEnabled(
                count > 0 if name in MULTI_SELECTION_BUTTONS else count == 1
            )

    def _ask(self, name: str) -> None:
        if name not in SELECTION_BUTTONS or self.buttons[name].isEnabled():
            self.command_requested.emit(name, self.selected_files)
