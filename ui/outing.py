"""The way from the shelf to tables that several computers share, and back."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.net.client import Met, Stranger
from tabletop.net.guest import Ticket
from tabletop.net.invitation import BadInvitation, Place, read_link
from tabletop.net.keyring import Keyring, Return
from tabletop.storage import folders
from tabletop.storage.trouble import StorageError
from ui.hosting import Hosting
from ui.net import Call, Network
from ui.screens.company import Company
from ui.screens.elsewhere import Elsewhere, dressed
from ui.screens.join import Join, Wanted, by_link
from ui.screens.lobby import Lobby
from ui.screens.question import agreed
from ui.screens.stranger import welcome
from ui.screens.visit import Visit
from ui.ways import HERE, NOWHERE, ways

if TYPE_CHECKING:
    from ui.app import Window
    from ui.screens.table import TableScreen


class Outing(QObject):
    """At most one visit at a time, and the screens that belong to it."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.room = window.room
        self.keyring = Keyring(folders.keyring())
        self.network = Network(folders.hosted(), self.room.minds)
        self.visit: Visit | None = None
        self.lobby: Lobby | None = None
        self.join: Join | None = None
        self._place: Place | None = None
        """Where the visited table's host is."""
        self._name = ""
        """What the host's certificate is remembered by."""
        self.sitting: list[tuple[int, str, str]] = []
        """Who of this computer sits down as soon as the way is open: seat, name, symbol."""
        self._ways: deque[Wanted] = deque()
        """Where the wanted table may be, still to be tried."""
        self._kept: tuple[object, ...] = ()
        self.network.found.connect(self._found)
        self.hosting = Hosting(window, self)

    @property
    def abroad(self) -> bool:
        """Whether this window is at a shared table."""
        return self.visit is not None

    # Joining

    def show_join(self, text: str = "") -> None:
        """The tables of the network, and the lines for a code, an address or a link."""
        join = Join(self.room)
        join.wanted.connect(self._come)
        join.left.connect(self._window.show_shelf)
        join.fill(text)
        self._window.show_page(join)
        self.join = join
        join.take_focus()
        self.network.look()

    def follow(self, text: str) -> None:
        """Come to the table of an invitation link."""
        try:
            wanted = by_link(read_link(text))
        except BadInvitation as bad:
            self._window.banner.tell(self.room.words.reason(bad.reason))
            return
        self.show_join(text)
        if wanted.code:
            self._come(wanted)

    def _found(self, found: object) -> None:
        if self.join is not None:
            self.join.show_found(found)

    def _come(self, wanted: Wanted) -> None:
        """Try where the table may be, one place after the other."""
        rows = self.join.rows if self.join else []
        self._ways = deque(ways(wanted, [row.found for row in rows]))
        if not self._ways:
            self._fail(NOWHERE)
            return
        if self.join is not None:
            self.join.busy(self.room.words("On the way to the table…"))
        self._try_next()

    def _try_next(self) -> None:
        wanted = self._ways.popleft()
        assert wanted.place is not None
        visit = self.begin(wanted.host or wanted.place.name)
        visit.guest.enter(Ticket(wanted.table, wanted.code))
        visit.claim = (wanted.seat, wanted.claim)
        known = self.keyring.trusted(self._name)
        place = wanted.place
        if known:
            place = Place(place.hosts, place.port, known)
        self.call(place, False)

    def _fail(self, reason: Reason) -> None:
        """The table could not be entered there."""
        self._end_visit()
        if self._ways:
            self._try_next()
            return
        text = self.room.words.reason(reason)
        if self.join is not None:
            self.join.complain(text)
        elif self.hosting.sheet is not None:
            self.hosting.sheet.complain(text)
        else:
            self._window.show_shelf()
            self._window.banner.tell(text)

    # Coming back

    @property
    def returns(self) -> tuple[Return, ...]:
        """The tables that wait for somebody of this computer."""
        return self.keyring.returns

    def come_back(self, back: Return) -> None:
        """Return to a table; where it is hosted here, host it again first."""

        def begin(place: Place) -> None:
            visit = self.begin(HERE if HERE in place.hosts else place.name)
            visit.guest.watch()
            visit.guest.enter(back.ticket)
            self.call(place, True)
            self._show_lobby()

        if HERE in back.place.hosts:
            self.hosting.host(begin)
        else:
            begin(back.place)

    def forget(self, table: str) -> None:
        """There is no way back to this table any more."""
        try:
            self.keyring.forget(table)
        except StorageError as error:
            self.room.tell(error.reason)

    # The visit

    def begin(self, name: str) -> Visit:
        """Begin a visit to the host of this name; the next step is to call it."""
        self._end_visit()
        self._name, self._kept = name, ()
        self.visit = visit = Visit()
        visit.changed.connect(self._follow)
        visit.noted.connect(self._note)
        visit.ended.connect(self._ended)
        visit.strange.connect(self._ask_about)
        visit.met.connect(self._meet)
        return visit

    def call(self, place: Place, returning: bool) -> None:
        """Begin the line to the host; `returning`: come back by it until somebody leaves."""
        assert self.visit is not None
        self._place = place
        call = self.network.call(place, returning)
        self.visit.line = call
        call.heard.connect(self.visit.take)

    def _end_visit(self) -> None:
        visit, self.visit = self.visit, None
        if visit is not None:
            self.hosting.note_guests()
            visit.close()
            visit.deleteLater()

    def _follow(self) -> None:
        """Something is different at the table: keep the way back, show the right screen."""
        visit = self.visit
        if visit is None:
            return
        if visit.lost is not None and visit.room is None and visit.again_in is None:
            self._fail(visit.lost)
            return
        facts = visit.room
        if facts is None or visit.guest.standing != "inside":
            return
        self._ways.clear()
        self._sit_down(visit)
        self._keep(visit)
        self.hosting.note_guests()
        table = self._table()
        seating = table.sitting.seating if table is not None else None
        shown = isinstance(seating, Elsewhere) and seating.visit is visit
        if visit.playing and not (shown and seating.round == facts.round):
            self._sit(visit)
        elif (facts.phase in ("gathering", "shuffling") and (shown or self.lobby is None)) or (
            not shown and self.lobby is None
        ):
            self._show_lobby()

    def _sit_down(self, visit: Visit) -> None:
        """Those of this computer who are to sit take their seats, and are ready when they host."""
        for seat, name, symbol in self.sitting:
            visit.act(visit.guest.sit, seat, name, symbol)
            visit.act(visit.guest.ready, seat)
        self.sitting = []

    def _keep(self, visit: Visit) -> None:
        """Have the way back on disk."""
        facts, place = visit.room, self._place
        if facts is None or place is None or not isinstance(visit.line, Call):
            return
        place = visit.line.place
        if visit.hosts:  # whatever others call this computer
            place = Place((HERE,), place.port, place.fingerprint)
        ticket = visit.guest.ticket
        kept = (ticket, place, facts.plan.name)
        if kept == self._kept:
            return
        self._kept = kept
        try:
            self.keyring.remember(place, ticket, facts.plan.name, facts.plan.game)
        except StorageError as error:
            self.room.tell(error.reason)

    def _show_lobby(self) -> None:
        if self.visit is None:
            return
        lobby = Lobby(self.room, self.visit)
        lobby.left.connect(self.leave)
        self._window.show_page(lobby)
        self.lobby = lobby
        self._window.menus.allow({"leave": True})
        lobby.take_focus()

    def _sit(self, visit: Visit) -> None:
        """The match runs: sit at its table."""
        kit = visit.kit
        assert kit is not None
        screen = self._window.playing.sit_at(Elsewhere(self.room, visit, kit))
        company = Company(screen, visit)
        company.left.connect(self.leave)
        company.host_here.connect(self.hosting.agree)
        screen.join(company)
        screen.begin()

    def _table(self) -> TableScreen | None:
        return self._window.table

    def _note(self, reason: Reason) -> None:
        """Something to read; in the lobby it is said there."""
        if self._table() is not None and self.visit is not None:
            kit = self.visit.kit
            players = dressed(self.room, self.visit.guest.players)
            words = self.room.of(kit, players) if kit else self.room.words
            self._window.banner.tell(words.reason(reason), "info")

    def _ended(self, reason: Reason) -> None:
        """The way to the table is closed for good."""
        visit = self.visit
        if visit is None:
            return
        if visit.room is None or visit.guest.standing == "greeting":
            self._fail(reason)
            return
        if not visit.guest.ticket.table:
            self.forget(visit.room.table)
        if self._table() is None:
            self._end_visit()
            self._window.show_shelf()
            self._window.banner.tell(self.room.words.reason(reason), "info")

    def _meet(self, met: Met) -> None:
        """Trust on first sight, and remember."""
        try:
            self.keyring.trust(self._name, met.fingerprint)
        except StorageError as error:
            self.room.tell(error.reason)

    def _ask_about(self, stranger: Stranger) -> None:
        """The host is not who it was: nothing is sent before the person has decided."""
        wanted = welcome(self.room, self._window, stranger)
        visit = self.visit
        if visit is None:
            return
        if not wanted:
            self._ways.clear()
            self._fail(stranger.reason)
            return
        try:
            self.keyring.trust(self._name, stranger.found)
        except StorageError as error:
            self.room.tell(error.reason)
        place = Place(stranger.place.hosts, stranger.place.port, stranger.found)
        if isinstance(visit.line, Call):
            visit.line.again(place)

    # Leaving

    def leave(self) -> None:
        """Go back to the shelf for good, once the person is sure."""
        visit = self.visit
        if visit is None:
            self._window.show_shelf()
            return
        facts, words = visit.room, self.room.words
        running = facts is not None and facts.phase == "playing" and facts.ended is None
        text = (
            words("You host this table: if you leave, it ends for everybody.")
            if visit.hosts
            else words("Leave the match? The others go on without you.")
        )
        ask = running or (visit.hosts and _others(visit))
        if ask and not agreed(self.room, self._window, "leave", text, words("Leave")):
            return
        if facts is not None:
            self.forget(facts.table)
            if visit.hosts:
                self.network.close_table(facts.table)
        visit.guest.leave()
        self._end_visit()
        self._window.show_shelf()

    def put_away(self) -> None:
        """The screens of an outing are gone; what was visited stays one's own."""
        self.lobby = self.join = self.hosting.sheet = None
        self.network.look_away()

    def close(self) -> None:
        """The window closes: seats and tables are kept, the network ends."""
        self._end_visit()
        self.network.close()

    def do(self, name: str) -> bool:
        """Do what a command says, where it is one of a shared table; whether it was."""
        visit = self.visit
        match name:
            case "host":
                self.hosting.show_sheet(self._window.kit())
            case "join":
                self.show_join()
            case "leave" if visit is not None:
                self.leave()
            case "rematch" if visit is not None:
                visit.act(visit.guest.rematch)
            case "away" if visit is not None:
                for seat in visit.own:
                    visit.act(visit.guest.absent, seat)
            case _:
                return False
        return True


def _others(visit: Visit) -> bool:
    """Whether somebody else sits at the table."""
    sitters = visit.room.sitters if visit.room else ()
    return any(
        sitter.kind == "person" and sitter.state != "free" and seat not in visit.own
        for seat, sitter in enumerate(sitters)
        if seat != AUDIENCE
    )
