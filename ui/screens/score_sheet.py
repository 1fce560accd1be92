"""The score sheet at the end: line by line, with formulas and numbers, on paper."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from tabletop.engine.model import Result
from tabletop.match import Player
from tabletop.phrases import phrase
from tabletop.words import Words
from ui.screens.room import Room, named
from ui.screens.surface import Paper, button, label

BUTTONS = (
    ("rematch", phrase("Rematch")),
    ("swap", phrase("Swap seats")),
    ("save", phrase("Save replay…")),
    ("table", phrase("See the table")),
    ("leave", phrase("Back to the shelf")),
)


class Row(Struct, frozen=True):
    """A printed line: a label, and for each seat the points and how they came about."""

    text: str
    points: tuple[int, ...]
    formulas: tuple[str, ...]


def rows(result: Result, words: Words) -> tuple[Row, ...]:
    """The lines of a result, worded."""
    blank = ("",) * len(result.scores)
    return tuple(
        Row(words.line(line), line.points, line.formulas or blank) for line in result.sheet
    )


def verdict(result: Result, words: Words) -> str:
    """Who won, in a sentence."""
    names = [words.seat(seat) for seat in result.winners]
    if not names:
        return words("A draw")
    if len(names) == 1:
        return words("{name} wins", name=names[0])
    return words("{names} win together", names=words(", ").join(names))


class ScoreSheet(Paper):
    """Lies over the final table; each of its buttons is told of by name."""

    asked = Signal(str)

    def __init__(self, room: Room, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = room
        self.title = label("title", wrap=True)
        self._decided = label("caption", wrap=True)
        self._inside = QWidget()
        self._grid = QGridLayout(self._inside)
        self._grid.setContentsMargins(0, 0, 12, 0)
        self._grid.setHorizontalSpacing(20)
        self._grid.setVerticalSpacing(6)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._inside)
        self._buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout()
        row.setSpacing(8)
        for name, _ in BUTTONS:
            made = button("primary" if name == "rematch" else "quiet" if name == "table" else "")
            made.clicked.connect(lambda _=False, name=name: self.asked.emit(name))
            self._buttons[name] = made
            row.addWidget(made)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 20, 28, 18)
        column.setSpacing(10)
        column.addWidget(self.title)
        column.addWidget(self._decided)
        column.addWidget(scroll, 1)
        column.addLayout(row)
        self.hide()

    def show_result(self, result: Result, players: Sequence[Player], words: Words) -> None:
        """Print this result."""
        while self._grid.count():
            gone = self._grid.takeAt(0).widget()
            gone.hide()
            gone.deleteLater()
        self.title.setText(verdict(result, words))
        self._decided.setText(words(result.decided) if result.decided else "")
        self._decided.setVisible(bool(result.decided))
        for seat, player in enumerate(players):
            self._put(self._head(player, seat in result.winners), 0, seat + 1)
            self._grid.setColumnStretch(seat + 1, 1)
        line = 1
        for row in rows(result, words):
            self._put(_left(row.text), line, 0)
            for seat, points in enumerate(row.points):
                formula = row.formulas[seat] if seat < len(row.formulas) else ""
                self._put(_cell(points, formula), line, seat + 1)
            line += 1
        rule = QFrame()
        rule.setFrameShape(QFrame.Shape.HLine)
        self._put(rule, line, 0, 1, len(players) + 1)
        self._put(_left(words("Total"), strong=True), line + 1, 0)
        for seat, score in enumerate(result.scores):
            total = label("heading")
            total.setText(str(score))
            total.setAlignment(Qt.AlignmentFlag.AlignRight)
            if seat in result.winners:
                total.setStyleSheet(f"color: {self._room.theme.accent};")
            self._put(total, line + 1, seat + 1)
        self._grid.setRowStretch(line + 2, 1)
        for name, text in BUTTONS:
            self._buttons[name].setText(words(text))
        self._buttons["swap"].setVisible(len(players) > 1)
        named(self, words("Score sheet"), self.title.text())

    def wanted_size(self, place: QSize) -> QSize:
        """How large the sheet wants to be over a table of this size."""
        self._grid.invalidate()
        inner = self._grid.totalSizeHint()
        head = 28 * 2 + 130 + (24 if not self._decided.isHidden() else 0)
        buttons = sum(each.sizeHint().width() + 8 for each in self._buttons.values())
        wide = max(inner.width() + 90, buttons + 56, 520)
        return QSize(min(wide, place.width() - 16), min(inner.height() + head, place.height() - 16))

    def take_focus(self) -> None:
        """Let the keyboard act here."""
        self._buttons["rematch"].setFocus(Qt.FocusReason.OtherFocusReason)

    def _put(self, widget: QWidget, row: int, column: int, high: int = 1, wide: int = 1) -> None:
        """Put a widget into the grid, shown at once: a layout has no room for hidden ones."""
        self._grid.addWidget(widget, row, column, high, wide)
        widget.show()

    def _head(self, player: Player, won: bool) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(0, 0, 0, 6)
        badge, name = label(), label()
        colour = self._room.seat_colour(player.symbol)
        badge.setPixmap(
            self._room.art.seat_badge(player.symbol, colour, 26, self.devicePixelRatioF())
        )
        name.setText(player.name)
        if won:
            name.setStyleSheet(f"color: {self._room.theme.accent}; font-weight: 700;")
        row.addStretch()
        row.addWidget(badge)
        row.addWidget(name)
        return head


def _left(text: str, strong: bool = False) -> QLabel:
    made = label("heading" if strong else "")
    made.setText(text)
    made.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    return made


def _cell(points: int, formula: str) -> QWidget:
    cell = QWidget()
    row = QHBoxLayout(cell)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(12)
    small, large = label("caption"), label()
    small.setText(formula)
    large.setText(str(points))
    large.setMinimumWidth(28)
    large.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    row.addStretch()
    row.addWidget(small)
    row.addWidget(large)
    return cell
