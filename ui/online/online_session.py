"""The session at tables that several computers share: the way there from the shelf, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.files import folders
from tabletop.home.known_hosts import KnownHosts, Rejoin
from tabletop.lan.discovery import Found
from tabletop.language.lobby_text import codes_of_seats
from tabletop.language.rare_actions import leave_question
from tabletop.net.guest.dial import UNMET
from tabletop.net.guest.join_attempt import ProofAllowance, Ticket
from tabletop.net.guest.session import ChangedCertificate
from tabletop.protocol.invitation import Address, BadInvitation, read_invitation
from tabletop.text.phrases import phrase
from ui.match.result.sharing import write_picture
from ui.match.screen.table_screen import TableScreen
from ui.match.seating import Seating
from ui.online.certificate_prompt import ask_trust, trusts
from ui.online.hands_on_phones import HandsOnPhones
from ui.online.hosting import Hosting
from ui.online.join_screen import JoinRequest, JoinScreen, by_link
from ui.online.lobby_screen import LobbyScreen
from ui.online.network_thread import NetworkThread, QtConnection
from ui.online.parting import Parting
from ui.online.people_choices import Handlers, people_handlers, people_of
from ui.online.reach_help import guest_help
from ui.online.remote_players import RemotePlayers
from ui.online.remote_seats import RemoteSeats, named_players
from ui.online.remote_table import RemoteTable
from ui.online.routes import HERE, NOWHERE, places_to
from ui.online.server_lists import ServerLists
from ui.received.take_game_dialog import GameOffer
from ui.setup.host_sheet import HostRequest
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.widgets.confirm import ask_to_confirm
from ui.widgets.question import ask_question

OTHER_LINK = Reason(
    "You have a seat at this table, and the link leads to it at another computer. The table may "
    "have moved there, or someone else may have made the link."
)


CUT_OFF = phrase(
    "The host can't be reached now. Keep your seat? The shelf then shows the way back to it, and "
    "tells you when the host is there again."
)
CLOSING = phrase("You host this table. If you close the program, it waits until you come back.")
CLOSING_OR_HANDING = phrase(
    "You host this table. If you close the program, it waits until you come back. One of the other "
    "players can host it on."
)


class OnlineSession(QObject):
    """At most one shared table at a time, and the screens that belong to it."""

    def __init__(
        self,
        context: AppContext,
        navigator: Navigator,
        sit_at: Callable[[Seating], TableScreen],
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
        self._seating: RemoteSeats | None = None
        """The visited table's seats here, while it is on the screen."""
        self._name = ""
        """The name under which the host's certificate is kept."""
        self._wanted = ""
        """The table that somebody of this computer returns to."""
        self._sitters: list[tuple[int, str, str]] = []
        """The people of this computer who sit down once connected: seat, name, symbol."""
        self._names: dict[str, str] = {}
        """The names of the computers that announce themselves, by their certificates."""
        self._allowances: defaultdict[str, ProofAllowance] = defaultdict(ProofAllowance)
        """The allowance of each code that was entered here."""
        self._kept: tuple[object, ...] = ()
        self._warning: Reason | None = None
        """The warning about a deal whose table is not shown yet."""
        self._server_key: str | None = None
        """The key of the server where a table is just being opened."""
        self.network.found.connect(self._keep_near)
        self.network.returned.connect(self._tell_return)
        self.network.unheard.connect(self._keep_unheard)
        self._unheard = ""
        """Why no announcements can be heard."""
        self.server_lists = ServerLists(context, navigator.window(), self.network, self.known_hosts)
        self.server_lists.changed.connect(self._show_found)
        self.server_lists.answered.connect(self._show_answer)
        self._near: Sequence[Found] = ()
        """The tables that announce themselves on the network."""
        self.hosting = Hosting(context, navigator, self.network, submenus, self.known_hosts)
        self.hosting.opened.connect(self._open_table)
        self.parting = Parting(context, navigator)
        self.phones = HandsOnPhones(context, navigator)
        self.hosting.phones.connect(self.phones.show_dialog)

    @property
    def abroad(self) -> bool:
        """Whether this window is at a shared table."""
        return self.remote is not None

    # Joining

    def show_join(self, text: str = "") -> None:
        """The tables of the network, and the lines for a code, an address or a link."""
        join = JoinScreen(self.context)
        join.wanted.connect(self._try_places)
        join.asked.connect(self.server_lists.ask)
        join.unseen.connect(self._explain_unseen)
        join.left.connect(self._navigator.show_shelf)
        join.fill(text)
        join.show_unheard(self._unheard)
        self._navigator.show_page(join)
        self.join = join
        join.take_focus()
        self.network.look()
        self.server_lists.begin(join)

    def _explain_unseen(self) -> None:
        self._navigator.show_over(guest_help(self.context, self._unheard))

    def follow(self, text: str) -> None:
        """Come to the table of an invitation link."""
        try:
            wanted = by_link(read_invitation(text))
        except BadInvitation as bad:
            self._navigator.tell(self.context.words.reason(bad.reason))
            return
        self.show_join(text)
        if wanted.code or wanted.table:
            self._try_places(wanted)

    def _keep_near(self, tables: Sequence[Found]) -> None:
        self._near = tables
        self._show_found()

    def _keep_unheard(self, why: str) -> None:
        self._unheard = why
        if self.join is not None:
            self.join.show_unheard(why)

    def _show_found(self) -> None:
        if self.join is not None:
            own = {back.ticket.table for back in self.returns}
            self.join.show_found([*self._near, *self.server_lists.found], own)

    def _show_answer(self, reason: Reason | None) -> None:
        """A server has answered that somebody had asked for its tables."""
        if self.join is not None:
            self.join.complain(self.context.words.reason(reason) if reason is not None else "")

    def _try_places(self, wanted: JoinRequest) -> None:
        """Try where the table may be, at all places at once."""
        found = [row.found for row in self.join.rows] if self.join else []
        places = places_to(wanted, found)
        if not places:
            self._end_joining(NOWHERE)
            return
        ticket = Ticket(wanted.table, wanted.code, fingerprint=wanted.fingerprint)
        back = self.known_hosts.way_back(ticket)
        known = self.known_hosts.key_of(wanted.table)
        doubtful = known and wanted.fingerprint not in ("", known)
        if doubtful and not ask_trust(self.context, self._navigator.window(), OTHER_LINK):
            self._end_joining(OTHER_LINK)
            return
        if self.join is not None:
            self.join.show_progress(self.context.words("On the way to the table…"))
        remote = self._begin_table(wanted.host or places[0].name)
        self._names = {each.place.fingerprint: each.host for each in found if each.host}
        if back is not None and not _is_hosted_here(back):  # the seat is still one's own
            kept = back.ticket
            ticket = replace(kept, code=wanted.code or kept.code)
            places = (*places, replace(back.place, fingerprint=kept.fingerprint))
            remote.guest.watch()
        remote.guest.enter(ticket, allowance=self._allowances[wanted.code])
        remote.claim = (wanted.seat, wanted.claim)
        first, *others = (*places, *self.known_hosts.places_of(ticket.fingerprint))
        self._call_host(first, False, others, ticket.table, bool(wanted.fingerprint))

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

    @property
    def returns(self) -> tuple[Rejoin, ...]:
        """The tables that wait for somebody of this computer."""
        return self.known_hosts.returns

    def come_back(self, back: Rejoin) -> None:
        """Return to a table; where it is hosted here, host it again first."""

        self._await_host(back.ticket.table, False)

        def begin(place: Address) -> None:
            remote = self._begin_table(HERE if _is_hosted_here(back) else place.name)
            remote.guest.watch()
            here = back.ticket.fingerprint or back.place.fingerprint
            remote.guest.enter(replace(back.ticket, fingerprint=here))
            self._wanted = table = back.ticket.table
            self._call_host(place, True, self.known_hosts.places_of(here), table)
            self._show_lobby()

        if _is_hosted_here(back):
            self.hosting.host(begin)
        else:
            begin(back.place)

    def watch_for_hosts(self) -> None:
        """Watch for the hosts that somebody wants to be told of, whose tables the shelf shows."""
        self.network.watch_for(
            {
                back.ticket.table: tuple(
                    replace(place, fingerprint=back.ticket.fingerprint)
                    for place in (
                        back.place,
                        *self.known_hosts.places_of(back.ticket.fingerprint),
                    )
                )
                for back in self.returns
                if back.awaited and back.ticket.fingerprint and not _is_hosted_here(back)
            }
        )

    def keep_seat(self) -> None:
        """Go to the shelf, which tells once the host is there again."""
        remote = self.remote
        table = remote.guest.ticket.table if remote is not None else ""
        self._end_visit()
        self._await_host(table, True)
        self._navigator.show_shelf()

    def _await_host(self, table: str, awaited: bool) -> None:
        with self.context.report_errors():
            self.known_hosts.await_host(table, awaited)
        self.watch_for_hosts()

    def _tell_return(self, table: str) -> None:
        """Tell that a table's host is there again, and offer to return."""
        words = self.context.words
        back = next((each for each in self.returns if each.ticket.table == table), None)
        if back is None or not back.awaited:
            return

        def come() -> None:
            if self._navigator.may_go():
                self.come_back(back)

        text = words("The host of “{name}” is there again.", name=back.name or back.game)
        self._await_host(table, False)
        self._navigator.renew_shelf()
        self._navigator.tell(text, "people", words("Return"), come)

    def forget(self, table: str) -> None:
        """Forget the way back to this table."""
        with self.context.report_errors():
            self.known_hosts.forget(table)

    def give_up(self, table: str) -> None:
        """Forget the way back to this table for good: one that is hosted here is closed, since no
        other way leads to it."""
        hosted_here = any(
            back.ticket.table == table and _is_hosted_here(back) for back in self.returns
        )
        self.forget(table)
        if hosted_here:
            self.network.close_table(table)

    # Hosting

    def _open_table(self, place: Address, hosted: HostRequest) -> None:
        """Come to the own host or to a server, and open the table there. A server that was not met
        before is sent nothing, least of all its key, until somebody has agreed to its
        certificate."""
        server = hosted.server
        if server is not None and HERE in place.hosts:  # which means the window's own host
            place = replace(place, hosts=("localhost",))
        remote = self._begin_table(HERE if server is None else place.name)
        self._sitters = list(hosted.sitting)
        self.phones.wanted = hosted.phones
        remote.guest.open(hosted.plan, self.network.key if server is None else hosted.key)
        if not hosted.sitting:
            remote.guest.watch()
        if server is None:
            self._call_host(place, True)
        else:
            self._server_key = hosted.key
            trusted = self.known_hosts.fingerprint_of(place.name) or UNMET
            self._call_host(replace(place, fingerprint=trusted), False)

    # The table

    def _begin_table(self, name: str) -> RemoteTable:
        """Begin to come to a table of the host of this name; the next step is to call it."""
        self._end_visit()
        self._name, self._wanted, self._kept, self._server_key = name, "", (), None
        self._names = {}
        self._warning = None
        self.remote = remote = RemoteTable()
        remote.guest.called = next(iter(self.context.settings.players), "")
        self.hosting.follow(remote)
        GameOffer(self.context, self._navigator.window(), remote, remote)
        remote.changed.connect(self._follow_table)
        remote.received.connect(self._follow_table)
        remote.noted.connect(self._show_note)
        remote.announced.connect(self._show_announcement)
        remote.warned.connect(self._warn_of_deal)
        remote.ended.connect(self._leave_closed_table)
        remote.strange.connect(self._ask_about)
        return remote

    def _call_host(
        self,
        place: Address,
        returning: bool,
        others: Sequence[Address] = (),
        table: str | None = None,
        sure: bool = True,
    ) -> None:
        """Begin the line to the host; `returning`: come back by it until somebody leaves; the rest
        as of a `Connection`."""
        assert self.remote is not None
        call = QtConnection(self.network, place, returning, others, table, sure)
        self.remote.line = call
        call.heard.connect(self.remote.take)

    def _end_visit(self) -> None:
        remote, self.remote, self._seating = self.remote, None, None
        if remote is not None:
            self.hosting.follow(None)
            self.parting.cancel()
            self.phones.follow(None)
            remote.close()
            remote.deleteLater()

    def _follow_table(self) -> None:
        """Something is different at the table: keep the way back, show the right screen."""
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
        self._keep(remote)
        self.hosting.follow(remote)
        self.parting.follow(remote)
        if remote is not self.remote:
            return
        self.phones.follow(remote)
        shown = self._seating
        over = shown is not None and info.phase in ("gathering", "shuffling")
        if remote.playing and (shown is None or shown.round != info.round):
            self._sit(remote)
        elif over or (shown is None and self.lobby is None):
            self._show_lobby()

    def _sit_down(self, remote: RemoteTable) -> None:
        """Those of this computer who are to sit take their seats, and are ready when they host."""
        for seat, name, symbol in self._sitters:
            remote.act(remote.guest.sit, seat, name, symbol)
            remote.act(remote.guest.set_ready, seat)
        self._sitters = []

    def _keep(self, remote: RemoteTable) -> None:
        info = remote.info
        if info is None or remote.line is None:
            return
        place = remote.line.place
        if remote.moved_to is not None:
            self._name = self.hosting.name_of(remote.moved_to)
        if self._name == HERE:  # no matter what others call this computer
            place = replace(place, hosts=(HERE,))
        ticket = remote.guest.ticket
        if (kept := (ticket, place, info.plan.name)) == self._kept:
            return
        self._kept = kept
        with self.context.report_errors():
            if self._name != HERE:  # it has let us in
                name = self._names.get(ticket.fingerprint, self._name)
                self.known_hosts.meet(name, replace(place, fingerprint=ticket.fingerprint))
            if self._server_key is not None:
                self.known_hosts.keep_server(self._name, self._server_key)
                self._server_key = None
            own, plan = self._name == HERE, info.plan
            self.known_hosts.remember(place, ticket, plan.name, plan.game, own)

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
        seating = RemoteSeats(self.context, remote, kit)
        screen = self._sit_at(seating)
        self._seating = seating
        others = RemotePlayers(
            self.context,
            remote,
            {**self._handlers(remote), "keep_picture": lambda _: self._save_picture(screen)},
            screen.seats_here,
            screen.scene,
            screen.table_area,
        )
        others.changed.connect(screen.refresh)
        remote.ticked.connect(screen.show_notice)
        remote.judged.connect(screen.ending.show_verdict)
        screen.join(others)
        screen.begin()
        if self._warning is not None:
            self._navigator.tell(self.context.words.reason(self._warning))
            self._warning = None

    def _handlers(self, remote: RemoteTable) -> Handlers:
        """The handlers of choices about the people at the visited table."""
        return {
            **people_handlers(remote),
            "another": lambda _: remote.wish_another(self.context.words),
            "host_here": lambda _: self.hosting.agree(),
            "keep_seat": lambda _: self.keep_seat(),
            "to_shelf": lambda _: self.leave(),
        }

    def _save_picture(self, screen: TableScreen) -> None:
        """Save what is seen of the table now, which may be its curtain."""
        seen = screen if screen.curtain.drawn else screen.view
        write_picture(self.context, self._navigator, screen.seats_here.kit, seen.grab().toImage())

    def _show_note(self, reason: Reason) -> None:
        """Something to read; in the lobby it is said there."""
        if self.remote is not None and self.remote.info is None and self.join is not None:
            self.join.show_progress(self.context.words.reason(reason))
        elif self._seating is not None and self.remote is not None:
            kit = self.remote.kit
            players = named_players(self.context, self.remote.guest.players)
            words = self.context.words_of(kit, players) if kit else self.context.words
            self._navigator.tell(words.reason(reason), "info")
        self.parting.note(reason)

    def _show_announcement(self, reason: Reason) -> None:
        """Show a message to everybody on the server, over any screen, until it is closed."""
        self._navigator.tell(self.context.words.reason(reason), "people")

    def _warn_of_deal(self, reason: Reason) -> None:
        """Warn of a deal now, and again at its table, which takes the lobby's place."""
        self._warning = reason
        self._navigator.tell(self.context.words.reason(reason))

    def _leave_closed_table(self, reason: Reason) -> None:
        """Leave a table whose connection is closed for good."""
        remote = self.remote
        if remote is None:
            return
        table = remote.info.table if remote.info else self._wanted
        if table and not remote.guest.ticket.table:
            self.forget(table)
        if remote.info is None or remote.guest.connection_state == "greeting":
            self._end_joining(reason)
            return
        if self._seating is None:
            self._end_visit()
            self._navigator.show_shelf()
            self._navigator.tell(self.context.words.reason(reason), "info")

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
        info, words = remote.info, self.context.words
        cut_off = remote.guest.connection_state == "away" and remote.own and self._name != HERE
        if cut_off and not ask_question(
            words,
            self._navigator.window(),
            words(CUT_OFF),
            words("Give up the seat"),
            words("Keep the seat"),
        ):
            self.keep_seat()
            return
        running = info is not None and info.phase == "playing" and info.ended is None
        text = leave_question(words, remote.hosts, running and bool(remote.own))
        ask = not cut_off and (running or (remote.hosts and _has_others(remote)))
        if ask and not self._may_leave(remote, text):
            return
        self._leave_for_good()

    def _may_leave(self, remote: RemoteTable, text: str) -> bool:
        """Ask this before a table is left; whether to leave it now."""
        words = self.context.words
        if heirs := self._heirs():
            go = self._leave_for_good
            return self.parting.may_go(remote, text, words("Leave"), heirs, go)
        window = self._navigator.window()
        return ask_to_confirm(self.context, window, "leave", text, words("Leave"))

    def _heirs(self) -> tuple[int, ...]:
        """The seats of players who could host the table on that this computer hosts."""
        return self.hosting.heirs if self._name == HERE else ()

    def may_close(self, close: Callable[[], object]) -> bool:
        """Whether the window may close at once, though others are at a table that is hosted here;
        else `close` is called once one of them hosts it."""
        remote, words = self.remote, self.context.words
        if remote is None or self._name != HERE or remote.lost is not None:
            return True
        if heirs := self._heirs():
            text = words(CLOSING_OR_HANDING)
            return self.parting.may_go(remote, text, words("Close"), heirs, close)
        window = self._navigator.window()
        return not self.hosting.entertains or ask_to_confirm(
            self.context, window, "leave", words(CLOSING), words("Close")
        )

    def _leave_for_good(self) -> None:
        remote = self.remote
        if remote is None:
            return
        info = remote.info
        if table := info.table if info is not None else self._wanted:
            self.forget(table)
            if info is not None and self._name == HERE:
                self.network.close_table(info.table)
        remote.guest.leave()
        self._end_visit()
        self._navigator.show_shelf()

    def put_away(self) -> None:
        """The screens are gone; the seat at the shared table stays."""
        self.lobby = self.join = self.hosting.sheet = self._seating = None
        self.network.look_away()
        self.server_lists.end()

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
            case "seat_code" if self._seating is not None:
                words = self.context.words_of(self._seating.kit, self._seating.players)
                text = codes_of_seats(people_of(self._seating.remote).codes, words)
                self._navigator.tell(text, "info")
            case "away" if remote is not None:
                for seat in remote.own:
                    remote.act(remote.guest.set_absent, seat)


def _is_hosted_here(back: Rejoin) -> bool:
    """Whether this computer hosts a table itself."""
    return bool(back.ticket.owner) and HERE in back.place.hosts


def _has_others(remote: RemoteTable) -> bool:
    sitters = remote.info.sitters if remote.info else ()
    return any(
        sitter.kind == "person" and sitter.state != "free" and seat not in remote.own
        for seat, sitter in enumerate(sitters)
        if seat != AUDIENCE
    )
