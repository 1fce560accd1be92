"""The tab with the notes on a match: their text, position and author."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tabletop.language.words import Words
from ui.replay.entries import ReplayEntries, ReplayEntry
from ui.shell.app_context import AppContext
from ui.widgets.box_layout import lay


class DisplayedNote(Struct, frozen=True):
    """The texts that the panel shows for a note."""

    at: int
    """The index of the beat that the note is about."""
    moment: str
    """The position as text, for example with round and turn."""
    writer: str
    """The author's name."""
    text: str


class NotePanel(QWidget):
    """A list of the notes that the viewer may read, sorted by position."""

    beat_requested = Signal(int)
    """Request to show the table after the beat with this index."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self.lines: tuple[DisplayedNote, ...] = ()
        self._list = ReplayEntries()
        lay(QVBoxLayout(self), [self._list], margins=(10, 10, 6, 8))

    @property
    def entries(self) -> list[ReplayEntry]:
        """The displayed entries, one for each note."""
        return self._list.entries

    def show_notes(self, lines: Sequence[DisplayedNote], words: Words) -> None:
        """Replace the notes by `lines`."""
        self.lines = tuple(lines)
        entries = []
        for line in lines:
            texts = ("caption", line.writer), ("", line.text)
            entry = ReplayEntry(self._context, [("", line.moment)], texts, line.text, words)
            entry.position_requested.connect(lambda at=line.at: self.beat_requested.emit(at))
            entries.append(entry)
        self._list.lay(entries)

    def mark(self, at: int) -> None:
        """Highlight the notes on the beat `at`, and scroll to them."""
        for line, entry in zip(self.lines, self.entries, strict=True):
            entry.mark(line.at == at)
            if line.at == at:
                self._list.ensureWidgetVisible(entry, 0, 0)
