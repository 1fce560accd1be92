"""Who at this computer looks at a table, and who must look next.

A table is a match in this process (`here`) or one elsewhere (`elsewhere`); a sitting knows of it no
more than what the seats at this computer are told.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from tabletop.engine.events import Said
from tabletop.engine.model import AUDIENCE, Ask, Move, State
from tabletop.engine.play import Illegal, waits
from tabletop.games.catalogue import Kit
from tabletop.link import Link
from tabletop.match import Match, Player, Reset, Update
from tabletop.reactions import PASS, Attendant, Way, has_chances
from ui.link import SafeLink, later
from ui.screens.room import Room
from ui.screens.turns import Bar, bar, needs_curtain, next_viewer, round_of, window


class Seating(Protocol):
    """A table as this computer sits at it."""

    kit: Kit
    match: Match | None
    """The match, where it is played in this process."""

    @property
    def recorded(self) -> Match | None:
        """The match as it can be saved; None while that is the host's alone."""
        ...

    @property
    def file(self) -> Path | None:
        """Where the match is recorded here; None where it is not."""
        ...

    @property
    def key(self) -> str:
        """What the statistics know this match by; empty where it is none of theirs."""
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

    def under_way(self, seat: int) -> bool:
        """Whether an answer of this seat has been sent and not been heard yet."""
        ...

    def undo(self, seat: int) -> None:
        """Take this seat's own last move back."""

    def agree(self, seat: int) -> None:
        """The people here agree to take the last move back; this seat says so."""

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
        self.link: Attendant | None = None
        self._heard = dict.fromkeys(range(len(seating.players)), 0)
        self._called: int | None = None
        """Who has said that she reacts, until she has answered."""
        self._bar: tuple[State, object, Bar] | None = None
        """The bar, after what it was worked out from."""
        self._resting = True
        self._closing = QTimer(self)
        self._closing.setSingleShot(True)
        self._closing.timeout.connect(self.pass_all)
        room.changed.connect(self._reconsider)
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
        bar, called = self.bar, self._called
        if called is None and (bar.passed or (bar.asks and not bar.stays)):
            return self.looking
        reacting = tuple(ask.seat for ask in bar.asks)
        return next_viewer(self.view, self.people, self.looking, reacting, called)

    @property
    def reacting(self) -> tuple[Ask, ...]:
        """What people here are asked in public: whether they react."""
        return self.bar.asks

    @property
    def bar(self) -> Bar:
        """The public question who reacts; empty where there is none."""
        view, ways = self.view, [self.way(seat) for seat in range(len(self.players))]
        open_ = {number for seat in self.people for number in self._open(seat).offers}
        basis = (self.looking, ways, open_)
        if self._bar is None or self._bar[0] is not view or self._bar[1] != basis:
            self._bar = view, basis, bar(self.kit, view, self._asked(), ways)
        return self._bar[2]

    def _asked(self) -> tuple[Ask, ...]:
        """The chances to react that people here have, all at once or one after the other."""
        offers = {
            number: offered
            for seat in self.people
            for number, offered in self._open(seat).offers.items()
        }
        whole = self.match.state if self.match is not None else self.view
        return window(self.view, self.people, offers) or round_of(
            self.kit, whole, self.people, self.looking
        )

    def way(self, seat: int) -> Way:
        """How this player wishes to be asked for reactions."""
        return self.room.way(self.players[seat].name)

    @property
    def has_chances(self) -> bool:
        """Whether this game has chances to react."""
        return has_chances(self.kit.layout)

    @property
    def regretting(self) -> tuple[int, ...]:
        """The people who can still take back what they answered to the question on the bar."""
        asks, match = self.bar.asks, self.match
        if any(ask.sealed for ask in asks):
            return tuple(seat for seat in self.people if waits(self.view, seat))
        if not asks or match is None or not match.record:
            return ()
        last = match.record[-1]  # one after the other: the last one, before the next has answered
        passed = last.move is not None and last.move.verb == PASS and last.seat in self.people
        return (last.seat,) if passed and self._open(last.seat).undoable else ()

    @property
    def name(self) -> str:
        """Who looks."""
        return self.players[self.looking].name if self.looking != AUDIENCE else ""

    def hides(self, following: int) -> bool:
        """Whether the curtain must fall before this viewer looks."""
        views = {seat: self._open(seat).view for seat in self.people}
        return needs_curtain(views, self.looking, following)

    def look(self, viewer: int) -> Attendant:
        """Let this viewer look: gives the link for the scene."""
        self.look_away()
        self.looking = viewer
        self.link = Attendant(
            self._safe(viewer),
            self.kit.layout,
            lambda: self.way(viewer) if viewer != AUDIENCE else "ask",
            lambda: self.room.settings.reaction_pause,
            later,
        )
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
        """This player reacts, and is to look next. Whoever is asked before her passes."""
        self._closing.stop()
        before = [ask for ask in self.bar.asks if not ask.sealed]
        count = next((n for n, ask in enumerate(before) if ask.seat == seat), 0)
        self._called = seat
        self._pass(before[:count])

    def pass_all(self) -> None:
        """No one reacts: everybody here who is asked passes."""
        self._closing.stop()
        self._pass(self.bar.asks)

    def regret(self, seat: int) -> None:
        """This player takes back what she has answered, and is to look next."""
        if seat in self.regretting:
            self.seating.undo(seat)
            self._called = seat

    def _pass(self, asks: Sequence[Ask]) -> None:
        """Pass these one after the other; each is open by then, under whatever number."""
        with suppress(Illegal):  # said already by the link
            for ask in asks:
                link = self._open(ask.seat)
                same = (a for a in link.view.asks if a.id in link.offers and a.what == ask.what)
                found = next(same, None)
                if found is None or self.seating.under_way(ask.seat):
                    return
                self._safe(ask.seat).send(Move(found.id, PASS))

    def _keep_bar(self) -> None:
        """Pass for those who wish not to be asked; let a bar that nobody waits for go by itself."""
        bar = self.bar
        if self._called is not None or not self._resting:
            self._closing.stop()
        elif bar.passed:
            self._pass(bar.passed)
        elif not bar.asks or bar.stays:
            self._closing.stop()
        elif not self._closing.isActive():
            self._closing.start(self.room.settings.reaction_pause)

    def _reconsider(self) -> None:
        """Somebody wishes to be asked in another way."""
        self._closing.stop()
        if self.link is not None:
            self.link.reconsider()
        self.moved.emit()

    def concede(self) -> None:
        """Who looks gives the match up."""
        self.seating.concede(self.looking)

    def since(self, viewer: int) -> tuple[Said, ...]:
        """What everybody could hear since this viewer last looked."""
        return self.log[self._heard.get(viewer, 0) :]

    def rest(self, resting: bool) -> None:
        """Whether nothing moves on the screen."""
        self._resting = resting
        self.seating.rest(resting)
        self._keep_bar()

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
        self.seating.agree(self.looking)

    def redo(self) -> None:
        """Play again what was taken back last."""
        if self.can_redo:
            self.seating.redo(self.looking)

    def close(self) -> None:
        """Leave the table: everything that is told to anybody here ends."""
        self._closed = True
        self._closing.stop()
        self.room.changed.disconnect(self._reconsider)
        self.look_away()
        for link in self._links.values():
            link.close()
        self.seating.close()

    def _safe(self, viewer: int) -> SafeLink:
        return SafeLink(self._open(viewer), self.players, self.room.tell)

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
        looks = self._called == self.looking and bool(self._open(self.looking).offers)
        if not looks and self._called not in [ask.seat for ask in self.reacting]:
            self._called = None
        self._closing.stop()
        self._note_heard(self.looking)
        self.moved.emit()
        self.seating.wake()

    def _note_heard(self, viewer: int) -> None:
        if viewer in self._heard:
            self._heard[viewer] = len(self.log)
