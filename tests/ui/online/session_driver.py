"""Hands for tests of shared tables in the window: a table hosted there, and friends who come to it
over the loopback like anybody."""

from msgspec import Struct
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import FastRng
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.protocol.invitation import Address
from tests.ui.window_driver import Open, click
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.online.lobby_screen import LobbyScreen
from ui.online.network_thread import NetworkThread, QtConnection
from ui.online.remote_table import RemoteTable
from ui.setup.seat_row import SeatRow

SYMBOLS = ("moon", "leaf", "flower", "wave")


def lobby(window: Window) -> LobbyScreen:
    screen = window.online.lobby_screen
    assert screen is not None
    return screen


def remote(window: Window) -> RemoteTable:
    table = window.online.remote
    assert table is not None
    return table


def host(
    qtbot: QtBot,
    window: Window,
    game: str = "sisters",
    seats: int = 2,
    *,
    here: int = 1,
    knock: bool = False,
) -> LobbyScreen:
    """Host a table from the shelf; so many of its seats are of people at this computer."""
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    click(sheet.boxes[game])
    sheet.seat_count.setValue(seats)
    sheet.admission.choose("knock" if knock else "open")
    for number in range(here):
        sheet.seats.rows[number].kind.setCurrentIndex(0)
        sheet.seats.rows[number].field.setText(("Hinata", "Shizuku", "Tsubasa")[number])
    click(sheet.start_button)
    qtbot.waitUntil(lambda: bool(window.online.lobby_screen and lobby(window).invitation.link))
    qtbot.waitUntil(lambda: len(remote(window).local_seats) == here)
    return lobby(window)


class Friend(Struct):
    """Somebody at another computer: a visit without a window."""

    remote: RemoteTable
    seat: int
    luck: FastRng

    def play(self) -> bool:
        """Answer the seat's question; return whether there was one."""
        seat = self.remote.guest.own_seats.get(self.seat)
        if seat is None or not seat.offers or seat.pending is not None:
            return False
        number, offers = next(iter(seat.offers.items()))
        seat.send(offers[self.luck.below(len(offers))].sample(number, self.luck))
        return True


class Friends:
    """Brings friends to a window's table, and takes them away again."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self._visits: list[RemoteTable] = []
        self.network: NetworkThread | None = None

    def come(self, window: Window, seat: int = 1, name: str = "Kaname") -> Friend:
        """One comes by the code, sits down at a seat (none: -1) and is ready."""
        found = self.remote(window, Ticket("", lobby(window).invitation.code.text()))
        self.qtbot.waitUntil(lambda: found.guest.connection_state == "inside")
        if seat >= 0:
            found.guest.sit(seat, name, SYMBOLS[seat - 1])
            self.qtbot.waitUntil(lambda: seat in found.local_seats)
            found.guest.set_ready(seat)
        return Friend(found, seat, FastRng(name))

    def remote(self, window: Window, ticket: Ticket) -> RemoteTable:
        """A line to the window's host with this ticket."""
        invitation = remote(window).guest.invitation
        if self.network is None:
            self.network = NetworkThread(window.online.network.folder)
        place = Address(("127.0.0.1",), invitation.port, invitation.fingerprint)
        table = RemoteTable()
        table.guest.join(ticket)
        call = QtConnection(self.network, Destination(place))
        table.connection = call
        call.event_received.connect(table.handle_event)
        self._visits.append(table)
        return table

    def close(self) -> None:
        while self._visits:
            self._visits.pop().close()
        if self.network is not None:
            self.network.close()


def come(qtbot: QtBot, window: Window, other: Window) -> SeatRow:
    """The other window comes by the code to its table; gives the guest's seat there."""
    invitation = remote(window).guest.invitation
    other.run_command("join")
    screen = other.online.join_screen
    screen.code.setText(remote(window).info.code)
    screen.address.setText(f"127.0.0.1:{invitation.port}")
    click(screen.join_button)
    qtbot.waitUntil(lambda: bool(other.online.lobby_screen and lobby(other).rows))
    return lobby(other).rows[1]


def start(qtbot: QtBot, window: Window) -> TableScreen:
    """The host starts; gives the table."""
    qtbot.waitUntil(lobby(window).start_button.isEnabled)
    click(lobby(window).start_button)
    qtbot.waitUntil(lambda: window.table is not None)
    screen = window.table
    assert screen is not None
    return screen


def answer(qtbot: QtBot, screen: TableScreen, luck: FastRng) -> None:
    """A random answer of who looks, heard back from the host."""
    seat = screen.switch.shown_seat
    number, offers = next(iter(seat.offers.items()))
    before = screen.seated.view.ply
    screen.scene.choice.play(offers[luck.below(len(offers))].sample(number, luck))
    qtbot.waitUntil(lambda: screen.seated.view.ply > before)


def playing(opened: Open, friends: Friends, qtbot: QtBot) -> tuple[Window, Friend, TableScreen]:
    """A window that hosts a match, a friend who sits there, and the window's table."""
    window = opened()
    host(qtbot, window)
    friend = friends.come(window)
    return window, friend, start(qtbot, window)
