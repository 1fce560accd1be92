"""This computer as a host: the sheet for a new table, and tables that move here or away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Reason
from tabletop.home.known_hosts import KnownHosts
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import SeatInfo
from tabletop.protocol.table_transfer import MOVING
from tabletop.table.connection_events import ChangedCertificate
from ui.online.certificate_prompt import trusts
from ui.online.host_menu import fill_with_people, moderates
from ui.online.move_dialog import MoveDialog
from ui.online.network_thread import NetworkThread, Reachability
from ui.online.reach_help import reach_help
from ui.online.remote_table import RemoteTable
from ui.online.routes import HERE, server_place
from ui.setup.host_sheet import HostRequest, HostSheet
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.shell.shelf_order import order_games
from ui.style.rich_text import literal


class Hosting(QObject):
    """The part of a session in which others are guests of this computer."""

    phones = Signal()
    """Request to hold cards on phones."""
    opened = Signal(object, object)
    """A table is to be opened at this Address, where somebody hosts: this computer or a server. The
    Address and the HostRequest."""

    def __init__(
        self,
        context: AppContext,
        navigator: Navigator,
        network: NetworkThread,
        submenus: Mapping[str, QMenu],
        known_hosts: KnownHosts,
    ) -> None:
        """Of the `submenus`, `hand_over` is that of those who can take the table, and `guests` that
        of those who are at it."""
        super().__init__(navigator.window())
        self.context = context
        self._navigator = navigator
        self._network = network
        self._known_hosts = known_hosts
        self._remote: RemoteTable | None = None
        """The table that this computer has come to, its own or another's."""
        self._agreed: RemoteTable | None = None
        """The table that somebody here has agreed to host on."""
        self.sheet: HostSheet | None = None
        self.dialog: MoveDialog | None = None
        self._key = ""
        """The key of the server to which a table is to move."""
        self._asked: Address | None = None
        """That server."""
        self._own = ""
        """The fingerprint of this computer's host, once it hosts."""
        self._then: Callable[[Address], None] | None = None
        """Called with its address once this computer hosts."""
        self._menu, self._guests = submenus["hand_over"], submenus["guests"]
        self._menu.aboutToShow.connect(self._fill_menu)
        self._guests.aboutToShow.connect(self._fill_guests)
        network.hosting.connect(self._go_on_hosting)
        network.failed.connect(self._not_hosting)
        network.expecting.connect(self._offer_place)
        network.arrived.connect(self._become_host)
        network.reached.connect(self._tell_reach)

    def show_sheet(self, kit: GameKit) -> None:
        """The sheet on which a table is opened, of this game unless another is chosen."""
        kits = order_games(catalogue.shelf(), self.context.settings.shelf)
        sheet = HostSheet(self.context, kits, kit, self._known_hosts.servers)
        sheet.opened.connect(self.open)
        sheet.left.connect(self._navigator.show_shelf)
        sheet.chosen.connect(self._navigator.wear)
        self._navigator.show_page(sheet)
        self.sheet = sheet
        sheet.take_focus()

    def open(self, hosted: HostRequest) -> None:
        """Host here, and open a table as it was asked for, of the game's files as they are now."""
        catalogue.reread_if_changed(hosted.plan.game)
        if self.sheet is not None:
            self.sheet.busy(self.context.words("Opening…"))
        if hosted.server is not None:
            self.opened.emit(hosted.server, hosted)
        else:
            self.host(lambda place: self.opened.emit(place, hosted))

    def host(self, then: Callable[[Address], None]) -> None:
        """Host here; `then` is called with the address once the host listens."""
        self._then = then
        self._network.host()

    def call_off(self) -> None:
        """Open no table once the host listens: the person who wanted it has gone elsewhere."""
        self._then = None

    def _go_on_hosting(self, place: Address) -> None:
        self._own = place.fingerprint
        then, self._then = self._then, None
        if then is not None:
            then(place)

    def _not_hosting(self, why: Reason) -> None:
        self._then = None
        words = self.context.words
        text = words("This computer can't host: {why}", why=words.reason(why))
        if self.sheet is not None:
            self.sheet.complain(text)
        else:
            self._navigator.tell(text)

    # Tables that move away

    def follow(self, remote: RemoteTable | None) -> None:
        """Follow the table that is visited, or a change in it: offer the hand-over where there
        is somebody to take the table."""
        self._remote = remote
        self._menu.setEnabled(bool(remote and self._ways_to_hand_over(remote)))
        self._guests.setEnabled(remote is not None and moderates(remote))

    def _fill_guests(self) -> None:
        if self._remote is not None:
            window = self._navigator.window()
            fill_with_people(self._guests, self.context, self._remote, window, self.ask_reach)
            text = self.context.words("Hands on phones…")
            self._guests.addAction(literal(text)).triggered.connect(self.phones)

    def ask_reach(self) -> None:
        """Explain why others may not see the table that is hosted here."""
        if self._remote is not None and self._remote.info is not None:
            self._network.ask_reach(self._remote.info.table)

    def _tell_reach(self, reach: Reachability) -> None:
        self._navigator.show_over(reach_help(self.context, reach))

    def _fill_menu(self) -> None:
        self._menu.clear()
        for name, hand_over in self._ways_to_hand_over(self._remote) if self._remote else ():
            self._menu.addAction(literal(name)).triggered.connect(
                lambda _=False, act=hand_over: act()
            )

    def _ways_to_hand_over(self, remote: RemoteTable) -> list[tuple[str, Callable[[], None]]]:
        """The possible new hosts: another player, a server, or this computer again."""
        words = self.context.words
        ways: list[tuple[str, Callable[[], None]]] = [
            (remote.name(seat), partial(remote.act, remote.guest.hand_over, seat))
            for seat in self.possible_hosts
        ]
        if remote.hosts and self._own and remote.guest.ticket.fingerprint == self._own:
            return [*ways, (words("A server…"), self.ask_server)]
        if remote.hosts and MOVING in remote.guest.features:
            return [*ways, (words("This computer"), self.bring_here)]
        return ways

    # A table of this computer that moves to a server

    def ask_server(self) -> None:
        """Ask to which server the table is to move."""
        window = self._navigator.window()
        self.dialog = MoveDialog(self.context, window, self._known_hosts.servers)
        self.dialog.accepted.connect(self._move)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def _move(self) -> None:
        dialog = self.dialog
        if dialog is None or dialog.place is None:
            return
        self._key = dialog.key.text().strip()
        self._move_to(server_place(dialog.place, self._known_hosts))

    def _move_to(self, place: Address) -> None:
        remote, self._asked = self._remote, place
        if remote is not None and remote.info is not None:
            move = partial(self._network.move_table, remote.info.table, place, self._key)
            self._network.ask(place, move, self._finish_move)

    def _finish_move(self, place: Address, answer: Reason | ChangedCertificate | None) -> None:
        if isinstance(answer, ChangedCertificate):
            if trusts(self.context, self._navigator.window(), answer):
                with self.context.report_errors():
                    self._known_hosts.trust(place.name, answer.found)
                self._move_to(replace(place, fingerprint=answer.found))
        elif answer is not None:
            self.context.tell(answer)
        else:
            with self.context.report_errors():
                self._known_hosts.add_server(place.name, self._key)

    def name_of(self, place: Address) -> str:
        """The name of a host to which a table has moved, for its certificate."""
        if place.fingerprint == self._own:
            return HERE
        asked = self._asked
        return asked.name if asked and asked.fingerprint == place.fingerprint else place.name

    @property
    def possible_hosts(self) -> tuple[int, ...]:
        """The seats of the players who can take over as host."""
        return tuple(seat for seat, sitter in self._others() if sitter.can_host)

    @property
    def has_guests(self) -> bool:
        """Whether others are there at the table of which somebody here is the host."""
        return bool(self._others())

    def _others(self) -> list[tuple[int, SeatInfo]]:
        remote = self._remote
        if remote is None or not remote.hosts or remote.info is None:
            return []
        return [
            (seat, sitter)
            for seat, sitter in enumerate(remote.info.sitters)
            if sitter.kind == "person"
            and sitter.state in ("here", "ready")
            and seat not in remote.own
        ]

    # A table that moves here, which its host has asked for

    def bring_here(self) -> None:
        """Let the table move to this computer, and everybody at it."""
        self._agreed = self._remote
        if self._remote is not None:
            self._remote.accept_hosting()
        self._network.expect_table()

    def _offer_place(self, port: int, fingerprint: str, key: str) -> None:
        self._own = fingerprint
        remote = self._agreed
        if remote is not None and remote is self._remote:  # another host isn't told the key
            remote.act(remote.guest.host_on, port, fingerprint, key)

    def _become_host(self, table: str, owner: str) -> None:
        remote = self._remote
        if remote is not None and remote.info is not None and remote.info.table == table:
            remote.guest.become_host(owner)
