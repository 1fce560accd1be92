"""The board of the shelf: the boxes side by side, in rows where the window is narrow."""

from collections.abc import Sequence

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
from tabletop.games.game_kit import CatalogueEntry
from ui.shell.app_context import AppContext
from ui.shell.shelf_order import order_games
from ui.widgets.fading_bars import FadingBars
from ui.widgets.game_box import BOARD, NOW_SHEET, UNDER, GameBox
from ui.widgets.styled_widgets import give_own_viewport, wear

WIDEST = 300
"""Width of a column, in pixels; on a large screen a fifth of the board."""
NARROWEST = 165
LOWEST = 108
SCROLLED = 190
"""Height of a box, in pixels, where its rows have to be scrolled in any case."""
HIGHEST = 0.48
"""The share of the window's height that a box may have."""
AT_ONCE = 12
"""The number of boxes that are there from the start; received games after them are added soon, and
out of sight, since each box has to be drawn and measured."""
SOON = 50
"""Milliseconds after which they come."""
PART = 4
"""The number of boxes added at a time."""
LOW = 380
"""Height of the board, in pixels, below which captions are set wider to stay short."""


class ShelfBoard(QWidget):
    """The boxes side by side on their board, in rows where the window is narrow. A box is dragged
    to another place, or goes there with Ctrl and an arrow."""

    chosen = Signal(object)
    played = Signal(object)
    shared = Signal(object)
    """Request to write this game as one file."""
    unwanted = Signal(object)
    """Request to remove this game, which was received from a table."""
    pointed_at = Signal()
    reordered = Signal()
    """The boxes have another order."""
    came = Signal(object)
    """There are more boxes: these."""

    def __init__(self, context: AppContext, games: Sequence[CatalogueEntry]) -> None:
        super().__init__()
        self.context = context
        self.boxes: list[GameBox] = []
        self._dragged: GameBox | None = None
        self._coming: list[CatalogueEntry] = []
        """The received games that have no box yet."""
        last = next(reversed(context.settings.tables), "")
        for place, game in enumerate(order_games(games, context.settings.shelf)):
            if place < AT_ONCE or game.received is None or game.id == last:
                self._add(game)
            else:
                self._coming.append(game)
        self._rows: list[list[GameBox]] = []
        self._places: dict[GameBox, QRect] = {}
        """Where each box is, or where the dragged one would be let go."""
        self._page = 0
        """The height of the board that the window shows, in pixels."""

    def follow_received(self) -> None:
        """Update the received games on the board."""
        given = {game.id: game for game in catalogue.list_entries().visible_games if game.received}
        self._coming = [game for game in self._coming if game.id in given]
        for game in self._coming:
            del given[game.id]
        standing = {box.game.id: box for box in self.boxes if box.game.received is not None}
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

    def renew(self, game: CatalogueEntry) -> None:
        """Put a game into its box, as it was read again; one that has no box yet gets one."""
        box = next((each for each in self.boxes if each.game.id == game.id), None)
        self._coming = [each for each in self._coming if each.id != game.id]
        if box is not None:
            box.game = game
        elif not game.box.hidden:
            self._add(game)
        self._sort_boxes()
        self.refresh_appearance()

    def _add_coming(self) -> None:
        """Add the next boxes, and the others soon."""
        coming, self._coming = self._coming[:PART], self._coming[PART:]
        if not coming:
            return
        fresh = [self._add(game) for game in coming]
        for box in fresh:
            box.refresh_appearance()
        self._sort_boxes()
        self._arrange()
        self.came.emit(fresh)
        QTimer.singleShot(0, self, self._add_coming)

    def _add(self, game: CatalogueEntry) -> GameBox:
        box = GameBox(self.context, game, self)
        box.shared.connect(lambda: self.shared.emit(box.game))
        box.unwanted.connect(lambda: self.unwanted.emit(box.game))
        box.clicked.connect(lambda: self.chosen.emit(box.game))
        box.now.clicked.connect(lambda: self.played.emit(box.game))
        box.moved.connect(lambda by: self._move_box(box, by))
        box.dragged.connect(lambda: self._make_room_for(box))
        box.dropped.connect(self._drop)
        box.reset.connect(self._forget_order)
        self.boxes.append(box)
        box.show()  # a box that comes while the shelf is visible
        return box

    def _sort_boxes(self) -> None:
        games = order_games((box.game for box in self.boxes), self.context.settings.shelf)
        places = {game.id: place for place, game in enumerate(games)}
        self.boxes.sort(key=lambda box: places[box.game.id])
        self.reordered.emit()

    def _move_box(self, box: GameBox, by: int) -> None:
        """Move a box this many places to the right."""
        at = self.boxes.index(box)
        to = max(0, min(at + by, len(self.boxes) - 1))
        if to != at:
            self.boxes.insert(to, self.boxes.pop(at))
            self._keep_order()

    def _make_room_for(self, box: GameBox) -> None:
        """Make room for a box where it is held now."""
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

    def _drop(self) -> None:
        self._dragged = None
        self._keep_order()

    def _keep_order(self) -> None:
        games = (*(box.game for box in self.boxes), *self._coming)
        self.context.remember(shelf=tuple(game.id for game in games))
        self._arrange()
        self.reordered.emit()

    def _forget_order(self) -> None:
        self.context.remember(shelf=())
        self._sort_boxes()
        self._arrange()

    def show_in(self, page: int) -> None:
        """The window shows this many pixels of the board's height."""
        self._page = page
        self._arrange()

    @property
    def stops(self) -> list[QAbstractButton]:
        """The stops of the keyboard: each box, and its buttons."""
        return [
            stop for box in self.boxes for stop in (box, box.now, box.remove) if stop is not None
        ]

    def refresh_appearance(self) -> None:
        """Show the texts in the chosen language and make room for them."""
        wear(self, NOW_SHEET)  # one style sheet for all: one per box would be parsed again for each
        for box in self.boxes:
            box.refresh_appearance()
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(SOON, self, self._add_coming)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
        super().resizeEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.pointed_at.emit()
        super().enterEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.context.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for row in self._rows:
                y = self._places[row[0]].y()
                top, board = float(y), y + row[0].standing
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
            painter.drawRoundedRect(QRectF(6, y + 6 + spread, self.width() - 12, BOARD - 6), 4, 4)
        wood = QLinearGradient(0, y, 0, y + BOARD)
        wood.setColorAt(0, QColor("#C69C62"))
        wood.setColorAt(0.2, QColor("#B98D52"))
        wood.setColorAt(1, QColor("#94703F"))
        painter.setBrush(wood)
        painter.drawRoundedRect(QRectF(0, y, self.width(), BOARD), 3, 3)
        painter.setBrush(QColor(255, 240, 210, 90))
        painter.drawRect(QRectF(2, y, self.width() - 4, 1.5))

    def _arrange(self) -> None:
        if not self.boxes or self.width() < 50:
            return
        columns, rows = self._raster()
        wide, standing, caption = self._measure(columns, rows)
        high = round(standing) + BOARD + caption + self._button_high + UNDER
        spare = max(0, self.height() - rows * high) // 2 if rows == 1 else 0
        gap = min(64, (self.width() - columns * wide) // max(1, columns + 1))
        self._rows, self._places = [], {}
        for start in range(0, len(self.boxes), columns):
            row = self.boxes[start : start + columns]
            left = (self.width() - len(row) * wide - (len(row) - 1) * gap) // 2
            y = spare + len(self._rows) * high
            for box in row:
                self._places[box] = QRect(left, y, wide, high)
                if box is not self._dragged:
                    box.stand(standing, self._places[box])
                left += wide + gap
            self._rows.append(row)
        scrolled = rows > 1 and rows * high + 8 > self._page
        least = rows * (high if scrolled else high - round(standing) + LOWEST) + 4
        if self.minimumHeight() != least:
            self.setMinimumHeight(least)
        self.update()

    @property
    def _button_high(self) -> int:
        """The height of the buttons that play a game at once, in pixels."""
        return self.boxes[0].now.sizeHint().height()

    def _raster(self) -> tuple[int, int]:
        """The numbers of columns and rows of the boxes, the rows as even as possible."""
        count = len(self.boxes) + len(self._coming)
        rows = -(-count // max(1, min(count, self.width() // NARROWEST)))
        return -(-count // rows), rows

    def _measure(self, columns: int, rows: int) -> tuple[int, float, int]:
        """The width of a box's place, the height of the box, and that of its caption; in
        pixels."""
        widest = max(WIDEST, self.width() // 5)
        wide = min(widest, self.width() // columns)
        caption = max(box.caption_height(wide) for box in self.boxes)
        tallest = max(box.natural.height() / box.natural.width() for box in self.boxes)
        below = BOARD + self._button_high + UNDER
        free = (self._page - 8) / rows - below - caption
        most = min(self.window().height() * HIGHEST, (wide - 28) * tallest + 40)
        if rows > 1 and free < LOWEST:  # a page is one row and the start of the next
            free = min(SCROLLED, self._page - 8 - below - caption)
        standing = max(LOWEST, min(free, most))
        if rows == 1:  # no wider than the boxes, so that they are centred
            least = WIDEST if self.height() < LOW else NARROWEST + 75
            drawn = max((standing - 16) / tallest + 28, least)
            wide = min(wide, round(drawn))
            caption = max(box.caption_height(wide) for box in self.boxes)
            standing = max(LOWEST, min(standing, self.height() - 8 - below - caption))
        return wide, standing, caption


class ShelfRows(QScrollArea):
    """The board as far as the window shows it. It scrolls to the box with the focus."""

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
        self._board.show_in(self.viewport().height())
        super().resizeEvent(event)
