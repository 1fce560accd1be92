"""Hands for tests of shared tables in the window: a table hosted there, and friends who come to it
over the loopback like anybody."""

from collections.abc import Iterator

import pytest
from at_window import Open, click
from msgspec import Struct
from patience import until

from tabletop.engine.scratch import Luck
from tabletop.net.guest import Ticket
from tabletop.net.invitation import Place
from ui.app import Window
from ui.net import Network
from ui.screens.lobby import Lobby
from ui.screens.table import TableScreen
from ui.screens.visit import Visit

SYMBOLS = ("moon", "leaf", "flower", "wave")


def lobby(window: Window) -> Lobby:
    found = window.outing.lobby
    assert found is not None
    return found


def visit(window: Window) -> Visit:
    found = window.outing.visit
    assert found is not None
    return found


def host(window: Window, game: str = "sisters", seats: int = 2, *, here: int = 1) -> Lobby:
    """Host a table from the shelf; so many of its seats are of people at this computer."""
    window.do("host")
    sheet = window.outing.hosting.sheet
    assert sheet is not None
    click(sheet.boxes[game])
    sheet.count.setValue(seats)
    for number in range(here):
        sheet.rows[number].kind.setCurrentIndex(0)
        sheet.rows[number].name.setText(("Hinata", "Shizuku", "Tsubasa")[number])
    click(sheet.open)
    until(lambda: window.outing.lobby and lobby(window).invitation.link, "the invitation")
    until(lambda: len(visit(window).own) == here, "the own seats")
    return lobby(window)


class Friend(Struct):
    """Somebody at another computer: a visit without a window."""

    visit: Visit
    seat: int
    luck: Luck

    def play(self) -> bool:
        """Answer whatever is asked of the seat; whether something was."""
        link = self.visit.guest.links.get(self.seat)
        if link is None or not link.offers or link.sent is not None:
            return False
        number, offers = next(iter(link.offers.items()))
        link.send(offers[self.luck.below(len(offers))].sample(number, self.luck))
        return True


class Friends:
    """Brings friends to a window's table, and takes them away again."""

    def __init__(self) -> None:
        self._visits: list[Visit] = []
        self.network: Network | None = None

    def come(self, window: Window, seat: int = 1, name: str = "Kaname") -> Friend:
        """One comes by the code, sits down at a seat (none: -1) and is ready."""
        found = self.visit(window, Ticket("", lobby(window).invitation.code.text()))
        until(lambda: found.guest.standing == "inside", "a friend to come in")
        if seat >= 0:
            found.guest.sit(seat, name, SYMBOLS[seat - 1])
            until(lambda: seat in found.own, "a friend to sit down")
            found.guest.ready(seat)
        return Friend(found, seat, Luck(name))

    def visit(self, window: Window, ticket: Ticket) -> Visit:
        """A line to the window's host with this ticket."""
        invitation = visit(window).guest.invitation
        assert invitation is not None
        if self.network is None:
            self.network = Network(window.outing.network.folder)
        place = Place(("127.0.0.1",), invitation.port, invitation.fingerprint)
        found = Visit()
        found.guest.enter(ticket)
        call = self.network.call(place)
        found.line = call
        call.heard.connect(found.take)
        self._visits.append(found)
        return found

    def close(self) -> None:
        while self._visits:
            self._visits.pop().close()
        if self.network is not None:
            self.network.close()


@pytest.fixture
def friends(opened: Open) -> Iterator[Friends]:
    """People at other computers; they go before the windows close."""
    found = Friends()
    yield found
    found.close()


def start(window: Window) -> TableScreen:
    """The host starts; gives the table."""
    until(lobby(window).start.isEnabled, "everybody to be ready")
    click(lobby(window).start)
    until(lambda: window.table is not None, "the table")
    screen = window.table
    assert screen is not None
    return screen


def answer(screen: TableScreen, luck: Luck) -> None:
    """A random answer of who looks, heard back from the host."""
    link = screen.sitting.link
    assert link is not None
    number, offers = next(iter(link.offers.items()))
    before = screen.sitting.view.ply
    screen.scene.play(offers[luck.below(len(offers))].sample(number, luck))
    until(lambda: screen.sitting.view.ply > before, "the host's answer")
