"""Visits to shared tables: joins, opens, rejoins and leaves tables, and shows their screens."""

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
from tabletop.protocol.invitation import Address, BadInvitation, parse_invitation
from tabletop.table.connection_events import ChangedCertificate
from ui.match.result.sharing import write_picture
from ui.match.screen.table_screen import TableScreen
from ui.match.seated_table import SeatedTable
from ui.online.certificate_prompt import ask_trust, confirm_certificate
from ui.online.game_offer import GameOffer
from ui.online.hands_on_phones import HandsOnPhones
from ui.online.host_departure import HostDeparture
from ui.online.hosting import Hosting
from ui.online.join_screen import JoinRequest, JoinScreen, request_from_link
from ui.online.lobby_screen import LobbyScreen
from ui.online.network_thread import NetworkThread, QtConnection
from ui.online.people_choices import Handlers, people_handlers, seat_codes_text
from ui.online.rejoinable_tables import RejoinableTables, is_hosted_here
from ui.online.remote_players import RemotePlayers
from ui.online.remote_table import RemoteTable
from ui.online.routes import NO_TABLE_FOUND, OWN_HOST, candidate_addresses, server_address
from ui.online.shared_record import SharedRecord, words_for_table
from ui.online.table_search import TableSearch
from ui.online.table_visit import TableVisit
from ui.online.visit_sounds import VisitSounds
from ui.setup.host_sheet import HostRequest
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator

OTHER_LINK = Reason(
    "You have a seat at this table, and the link leads to it at another computer. The table may "
    "have moved there, or someone else may have made the link."
)


