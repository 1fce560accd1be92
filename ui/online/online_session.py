"""The session at tables that several computers share: the way there from the shelf, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.home.known_hosts import KnownHosts, RejoinableTable
from tabletop.net.guest.join_attempt import ProofAllowance, Ticket
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.protocol.invitation import Address, BadInvitation, read_invitation
from tabletop.table.connection_events import ChangedCertificate
from ui.match.result.sharing import write_picture
from ui.match.screen.table_screen import TableScreen
from ui.match.seated_table import SeatedTable
from ui.online.certificate_prompt import ask_trust, trusts
from ui.online.game_offer import GameOffer
from ui.online.hands_on_phones import HandsOnPhones
from ui.online.host_departure import HostDeparture
from ui.online.hosting import Hosting
from ui.online.join_screen import JoinRequest, JoinScreen, by_link
from ui.online.lobby_screen import LobbyScreen
from ui.online.network_thread import NetworkThread, QtConnection
from ui.online.people_choices import Handlers, codes_text, people_handlers
from ui.online.rejoinable_tables import RejoinableTables, is_hosted_here
from ui.online.remote_players import RemotePlayers
from ui.online.remote_table import RemoteTable
from ui.online.routes import HERE, NOWHERE, places_to, server_place
from ui.online.shared_record import SharedRecord, words_at
from ui.online.table_search import TableSearch
from ui.online.visit import Visit
from ui.setup.host_sheet import HostRequest
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator

OTHER_LINK = Reason(
    "You have a seat at this table, and the link leads to it at another computer. The table may "
    "have moved there, or someone else may have made the link."
)


class OnlineSession(QObject):
    """At most one shared table at a time, and the screens that belong to it."""

    def __init__(
        self,
        context: AppContext,
        navigator: Navigator,
        sit_at: Callable[[SeatedTable], TableScreen],
        submenus: Mapping[str, QMenu],
    ) -> None:
        """`sit_at` shows the table of a seating; of the `submenus` two are for who hosts: those who
        can take the table, and what may be decided about its guests."""
        super().__init__(navigator.window())
        self._sit_at = sit_at
        self.context = context
        self._navigator = navigator
        self.known_hosts = KnownHosts(folders.known_hosts())
        self.network = NetworkThread(folders.hosted(), self.context.bot_pool)
        self.remote: RemoteTable | None = None
        self.lobby: LobbyScreen | None = None
        self.join: JoinScreen | None = None
        self._record: SharedRecord | None = None
        """The record of the visited table's match, while it is on the screen."""
        self._visit = Visit()
        self._sitters: list[tuple[int, str, str]] = []
        """The people of this computer who sit down once connected: seat, name, symbol."""
        self._allowances: defaultdict[str, ProofAllowance] = defaultdict(ProofAllowance)
        """The allowance of each code that was entered here."""
        self._warning: Reason | None = None
        """The warning about a deal whose table is not shown yet."""
        self.search = TableSearch(context, navigator, self.network, self.known_hosts)
        self.ways_back = RejoinableTables(context, navigator, self.network, self.known_hosts)
        self.ways_back.wanted.connect(self.come_back)
        self.hosting = Hosting(context, navigator, self.network, submenus, self.known_hosts)
        self.hosting.opened.connect(self._open_table)
        self.parting = HostDeparture(context, navigator, self.hosting)
        self.phones = HandsOnPhones(context, navigator)
        self.hosting.phones.connect(self.phones.show_dialog)

    @property
    def visiting(self) -> bool:
        """Whether this window is at a shared table."""
        return self.remote is not None

    # Joining

    def show_join(self, text: str = "") -> None:
        """The tables of the network, and the lines for a code, an address or a link."""
        join = JoinScreen(self.context)
        join.wanted.connect(self._try_places)
        join.left.connect(self._navigator.show_shelf)
        join.fill(text)
        self._navigator.show_page(join)
        self.join = join
        join.take_focus()
        self.search.begin(join)

    def follow(self, text: str) -> None:
        """Come to the table of an invitation link."""
        try:
            wanted = by_link(read_invitation(text))
        except BadInvitation as bad:
            self._navigator.tell(self.context.words.reason(bad.reason), code=bad.reason.code)
            return
        self.show_join(text)
        if wanted.code or wanted.table:
            self._try_places(wanted)

    def _try_places(self, wanted: JoinRequest) -> None:
        """Try where the table may be, at all places at once."""
        found = [row.found for row in self.join.rows] if self.join else []
        places = places_to(wanted, found)
        if not places:
            self._end_joining(NOWHERE)
            return
        ticket = Ticket(wanted.table, wanted.code, fingerprint=wanted.fingerprint)
        back = self.known_hosts.find_rejoinable(ticket)
        known = self.known_hosts.host_key_of(wanted.table)
        doubtful = known and wanted.fingerprint not in ("", known)
        if doubtful and not ask_trust(self.context, self._navigator.window(), OTHER_LINK):
            self._end_joining(OTHER_LINK)
            return
        if self.join is not None:
            self.join.show_progress(self.context.words("On the way to the table…"))
        announced = {each.place.fingerprint: each.host for each in found if each.host}
        visit = Visit(wanted.host or places[0].name, announced=announced)
        remote = self._begin_table(visit)
        if back is not None and not is_hosted_here(back):  # the seat is still one's own
            kept = back.ticket
            ticket = replace(kept, code=wanted.code or kept.code)
            places = (*places, replace(back.place, fingerprint=kept.fingerprint))
            remote.guest.watch()
        remote.guest.enter(ticket, allowance=self._allowances[wanted.code])
        remote.claim = (wanted.seat, wanted.claim)
        first, *others = (*places, *self.known_hosts.addresses_of(ticket.fingerprint))
        sure = bool(wanted.fingerprint)
        self._call_host(Destination(first, tuple(others), ticket.table, sure))

    def _end_joining(self, reason: Reason) -> None:
        """The table could not be entered: say why."""
        self._end_visit()
        text = self.context.words.reason(reason)
        if self.join is not None:
            self.join.complain(text)
        elif self.hosting.sheet is not None:
            self.hosting.sheet.complain(text)
        else:
            self._navigator.show_shelf()
            self._navigator.tell(text)

    # Coming back

    def come_back(self, back: RejoinableTable) -> None:
        """Return to a table; where it is hosted here, host it again first."""
        table, here = back.ticket.table, is_hosted_here(back)
        self.ways_back.await_host(table, False)

        def begin(place: Address) -> None:
            remote = self._begin_table(Visit(HERE if here else place.name, table))
            remote.guest.watch()
            fingerprint = back.ticket.fingerprint or back.place.fingerprint
            remote.guest.enter(replace(back.ticket, fingerprint=fingerprint))
            others = tuple(self.known_hosts.addresses_of(fingerprint))
            self._call_host(Destination(place, others, table, returning=True))
            self._show_lobby()

        if here:
            self.hosting.host(begin)
        else:
            begin(back.place)

    def keep_seat(self) -> None:
        """Go to the shelf, which tells once the host is there again."""
        remote = self.remote
        table = remote.guest.ticket.table if remote is not None else ""
        self._end_visit()
        self.ways_back.await_host(table)
        self._navigator.show_shelf()

    # Hosting

    def _open_table(self, place: Address, hosted: HostRequest) -> None:
        """Come to the own host or to a server, and open the table there. A server that was not met
        before is sent nothing, least of all its key, until somebody has agreed to its
        certificate."""
        own = hosted.server is None
        if not own:
            place = server_place(place, self.known_hosts)
        visit = Visit(HERE if own else place.name)
        visit.key = None if own else hosted.key
        remote = self._begin_table(visit)
        self._sitters = list(hosted.sitting)
        self.phones.wanted = hosted.phones
        remote.guest.open(hosted.plan, self.network.key if own else hosted.key)
        if not hosted.sitting:
            remote.guest.watch()
        self._call_host(Destination(place, returning=own))

    # The table

    def _begin_table(self, visit: Visit) -> RemoteTable:
        """Begin this visit to a table; the next step is to call its host."""
        self._end_visit()
        self._visit, self._warning = visit, None
        self.remote = remote = RemoteTable()
        remote.guest.called = next(iter(self.context.settings.players), "")
        self.hosting.follow(remote)
        GameOffer(self.context, self._navigator.window(), remote)
        remote.changed.connect(self._follow_table)
        remote.received.connect(self._follow_table)
        remote.noted.connect(self._show_note)
        remote.announced.connect(self._show_announcement)
        remote.warned.connect(self._warn_of_deal)
        remote.ended.connect(self._leave_closed_table)
        remote.strange.connect(self._ask_about)
        return remote

    def _call_host(self, destination: Destination) -> None:
        """Begin the line to the host."""
        assert self.remote is not None
        call = QtConnection(self.network, destination)
        self.remote.line = call
        call.heard.connect(self.remote.take)

    def _end_visit(self) -> None:
        remote, self.remote, self._record = self.remote, None, None
        if remote is not None:
            self.hosting.follow(None)
            self.parting.cancel()
            self.phones.follow(None)
            remote.close()
            remote.deleteLater()

    def _follow_table(self) -> None:
        """Follow a change at the table: keep the way back, show the right screen."""
        remote = self.remote
        if remote is None:
            return
        if remote.lost is not None and remote.info is None and remote.again_in is None:
            self._end_joining(remote.lost)
            return
        if remote.goes_on_elsewhere and self.join is not None:
            self.join.show_progress(
                self.context.words("That didn't work. Trying the next address…")
            )
        info = remote.info
        if info is None or remote.guest.connection_state != "inside":
            return
        self._sit_down(remote)
        if remote.moved_to is not None:
            self._visit.host = self.hosting.name_of(remote.moved_to)
        with self.context.report_errors():
            self._visit.keep(remote, self.known_hosts)
        self.hosting.follow(remote)
        self.parting.follow(remote)
        if remote is not self.remote:
            return
        self.phones.follow(remote)
        shown = self._record
        over = shown is not None and info.phase in ("gathering", "shuffling")
        if remote.playing and (shown is None or shown.round != info.round):
            self._sit(remote)
        elif over or (shown is None and self.lobby is None):
            self._show_lobby()

    def _sit_down(self, remote: RemoteTable) -> None:
        """Seat the people of this computer who opened the table, and make them ready."""
        for seat, name, symbol in self._sitters:
            remote.act(remote.guest.sit, seat, name, symbol)
            remote.act(remote.guest.set_ready, seat)
        self._sitters = []

    def _show_lobby(self) -> None:
        if self.remote is None:
            return
        lobby = LobbyScreen(self.context, self.remote, self._handlers(self.remote), self.phones)
        lobby.left.connect(self.leave)
        lobby.unseen.connect(self.hosting.ask_reach)
        self._navigator.show_page(lobby)
        self.lobby = lobby
        self._navigator.allow({"leave": True})
        lobby.take_focus()

    def _sit(self, remote: RemoteTable) -> None:
        kit = remote.kit
        assert kit is not None
        record = SharedRecord(self.context, remote, kit)
        screen = self._sit_at(SeatedTable(self.context, kit, remote.guest, record))
        self._record = record
        others = RemotePlayers(self.context, remote, screen.scene, screen.table_area)
        others.changed.connect(screen.refresh)
        remote.ticked.connect(screen.count_down)
        remote.judged.connect(screen.ending.show_verdict)
        screen.join(
            others,
            {**self._handlers(remote), "keep_picture": lambda _: self._save_picture(screen)},
        )
        screen.begin()
        if self._warning is not None:
            self.context.tell(self._warning)
            self._warning = None

    def _handlers(self, remote: RemoteTable) -> Handlers:
        """The handlers of choices about the people at the visited table."""
        return {
            **people_handlers(remote),
            "another": lambda _: remote.wish_another(self.context.words),
            "host_here": lambda _: self.hosting.bring_here(),
            "keep_seat": lambda _: self.keep_seat(),
            "to_shelf": lambda _: self.leave(),
        }

    def _save_picture(self, screen: TableScreen) -> None:
        """Save what is seen of the table now, which may be its curtain."""
        seen = screen if screen.curtain.drawn else screen.view
        write_picture(self.context, self._navigator, screen.seated.kit, seen.grab().toImage())

    def _show_note(self, reason: Reason) -> None:
        """Show something to read; the lobby shows it by itself."""
        if self.remote is not None and self.remote.info is None and self.join is not None:
            self.join.show_progress(self.context.words.reason(reason))
        elif self._record is not None and self.remote is not None:
            words = words_at(self.context, self.remote)
            self._navigator.tell(words.reason(reason), "info", code=reason.code)
        self.parting.note(reason)

    def _show_announcement(self, reason: Reason) -> None:
        """Show a message to everybody on the server, over any screen, until it is closed."""
        self._navigator.tell(self.context.words.reason(reason), "people", code=reason.code)

    def _warn_of_deal(self, reason: Reason) -> None:
        """Warn of a deal now, and again at its table, which takes the lobby's place."""
        self._warning = reason
        self.context.tell(reason)

    def _leave_closed_table(self, reason: Reason) -> None:
        """Leave a table whose connection is closed for good."""
        remote = self.remote
        if remote is None:
            return
        table = remote.info.table if remote.info else self._visit.table
        if table and not remote.guest.ticket.table:
            self.ways_back.forget(table)
        if remote.info is None or remote.guest.connection_state == "greeting":
            self._end_joining(reason)
            return
        if self._record is None:
            self._end_visit()
            self._navigator.show_shelf()
            self._navigator.tell(self.context.words.reason(reason), "info", code=reason.code)

    def _ask_about(self, changed: ChangedCertificate) -> None:
        """The host is not who it was: nothing is sent before the person has decided."""
        wanted = trusts(self.context, self._navigator.window(), changed)
        remote = self.remote
        if remote is None:
            return
        if not wanted:
            self._end_joining(changed.reason)
            return
        place = replace(changed.place, fingerprint=changed.found)
        if remote.line is not None:
            remote.line.come_back(place)

    # Leaving

    def leave(self) -> None:
        """Go back to the shelf for good, once the person is sure."""
        remote = self.remote
        if remote is None:
            self._navigator.show_shelf()
            return
        cut_off = remote.guest.connection_state == "away"
        if cut_off and remote.own and not self._visit.is_here:
            (self._leave_for_good if self.parting.may_give_up() else self.keep_seat)()
        elif self.parting.may_leave(remote, self._visit.is_here, self._leave_for_good):
            self._leave_for_good()

    def may_close(self, close: Callable[[], object]) -> bool:
        """Whether the window may close at once, though others are at a table that is hosted here;
        else `close` is called once one of them hosts it."""
        remote = self.remote
        if remote is None or not self._visit.is_here or remote.lost is not None:
            return True
        return self.parting.may_close(remote, close)

    def _leave_for_good(self) -> None:
        remote = self.remote
        if remote is None:
            return
        info = remote.info
        if table := info.table if info is not None else self._visit.table:
            self.ways_back.forget(table)
            if info is not None and self._visit.is_here:
                self.network.close_table(info.table)
        remote.guest.leave()
        self._end_visit()
        self._navigator.show_shelf()

    def put_away(self) -> None:
        """The screens are gone; the seat at the shared table stays. A table that was to be opened
        from one of them isn't."""
        self.hosting.call_off()
        self.lobby = self.join = self.hosting.sheet = self._record = None
        self.search.end()

    def turn_back(self) -> None:
        """End a visit that has not led to its table yet: the shelf is shown instead."""
        if self.remote is not None and self.remote.info is None:
            self._end_visit()

    def close(self) -> None:
        """The window closes: seats and tables are kept, the network ends."""
        self._end_visit()
        self.network.close()

    def do(self, name: str) -> None:
        """Do what a command says at the visited table."""
        remote = self.remote
        match name:
            case "leave":
                self.leave()
            case "rematch" if remote is not None:
                remote.act(remote.guest.gather_for_rematch)
            case "phones":
                self.phones.show_help()
            case "seat_code" if self._record is not None:
                self._navigator.tell(codes_text(self.context, self._record.remote), "info")
            case "away" if remote is not None:
                for seat in remote.own:
                    remote.act(remote.guest.set_absent, seat)
