"""The tab of a review: how far the thinking is, then a slip for each move that has cost much."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.replay.chance_graph import ChanceGraph
from ui.shell.app_context import AppContext, named
from ui.widgets.surface import Paper, Roll, button, discard, label, muted

SMALL_LIST = "QListWidget { font-size: 13px; } QListWidget::item { padding: 2px 6px; }"


class Slip(Struct, frozen=True):
    """A finding in words."""

    heading: str
    cost: str
    played: str
    better: str
    why: str


class MoveChance(Struct, frozen=True):
    """A move in words, and the share of the victory that it seemed worth."""

    text: str
    worth: float
    costly: bool = False


class SlipPaper(Paper):
    """One finding on a slip of paper; a press on it shows the position."""

    shown = Signal()
    played_on = Signal()

    def __init__(self, context: AppContext, slip: Slip) -> None:
        super().__init__(kind="slip")
        heading, cost = label(wrap=True), label("warn")
        heading.setText(slip.heading)
        cost.setText(slip.cost)
        for each in (heading, cost):
            each.setStyleSheet("font-size: 13px; font-weight: 700;")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(5)
        column.addWidget(heading)
        column.addWidget(cost)
        for kind, text in (("caption", slip.played), ("", slip.better), ("caption", slip.why)):
            if text:
                line = label(kind, wrap=True)
                line.setText(text)
                column.addWidget(line)
        self.show_it, self.play_on = button("quiet"), button("quiet")
        self.show_it.setText(context.words("Show it"))
        self.play_on.setText(context.words("Play on from here…"))
        self.show_it.clicked.connect(self.shown)
        self.play_on.clicked.connect(self.played_on)
        below = QHBoxLayout()
        below.setSpacing(4)
        for made in (self.show_it, self.play_on):
            made.setStyleSheet("QPushButton { padding: 1px 7px; font-size: 13px; }")
            named(made, made.text(), slip.better)
            below.addWidget(made)
        below.addStretch()
        column.addLayout(below)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        named(self, slip.heading, f"{slip.cost}. {slip.played} {slip.better} {slip.why}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.shown.emit()

    def mark(self, marked: bool) -> None:
        """Whether its position is the one on the table."""
        self.setProperty("marked", marked)
        self.style().unpolish(self)
        self.style().polish(self)


class ReviewPanel(QWidget):
    """The reviewer's results."""

    shown = Signal(int)
    played_on = Signal(int)
    move_shown = Signal(int)
    """A move of the list or the graph is to be seen, by its place there."""
    stopped = Signal()

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.text = label(wrap=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.stop = button("quiet")
        self.stop.clicked.connect(self.stopped)
        self.slips: list[SlipPaper] = []
        self.graph = ChanceGraph(context)
        self.graph.wanted.connect(self.move_shown)
        self.moves = QListWidget()
        self.moves.setStyleSheet(SMALL_LIST)
        self.moves.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.moves.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.moves.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.moves.itemClicked.connect(lambda item: self.move_shown.emit(self.moves.row(item)))
        self.moves.itemActivated.connect(lambda item: self.move_shown.emit(self.moves.row(item)))
        self.moves.hide()
        self._inside = QWidget()
        self._pile = QVBoxLayout(self._inside)
        self._pile.setContentsMargins(0, 0, 6, 0)
        self._pile.setSpacing(8)
        self._pile.addStretch()
        self._roll = Roll(self._inside)
        self._roll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        muted(self._inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 6, 8)
        column.setSpacing(8)
        column.addWidget(self.text)
        column.addWidget(self.bar)
        column.addWidget(self.stop, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.graph)
        column.addWidget(self._roll, 3)
        column.addWidget(self.moves, 2)
        self.dress()

    def begin(self, name: str) -> None:
        """The moves of this player are looked through."""
        self._clear()
        self.text.setText(self._context.words("Reviewing {name}'s moves…", name=name))
        self.bar.setRange(0, 0)
        self.bar.show()
        self.stop.show()

    def show_progress(self, done: int, of: int) -> None:
        """So many thoughts of so many are done."""
        self.bar.setRange(0, of)
        self.bar.setValue(done)

    def conclude(
        self, text: str, slips: Sequence[Slip], chances: Sequence[MoveChance] = ()
    ) -> None:
        """Show what was found, and all moves that were thought of."""
        self._clear()
        self.text.setText(text)
        self.bar.hide()
        self.stop.hide()
        for number, slip in enumerate(slips):
            paper = SlipPaper(self._context, slip)
            paper.shown.connect(lambda number=number: self.shown.emit(number))
            paper.played_on.connect(lambda number=number: self.played_on.emit(number))
            paper.mark(False)
            self._pile.insertWidget(number, paper)
            self.slips.append(paper)
        costly = [place for place, each in enumerate(chances) if each.costly]
        texts = [each.text for each in chances]
        self.graph.show_chances([each.worth for each in chances], texts, costly)
        warn = QColor(self._context.theme.accent)
        for place, each in enumerate(texts):
            item = QListWidgetItem(each)
            item.setToolTip(each)
            if place in costly:
                item.setForeground(warn)
            self.moves.addItem(item)
        self.moves.setVisible(bool(texts))
        named(self.moves, self._context.words("All moves"))
        named(self, self._context.words("Review"), text)

    def mark(self, number: int, move: int) -> None:
        """The position of this slip and of this move is on the table; -1 for none."""
        for place, paper in enumerate(self.slips):
            paper.mark(place == number)
        self.graph.mark(move)
        self.moves.setCurrentRow(move)

    def dress(self) -> None:
        """Put the fixed texts on in the chosen language."""
        self.stop.setText(self._context.words("Stop"))
        named(self.bar, self._context.words("Review"))

    def _clear(self) -> None:
        for paper in self.slips:
            discard(paper, self._pile)
        self.slips = []
        self.moves.clear()
        self.moves.hide()
        self.graph.hide()
