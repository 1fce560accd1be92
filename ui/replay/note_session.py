"""The notes on a replay: their readers, their places on the timeline, and their file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tabletop.files.atomic_write import write_atomically
from tabletop.language.words import Words
from tabletop.match.playback import Playback, Watched
from tabletop.review.note_report import (
    beat_of,
    moment_of,
    moment_text,
    readable,
    write_report,
    writer,
)
from tabletop.storage import playtest_notes
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.storage.record import Record
from ui.match.note_sheet import write_note
from ui.replay.export import SIZE, progress
from ui.replay.note_panel import NoteLine, NotePanel
from ui.replay.timeline import NOTE, Pin
from ui.shelf.table_picture import picture_of
from ui.shell.app_context import AppContext
from ui.style.png import png_of


class NoteSession(QObject):
    """Reads and writes the notes beside the record of one replay."""

    changed = Signal()
    """A note was written."""

    def __init__(
        self, context: AppContext, playback: Playback, record: Record, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._playback = playback
        self._record = record
        self._parent = parent
        self._file = playtest_notes.notes_path(record.path)
        self._all = playtest_notes.notes(self._file)
        self.panel = NotePanel(context)

    @property
    def lines(self) -> tuple[NoteLine, ...]:
        """The notes that may be read with the present eyes."""
        return self.panel.lines

    @property
    def pins(self) -> list[Pin]:
        """Their marks on the line of time."""
        labelled = self._context.words.with_label
        return [Pin(line.at, NOTE, labelled(line.writer, line.text)) for line in self.lines]

    def look(self, viewer: int | None, words: Words) -> None:
        """Show what may be read with these eyes, in these words."""
        lines = []
        for note in readable(self._all, self._playback, viewer):
            at = beat_of(note, self._playback)
            moment = moment_text(words, self._playback.view(at, viewer))
            lines.append(NoteLine(at, moment, writer(words, note.seat), note.text))
        self.panel.show_notes(lines, words)

    def write(self, at: int, viewer: int | None, words: Words) -> None:
        """Open the sheet for a note on the table after this beat, as this viewer sees it."""
        playback = self._playback
        ply = playback.plies[playback.beats[at].ply]

        def make_note(text: str) -> PlaytestNote:
            return playtest_notes.make_note(text, ply.state.ply, viewer, ply.at)

        moment = moment_text(words, playback.view(at, viewer))
        write_note(self._context, self._parent, self._file, moment, make_note, self._renew)

    def export(self, file: Path, viewer: int | None, words: Words) -> bool:
        """Write what may be read as Markdown with pictures; False where that was called off.

        Raises:
            StorageError: a file cannot be written.
        """
        context, playback = self._context, self._playback
        notes = readable(self._all, playback, viewer)
        moments = [moment_of(note, self._record, playback) for note in notes]
        with progress(context.words, self._parent) as go_on:
            return write_report(file, moments, playback, words, self._draw, go_on)

    def _draw(self, seat: Watched, picture: Path) -> None:
        image = picture_of(self._context, self._playback.kit, seat, SIZE, SIZE)
        write_atomically(picture, png_of(image))

    def _renew(self) -> None:
        self._all = playtest_notes.notes(self._file)
        self.changed.emit()
