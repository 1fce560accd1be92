"""A host that was gone: when it is taken to stay away, and how its return is noticed."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.lan.discovery import DiscoveredTable
from tabletop.net.guest.host_absence import HOST_GONE_AFTER_S, HostAbsence
from tabletop.net.host.host import HOST_STOPPED, Host
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import ListedTable
from tabletop.protocol.messages import Farewell, TableJoined
from tabletop.table.connection_events import Lost
from tests.net.loopback import HANGS
from ui.online import host_watch
from ui.online.host_watch import reachable_address, watch_for_hosts

BROKEN = Lost(Reason("Connection lost."), 0.2)


def test_a_host_that_ends_or_is_long_gone_stays_away() -> None:
    now = [0.0]
    absence = HostAbsence(lambda: now[0])
    absence.on_event(BROKEN)
    assert not absence.is_lasting
    now[0] = HOST_GONE_AFTER_S
    absence.on_event(BROKEN)
    assert absence.is_lasting
    absence.on_event(TableJoined("table", {}))
    assert not absence.is_lasting
    absence.on_event(Farewell(HOST_STOPPED, back=True))
    absence.on_event(BROKEN)
    assert absence.is_lasting
    assert absence.farewell == HOST_STOPPED


class Announced:
    """A finder that hears these announcements."""

    def __init__(
        self,
        hear: Callable[[tuple[DiscoveredTable, ...]], None],
        found: tuple[DiscoveredTable, ...],
    ) -> None:
        self._hear = hear
        self.found: tuple[DiscoveredTable, ...] = ()
        self._coming = found

    async def start(self) -> None:
        self.found = self._coming
        self._hear(self.found)

    async def close(self) -> None: ...


def hearing(monkeypatch: pytest.MonkeyPatch, *found: DiscoveredTable) -> None:
    """Let these announcements be heard on the network, and no others."""
    monkeypatch.setattr(host_watch, "Finder", lambda hear: Announced(hear, found))


async def test_only_the_host_with_the_right_key_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hearing(monkeypatch)
    ours, other = Host(tmp_path / "ours"), Host(tmp_path / "other")
    await other.start("127.0.0.1", 0)
    place = Address(("127.0.0.1",), other.port, ours.certificate.fingerprint)
    try:
        assert await reachable_address([place]) is None, "another host is at its address"
        nameless = replace(place, fingerprint="")
        assert await reachable_address([nameless]) is None, "nothing says who it is"
        await other.close()
        told: asyncio.Queue[tuple[str, Address]] = asyncio.Queue()

        def tell(*news: Any) -> None:
            told.put_nowait(news)

        watching = watch_for_hosts({"table": [place]}, tell, pause=0.05)
        async with asyncio.TaskGroup() as tasks, asyncio.timeout(HANGS):
            tasks.create_task(watching)
            await ours.start("127.0.0.1", other.port)
            assert await told.get() == ("table", place)
    finally:
        await ours.close()


async def test_an_announcement_leads_to_a_host_that_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(tmp_path)
    await host.start("127.0.0.1", 0)
    place = Address(("127.0.0.1",), host.port, host.certificate.fingerprint)
    listed = ListedTable("one", "Hana's table", "sun", 2, 1, "none", True)
    hearing(monkeypatch, DiscoveredTable(listed, place, "hana-pc", "0.2.0", True))
    told: list[tuple[str, Address]] = []
    try:
        async with asyncio.timeout(HANGS):
            await watch_for_hosts(
                {"one": [replace(place, port=1)]}, lambda *news: told.append(news)
            )
    finally:
        await host.close()
    assert told == [("one", place)]
