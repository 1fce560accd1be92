"""A table that the window opens on a server: its certificate agreed to once, its key kept."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tabletop.files import folders
from tabletop.home.known_hosts import KnownHosts
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.opening_limits import WRONG_KEY
from tabletop.protocol.archive import FinishedMatch, FinishedMatches, MatchId, TableTokens
from tabletop.protocol.invitation import Address
from tabletop.server.archive import NO_RECORD
from tabletop.server.server import TableServer
from tabletop.storage.verification import verify_record
from tabletop.table.hosted_table import HostedTable
from tests.net.loopback import QUICK, ROOMY, plan, play_out, seated
from tests.ui.online.session_driver import Friends, lobby, playing, remote
from tests.ui.window_driver import Open, click, settle
from ui.app import Window
from ui.online import certificate_prompt, played_matches
from ui.setup import host_sheet
from ui.setup.host_sheet import HostSheet

KEY = "the club's key"


class Server:
    """A host in a thread of its own, as another computer would be."""

    def __init__(self, folder: Path) -> None:
        self.loop = asyncio.new_event_loop()
        self._folder = folder
        self._stands = Event()
        self._end = asyncio.Event()
        self._thread = Thread(target=self.loop.run_until_complete, args=(self._run(),))
        self._thread.start()
        assert self._stands.wait(60)

    @property
    def name(self) -> str:
        return f"localhost:{self.host.port}"

    async def _run(self) -> None:
        self.host = TableServer(self._folder, key=KEY, limits=ROOMY, timing=QUICK)
        await self.host.start("127.0.0.1", 0)
        self._stands.set()
        await self._end.wait()
        await self.host.close()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self.loop.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path / "server")
    yield made
    made.close()


def sheet_for(window: Window, server: Server, key: str) -> HostSheet:
    """The sheet with this server and key filled in."""
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    assert not sheet.server.address.isVisible()
    sheet.server.where.choose("server")
    settle()
    assert sheet.server.address.isVisible()
    assert not sheet.start_button.isEnabled()
    sheet.server.address.setText(server.name.replace("localhost", "127.0.0.1"))
    sheet.server.key.setText(key)
    assert sheet.start_button.isEnabled()
    return sheet


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_the_firewall_asks_is_said_before(
    language: str, opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(host_sheet, "FIREWALL_ASKS", True)
    monkeypatch.setattr(folders, "hosted", lambda: tmp_path / "hosted")
    window = opened(language=language)
    window.run_command("host")
    sheet = window.online.hosting.host_sheet
    assert sheet.firewall.isVisible()
    assert "Windows" in sheet.firewall.text()
    sheet.server.where.choose("server")
    assert not sheet.firewall.isVisible()
    sheet.left.emit()
    (tmp_path / "hosted").mkdir()
    window.run_command("host")
    again = window.online.hosting.host_sheet
    assert not again.firewall.isVisible()


def agree(monkeypatch: pytest.MonkeyPatch, wanted: bool) -> list[str]:
    """Answer whether the certificate is trusted; gives what was asked."""
    asked: list[str] = []

    def answer(context, parent, why, met=True):
        asked.append(why.text)
        assert not met
        return wanted

    monkeypatch.setattr(certificate_prompt, "ask_trust", answer)
    return asked


def test_a_table_is_opened_there_and_found_again(
    opened: Open, qtbot: QtBot, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = agree(monkeypatch, True)
    window = opened()
    click(sheet_for(window, server, KEY).start_button)
    qtbot.waitUntil(lambda: window.online.lobby_screen is not None)
    qtbot.waitUntil(lambda: bool(lobby(window).invitation.link))
    known = window.online.known_hosts
    qtbot.waitUntil(lambda: any(back.ticket.seats for back in known.rejoinable_tables))
    assert len(asked) == 1
    assert len(server.host.hosted_tables) == 1
    known = KnownHosts(folders.known_hosts())
    assert known.fingerprint_of(server.name) == server.host.certificate.fingerprint
    assert known.servers == {server.name: KEY}
    (back,) = known.rejoinable_tables
    assert back.place.name == server.name
    window.close()

    again = opened()
    again.online.rejoin(back)
    remote_table = again.online.remote
    qtbot.waitUntil(
        lambda: remote_table.guest.connection_state == "inside" and remote_table.info is not None
    )
    assert remote_table.is_host
    again.online.leave()
    assert len(asked) == 1, "the certificate was agreed to"
    qtbot.waitUntil(lambda: not server.host.hosted_tables)
    again.run_command("host")
    sheet = again.online.hosting.host_sheet
    assert (sheet.server.address.text(), sheet.server.key.text()) == (server.name, KEY)


def test_nothing_is_said_to_a_server_that_is_not_trusted(
    opened: Open, qtbot: QtBot, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = agree(monkeypatch, False)
    window = opened()
    sheet = sheet_for(window, server, KEY)
    click(sheet.start_button)
    qtbot.waitUntil(lambda: "first visit" in sheet.error_label.text())
    assert len(asked) == 1
    assert not server.host.hosted_tables
    assert KnownHosts(folders.known_hosts()).servers == {}


def test_a_wrong_key_is_said_on_the_sheet(
    opened: Open, qtbot: QtBot, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(monkeypatch, True)
    window = opened()
    sheet = sheet_for(window, server, "another")
    click(sheet.start_button)
    qtbot.waitUntil(lambda: sheet.error_label.text() == WRONG_KEY.text)
    assert sheet.start_button.isEnabled()


@pytest.mark.usefixtures("nobody_near")
def test_a_servers_open_table_is_joined_by_one_click(
    opened: Open, qtbot: QtBot, server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = agree(monkeypatch, True)
    window = opened()
    sheet = sheet_for(window, server, KEY)
    sheet.server.listing.choose("open")
    sheet.name.setText("Friday")
    click(sheet.start_button)
    qtbot.waitUntil(lambda: window.online.lobby_screen is not None)

    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.run_command("join")
    join = other.online.join_screen
    join.set_address("127.0.0.1:1")
    assert join.join_button.text() == "Show its tables"
    click(join.join_button)
    qtbot.waitUntil(lambda: "Can't reach a host" in join.error_label.text())
    join.set_address("https://" + server.name.replace("localhost", "127.0.0.1"))
    click(join.join_button)
    qtbot.waitUntil(lambda: bool(join.rows))
    assert len(asked) == 2, "each window has agreed to the certificate"
    (row,) = join.rows
    assert row.found.listed.name == "Friday"
    assert "no code needed" in row.accessibleDescription()
    click(row)
    qtbot.waitUntil(lambda: bool(other.online.lobby_screen is not None and lobby(other).rows))
    facts = [each.text() for each in lobby(other).findChildren(QLabel)]
    assert any("listed on the server, open to everyone" in text for text in facts)
    other.online.leave()

    other.run_command("join")
    again = other.online.join_screen
    qtbot.waitUntil(lambda: bool(again.rows))
    assert len(asked) == 2
    assert [table.host for table in other.online.table_search.listed_tables] == [
        row.found.address.name
    ]


async def played_there(server: Server) -> Ticket:
    """A match that is over on this server: the ticket of who came to it."""
    table = plan("chains", 2, records="link")
    async with seated(server.host, table, (0,), (1,), key=KEY) as friends:
        await play_out(friends)
        return friends[1].guest.ticket


def test_a_finished_match_is_fetched_and_watched(
    opened: Open, qtbot: QtBot, server: Server
) -> None:
    playing = asyncio.run_coroutine_threadsafe(played_there(server), server.loop)
    ticket = playing.result(60)
    place = Address(("localhost",), server.host.port, server.host.certificate.fingerprint)
    window = opened()
    known = window.online.known_hosts
    known.add_rejoinable(place, ticket, "Friday", "chains")
    known.forget_table(ticket.table)
    window.run_command("join")
    join = window.online.join_screen
    qtbot.waitUntil(lambda: bool(join.finished_rows))
    (line,) = join.finished_rows
    assert line.text() == "chains for 2"
    assert "localhost" in line.accessibleDescription()
    click(line)
    qtbot.waitUntil(lambda: window.replays.screen is not None)
    assert verify_record(window.replays.screen.record)
    window.replays.do("leave")
    assert len(list(folders.replays().glob("*.tabletop"))) == 1

    window.run_command("join")
    again = window.online.join_screen
    qtbot.waitUntil(lambda: bool(again.finished_rows))
    asyncio.run_coroutine_threadsafe(taken_away(server), server.loop).result(60)
    click(again.finished_rows[0])
    qtbot.waitUntil(lambda: again.error_label.text() == NO_RECORD.text)


def test_every_match_on_a_server_can_be_reached(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, told = Address(("192.0.2.1",), 18920, "ab" * 32), []
    window = opened()

    async def answer(there: Address, mine: tuple[TableTokens, ...]) -> FinishedMatches:
        told.extend(each.table for each in mine)
        matches = tuple(
            FinishedMatch(MatchId(each.table, 1), "", "sun", ("Ann",), (), int(each.table), True)
            for each in mine
        )
        return FinishedMatches(matches)

    monkeypatch.setattr(played_matches, "MAX_PARALLEL_QUERIES", 1)
    monkeypatch.setattr(played_matches, "list_all_finished", answer)
    for number in range(120):
        ticket = Ticket(f"{number:012}", seats={0: "token"})
        window.online.known_hosts.add_rejoinable(place, ticket, "Friday", "sun")
    window.run_command("join")
    join = window.online.join_screen
    qtbot.waitUntil(lambda: len(join.finished_rows) == 20)
    assert len(told) == 50
    assert join.more_button.isVisible()
    while join.more_button.isVisible():
        before = len(join.finished_rows)
        click(join.more_button)
        qtbot.waitUntil(lambda before=before: len(join.finished_rows) > before)
    assert len(join.finished_rows) == len(set(told)) == 120


async def taken_away(server: Server) -> None:
    """The operator takes the finished matches away."""
    for file in server.host.folder.glob("*.finished"):
        file.unlink()


def test_who_opens_a_table_there_says_who_may_fetch_its_matches(
    opened: Open, qtbot: QtBot, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(monkeypatch, True)
    window = opened()
    sheet = sheet_for(window, server, KEY)
    sheet.server.records.choose("link")
    click(sheet.start_button)
    qtbot.waitUntil(lambda: window.online.lobby_screen is not None)
    (hosted,) = server.host.hosted_tables.values()
    assert hosted.plan.records == "link"
    facts = [each.text() for each in lobby(window).findChildren(QLabel)]
    assert any("records open to anyone with the link" in text for text in facts)


def tables(server: Server) -> list[HostedTable]:
    return list(server.host.hosted_tables.values())


def handing_over(window: Window) -> list[QAction]:
    """Where the window's table can be handed over to."""
    menu = window.menus.submenus["hand_over"]
    assert menu.isEnabled()
    menu.aboutToShow.emit()
    return menu.actions()


