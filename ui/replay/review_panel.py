"""The tab of a review: how far the thinking is, then a slip for each move that has cost much."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from ui.shell.app_context import AppContext, named
from ui.widgets.surface import Paper, Roll, button, discard, label, muted


class Slip(Struct, frozen=True):
    """A finding in words."""

    heading: str
    cost: str
    played: str
    better: str
    why: str


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
        column.addWidget(self._roll, 1)
        self.dress()

    def begin(self, name: str) -> None:
        """The moves of this player are looked through."""
        self._clear()
        self.text.setText(
            self._context.words("Looking through what {name} has decided…", name=name)
        )
        self.bar.setRange(0, 0)
        self.bar.show()
        self.stop.show()

    def show_progress(self, done: int, of: int) -> None:
        """So many thoughts of so many are done."""
        self.bar.setRange(0, of)
        self.bar.setValue(done)

    def conclude(self, text: str, slips: Sequence[Slip]) -> None:
        """What was found."""
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
        named(self, self._context.words("Review"), text)

    def mark(self, number: int) -> None:
        """The position of this slip is on the table."""
        for place, paper in enumerate(self.slips):
            paper.mark(place == number)

    def dress(self) -> None:
        """Put the fixed texts on in the chosen language."""
        self.stop.setText(self._context.words("Stop"))
        named(self.bar, self._context.words("Review"))

    def _clear(self) -> None:
        for paper in self.slips:
            discard(paper, self._pile)
        self.slips = []
