"""The tab of the notes on a match: a slip for each, with its moment and who wrote it."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.shell.app_context import AppContext, named
from ui.widgets.surface import Paper, Roll, button, discard, label, muted


class NoteLine(Struct, frozen=True):
    """A note in words, and the beat that it belongs to."""

    at: int
    moment: str
    writer: str
    text: str


class NoteSlip(Paper):
    """One note on a slip of paper; a press on it shows its moment."""

    shown = Signal()

    def __init__(self, context: AppContext, line: NoteLine) -> None:
        super().__init__(kind="slip")
        self.line = line
        moment, who, text = label(wrap=True), label("caption", wrap=True), label(wrap=True)
        moment.setText(line.moment)
        moment.setStyleSheet("font-size: 13px; font-weight: 700;")
        who.setText(line.writer)
        text.setText(line.text)
        self.show_it = button("quiet")
        self.show_it.setText(context.words("Show it"))
        self.show_it.setStyleSheet("QPushButton { padding: 1px 7px; font-size: 13px; }")
        self.show_it.clicked.connect(self.shown)
        named(self.show_it, self.show_it.text(), line.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        for widget in (moment, who, text):
            column.addWidget(widget)
        column.addWidget(self.show_it, 0, Qt.AlignmentFlag.AlignLeft)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        named(self, line.moment, f"{line.writer}: {line.text}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.shown.emit()

    def mark(self, marked: bool) -> None:
        """Whether its moment is the one on the table."""
        if self.property("marked") != marked:
            self.setProperty("marked", marked)
            self.style().unpolish(self)
            self.style().polish(self)


class NotePanel(QWidget):
    """The notes that may be read, the first moment first."""

    wanted = Signal(int)
    """The table after this beat is to be seen."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.slips: list[NoteSlip] = []
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
        column.addWidget(self._roll)

    def show_notes(self, lines: Sequence[NoteLine]) -> None:
        """Lay these notes out anew."""
        for slip in self.slips:
            discard(slip, self._pile)
        self.slips = [NoteSlip(self._context, line) for line in lines]
        for number, slip in enumerate(self.slips):
            slip.shown.connect(lambda at=slip.line.at: self.wanted.emit(at))
            self._pile.insertWidget(number, slip)

    def mark(self, at: int) -> None:
        """The table after this beat is on the screen."""
        for slip in self.slips:
            slip.mark(slip.line.at == at)
            if slip.line.at == at:
                self._roll.ensureWidgetVisible(slip, 0, 0)
