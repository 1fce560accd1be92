"""A table as this computer sits at it: a match in this process (`here`), or one elsewhere
(`elsewhere`)."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.model import Move
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat


class NoteReader(NamedTuple):
    """Somebody at another computer who gets a note."""

    name: str
    send: Callable[[str], None]


class Seating(Protocol):
    """A table as this computer sits at it."""

    kit: Kit

    @property
    def match(self) -> Match | None:
        """The match, where it is played in this process."""
        ...

    @property
    def recorded(self) -> Match | None:
        """The match as it can be saved; None while that is the host's alone."""
        ...

    @property
    def file(self) -> Path | None:
        """The file of the match; None if it isn't recorded here."""
        ...

    @property
    def key(self) -> str:
        """The key of this match in the statistics; empty if it doesn't count there."""
        ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons at this computer."""
        ...

    @property
    def can_agree(self) -> bool:
        """Whether there is a move to take back, if all agree."""
        ...

    def seat(self, viewer: int) -> Seat:
        """A seat of people here, or the audience's; it is theirs to the end."""
        ...

    def agree(self, seat: int) -> None:
        """The people here agree to take the last move back; this seat says so."""

    def move_to_redo(self, seat: int) -> Move | None:
        """What this seat took back last, if it can play that again: its move."""
        ...

    def stand_in(self, seat: int, bot: bool, then: Callable[[], None]) -> None:
        """Let a bot of this process play at a person's seat here, or the person again."""

    @property
    def hurried(self) -> bool:
        """Whether the bots of this process play on at once."""
        ...

    def note_reader(self, seat: int) -> NoteReader | None:
        """Return the reader of notes about the table as this seat, or the audience, sees it; None
        where it stays at this computer."""
        ...

    def hurry(self, hurried: bool) -> None:
        """Let the bots of this process play on at once until a person is asked, or not any more."""

    def rest(self, resting: bool) -> None:
        """Note that everybody has received the news, and whether nothing moves on the screen: bots
        that play here think at once, and answer only while nothing moves."""

    def close(self) -> None:
        """Leave the table."""
