"""The shelf: the boxes of all games, the matches that wait, and one quiet row."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from tabletop.games.catalogue import Kit
from tabletop.phrases import phrase
from ui.shelf.rejoin_card import RejoinCard
from ui.shelf.unfinished_card import UnfinishedCard, UnfinishedMatch
from ui.shelf.unfinished_row import UnfinishedRow
from ui.shell.app_context import AppContext
from ui.widgets.game_box import BOARD, GameBox
from ui.widgets.surface import Screen, button, label

if TYPE_CHECKING:
    from tabletop.net.guest.known_hosts import Rejoin

WIDEST = 300
"""Width of a column, in pixels; on a large screen a sixth of the board."""
NARROWEST = 165
LOWEST = 150
HIGHEST = 640
LOW = 380
"""Height of the board, in pixels, below which captions are set wider to stay short."""

QUIET = (
    ("host", phrase("Host")),
    ("join", phrase("Join")),
    ("open", phrase("Open a save")),
    ("replays", phrase("Replays")),
    ("statistics", phrase("Statistics")),
    ("rules", phrase("Rules")),
    ("settings", phrase("Settings")),
)


ICONS = {"replays": "replay"}
"""Of the quiet row, icons that are not called like what they stand for."""


class ShelfScreen(Screen):
    """What the program shows first."""

    chosen = Signal(object)
    wanted = Signal(Path)
    unwanted = Signal(Path)
    named = Signal(Path)
    returning = Signal(object)
    """To a shared table: its Return."""
    forgotten = Signal(str)
    """Nobody wants to return to this table."""
    asked = Signal(str)
    """One of the quiet row was pressed: its name in QUIET."""

    def __init__(self, context: AppContext, kits: Sequence[Kit]) -> None:
        super().__init__(context)
        self._greeting = label("title")
        self._begun = UnfinishedRow()
        self.board = ShelfBoard(context, kits)
        self.board.chosen.connect(self.chosen)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self.board)
        self._quiet: dict[str, QPushButton] = {}
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addStretch()
        for name, _ in QUIET:
            self._quiet[name] = button()
            self._quiet[name].clicked.connect(lambda _=False, name=name: self.asked.emit(name))
            row.addWidget(self._quiet[name])
        row.addStretch()
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._greeting)
        self._column.addWidget(self._begun)
        self._column.addWidget(scroll, 1)
        self._column.addLayout(row)
        self.dress()

    @property
    def boxes(self) -> tuple[GameBox, ...]:
        """The boxes, in the order of standing."""
        return tuple(self.board.boxes)

    @property
    def cards(self) -> list[UnfinishedCard | RejoinCard]:
        """What waits, the most likely wanted first."""
        return self._begun.cards

    def show_waiting(
        self, waiting: Sequence[UnfinishedMatch], returns: Sequence[Rejoin] = ()
    ) -> None:
        """Lay out what waits: shared tables first, there others wait as well."""
        self._begun.clear()
        for back in returns:
            again = RejoinCard(self.context, back, first=not self.cards)
            again.wanted.connect(self.returning)
            again.unwanted.connect(self.forgotten)
            self._begun.lay(again)
        for each in waiting:
            card = UnfinishedCard(self.context, each, first=not self.cards)
            card.wanted.connect(self.wanted)
            card.unwanted.connect(self.unwanted)
            card.named.connect(self.named)
            self._begun.lay(card)

    def take_focus(self) -> None:
        """Let the keyboard begin at the match most likely wanted, or at the first box."""
        first = self.cards[0].go if self.cards else self.boxes[0] if self.boxes else self
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def dress(self) -> None:
        super().dress()
        words = self.context.words
        self._greeting.setText(words("Which box shall we open today?"))
        for name, text in QUIET:
            self._quiet[name].setText(words(text))
            self._quiet[name].setIcon(
                self.context.icon(ICONS.get(name, name), self.context.theme.accent_2)
            )
        for card in self.cards:
            card.dress()
        self.board.dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        low = self.height() < 720
        side = max(24, min(72, self.width() // 22))
        self._column.setContentsMargins(side, 10 if low else 28, side, 10 if low else 28)
        self._column.setSpacing(8 if low else 20)
        if self._greeting.property("kind") != ("heading" if low else "title"):
            self._greeting.setProperty("kind", "heading" if low else "title")
            self._greeting.style().unpolish(self._greeting)
            self._greeting.style().polish(self._greeting)
        super().resizeEvent(event)


class ShelfBoard(QWidget):
    """The boxes side by side on their board, in rows where the window is narrow."""

    chosen = Signal(object)

    def __init__(self, context: AppContext, kits: Sequence[Kit]) -> None:
        super().__init__()
        self.context = context
        self.boxes = [GameBox(context, kit, self) for kit in kits]
        for box in self.boxes:
            box.clicked.connect(lambda _=False, kit=box.kit: self.chosen.emit(kit))
        self._rows: list[list[GameBox]] = []

    def dress(self) -> None:
        """Put the texts on in the chosen language and make room for them."""
        for box in self.boxes:
            box.dress()
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
        super().resizeEvent(event)

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
        high = round(standing) + BOARD + caption
        spare = max(0, self.height() - rows * high) // 2 if rows == 1 else 0
        gap = min(64, (self.width() - columns * wide) // max(1, columns + 1))
        self._rows = []
        for start in range(0, len(self.boxes), columns):
            row = self.boxes[start : start + columns]
            left = (self.width() - len(row) * wide - (len(row) - 1) * gap) // 2
            y = spare + len(self._rows) * high
            for box in row:
                box.standing = standing
                box.setGeometry(left, y, wide, high)
                left += wide + gap
            self._rows.append(row)
        least = rows * (LOWEST + BOARD + caption) + 4
        if self.minimumHeight() != least:
            self.setMinimumHeight(least)
        self.update()

    def _raster(self) -> tuple[int, int]:
        """In how many columns and rows the boxes stand, the rows as even as can be."""
        count = len(self.boxes)
        rows = -(-count // max(1, min(count, self.width() // NARROWEST)))
        return -(-count // rows), rows

    def _measured(self, columns: int, rows: int) -> tuple[int, float, int]:
        """How wide the place of a box is, how high the box stands, and how high its caption is; in
        pixels."""
        widest = max(WIDEST, self.width() // 6)
        wide = min(widest, self.width() // columns)
        caption = max(box.caption_height(wide) for box in self.boxes)
        tallest = max(box.natural.height() / box.natural.width() for box in self.boxes)
        free = (self.height() - 8) / rows - BOARD - caption
        standing = max(LOWEST, min(free, HIGHEST, (wide - 28) * tallest + 40))
        if rows == 1:  # no wider than the boxes, so that they stand in the middle
            least = WIDEST if self.height() < LOW else NARROWEST + 75
            drawn = max((standing - 16) / tallest + 28, least)
            wide = min(wide, round(drawn))
            caption = max(box.caption_height(wide) for box in self.boxes)
            standing = max(LOWEST, min(standing, self.height() - 8 - BOARD - caption))
        return wide, standing, caption
