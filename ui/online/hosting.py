"""Hosting from this window: opens tables, and moves tables here, to a server or to a player."""

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
from tabletop.protocol.table_transfer import TABLE_TRANSFER_FEATURE
from tabletop.table.connection_events import ChangedCertificate
from ui.online.certificate_prompt import confirm_certificate
from ui.online.host_menu import can_moderate, fill_guest_menu
from ui.online.move_dialog import MoveDialog
from ui.online.network_thread import NetworkThread, Reachability
from ui.online.reach_help import reach_help
from ui.online.remote_table import RemoteTable
from ui.online.routes import OWN_HOST, server_address
from ui.setup.host_sheet import HostRequest, HostSheet
from ui.shell.app_context import AppContext
from ui.shell.navigator import Navigator
from ui.shell.shelf_order import order_games
from ui.style.rich_text import escape_mnemonics


class Hosting(QObject):
    """Opens and moves tables that the user hosts, on this computer or on a server."""

    phones_requested = Signal()
    """A request to let players hold their cards on phones."""
    open_requested = Signal(object, object)
    """A request to open a table: the Address of the host, and the HostRequest."""

    def __init__(
        self,
        context: AppContext,
        navigator: Navigator,
        network: NetworkThread,
        submenus: Mapping[str, QMenu],
        known_hosts: KnownHosts,
    ) -> None:
        """`submenus` holds "hand_over", the menu of possible new hosts, and "guests"."""
        super().__init__(navigator.window())
        self.context = context
        self._navigator = navigator
        self._network = network
        self._known_hosts = known_hosts
        self._remote: RemoteTable | None = None
        """The visited table, which the user or another person hosts; None if there is none."""
        self._accepted_table: RemoteTable | None = None
        """The table that the user has agreed to host."""
        self.host_sheet: HostSheet | None = None
        self.move_dialog: MoveDialog | None = None
        self._key = ""
        """The key of the server to which a table is being moved; "" if the server needs none."""
        self._target_server: Address | None = None
        """The address of the server to which a table is being moved."""
        self._own_fingerprint = ""
        """The certificate fingerprint of this computer's host; "" until it has started."""
        self._on_hosting: Callable[[Address], None] | None = None
        """Called with the host's address once this computer hosts."""
        self._hand_over_menu, self._guests_menu = submenus["hand_over"], submenus["guests"]
        self._hand_over_menu.aboutToShow.connect(self._fill_hand_over_menu)
        self._guests_menu.aboutToShow.connect(self._fill_guests)
        network.hosting_started.connect(self._on_hosting_started)
        network.hosting_failed.connect(self._on_hosting_failed)
        network.table_expected.connect(self._offer_own_host)
        network.table_arrived.connect(self._become_host)
        network.reachability_checked.connect(self._show_reachability)

    def show_sheet(self, kit: GameKit) -> None:
        """Show the sheet for opening a table, with the game `kit` selected."""
        kits = order_games(catalogue.shelf(), self.context.settings.shelf)
        sheet = HostSheet(self.context, kits, kit, self._known_hosts.servers)
        sheet.open_requested.connect(self.open_table)
        sheet.left.connect(self._navigator.show_shelf)
        sheet.game_chosen.connect(self._navigator.apply_table_colours)
        self._navigator.show_screen(sheet)
        self.host_sheet = sheet
        sheet.take_focus()

    def open_table(self, hosted: HostRequest) -> None:
        """Open the table that `hosted` describes, on this computer or on the chosen server.

        The game's files are reloaded first.
        """
        catalogue.reread_if_changed(hosted.plan.game)
        if self.host_sheet is not None:
            self.host_sheet.show_progress(self.context.words("Opening…"))
        if hosted.server is not None:
            self.open_requested.emit(hosted.server, hosted)
        else:
            self.start_hosting(lambda place: self.open_requested.emit(place, hosted))

    def start_hosting(self, on_hosting: Callable[[Address], None]) -> None:
        """Start hosting on this computer; call `on_hosting` with its address once it listens."""
        self._on_hosting = on_hosting
        self._network.start_hosting()

    def cancel_opening(self) -> None:
        """Cancel the opening of a table, because the user has left the screen."""
        self._on_hosting = None

    def _on_hosting_started(self, place: Address) -> None:
        self._own_fingerprint = place.fingerprint
        on_hosting, self._on_hosting = self._on_hosting, None
        if on_hosting is not None:
            on_hosting(place)

    def _on_hosting_failed(self, why: Reason) -> None:
        self._on_hosting = None
        words = self.context.words
        text = words("This computer can't host: {why}", why=words.reason(why))
        if self.host_sheet is not None:
            self.host_sheet.show_error(text)
        else:
            self._navigator.show_message(text)

    # Moving a table away

    def set_table(self, remote: RemoteTable | None) -> None:
        """Set the visited table, or None, and enable the menus that apply."""
        self._remote = remote
        self._hand_over_menu.setEnabled(bool(remote and self._hand_over_options(remote)))
        self._guests_menu.setEnabled(remote is not None and can_moderate(remote))

    def _fill_guests(self) -> None:
        if self._remote is not None:
            window = self._navigator.window()
            fill_guest_menu(
                self._guests_menu, self.context, self._remote, window, self.check_reachability
            )
            text = self.context.words("Hands on phones…")
            self._guests_menu.addAction(escape_mnemonics(text)).triggered.connect(
                self.phones_requested
            )

    def check_reachability(self) -> None:
        """Check how others can reach the visited table, then show the result on a help page."""
        if self._remote is not None and self._remote.info is not None:
            self._network.check_reachability(self._remote.info.table)

    def _show_reachability(self, reach: Reachability) -> None:
        self._navigator.show_overlay(reach_help(self.context, reach))

    def _fill_hand_over_menu(self) -> None:
        self._hand_over_menu.clear()
        for name, hand_over in self._hand_over_options(self._remote) if self._remote else ():
            self._hand_over_menu.addAction(escape_mnemonics(name)).triggered.connect(
                lambda _=False, act=hand_over: act()
            )

    def _hand_over_options(self, remote: RemoteTable) -> list[tuple[str, Callable[[], None]]]:
        """Return the text and the action of a menu entry for each possible new host."""
        words = self.context.words
        options: list[tuple[str, Callable[[], None]]] = [
            (remote.name_of(seat), partial(remote.request, remote.guest.ask_to_host, seat))
            for seat in self.possible_hosts
        ]
        if (
            remote.is_host
            and self._own_fingerprint
            and remote.guest.ticket.fingerprint == self._own_fingerprint
        ):
            return [*options, (words("A server…"), self.ask_for_server)]
        if remote.is_host and TABLE_TRANSFER_FEATURE in remote.guest.features:
            return [*options, (words("This computer"), self.move_table_here)]
        return options

    # Moving a table to a server

    def ask_for_server(self) -> None:
        """Ask for a server, and move the table there."""
        window = self._navigator.window()
        self.move_dialog = MoveDialog(self.context, window, self._known_hosts.servers)
        self.move_dialog.accepted.connect(self._move)
        self.move_dialog.finished.connect(self.move_dialog.deleteLater)
        self.move_dialog.open()

    def _move(self) -> None:
        dialog = self.move_dialog
        if dialog is None or dialog.server is None:
            return
        self._key = dialog.key.text().strip()
        self._move_to(server_address(dialog.server, self._known_hosts))

    def _move_to(self, place: Address) -> None:
        remote, self._target_server = self._remote, place
        if remote is not None and remote.info is not None:
            move = partial(self._network.move_table, remote.info.table, place, self._key)
            self._network.query_server(place, move, self._finish_move)

    def _finish_move(self, place: Address, answer: Reason | ChangedCertificate | None) -> None:
        if isinstance(answer, ChangedCertificate):
            if confirm_certificate(self.context, self._navigator.window(), answer):
                with self.context.report_errors():
                    self._known_hosts.trust(place.name, answer.fingerprint)
                self._move_to(replace(place, fingerprint=answer.fingerprint))
        elif answer is not None:
            self.context.show_error(answer)
        else:
            with self.context.report_errors():
                self._known_hosts.add_server(place.name, self._key)

    def host_name_of(self, place: Address) -> str:
        """Return the name under which the certificate of the host at `place` is stored."""
        if place.fingerprint == self._own_fingerprint:
            return OWN_HOST
        target = self._target_server
        return target.name if target and target.fingerprint == place.fingerprint else place.name

    @property
    def possible_hosts(self) -> tuple[int, ...]:
        """The seats of the players who can take over as host."""
        return tuple(seat for seat, sitter in self._others() if sitter.can_host)

    @property
    def has_guests(self) -> bool:
        """Whether the user hosts the visited table and other people are at it."""
        return bool(self._others())

    def _others(self) -> list[tuple[int, SeatInfo]]:
        remote = self._remote
        if remote is None or not remote.is_host or remote.info is None:
            return []
        return [
            (seat, sitter)
            for seat, sitter in enumerate(remote.info.sitters)
            if sitter.kind == "person"
            and sitter.state in ("here", "ready")
            and seat not in remote.local_seats
        ]

    # Taking over a table at its host's request

    def move_table_here(self) -> None:
        """Move the visited table to this computer, at the host's request or from a server."""
        self._accepted_table = self._remote
        if self._remote is not None:
            self._remote.accept_hosting()
        self._network.expect_table()

    def _offer_own_host(self, port: int, fingerprint: str, key: str) -> None:
        self._own_fingerprint = fingerprint
        remote = self._accepted_table
        if remote is not None and remote is self._remote:  # don't give the key to another host
            remote.request(remote.guest.accept_hosting, port, fingerprint, key)

    def _become_host(self, table: str, owner: str) -> None:
        remote = self._remote
        if remote is not None and remote.info is not None and remote.info.table == table:
            remote.guest.become_host(owner)
