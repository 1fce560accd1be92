"""A table that the window opens on a server: its certificate agreed to once, its key kept."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from pytestqt.qtbot import QtBot

from tabletop.net.guest.known_hosts import KnownHosts
from tabletop.net.host.server import Host
from tabletop.net.host.table_registry import NOT_ALLOWED
from tabletop.storage import folders
from tests.net.loopback import QUICK, ROOMY
from tests.ui.online.session_driver import lobby
from tests.ui.window_driver import Open, click, settle
from ui.app import Window
from ui.online import online_session
from ui.setup.host_sheet import HostSheet

KEY = "the club's key"


class Server:
    """A host in a thread of its own, as another computer would be."""

    def __init__(self, folder: Path) -> None:
        self.loop = asyncio.new_event_loop()
        self.host = Host(folder, key=KEY, limits=ROOMY, pace=QUICK)
        self._stands = Event()
        self._end = asyncio.Event()
        self._thread = Thread(target=self.loop.run_until_complete, args=(self._run(),))
        self._thread.start()
        assert self._stands.wait(60)

    @property
    def name(self) -> str:
        return f"localhost:{self.host.port}"

    async def _run(self) -> None:
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
    window.do("host")
    sheet = window.online.hosting.sheet
    assert sheet is not None
    assert not sheet.server.address.isVisible()
    sheet.server.where.choose("server")
    settle()
    assert sheet.server.address.isVisible()
    assert not sheet.open.isEnabled()
    sheet.server.address.setText(server.name.replace("localhost", "127.0.0.1"))
    sheet.server.key.setText(key)
    assert sheet.open.isEnabled()
    return sheet


def agree(monkeypatch: pytest.MonkeyPatch, wanted: bool) -> list[str]:
    """Answer whether the certificate is trusted; gives what was asked."""
    asked: list[str] = []

    def answer(context, parent, why, met=True):
        asked.append(why.text)
        assert not met
        return wanted

    monkeypatch.setattr(online_session, "welcome", answer)
    return asked


def test_a_table_is_opened_there_and_found_again(
    opened: Open, qtbot: QtBot, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = agree(monkeypatch, True)
    window = opened()
    click(sheet_for(window, server, KEY).open)
    qtbot.waitUntil(lambda: window.online.lobby is not None)
    qtbot.waitUntil(lambda: bool(lobby(window).invitation.link))
    assert len(asked) == 1
    assert len(server.host.hosted_tables) == 1
    known = KnownHosts(folders.known_hosts())
    assert known.trusted(server.name) == server.host.certificate.fingerprint
    assert known.servers == {server.name: KEY}
    (back,) = known.returns
    assert back.place.name == server.name
    window.close()

    again = opened()
    again.online.come_back(back)
    found = again.online.remote
    assert found is not None
    qtbot.waitUntil(lambda: found.guest.connection_state == "inside" and found.info is not None)
    assert found.hosts
    again.online.leave()
    assert len(asked) == 1, "the certificate was agreed to"
    qtbot.waitUntil(lambda: not server.host.hosted_tables)
    again.do("host")
    sheet = again.online.hosting.sheet
    assert sheet is not None
    assert (sheet.server.address.text(), sheet.server.key.text()) == (server.name, KEY)


def test_nothing_is_said_to_a_server_that_is_not_trusted(
    opened: Open, qtbot: QtBot, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = agree(monkeypatch, False)
    window = opened()
    sheet = sheet_for(window, server, KEY)
    click(sheet.open)
    qtbot.waitUntil(lambda: "was not met before" in sheet.fault.text())
    assert len(asked) == 1
    assert not server.host.hosted_tables
    assert KnownHosts(folders.known_hosts()).servers == {}


def test_a_wrong_key_is_said_on_the_sheet(
    opened: Open, qtbot: QtBot, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(monkeypatch, True)
    window = opened()
    sheet = sheet_for(window, server, "another")
    click(sheet.open)
    qtbot.waitUntil(lambda: sheet.fault.text() == NOT_ALLOWED.text)
    assert sheet.open.isEnabled()
