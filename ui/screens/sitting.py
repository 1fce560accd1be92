"""Who at this computer looks at a table, and who must look next.

A table is a match in this process (`here`) or one elsewhere (`elsewhere`); a sitting knows of it no
more than what the seats at this computer are told.
"""

from contextlib import suppress
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Ask, Move, State
from tabletop.engine.play import Illegal
from tabletop.games.catalogue import Kit
from tabletop.link import Link
from tabletop.match import Match, Player, Reset, Update
from ui.link import SafeLink
from ui.screens.room import Room
from ui.screens.turns import PASS, needs_curtain, next_viewer, window


class Seating(Protocol):
    """A table as this computer sits at it."""

    kit: Kit
    match: Match | None
    """The match, where it is played in this process."""

    @property
    def file(self) -> Path | None:
        """Where the match is recorded here; None where it is not."""
        ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons at this computer."""
        ...

    @property
    def agreeing(self) -> tuple[str, ...]:
        """The players that must agree before a move is taken back further than one may alone."""
        ...

    @property
    def can_agree(self) -> bool:
        """Whether there is a move to take back, if all agree."""
        ...

    def link(self, viewer: int) -> Link:
        """The link of a seat of people here, or the audience's; it stays open to the end."""
        ...

    def undo(self, seat: int) -> None:
        """Take this seat's own last move back."""

    def agree(self) -> None:
        """The people here agree to take the last move back."""

    def can_redo(self, seat: int) -> bool:
        """Whether this seat can play again what it took back last."""
        ...

    def redo(self, seat: int) -> None:
        """Play it again. Refused like a move."""

    def concede(self, seat: int) -> None:
        """This seat gives the match up."""

    def rest(self, resting: bool) -> None:
        """Whether nothing moves on the screen; who plays here by itself waits for that."""

    def wake(self) -> None:
        """Everybody was told: who plays here by itself may go on, once nothing moves."""

    def close(self) -> None:
        """Leave the table."""


class Sitting(QObject):
    """The people of this computer at one table."""

    moved = Signal()
    """Something happened at the table; comes after everybody was told."""
    _came = Signal()

    def __init__(self, room: Room, seating: Seating) -> None:
        super().__init__()
        self.room = room
        self.seating = seating
        self.kit = seating.kit
        self.looking = AUDIENCE
        self.link: SafeLink | None = None
        self._heard = dict.fromkeys(range(len(seating.players)), 0)
        self._called: int | None = None
        """Who has said that she reacts, until she has answered."""
        self._links: dict[int, Link] = {}
        self._coming = False
        """Whether news is under way that has not been passed on yet."""
        self._closed = False
        self._came.connect(self._told, Qt.ConnectionType.QueuedConnection)
        for viewer in (AUDIENCE, *self.people):
            self._open(viewer)

    @property
    def match(self) -> Match | None:
        """The match, where it is played in this process."""
        return self.seating.match

    @property
    def file(self) -> Path | None:
        """Where the match is recorded here; None where it is not."""
        return self.seating.file

    @property
    def view(self) -> State:
        """The table as it lies open to everybody."""
        return self._open(AUDIENCE).view

    @property
    def log(self) -> tuple[Said, ...]:
        """All that everybody could hear."""
        return tuple(self._open(AUDIENCE).log)

    @property
    def players(self) -> tuple[Player, ...]:
        return self.seating.players

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons at this computer."""
        return self.seating.people

    @property
    def over(self) -> bool:
        return self.view.result is not None

    @property
    def following(self) -> int:
        """Who must look now; the one who looks, where nobody else must."""
        reacting = tuple(ask.seat for ask in self.reacting)
        return next_viewer(self.view, self.people, self.looking, reacting, self._called)

    @property
    def reacting(self) -> tuple[Ask, ...]:
        """What persons here are asked at once whether they react, and have not answered."""
        offers = {
            number: offered
            for seat in self.people
            for number, offered in self._open(seat).offers.items()
        }
        return window(self.view, self.people, offers)

    @property
    def name(self) -> str:
        """Who looks."""
        return self.players[self.looking].name if self.looking != AUDIENCE else ""

    def hides(self, following: int) -> bool:
        """Whether the curtain must fall before this viewer looks."""
        views = {seat: self._open(seat).view for seat in self.people}
        return needs_curtain(views, self.looking, following)

    def look(self, viewer: int) -> SafeLink:
        """Let this viewer look: gives the link for the scene."""
        self.look_away()
        self.looking = viewer
        self.link = SafeLink(self._open(viewer), self.room.tell)
        self._note_heard(viewer)
        return self.link

    def look_away(self) -> None:
        """Nobody looks any more; who looked hears nothing more."""
        if self.link is not None:
            self._note_heard(self.looking)
            self.link.close()
            self.link = None
        self.looking = AUDIENCE

    def call(self, seat: int) -> None:
        """This player reacts, and is to look next."""
        self._called = seat

    def pass_all(self) -> None:
        """No one reacts: every person who is asked passes."""
        with suppress(Illegal):  # said already by the link
            for ask in self.reacting:
                SafeLink(self._open(ask.seat), self.room.tell).send(Move(ask.id, PASS))

    def concede(self) -> None:
        """Who looks gives the match up."""
        self.seating.concede(self.looking)

    def since(self, viewer: int) -> tuple[Said, ...]:
        """What everybody could hear since this viewer last looked."""
        return self.log[self._heard.get(viewer, 0) :]

    def rest(self, resting: bool) -> None:
        """Whether nothing moves on the screen."""
        self.seating.rest(resting)

    # Taking back, and playing again what was taken back

    @property
    def can_undo(self) -> bool:
        """Whether who looks may take the last move back alone."""
        return self.link is not None and self.looking != AUDIENCE and self.link.undoable

    @property
    def can_agree(self) -> bool:
        """Whether there is a move to take back, if all agree."""
        return self.seating.can_agree

    @property
    def agreeing(self) -> tuple[str, ...]:
        """The players that must agree before a move is taken back further than one may alone."""
        return self.seating.agreeing

    @property
    def can_redo(self) -> bool:
        """Whether a move that was taken back can be played again."""
        return self.seating.can_redo(self.looking)

    def undo(self) -> None:
        """Take the viewer's own last move back."""
        if self.can_undo:
            self.seating.undo(self.looking)

    def agree(self) -> None:
        """All agree to take the last move back."""
        self.seating.agree()

    def redo(self) -> None:
        """Play again what was taken back last."""
        if self.can_redo:
            self.seating.redo(self.looking)

    def close(self) -> None:
        """Leave the table: everything that is told to anybody here ends."""
        self._closed = True
        self.look_away()
        for link in self._links.values():
            link.close()
        self.seating.close()

    def _open(self, viewer: int) -> Link:
        """The link of who may look here, heard from the first time it is wanted."""
        if viewer not in self._links:
            self._links[viewer] = self.seating.link(viewer)
            self._links[viewer].on_update(self._hear)
        return self._links[viewer]

    def _hear(self, message: Update | Reset) -> None:
        if not self._coming:
            self._coming = True
            self._came.emit()

    def _told(self) -> None:
        """Pass news on, once every seat here has it."""
        self._coming = False
        plies = {link.view.ply for link in self._links.values()}
        if self._closed or len(plies) > 1:
            return
        if self._called not in [ask.seat for ask in self.reacting]:
            self._called = None
        self._note_heard(self.looking)
        self.moved.emit()
        self.seating.wake()

    def _note_heard(self, viewer: int) -> None:
        if viewer in self._heard:
            self._heard[viewer] = len(self.log)
