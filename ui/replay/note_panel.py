"""The tab of the notes on a match: a slip for each, with its moment and its writer."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.replay.slips import Slip, SlipList
from ui.shell.app_context import AppContext


class NoteLine(Struct, frozen=True):
    """A note in words, and the beat that it belongs to."""

    at: int
    moment: str
    writer: str
    text: str


class NotePanel(QWidget):
    """The notes that may be read, the first moment first."""

    wanted = Signal(int)
    """The table after this beat is to be seen."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.lines: tuple[NoteLine, ...] = ()
        self._list = SlipList()
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 6, 8)
        column.addWidget(self._list)

    @property
    def slips(self) -> list[Slip]:
        """One for each line."""
        return self._list.slips

    def show_notes(self, lines: Sequence[NoteLine]) -> None:
        """Show these notes in place of the former ones."""
        self.lines = tuple(lines)
        slips = []
        for line in lines:
            texts = ("caption", line.writer), ("", line.text)
            slip = Slip(self._context, [("", line.moment)], texts, line.text)
            slip.shown.connect(lambda at=line.at: self.wanted.emit(at))
            slips.append(slip)
        self._list.lay(slips)

    def mark(self, at: int) -> None:
        """The table after this beat is on the screen."""
        for line, slip in zip(self.lines, self.slips, strict=True):
            slip.mark(line.at == at)
            if line.at == at:
                self._list.ensureWidgetVisible(slip, 0, 0)
