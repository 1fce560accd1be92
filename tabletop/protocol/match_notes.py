"""Playtest notes at a shared table: guests' notes go to the table's host once the match is over.

    guest   WriteNote                    host   NoteTaken, or Refused
                                         host   MatchNotes    to the table's host, at the end

A note may name a card that others do not see. Its text is on the host's disk, and nobody is shown
it while the match runs, not even the table's host; afterwards only the host is. These messages are
for a host whose welcome names the feature `NOTES_FEATURE`.
"""

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from tabletop.engine.model import Reason
from tabletop.protocol.field_types import Short, Viewer
from tabletop.protocol.message_tags import wire_tag
from tabletop.text.moments import check_moment

NOTES_FEATURE = "notes"
MAX_NOTE_CHARACTERS = 900
"""Characters of a note: as sent, it is no longer than any text of a message may be."""
MAX_NOTES = 300
"""The notes on one match."""
MAX_NOTES_PER_AUTHOR = 60
"""The notes of one seat, or of all spectators together, on one match."""


NOTE_READER = Reason("{name} gets it once the match is over, and nobody else.")
UNNAMED_HOST = Reason("The host")
NOTE_SENT = Reason("The host has the note.")


class WriteNote(Struct, frozen=True, tag=wire_tag):
    """A player's note."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_CHARACTERS)]
    """The text of the note."""
    seat: Viewer
    """The writer's seat; AUDIENCE: a spectator."""
    ply: Annotated[int, Meta(ge=0, le=1_000_000)]
    """The ply of the table that was seen (`State.ply`)."""
    at: Annotated[int, Meta(ge=0, le=1_000_000)]
    """The number of entries that the record had then."""


class NoteReceived(Struct, frozen=True, tag=wire_tag):
    """The note is with the host."""


class SentNote(Struct, frozen=True):
    """A note on a match, as in `WriteNote`, with who wrote it and when."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_CHARACTERS)]
    """The text of the note."""
    name: Short
    """The writer's name."""
    seat: Viewer
    """The writer's seat; AUDIENCE: a spectator."""
    ply: Annotated[int, Meta(ge=0, le=1_000_000)]
    """The ply of the table that was seen."""
    at: Annotated[int, Meta(ge=0, le=1_000_000)]
    """The number of entries that the record had then."""
    written: datetime
    """The time of writing, by the host's clock."""

    def __post_init__(self) -> None:
        check_moment(self.written)


class MatchNotes(Struct, frozen=True, tag=wire_tag):
    """For the table's host: all guests' notes on a match."""

    round: int
    """The number of the match."""
    notes: Annotated[tuple[SentNote, ...], Meta(max_length=MAX_NOTES)]
    """All notes, in the order in which they were written."""
