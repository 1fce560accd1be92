"""The invitation names the network to come by; a seat is kept where the host is cut off."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tabletop.engine.model import Reason
from tabletop.home.known_hosts import RejoinableTable
from tabletop.lan.discovery import DiscoveredTable
from tabletop.lan.interfaces import Network
from tabletop.net.guest.dial import UNKNOWN_FINGERPRINT, certificate_changed_event
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.reconnect_policy import CONNECTION_LOST
from tabletop.protocol.invitation import DEFAULT_PORT, Address, parse_link
from tabletop.protocol.listing import ListedTable
from tabletop.table.connection_events import Lost
from tests.ui.online.session_driver import Friends, host, playing, remote
from tests.ui.window_driver import Open, answering, click
from ui.online import network_choice
from ui.online.phones_help import PhonesHelp
from ui.online.reach_help import guest_paragraphs
from ui.widgets.help_page import HelpPage

WIFI = Network("192.168.1.20", 24, "wlan0", "wifi")
VPN = Network("10.8.0.2", 16, "tun0", "tunnel")


def test_the_host_chooses_the_network(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(network_choice, "networks", lambda: (WIFI, VPN))
    window = opened()
    lobby = host(qtbot, window)
    card, invitation = lobby.invitation, remote(window).guest.invitation
    card.show_invitation(replace(invitation, addresses=(WIFI.address, VPN.address)))
    choices = card.network.button.menu().actions()
    assert [each.text() for each in choices] == ["Wi-Fi, 192.168.1.x", "VPN, 10.8.0.2"]
    assert card.network.button.text() == f"Wi-Fi, 192.168.1.20:{invitation.port} ▾"
    assert (parse_link(card.link).host, parse_link(card.link).more) == (
        WIFI.address,
        (VPN.address,),
    )
    gateway = lobby.phones.gateway
    gateway.addresses = tuple(f"http://{each.address}:1/#K7MPQ2" for each in (WIFI, VPN))
    choices[1].trigger()
    assert card.network.button.text() == f"VPN, 10.8.0.2:{invitation.port} ▾"
    assert parse_link(card.link).host == VPN.address
    assert VPN.address in gateway.addresses[0]
    page = PhonesHelp(window.context, gateway)
    phones = lobby.phones_card
    gateway.changed.emit()
    for each in (phones.network, page.network):
        assert each.button.text() == "VPN, 10.8.0.2 ▾"
    page.network.button.menu().actions()[0].trigger()
    assert WIFI.address in gateway.addresses[0]
    assert phones.address.text().startswith(WIFI.address)
    assert WIFI.address in page.instructions_label.text()
    phones.network.button.menu().actions()[1].trigger()
    assert parse_link(card.link).host == VPN.address
    checked = [each.isChecked() for each in card.network.button.menu().actions()]
    assert checked.count(True) == 1
    gateway.addresses = ()


@pytest.mark.parametrize("kept", [True, False])
def test_leaving_while_cut_off_asks_for_the_seat(
    opened: Open, friends: Friends, monkeypatch: pytest.MonkeyPatch, kept: bool, qtbot: QtBot
) -> None:
    window, _, _ = playing(opened, friends, qtbot)
    guest = remote(window)
    window.online._visit.host_name = "elsewhere"
    table = guest.info.table
    asked = answering(monkeypatch, "Keep the seat" if kept else "Give up the seat")
    guest.handle_event(Lost(CONNECTION_LOST, 5.0))
    window.online.leave()
    assert "can't be reached" in asked[0]
    assert window.online.remote is None
    assert (
        table in {back.ticket.table for back in window.online.known_hosts.rejoinable_tables}
    ) == kept


def test_who_sees_no_table_is_told_what_to_look_at(
    opened: Open, nobody_near: None, qtbot: QtBot
) -> None:
    window = opened()
    window.run_command("join")
    join = window.online.join_screen
    window.online.network.discovery_error_changed.emit(Reason("Address already in use"))
    assert "Address already in use" in join._empty_text.text()
    click(join.help_button)
    (page,) = window.findChildren(HelpPage)
    assert "5353" in page.text.text()
    assert "Address already in use" in page.text.text()
    click(page.done)
    assert window.stack.currentWidget() is join
    context = window.online.context
    assert "isn't on a network" in guest_paragraphs(context, (), None)[0]
    assert "192.168.1.20" in guest_paragraphs(context, ("192.168.1.20",), None)[0]


def test_of_two_tables_of_one_name_the_own_is_marked(
    opened: Open, nobody_near: None, qtbot: QtBot
) -> None:
    """A restarted host offers the match from before, and a new table."""
    window = opened()
    place = Address(("192.168.1.5",), DEFAULT_PORT, "ab" * 32)
    kept = Ticket("before", "K7MPQ2", "", {0: "secret"}, "ab" * 32)
    window.online.known_hosts.add_rejoinable(place, kept, "Dora's table", "sun")
    window.run_command("join")
    tables = [
        DiscoveredTable(
            ListedTable(name, "Dora's table", "sun", 2, 1),
            place,
            "dora",
            "0.2.0",
            is_compatible=True,
        )
        for name in ("before", "new")
    ]
    window.online.network.tables_found.emit(tuple(tables))
    rows = {row.found.listed.table: row for row in window.online.join_screen.rows}
    marked = {name: "your seat is kept" in row._detail_text() for name, row in rows.items()}
    assert marked == {"before": True, "new": False}


def test_a_lobby_on_the_way_back_shows_no_empty_invitation(
    opened: Open, nobody_near: None, qtbot: QtBot
) -> None:
    window = opened()
    place = Address(("127.0.0.1",), 1, "ab" * 32)
    kept = Ticket("t", "K7MPQ2", "", {0: "secret"}, "ab" * 32)
    remote = RejoinableTable(
        replace(place, hosts=("127.0.0.2",)), kept, "Dora's table", "sun", datetime.now(UTC)
    )
    window.online.rejoin(remote)
    lobby = window.online.lobby_screen
    assert not lobby.invitation.isVisible()
    assert not lobby.start_button.isVisible()


def test_another_computer_at_the_address_of_a_table_is_no_alarm(
    opened: Open, nobody_near: None, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """Its tables are asked for by typing the address; a server that was used before is one."""
    window = opened()
    online = window.online
    place = Address(("192.168.1.5",), DEFAULT_PORT, "ab" * 32)
    online.known_hosts.add_address(place.name, place)
    window.run_command("join")
    asked: list[Address] = []
    takers: list[Callable[..., None]] = []

    def ask(place: Address, _: object, take: Callable[..., None]) -> None:
        asked.append(place)
        takers.append(take)

    def answer() -> None:
        """Another computer than the one that was met answers what was asked last."""
        takers[-1](asked[-1], certificate_changed_event(asked[-1], "cd" * 32))

    monkeypatch.setattr(online.network, "query_server", ask)
    questions = answering(monkeypatch, "Don't connect")
    online.table_search.query_server(replace(place, fingerprint=""))
    answer()
    assert [each.fingerprint for each in asked] == ["ab" * 32, UNKNOWN_FINGERPRINT]
    assert questions == []
    answer()
    assert "This is your first visit" in questions[0]
    online.known_hosts.add_server(place.name, "")
    online.table_search.query_server(replace(place, fingerprint=""))
    answer()
    assert "someone else may be posing" in questions[1]
