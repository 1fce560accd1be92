"""Reads, writes and exports the notes on a replay."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from tabletop.files.atomic_write import write_atomically
from tabletop.language.words import Words
from tabletop.match.playback import Playback, PlaybackSeat
from tabletop.review.note_report import (
    beat_of,
    moment_of,
    moment_text,
    readable_notes,
    write_report,
    writer,
)
from tabletop.storage import playtest_notes
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.storage.record import Record
from ui.match.note_sheet import write_note
from ui.replay.export import FRAME_SIZE, progress_dialog
from ui.replay.note_panel import DisplayedNote, NotePanel
from ui.replay.timeline import NOTE, TimelineMark
from ui.shelf.table_picture import render_table
from ui.shell.app_context import AppContext
from ui.style.png import encode_png


class NoteSession(QObject):
    """Manages the notes on one replay, which are stored beside its record."""

    changed = Signal()
    """A note has been written."""

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
    def lines(self) -> tuple[DisplayedNote, ...]:
        """The notes that the current viewer may read."""
        return self.panel.lines

    @property
    def pins(self) -> list[TimelineMark]:
        """The timeline marks for these notes."""
        labelled = self._context.words.with_label
        return [
            TimelineMark(line.at, NOTE, labelled(line.writer, line.text)) for line in self.lines
        ]

    def show_for(self, viewer: int | None, words: Words) -> None:
        """Show the notes that `viewer` may read, in the game's `words`."""
        lines = []
        for note in readable_notes(self._all, self._playback, viewer):
            at = beat_of(note, self._playback)
            moment = moment_text(words, self._playback.view(at, viewer))
            lines.append(DisplayedNote(at, moment, writer(words, note.seat), note.text))
        self.panel.show_notes(lines, words)

    def start_note(self, at: int, viewer: int | None, words: Words) -> None:
        """Open a sheet for writing a note on the beat `at`, as `viewer` sees the table."""
        playback = self._playback
        ply = playback.plies[playback.beats[at].ply]

        def make_note(text: str) -> PlaytestNote:
            return playtest_notes.make_note(text, ply.state.ply, viewer, ply.at)

        moment = moment_text(words, playback.view(at, viewer))
        write_note(self._context, self._parent, self._file, moment, make_note, self._renew)

    def export(self, file: Path, viewer: int | None, words: Words) -> bool:
        """Write the notes that `viewer` may read to `file`, as Markdown with pictures.

        Returns whether the file was written, which the user can cancel.

        Raises:
            StorageError: a file can't be written.
        """
        context, playback = self._context, self._playback
        notes = readable_notes(self._all, playback, viewer)
        moments = [moment_of(note, self._record, playback) for note in notes]
        with progress_dialog(context.words, self._parent) as go_on:
            return write_report(file, moments, playback, words, self._draw, go_on)

    def _draw(self, seat: PlaybackSeat, picture: Path) -> None:
        image = render_table(self._context, self._playback.kit, seat, FRAME_SIZE, FRAME_SIZE)
        write_atomically(picture, encode_png(image))

    def _renew(self) -> None:
        self._all = playtest_notes.notes(self._file)
        self.changed.emit()
