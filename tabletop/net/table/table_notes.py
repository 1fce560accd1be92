"""Guests' playtest notes on a table's match: kept, and sent to the table's host at the end."""

from collections import Counter
from typing import Protocol

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.match.match import Match
from tabletop.net.match_notes import (
    MOST_NOTES,
    MOST_OF_ONE,
    MatchNotes,
    NoteTaken,
    SentNote,
    WriteNote,
)
from tabletop.net.protocol import FromHost, Phase
from tabletop.net.table.seats import Peer, Seat
from tabletop.net.table.services import NOT_NOW, MatchJournal, Refusal
from tabletop.storage.playtest_notes import FULL, PlaytestNote, note

NOTHING_NOTED = Reason("The note is empty.", code="nothing_noted")
ENOUGH = Reason(
    "There are {n} notes from you on this match already: no more are taken.", code="too_many_notes"
)
NOTES_FULL = Reason(FULL, code="notes_full")


class NotedMatch(Protocol):
    """The match at a table, as far as its notes need it."""

    number: int

    match: Match | None

    @property
    def phase(self) -> Phase: ...


class NotedTable(Protocol):
    """The table that the notes are on."""

    places: list[Seat]

    @property
    def journal(self) -> MatchJournal: ...
    @property
    def hosted_match(self) -> NotedMatch: ...
    def owners(self) -> list[Peer]: ...
    def tell(self, peer: Peer, message: FromHost) -> None: ...


class TableNotes:
    """Of the match that stands at one table."""

    def __init__(self, table: NotedTable) -> None:
        self._table = table
        self._number = 0
        """The match that these are on."""
        self._notes: tuple[PlaytestNote, ...] = ()
        self._told: dict[Peer, int] = {}
        """How many of them each of who hosts has been told."""

    def all(self) -> tuple[PlaytestNote, ...]:
        """All notes on the match that stands now."""
        number = self._table.hosted_match.number
        if number != self._number:
            self._number, self._told = number, {}
            self._notes = self._table.journal.noted(number)
        return self._notes

    def write(self, peer: Peer, message: WriteNote) -> None:
        """Take a guest's note.

        Raises:
            Refusal: there is no match, nothing in it, or enough already.
        """
        table, match = self._table, self._table.hosted_match
        if match.match is None or match.phase not in ("playing", "over"):
            raise Refusal(NOT_NOW)
        known, at = self.all(), min(message.at, len(match.match.record))
        fresh = note(message.text, message.ply, message.seat, at, self._name(message.seat))
        if not fresh.text:
            raise Refusal(NOTHING_NOTED)
        if Counter(each.seat for each in known)[message.seat] >= MOST_OF_ONE:
            raise Refusal(ENOUGH.with_args(n=MOST_OF_ONE))
        if len(known) >= MOST_NOTES:
            raise Refusal(NOTES_FULL.with_args(n=MOST_NOTES))
        self._notes = (*known, fresh)
        table.journal.note(match.number, fresh)
        table.tell(peer, NoteTaken())
        self.hand_over()

    def hand_over(self) -> None:
        """Tell who hosts what was noted, once the match is over."""
        if self._table.hosted_match.phase != "over" or not (known := self.all()):
            return
        owners = self._table.owners()
        self._told = {peer: told for peer, told in self._told.items() if peer in owners}
        for peer in owners:
            if self._told.get(peer) != len(known):
                self._told[peer] = len(known)
                self._table.tell(peer, MatchNotes(self._number, tuple(map(_sent, known))))

    def _name(self, seat: int) -> str:
        return self._table.places[seat].name if seat != AUDIENCE else ""


def _sent(note: PlaytestNote) -> SentNote:
    seat = AUDIENCE if note.seat is None else note.seat
    return SentNote(note.text, note.name, seat, note.ply, note.entries or 0, note.written)
