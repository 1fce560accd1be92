"""A host's oversized message is read beside the window's thread, and the window goes on."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot
from websockets.asyncio.server import ServerConnection

from tabletop.home.known_hosts import RejoinableTable
from tabletop.net.guest import connection
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import (
    ChatLine,
    FromHost,
    SeatInfo,
    TableInfo,
    TableJoined,
    Welcome,
)
from tests.net.impostor import Impostor, posing, say
from tests.net.loopback import LONGEST, plan
from tests.ui.window_driver import Open

LARGE = 7_500_000
INFO = TableInfo("table", plan("sun", 2), (SeatInfo("open", "free"),) * 2)


@pytest.fixture
def impostor(tmp_path: Path) -> Iterator[Impostor]:
    """A host, in a thread, that welcomes every guest and then says a line of 7.5 MB."""
    impostors: list[Impostor] = []
    stands, over = Event(), Event()

    async def shout(_: Impostor, line: ServerConnection) -> None:
        await say(line, Welcome(2, "evil"), TableJoined("table"), INFO, ChatLine(0, "x" * LARGE))

    async def evening() -> None:
        async with posing(tmp_path / "host", shout) as impostor:
            impostors.append(impostor)
            stands.set()
            await asyncio.to_thread(over.wait)

    thread = Thread(target=asyncio.run, args=(evening(),))
    thread.start()
    assert stands.wait(LONGEST)
    yield impostors[0]
    over.set()
    thread.join(LONGEST)


def test_the_window_goes_on_while_a_huge_line_is_refused(
    impostor: Impostor, opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, ticked, looked_at = connection.decode_host_message, Event(), Event()
    shown: list[FromHost] = []

    def reading(frame: bytes) -> FromHost:
        if len(frame) > LARGE:
            assert current_thread() is not main_thread()
            looked_at.set()
            assert ticked.wait(LONGEST), "the window waits for it"
        message = read(frame)
        shown.append(message)
        return message

    def tick() -> None:
        if looked_at.is_set():
            ticked.set()

    monkeypatch.setattr(connection, "decode_host_message", reading)
    window = opened()
    clock = QTimer(window)
    clock.timeout.connect(tick)
    clock.start(0)
    place = Address(("localhost",), impostor.port, impostor.fingerprint)
    window.online.rejoin(RejoinableTable(place, Ticket("table"), "Table", "sun", datetime.now(UTC)))
    remote = window.online.remote
    qtbot.waitUntil(lambda: ticked.is_set() and remote.guest.connection_state == "away")
    assert not any(isinstance(message, ChatLine) for message in shown)
    assert any(isinstance(message, TableInfo) for message in shown)