def test_a_running_table_moves_to_a_server_and_back_by_the_menu(
    opened: Open, qtbot: QtBot, server: Server, monkeypatch: pytest.MonkeyPatch, friends: Friends
) -> None:
    asked = agree(monkeypatch, True)
    window, friend, _ = playing(opened, friends, qtbot)
    own = remote(window).guest.ticket.fingerprint
    table = remote(window).guest.ticket.table

    def moved_by(key: str) -> None:
        to_server = handing_over(window)[-1]
        assert to_server.text() == "A server…"
        to_server.trigger()
        dialog = window.online.hosting.move_dialog
        assert dialog.move_button.isEnabled() == bool(dialog.address.text())
        dialog.address.setText(server.name.replace("localhost", "127.0.0.1"))
        dialog.key.setText(key)
        click(dialog.move_button)

    messages: list[str] = []
    monkeypatch.setattr(
        window.online._navigator, "show_message", lambda text, *_, **__: messages.append(text)
    )
    moved_by("another")
    qtbot.waitUntil(lambda: WRONG_KEY.text in messages)
    assert not server.host.hosted_tables
    moved_by(KEY)
    for fingerprint in (server.host.certificate.fingerprint, own):
        qtbot.waitUntil(
            lambda fingerprint=fingerprint: remote(window).guest.ticket.fingerprint == fingerprint
        )
        if fingerprint != own:  # where to go is known before the line that is left has ended
            qtbot.waitUntil(lambda: [len(t.guests) for t in tables(server)] == [2])
        for visit in (remote(window), friend.remote):
            qtbot.waitUntil(
                lambda visit=visit: (
                    visit.guest.connection_state == "inside" and visit.lost_reason is None
                )
            )
        assert remote(window).is_host
        qtbot.waitUntil(
            lambda fingerprint=fingerprint: bool(tables(server)) == (fingerprint != own)
        )
        known = KnownHosts(folders.known_hosts())
        (back,) = known.rejoinable_tables
        assert ("127.0.0.1" in back.place.hosts) == (fingerprint == own), (
            "it is returned to where it is"
        )
        assert known.fingerprint_of(server.name) == server.host.certificate.fingerprint
        if fingerprint != own:
            here = handing_over(window)[-1]
            assert here.text() == "This computer"
            here.trigger()
    assert len(asked) == 1
    assert back.ticket.table == table
    qtbot.waitUntil(lambda: window.table is not None)
