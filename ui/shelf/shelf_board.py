"""The board with the boxes of all games on the shelf."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QWidget

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.games.game_kit import CatalogueEntry
from ui.shell.app_context import AppContext
from ui.shell.shelf_order import order_games
from ui.widgets.fading_bars import FadingBars
from ui.widgets.game_box import BOARD_HEIGHT_PX, PLAY_BUTTON_SPACE_PX, PLAY_BUTTON_STYLE, GameBox
from ui.widgets.styled_widgets import give_own_viewport, set_scaled_style
from ui.widgets.window_shape import is_upright

MAX_COLUMN_WIDTH_PX = 300
"""The maximum column width in pixels; on a large screen a fifth of the board if that is wider."""
MIN_COLUMN_WIDTH_PX = 165
MIN_BOX_HEIGHT_PX = 104
SCROLLED_BOX_HEIGHT_PX = 190
"""The height in pixels of a box if the rows don't fit the screen and have to be scrolled."""
MAX_BOX_HEIGHT_SHARE = 0.48
"""The maximum height of a box, as a fraction of the window's height."""
INITIAL_BOXES = 12
"""The number of boxes created at once; those of more received games follow after painting.

Drawing and measuring a box takes time.
"""
REST_DELAY_MS = 50
"""The delay before the remaining boxes are created, in milliseconds."""
BOXES_PER_STEP = 4
"""The number of boxes created in one step."""
MIN_BOXES_FOR_TWO_ROWS = 4
MAX_ROW_GAP_PX = 48
LOW_BELOW_PX = 380
"""The board height in pixels below which captions are wider, so that they need fewer lines."""


