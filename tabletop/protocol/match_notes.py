"""Messages for playtest notes, which reach the table's host after the match.

    guest   WriteNote                    host   NoteReceived, or Refused
                                         host   MatchNotes    to the table's host, after the match

A note may name a card that others can't see. The text is stored on the host's disk, and the program
shows it to nobody during the match, not even to the table's host. After the match only the host can
read it. Guests send these messages only to hosts with `NOTES_FEATURE`.
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
"""The maximum length of a note. Encoded, such a note stays within the
limit for texts in messages.
"""
MAX_NOTES = 300
"""The maximum number of notes on one match."""
MAX_NOTES_PER_AUTHOR = 60
"""The maximum number of notes on one match by one seat, or by all spectators together."""


NOTE_READER = Reason("{name} gets it once the match is over, and nobody else.")
UNNAMED_HOST = Reason("The host")
NOTE_SENT = Reason("The host has the note.")


class WriteNote(Struct, frozen=True, tag=wire_tag):
    """A player's or spectator's note on the match."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_CHARACTERS)]
    """The text of the note."""
    seat: Viewer
    """The author's seat; `AUDIENCE` for a spectator."""
    ply: Annotated[int, Meta(ge=0, le=1_000_000)]
    """The ply of the table that the author saw (`State.ply`)."""
    at: Annotated[int, Meta(ge=0, le=1_000_000)]
    """The number of entries in the record at that time."""


class NoteReceived(Struct, frozen=True, tag=wire_tag):
    """Confirmation that the host has stored the note."""


class SentNote(Struct, frozen=True):
    """A note on a match, with its author and time."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_CHARACTERS)]
    """The text of the note."""
    name: Short
    """The author's name."""
    seat: Viewer
    """The author's seat; `AUDIENCE` for a spectator."""
    ply: Annotated[int, Meta(ge=0, le=1_000_000)]
    """The ply of the table that the author saw."""
    at: Annotated[int, Meta(ge=0, le=1_000_000)]
    """The number of entries in the record at that time."""
    written: datetime
    """The time of writing, by the host's clock."""

    def __post_init__(self) -> None:
        check_moment(self.written)


class MatchNotes(Struct, frozen=True, tag=wire_tag):
    """All guests' notes on a match, for the table's host."""

    round: int
    """The number of the match."""
    notes: Annotated[tuple[SentNote, ...], Meta(max_length=MAX_NOTES)]
    """The notes in the order of writing."""