class OnlineSession(QObject):
    """Controls the visit to a shared table, at most one at a time, and shows its screens."""

    def __init__(
        self,
        context: AppContext,
        navigator: Navigator,
        sit_at: Callable[[SeatedTable], TableScreen],
        submenus: Mapping[str, QMenu],
    ) -> None:
        """`sit_at` opens a table screen; `submenus` holds the menus "hand_over" and "guests"."""
        super().__init__(navigator.window())
        self._sit_at = sit_at
        self.context = context
        self._navigator = navigator
        self.known_hosts = KnownHosts(folders.known_hosts())
        self.network = NetworkThread(folders.hosted(), self.context.bot_pool)
        self.remote: RemoteTable | None = None
        self.lobby_screen: LobbyScreen | None = None
        self.join_screen: JoinScreen | None = None
        self._shown_record: SharedRecord | None = None
        """The record of the match on the table screen; None while another screen is shown."""
        self._visit = TableVisit()
        self._local_players: list[tuple[int, str, str]] = []
        """The local players to seat once the table is open: each a seat, a name and a symbol."""
        self._allowances: defaultdict[str, ProofAllowance] = defaultdict(ProofAllowance)
        """The number of proofs that may still be sent for each entered code."""
        self._warning: Reason | None = None
        """A warning about an unfair deal, kept until the table screen opens."""
        self.table_search = TableSearch(context, navigator, self.network, self.known_hosts)
        self.rejoinable_tables = RejoinableTables(
            context, navigator, self.network, self.known_hosts
        )
        self.rejoinable_tables.rejoin_requested.connect(self.rejoin)
        self.hosting = Hosting(context, navigator, self.network, submenus, self.known_hosts)
        self.hosting.open_requested.connect(self._open_table)
        self.host_departure = HostDeparture(context, navigator, self.hosting)
        self.phones = HandsOnPhones(context, navigator)
        self.hosting.phones_requested.connect(self.phones.show_dialog)

    @property
    def is_visiting(self) -> bool:
        """Whether this window is at a shared table."""
        return self.remote is not None

    # Joining

    def show_join_screen(self, text: str = "") -> None:
        """Show the join screen with `text`, an address or a link, in its address field."""
        join = JoinScreen(self.context)
        join.join_requested.connect(self._try_addresses)
        join.left.connect(self._navigator.show_shelf)
        join.set_address(text)
        self._navigator.show_screen(join)
        self.join_screen = join
        join.take_focus()
        self.table_search.start(join)

    def join_by_link(self, text: str) -> None:
        """Join the table of the invitation link `text`.

        If the link names only a server, the join screen opens with the server's address instead.
        """
        try:
            request = request_from_link(parse_invitation(text))
        except BadInvitation as bad:
            self._navigator.show_message(
                self.context.words.reason(bad.reason), code=bad.reason.code
            )
            return
        self.show_join_screen(text)
        if request.code or request.table:
            self._try_addresses(request)

    def _try_addresses(self, request: JoinRequest) -> None:
        """Connect to all candidate addresses of the requested table at once."""
        found = [row.found for row in self.join_screen.rows] if self.join_screen else []
        places = candidate_addresses(request, found)
        if not places:
            self._end_joining(NO_TABLE_FOUND)
            return
        ticket = Ticket(request.table, request.code, fingerprint=request.fingerprint)
        back = self.known_hosts.find_rejoinable(ticket)
        known = self.known_hosts.host_key_of(request.table)
        suspicious = known and request.fingerprint not in ("", known)
        if suspicious and not ask_trust(self.context, self._navigator.window(), OTHER_LINK):
            self._end_joining(OTHER_LINK)
            return
        if self.join_screen is not None:
            self.join_screen.show_progress(self.context.words("On the way to the table…"))
        announced = {each.address.fingerprint: each.host for each in found if each.host}
        visit = TableVisit(request.host or places[0].name, announced=announced)
        remote = self._start_visit(visit)
        if back is not None and not is_hosted_here(back):  # the user still has a seat
            saved = back.ticket
            ticket = replace(saved, code=request.code or saved.code)
            places = (*places, replace(back.place, fingerprint=saved.fingerprint))
            remote.guest.watch()
        remote.guest.join(ticket, allowance=self._allowances[request.code])
        remote.seat_claim = (request.seat, request.claim)
        first, *others = (*places, *self.known_hosts.addresses_of(ticket.fingerprint))
        sure = bool(request.fingerprint)
        self._call_host(Destination(first, tuple(others), ticket.table, sure))

    def _end_joining(self, reason: Reason) -> None:
        """Stop joining or opening a table, and show `reason` on the current screen."""
        self._end_visit()
        text = self.context.words.reason(reason)
        if self.join_screen is not None:
            self.join_screen.show_error(text)
        elif self.hosting.host_sheet is not None:
            self.hosting.host_sheet.show_error(text)
        else:
            self._navigator.show_shelf()
            self._navigator.show_message(text)

    # Returning

    def rejoin(self, back: RejoinableTable) -> None:
        """Return to the table of the ticket `back`; start hosting first if it is hosted here."""
        table, here = back.ticket.table, is_hosted_here(back)
        self.rejoinable_tables.notify_on_return(table, False)

        def begin(place: Address) -> None:
            remote = self._start_visit(TableVisit(OWN_HOST if here else place.name, table))
            remote.guest.watch()
            fingerprint = back.ticket.fingerprint or back.place.fingerprint
            remote.guest.join(replace(back.ticket, fingerprint=fingerprint))
            others = tuple(self.known_hosts.addresses_of(fingerprint))
            self._call_host(Destination(place, others, table, is_returning=True))
            self._show_lobby()

        if here:
            self.hosting.start_hosting(begin)
        else:
            begin(back.place)

    def keep_seat(self) -> None:
        """Show the shelf but keep the seat, and notify the user when the host is back."""
        remote = self.remote
        table = remote.guest.ticket.table if remote is not None else ""
        self._end_visit()
        self.rejoinable_tables.notify_on_return(table)
        self._navigator.show_shelf()

    # Hosting

    def _open_table(self, place: Address, hosted: HostRequest) -> None:
        """Connect to the host at `place`, and open the requested table there.

        A server that this computer hasn't met receives nothing, not even the table's key, until the
        user accepts its certificate.
        """
        own = hosted.server is None
        if not own:
            place = server_address(place, self.known_hosts)
        visit = TableVisit(OWN_HOST if own else place.name)
        visit.key = None if own else hosted.key
        remote = self._start_visit(visit)
        self._local_players = list(hosted.local_players)
        self.phones.is_requested = hosted.phones
        remote.guest.open_table(hosted.plan, self.network.key if own else hosted.key)
        if not hosted.local_players:
            remote.guest.watch()
        self._call_host(Destination(place, is_returning=own))

    # The table

    def _start_visit(self, visit: TableVisit) -> RemoteTable:
        """End the current visit and prepare a new one. The caller must then call `_call_host`."""
        self._end_visit()
        self._visit, self._warning = visit, None
        self.remote = remote = RemoteTable()
        remote.guest.knock_name = next(iter(self.context.settings.players), "")
        self.hosting.set_table(remote)
        GameOffer(self.context, self._navigator.window(), remote)
        VisitSounds(self.context, remote)
        remote.changed.connect(self._on_table_changed)
        remote.match_news_received.connect(self._on_table_changed)
        remote.notice_posted.connect(self._show_note)
        remote.announcement_received.connect(self._show_announcement)
        remote.deal_warning_received.connect(self._warn_of_deal)
        remote.connection_ended.connect(self._leave_closed_table)
        remote.certificate_changed.connect(self._confirm_certificate)
        return remote

    def _call_host(self, destination: Destination) -> None:
        """Start connecting to the host."""
        assert self.remote is not None
        connection = QtConnection(self.network, destination)
        self.remote.connection = connection
        connection.event_received.connect(self.remote.handle_event)

    def _end_visit(self) -> None:
        remote, self.remote, self._shown_record = self.remote, None, None
        if remote is not None:
            self.hosting.set_table(None)
            self.host_departure.cancel()
            self.phones.set_table(None)
            remote.close()
            remote.deleteLater()

    def _on_table_changed(self) -> None:
        """Save the ticket for returning, and show the screen for the table's phase."""
        remote = self.remote
        if remote is None:
            return
        if remote.lost_reason is not None and remote.info is None and remote.retry_in_s is None:
            self._end_joining(remote.lost_reason)
            return
        if remote.is_trying_next_address and self.join_screen is not None:
            self.join_screen.show_progress(
                self.context.words("That didn't work. Trying the next address…")
            )
        info = remote.info
        if info is None or remote.guest.connection_state != "inside":
            return
        self._sit_down(remote)
        if remote.new_address is not None:
            self._visit.host_name = self.hosting.host_name_of(remote.new_address)
        with self.context.report_errors():
            self._visit.save(remote, self.known_hosts)
        self.hosting.set_table(remote)
        self.host_departure.on_table_changed(remote)
        if remote is not self.remote:
            return
        self.phones.set_table(remote)
        shown = self._shown_record
        over = shown is not None and info.phase in ("gathering", "shuffling")
        if remote.is_playing and (shown is None or shown.round != info.round):
            self._show_table(remote)
        elif over or (shown is None and self.lobby_screen is None):
            self._show_lobby()

    def _sit_down(self, remote: RemoteTable) -> None:
        """Seat the local players who opened the table, and mark them ready."""
        for seat, name, symbol in self._local_players:
            remote.request(remote.guest.sit, seat, name, symbol)
            remote.request(remote.guest.set_ready, seat)
        self._local_players = []

    def _show_lobby(self) -> None:
        if self.remote is None:
            return
        lobby = LobbyScreen(self.context, self.remote, self._handlers(self.remote), self.phones)
        lobby.left.connect(self.leave)
        lobby.help_requested.connect(self.hosting.check_reachability)
        self._navigator.show_screen(lobby)
        self.lobby_screen = lobby
        self._navigator.set_commands_enabled({"leave": True})
        lobby.take_focus()

    def _show_table(self, remote: RemoteTable) -> None:
        kit = remote.kit
        assert kit is not None
        record = SharedRecord(self.context, remote, kit)
        screen = self._sit_at(SeatedTable(self.context, kit, remote.guest, record))
        self._shown_record = record
        others = RemotePlayers(self.context, remote, screen.scene, screen.table_area)
        others.changed.connect(screen.refresh)
        remote.ticked.connect(screen.refresh_countdown)
        remote.proof_checked.connect(screen.ending.show_fairness_verdict)
        screen.connect_other_players(
            others,
            {**self._handlers(remote), "keep_picture": lambda _: self._save_picture(screen)},
        )
        screen.start()
        if self._warning is not None:
            self.context.show_error(self._warning)
            self._warning = None

    def _handlers(self, remote: RemoteTable) -> Handlers:
        """Return the callbacks for choices in notices about the people at the visited table."""
        return {
            **people_handlers(remote),
            "another": lambda _: remote.request_rematch(self.context.words),
            "host_here": lambda _: self.hosting.move_table_here(),
            "keep_seat": lambda _: self.keep_seat(),
            "to_shelf": lambda _: self.leave(),
        }

    def _save_picture(self, screen: TableScreen) -> None:
        """Save a picture of the table screen, or of the curtain if that covers the table."""
        shown = screen if screen.curtain.is_drawn else screen.view
        write_picture(self.context, self._navigator, screen.seated.kit, shown.grab().toImage())

    def _show_note(self, reason: Reason) -> None:
        """Show a notice on the join or table screen. The lobby shows notices itself."""
        if self.remote is not None and self.remote.info is None and self.join_screen is not None:
            self.join_screen.show_progress(self.context.words.reason(reason))
        elif self._shown_record is not None and self.remote is not None:
            words = words_for_table(self.context, self.remote)
            self._navigator.show_message(words.reason(reason), "info", code=reason.code)
        self.host_departure.on_notice(reason)

    def _show_announcement(self, reason: Reason) -> None:
        """Show a server announcement over any screen until the user closes it."""
        self._navigator.show_message(self.context.words.reason(reason), "people", code=reason.code)

    def _warn_of_deal(self, reason: Reason) -> None:
        """Show a warning about the deal now, and again on the table screen that follows."""
        self._warning = reason
        self.context.show_error(reason)

    def _leave_closed_table(self, reason: Reason) -> None:
        """Leave a table whose connection is closed for good.

        A running match stays on screen, so that the user can still see its last state.
        """
        remote = self.remote
        if remote is None:
            return
        table = remote.info.table if remote.info else self._visit.table
        if table and not remote.guest.ticket.table:
            self.rejoinable_tables.forget(table)
        if remote.info is None or remote.guest.connection_state == "greeting":
            self._end_joining(reason)
            return
        if self._shown_record is None:
            self._end_visit()
            self._navigator.show_shelf()
            self._navigator.show_message(
                self.context.words.reason(reason), "info", code=reason.code
            )

    def _confirm_certificate(self, changed: ChangedCertificate) -> None:
        """Ask whether to trust the changed certificate; reconnect if so, or stop joining."""
        accepted = confirm_certificate(self.context, self._navigator.window(), changed)
        remote = self.remote
        if remote is None:
            return
        if not accepted:
            self._end_joining(changed.reason)
            return
        place = replace(changed.address, fingerprint=changed.fingerprint)
        if remote.connection is not None:
            remote.connection.reconnect(place)

    # Leaving

    def leave(self) -> None:
        """Leave the table for good and show the shelf, after asking the user if needed."""
        remote = self.remote
        if remote is None:
            self._navigator.show_shelf()
            return
        cut_off = remote.guest.connection_state == "away"
        if cut_off and remote.local_seats and not self._visit.is_hosted_here:
            (
                self._leave_for_good
                if self.host_departure.confirm_giving_up_seat()
                else self.keep_seat
            )()
        elif self.host_departure.confirm_leave(
            remote, self._visit.is_hosted_here, self._leave_for_good
        ):
            self._leave_for_good()

    def confirm_close(self, close: Callable[[], object]) -> bool:
        """Return whether the window may close, after asking the user if a hosted table has guests.

        If the user hands the table over instead, `close` is called once another player hosts it.
        """
        remote = self.remote
        if remote is None or not self._visit.is_hosted_here or remote.lost_reason is not None:
            return True
        return self.host_departure.confirm_close(remote, close)

    def _leave_for_good(self) -> None:
        remote = self.remote
        if remote is None:
            return
        info = remote.info
        if table := info.table if info is not None else self._visit.table:
            self.rejoinable_tables.forget(table)
            if info is not None and self._visit.is_hosted_here:
                self.network.close_table(info.table)
        remote.guest.leave()
        self._end_visit()
        self._navigator.show_shelf()

    def drop_screens(self) -> None:
        """Release all screens because others replace them, and cancel the opening of a table.

        The seat at a visited table is kept.
        """
        self.hosting.cancel_opening()
        self.lobby_screen = self.join_screen = self.hosting.host_sheet = self._shown_record = None
        self.table_search.stop()

    def cancel_joining(self) -> None:
        """Cancel the visit if the table hasn't been reached yet."""
        if self.remote is not None and self.remote.info is None:
            self._end_visit()

    def close(self) -> None:
        """End the visit and the network thread when the window closes; keep seats and tables."""
        self._end_visit()
        self.network.close()

    def run_command(self, name: str) -> None:
        """Run the menu command `name` for the visited table."""
        remote = self.remote
        match name:
            case "leave":
                self.leave()
            case "rematch" if remote is not None:
                remote.request(remote.guest.gather_for_rematch)
            case "phones":
                self.phones.show_help()
            case "seat_code" if self._shown_record is not None:
                self._navigator.show_message(
                    seat_codes_text(self.context, self._shown_record.remote), "info"
                )
            case "away" if remote is not None:
                for seat in remote.local_seats:
                    remote.request(remote.guest.set_absent, seat)
