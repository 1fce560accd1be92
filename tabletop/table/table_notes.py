"""Guests' playtest notes on a table's match: kept, and sent to the table's host at the end."""

from collections import Counter

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.engine.play import Illegal
from tabletop.protocol.match_notes import (
    MOST_NOTES,
    MOST_OF_ONE,
    MatchNotes,
    NoteTaken,
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
    """The notes on one match of a table."""

    def __init__(self, host: MatchHost, number: int) -> None:
        self._host = host
        self._number = number
        self._notes: tuple[PlaytestNote, ...] | None = None
        """The notes so far; None until they are read from the disk."""
        self._delivered: dict[Peer, int] = {}
        """The number of notes that each connection of the table's host was sent."""

    def all_notes(self) -> tuple[PlaytestNote, ...]:
        """Return all notes, read from the disk at the first call."""
        if self._notes is None:
            self._notes = self._host.services.journal.notes_on(self._number)
        return self._notes

    def write(self, peer: Peer, message: WriteNote, entries: int) -> None:
        """Keep a guest's note; the match's record has this many entries by now.

        Raises:
            Illegal: the note is empty, or there are enough already.
        """
        notes, seat = self.all_notes(), message.seat
        name = self._host.places[seat].name if seat != AUDIENCE else ""
        fresh = make_note(message.text, message.ply, seat, min(message.at, entries), name)
        if not fresh.text:
            raise Illegal(NOTHING_NOTED)
        if Counter(each.seat for each in notes)[seat] >= MOST_OF_ONE:
            raise Illegal(ENOUGH.with_args(n=MOST_OF_ONE))
        if len(notes) >= MOST_NOTES:
            raise Illegal(NOTES_FULL.with_args(n=MOST_NOTES))
        self._notes = (*notes, fresh)
        self._host.services.journal.note(self._number, fresh)
        self._host.tell(peer, NoteTaken())

    def hand_over(self) -> None:
        """Send the notes to the table's host, to each connection that lacks some."""
        if not (notes := self.all_notes()):
            return
        owners = self._host.owners()
        self._delivered = {peer: count for peer, count in self._delivered.items() if peer in owners}
        for peer in owners:
            if self._delivered.get(peer) != len(notes):
                self._delivered[peer] = len(notes)
                self._host.tell(peer, MatchNotes(self._number, tuple(map(_to_sent_note, notes))))


def _to_sent_note(note: PlaytestNote) -> SentNote:
    seat = AUDIENCE if note.seat is None else note.seat
    return SentNote(note.text, note.name, seat, note.ply, note.entries or 0, note.written)