class ShelfBoard(QWidget):
    """The boxes of all games, in rows.

    The user reorders them by dragging, or with Ctrl and an arrow key.
    """

    game_chosen = Signal(object)
    """A request to set up a match of a game: its CatalogueEntry."""
    play_requested = Signal(object)
    """A request to play a game at once: its CatalogueEntry."""
    export_requested = Signal(object)
    """A request to export a game to a file: its CatalogueEntry."""
    removal_requested = Signal(object)
    """A request to remove a received game: its CatalogueEntry."""
    pointer_entered = Signal()
    """The pointer has entered the board."""
    reordered = Signal()
    """The order of the boxes has changed."""
    boxes_added = Signal(object)
    """Boxes were added: a list of GameBoxes."""

    def __init__(self, context: AppContext, games: Sequence[CatalogueEntry]) -> None:
        super().__init__()
        self.context = context
        self.boxes: list[GameBox] = []
        self._dragged: GameBox | None = None
        self._pending_games: list[CatalogueEntry] = []
        """The received games whose boxes haven't been created yet."""
        last = next(reversed(context.settings.tables), "")
        for place, game in enumerate(order_games(games, context.settings.shelf)):
            if place < INITIAL_BOXES or game.received is None or game.id == last:
                self._add(game)
            else:
                self._pending_games.append(game)
        self._rows: list[list[GameBox]] = []
        self._places: dict[GameBox, QRect] = {}
        """The rectangle of each box. For a dragged box, it is where the box would be dropped."""
        self._visible_height = 0
        """The visible height of the board in pixels."""

    def sync_games(self) -> None:
        """Add and remove boxes so that they match the user's own and received games."""
        given = {game.id: game for game in catalogue.list_entries().shelf_entries if _is_own(game)}
        self._pending_games = [game for game in self._pending_games if game.id in given]
        for game in self._pending_games:
            del given[game.id]
        standing = {box.game.id: box for box in self.boxes if _is_own(box.game)}
        for name in standing.keys() - given.keys():
            gone = standing[name]
            self.boxes.remove(gone)
            gone.hide()
            gone.deleteLater()
        for name in given.keys() - standing.keys():
            self._add(given[name])
        if given.keys() != standing.keys():
            self._sort_boxes()
            self.refresh_appearance()

    def update_game(self, game: CatalogueEntry) -> None:
        """Update the box of a reloaded game, or add a box if there is none."""
        box = next((each for each in self.boxes if each.game.id == game.id), None)
        self._pending_games = [each for each in self._pending_games if each.id != game.id]
        if box is not None:
            box.game = game
        elif not game.box.hidden:
            self._add(game)
        self._sort_boxes()
        self.refresh_appearance()

    def _add_pending(self) -> None:
        """Create the next boxes, and schedule the creation of the others."""
        games, self._pending_games = (
            self._pending_games[:BOXES_PER_STEP],
            self._pending_games[BOXES_PER_STEP:],
        )
        if not games:
            return
        added = [self._add(game) for game in games]
        for box in added:
            box.refresh_appearance()
        self._sort_boxes()
        self._arrange()
        self.boxes_added.emit(added)
        QTimer.singleShot(0, self, self._add_pending)

    def _add(self, game: CatalogueEntry) -> GameBox:
        box = GameBox(self.context, game, self)
        box.share_requested.connect(lambda: self.export_requested.emit(box.game))
        box.removal_requested.connect(lambda: self.removal_requested.emit(box.game))
        box.clicked.connect(lambda: self.game_chosen.emit(box.game))
        box.play_button.clicked.connect(lambda: self.play_requested.emit(box.game))
        box.move_requested.connect(lambda by: self._move_box(box, by))
        box.dragged.connect(lambda: self._move_dragged(box))
        box.dropped.connect(self._on_dropped)
        box.default_order_requested.connect(self._reset_order)
        self.boxes.append(box)
        box.show()  # for a box added while the shelf is visible
        return box

    def _sort_boxes(self) -> None:
        games = order_games((box.game for box in self.boxes), self.context.settings.shelf)
        places = {game.id: place for place, game in enumerate(games)}
        self.boxes.sort(key=lambda box: places[box.game.id])
        self.reordered.emit()

    def _move_box(self, box: GameBox, by: int) -> None:
        """Move `box` by `by` positions in the shelf order."""
        at = self.boxes.index(box)
        to = max(0, min(at + by, len(self.boxes) - 1))
        if to != at:
            self.boxes.insert(to, self.boxes.pop(at))
            self._save_order()

    def _move_dragged(self, box: GameBox) -> None:
        """Move the dragged box to the position in the order that is nearest to it."""
        if self._dragged is None:
            self._dragged = box
            box.raise_()
        middle = box.geometry().center()
        near = min(
            self.boxes,
            key=lambda other: (self._places[other].center() - middle).manhattanLength(),
        )
        if near is not box:
            to = self.boxes.index(near)
            self.boxes.remove(box)
            self.boxes.insert(to, box)
            self._arrange()

    def _on_dropped(self) -> None:
        self._dragged = None
        self._save_order()

    def _save_order(self) -> None:
        games = (*(box.game for box in self.boxes), *self._pending_games)
        self.context.store_settings(shelf=tuple(game.id for game in games))
        self._arrange()
        self.reordered.emit()

    def _reset_order(self) -> None:
        self.context.store_settings(shelf=())
        self._sort_boxes()
        self._arrange()

    def set_visible_height(self, height: int) -> None:
        """Set the visible height of the board in pixels."""
        self._visible_height = height
        self._arrange()

    @property
    def tab_stops(self) -> list[QAbstractButton]:
        """The buttons in tab order: each box, followed by its own buttons."""
        return [
            stop
            for box in self.boxes
            for stop in (box, box.play_button, box.remove_button)
            if stop is not None
        ]

    def refresh_appearance(self) -> None:
        """Update all texts and the layout."""
        set_scaled_style(
            self, PLAY_BUTTON_STYLE
        )  # one style sheet for all boxes, as Qt parses each sheet
        for box in self.boxes:
            box.refresh_appearance()
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(REST_DELAY_MS, self, self._add_pending)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
        super().resizeEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.pointer_entered.emit()
        super().enterEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.context.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for row in self._rows:
                y = self._places[row[0]].y()
                top, board = float(y), y + row[0].board_top
                wall = QRectF(0, top, self.width(), board - top)
                painter.setPen(Qt.PenStyle.NoPen)
                shade = QLinearGradient(0, top, 0, board)
                mat = QColor(theme.mat)
                shade.setColorAt(0, QColor(mat.red(), mat.green(), mat.blue(), 110))
                shade.setColorAt(1, mat)
                painter.setBrush(shade)
                painter.drawRoundedRect(wall.adjusted(0, 0, 0, 8), 14, 14)
                self._draw_board(painter, board)

    def _draw_board(self, painter: QPainter, y: float) -> None:
        for spread in range(6):
            painter.setBrush(QColor(40, 26, 8, 12))
            painter.drawRoundedRect(
                QRectF(6, y + 6 + spread, self.width() - 12, BOARD_HEIGHT_PX - 6), 4, 4
            )
        wood = QLinearGradient(0, y, 0, y + BOARD_HEIGHT_PX)
        wood.setColorAt(0, QColor("#C69C62"))
        wood.setColorAt(0.2, QColor("#B98D52"))
        wood.setColorAt(1, QColor("#94703F"))
        painter.setBrush(wood)
        painter.drawRoundedRect(QRectF(0, y, self.width(), BOARD_HEIGHT_PX), 3, 3)
        painter.setBrush(QColor(255, 240, 210, 90))
        painter.drawRect(QRectF(2, y, self.width() - 4, 1.5))

    def _arrange(self) -> None:
        if not self.boxes or self.width() < 50:
            return
        columns, rows = self._grid_size()
        width, standing, caption = self._measure(columns, rows)
        height = (
            round(standing) + BOARD_HEIGHT_PX + caption + self._button_height + PLAY_BUTTON_SPACE_PX
        )
        spare = max(0, self.height() - rows * height) if rows == 1 or self._is_upright else 0
        row_gap = min(MAX_ROW_GAP_PX, spare // (rows + 1)) if rows > 1 else 0
        spare = (spare - row_gap * (rows - 1)) // 2
        gap = min(64, (self.width() - columns * width) // max(1, columns + 1))
        self._rows, self._places = [], {}
        for start in range(0, len(self.boxes), columns):
            row = self.boxes[start : start + columns]
            left = (self.width() - len(row) * width - (len(row) - 1) * gap) // 2
            y = spare + len(self._rows) * (height + row_gap)
            for box in row:
                self._places[box] = QRect(left, y, width, height)
                if box is not self._dragged:
                    box.place_on_shelf(standing, self._places[box])
                left += width + gap
            self._rows.append(row)
        scrolled = rows > 1 and rows * height + 8 > self._visible_height
        min_height = (
            rows * (height if scrolled else height - round(standing) + MIN_BOX_HEIGHT_PX) + 4
        )
        if self.minimumHeight() != min_height:
            self.setMinimumHeight(min_height)
        self.update()

    @property
    def _button_height(self) -> int:
        """The height of the "Play now" buttons, in pixels."""
        return self.boxes[0].play_button.sizeHint().height()

    def _grid_size(self) -> tuple[int, int]:
        """Return the number of columns and of rows, such that rows are as equal as possible."""
        count = len(self.boxes) + len(self._pending_games)
        rows = -(-count // max(1, min(count, self.width() // MIN_COLUMN_WIDTH_PX)))
        if self._is_upright and count >= MIN_BOXES_FOR_TWO_ROWS:
            rows = max(2, rows)
        return -(-count // rows), rows

    @property
    def _is_upright(self) -> bool:
        """Whether the window is high enough for two rows of large boxes."""
        return is_upright(self.window())

    def _level_titles(self, width: int) -> None:
        """Reserve the same height for the titles of all boxes, for a column `width` pixels wide."""
        height = max(box.titles_height(width) for box in self.boxes)
        for box in self.boxes:
            box.min_titles_height = height

    def _measure(self, columns: int, rows: int) -> tuple[int, float, int]:
        """Return the width of a column, and the heights of a box and its caption, in pixels."""
        widest = max(MAX_COLUMN_WIDTH_PX, self.width() // 5)
        width = min(widest, self.width() // columns)
        self._level_titles(width)
        caption = max(box.caption_height(width) for box in self.boxes)
        tallest = max(box.natural.height() / box.natural.width() for box in self.boxes)
        below = BOARD_HEIGHT_PX + self._button_height + PLAY_BUTTON_SPACE_PX
        free = (self._visible_height - 8) / rows - below - caption
        max_standing = min(
            self.window().height() * MAX_BOX_HEIGHT_SHARE, (width - 28) * tallest + 40
        )
        if rows > 1 and free < MIN_BOX_HEIGHT_PX:  # show one row and the top of the next
            free = min(SCROLLED_BOX_HEIGHT_PX, self._visible_height - 8 - below - caption)
        standing = max(MIN_BOX_HEIGHT_PX, min(free, max_standing))
        if rows == 1:  # no wider than the boxes, so that they are centred
            min_height = (
                MAX_COLUMN_WIDTH_PX if self.height() < LOW_BELOW_PX else MIN_COLUMN_WIDTH_PX + 75
            )
            drawn = max((standing - 16) / tallest + 28, min_height)
            width = min(width, round(drawn))
            self._level_titles(width)
            caption = max(box.caption_height(width) for box in self.boxes)
            standing = max(MIN_BOX_HEIGHT_PX, min(standing, self.height() - 8 - below - caption))
        return width, standing, caption


def _is_own(game: CatalogueEntry) -> bool:
    """Return whether `game` was received or is in the user's games folder."""
    if game.received is not None:
        return True
    return isinstance(game.folder, Path) and game.folder.parent == folders.games().resolve()


class ShelfRows(QScrollArea):
    """The scroll area of the board, which scrolls to the focused box."""

    def __init__(self, board: ShelfBoard) -> None:
        super().__init__()
        give_own_viewport(self)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(board)
        self._board = board
        FadingBars(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._board.set_visible_height(self.viewport().height())
        super().resizeEvent(event)
