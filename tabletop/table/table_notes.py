"""Guests' playtest notes on a match, which are sent to the table's owner after the match."""

from collections import Counter

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.engine.play import Illegal
from tabletop.protocol.match_notes import (
    MAX_NOTES,
    MAX_NOTES_PER_AUTHOR,
    MatchNotes,
    NoteReceived,
    SentNote,
    WriteNote,
)
from tabletop.storage.playtest_notes import TOO_MANY_NOTES, PlaytestNote, make_note
from tabletop.table.seats import Peer
from tabletop.table.services import MatchHost

NOTHING_NOTED = Reason("The note is empty.", code="nothing_noted")
ENOUGH = Reason(
    "There are {n} notes from you on this match already: no more are taken.", code="too_many_notes"
)
NOTES_FULL = Reason(TOO_MANY_NOTES, code="notes_full")


class TableNotes:
    """The playtest notes on one match of a table."""

    def __init__(self, host: MatchHost, number: int) -> None:
        self._host = host
        self._number = number
        self._notes: tuple[PlaytestNote, ...] | None = None
        """The notes so far; None until they have been read from the disk."""
        self._delivered: dict[Peer, int] = {}
        """The number of notes sent to each of the owner's connections."""

    def all_notes(self) -> tuple[PlaytestNote, ...]:
        """Return all notes, reading them from the disk on the first call."""
        if self._notes is None:
            self._notes = self._host.services.journal.notes_on(self._number)
        return self._notes

    def write(self, peer: Peer, message: WriteNote, entries: int) -> None:
        """Save a guest's note; `entries`: the current number of entries in the match's record.

        Raises:
            Illegal: the note is empty, or there are too many notes.
        """
        notes, seat = self.all_notes(), message.seat
        name = self._host.seats[seat].name if seat != AUDIENCE else ""
        fresh = make_note(message.text, message.ply, seat, min(message.at, entries), name)
        if not fresh.text:
            raise Illegal(NOTHING_NOTED)
        if Counter(each.seat for each in notes)[seat] >= MAX_NOTES_PER_AUTHOR:
            raise Illegal(ENOUGH.with_args(n=MAX_NOTES_PER_AUTHOR))
        if len(notes) >= MAX_NOTES:
            raise Illegal(NOTES_FULL.with_args(n=MAX_NOTES))
        self._notes = (*notes, fresh)
        self._host.services.journal.add_note(self._number, fresh)
        self._host.send(peer, NoteReceived())

    def hand_over(self) -> None:
        """Send all notes to each connection of the table's owner that doesn't have them all yet."""
        if not (notes := self.all_notes()):
            return
        owners = self._host.owners()
        self._delivered = {peer: count for peer, count in self._delivered.items() if peer in owners}
        for peer in owners:
            if self._delivered.get(peer) != len(notes):
                self._delivered[peer] = len(notes)
                self._host.send(peer, MatchNotes(self._number, tuple(map(_to_sent_note, notes))))


def _to_sent_note(note: PlaytestNote) -> SentNote:
    seat = AUDIENCE if note.seat is None else note.seat
    return SentNote(note.text, note.name, seat, note.ply, note.entries or 0, note.written)
