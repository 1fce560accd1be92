"""The board of the shelf: the boxes side by side, in rows where the window is narrow."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QPushButton, QScrollArea, QWidget

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import Kit
from ui.shell.app_context import AppContext, named
from ui.widgets.game_box import BOARD, GameBox
from ui.widgets.surface import button, grown, wear

WIDEST = 300
"""Width of a column, in pixels; on a large screen a sixth of the board."""
NARROWEST = 165
LOWEST = 108
SCROLLED = 190
"""Height of a box, in pixels, where its rows have to be scrolled in any case."""
HIGHEST = 640
LOW = 380
"""Height of the board, in pixels, below which captions are set wider to stay short."""
UNDER = 8
"""Left free over and below the buttons of the boxes, in pixels."""
NOW = "QPushButton { padding: 3px 13px; border-radius: 14px; font-size: 14px; icon-size: 16px; }"


class ShelfBoard(QWidget):
    """The boxes side by side on their board, in rows where the window is narrow."""

    chosen = Signal(object)
    played = Signal(object)
    unwanted = Signal(object)
    """Request to remove this kit, which was received from a table."""
    pointed_at = Signal()

    def __init__(self, context: AppContext, kits: Sequence[Kit]) -> None:
        super().__init__()
        self.context = context
        self.boxes: list[GameBox] = []
        self.now: list[QPushButton] = []
        """The buttons that play each of them at once."""
        for kit in kits:
            self._add(kit)
        self._rows: list[list[GameBox]] = []
        self._page = 0
        """Its visible height, in pixels."""

    def follow_received(self) -> None:
        """Update the received games on the board."""
        given = {kit.id: kit for kit in catalogue.received()}
        standing = {box.kit.id: box for box in self.boxes if box.kit.received is not None}
        for name in standing.keys() - given.keys():
            at = self.boxes.index(standing[name])
            for gone in (self.boxes.pop(at), self.now.pop(at)):
                gone.hide()
                gone.deleteLater()
        for name in given.keys() - standing.keys():
            self._add(given[name])
            for each in (self.boxes[-1], self.now[-1]):
                each.show()
        if given.keys() != standing.keys():
            self.apply_looks()

    def renew(self, kit: Kit) -> None:
        """Put another kit of the same game into its box; a game that has none yet gets one."""
        box = next((each for each in self.boxes if each.kit.id == kit.id), None)
        if box is not None:
            box.kit = kit
        elif not kit.box.hidden:
            self._add(kit)
            for each in (self.boxes[-1], self.now[-1]):
                each.show()
        self.apply_looks()

    def _add(self, kit: Kit) -> None:
        box, now = GameBox(self.context, kit, self), button(parent=self)
        box.unwanted.connect(lambda: self.unwanted.emit(box.kit))
        box.clicked.connect(lambda _=False, box=box: self.chosen.emit(box.kit))
        now.clicked.connect(lambda _=False, box=box: self.played.emit(box.kit))
        self.boxes.append(box)
        self.now.append(now)

    def show_in(self, page: int) -> None:
        """The window shows so many pixels of the board's height."""
        self._page = page
        self._arrange()

    @property
    def stops(self) -> list[QAbstractButton]:
        """The stops of the keyboard: each box, and its button."""
        return [stop for pair in zip(self.boxes, self.now, strict=True) for stop in pair]

    def apply_looks(self) -> None:
        """Show the texts in the chosen language and make room for them."""
        words = self.context.words
        for box, now in zip(self.boxes, self.now, strict=True):
            box.apply_looks()
            wear(now, NOW)
            now.setText(words("Play now"))
            now.setIcon(self.context.icon("play", self.context.theme.accent))
            now.setToolTip(words("Against bots, same setup as last time"))
            named(now, words("Play {title} now", title=box.text()), now.toolTip())
        self._arrange()

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
                first = row[0]
                top, board = float(first.y()), first.y() + first.standing
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
        wide, standing, caption = self._measured(columns, rows)
        button_high = self.now[0].sizeHint().height()
        high = round(standing) + BOARD + caption + button_high + UNDER
        spare = max(0, self.height() - rows * high) // 2 if rows == 1 else 0
        gap = min(64, (self.width() - columns * wide) // max(1, columns + 1))
        self._rows = []
        for start in range(0, len(self.boxes), columns):
            row = self.boxes[start : start + columns]
            left = (self.width() - len(row) * wide - (len(row) - 1) * gap) // 2
            y = spare + len(self._rows) * high
            for box in row:
                box.standing = standing
                box.setGeometry(left, y, wide, high - button_high - UNDER)
                now = self.now[self.boxes.index(box)]
                under = QPoint(left + 14, box.geometry().bottom() + 1 + UNDER // 2)
                now.setGeometry(QRect(under, now.sizeHint()))
                left += wide + gap
            self._rows.append(row)
        scrolled = rows > 1 and rows * high + 8 > self._page
        least = rows * (high if scrolled else high - round(standing) + LOWEST) + 4
        if self.minimumHeight() != least:
            self.setMinimumHeight(least)
        self.update()

    def _raster(self) -> tuple[int, int]:
        """The numbers of columns and rows of the boxes, the rows as even as possible."""
        count = len(self.boxes)
        rows = -(-count // max(1, min(count, self.width() // NARROWEST)))
        return -(-count // rows), rows

    def _measured(self, columns: int, rows: int) -> tuple[int, float, int]:
        """The width of a box's place, the height of the box, and that of its caption; in
        pixels."""
        widest = max(WIDEST, self.width() // 6)
        wide = min(widest, self.width() // columns)
        caption = max(box.caption_height(wide) for box in self.boxes)
        tallest = max(box.natural.height() / box.natural.width() for box in self.boxes)
        below = BOARD + self.now[0].sizeHint().height() + UNDER
        free = (self._page - 8) / rows - below - caption
        most = min(grown(self, HIGHEST), (wide - 28) * tallest + 40)
        if rows > 1 and free < LOWEST:  # one row at a time, and the start of the next one
            free = min(SCROLLED, self._page - 8 - below - caption)
        standing = max(LOWEST, min(free, most))
        if rows == 1:  # no wider than the boxes, so that they are in the middle
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
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(board)
        self._board = board

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._board.show_in(self.viewport().height())
        super().resizeEvent(event)
