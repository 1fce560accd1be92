"""Hosts that are still announced, but have gone."""

import asyncio

import pytest

from tabletop.lan import discovery, host_probes
from tabletop.lan.discovery import DiscoveredTable, Finder
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import ListedTable
from tests.net.loopback import LONGEST


class DeafFinder(Finder):
    """A finder without mDNS."""

    def _start_browser(self) -> None: ...


def table_at(port: int) -> DiscoveredTable:
    listed = ListedTable("t", "Hinata's table", "sun", 2, 1, "none")
    return DiscoveredTable(listed, Address(("127.0.0.1",), port, "ab"), "hinata-pc", "1", True)


def test_a_killed_host_is_marked_and_dropped_in_time() -> None:
    round_s = host_probes.PROBE_INTERVAL_S + host_probes.PROBE_TIMEOUT_S
    assert host_probes.MAX_FAILURES * round_s <= 15
    assert 2 * round_s + host_probes.DROP_AFTER_S < 60


async def test_tables_of_a_killed_host_are_dropped_until_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(host_probes, "PROBE_INTERVAL_S", 0.01)
    monkeypatch.setattr(discovery, "addresses", lambda: ())
    told: list[tuple[DiscoveredTable, ...]] = []
    changed = asyncio.Event()

    def hear(tables: tuple[DiscoveredTable, ...]) -> None:
        told.append(tables)
        changed.set()

    async def until_told(*reachable: bool) -> None:
        async with asyncio.timeout(LONGEST):
            while not told or [each.is_reachable for each in told[-1]] != [*reachable]:
                changed.clear()
                await changed.wait()

    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    finder = DeafFinder(hear, probes=True)
    await finder.start()
    try:
        finder.add("t._tabletop", table_at(port))
        await until_told(True)
        server.close()
        await server.wait_closed()
        await until_told(False)
        monkeypatch.setattr(host_probes, "DROP_AFTER_S", 0)
        await until_told()
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port)
        await until_told(True)
    finally:
        await finder.close()
        server.close()


async def test_one_lost_probe_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_probes, "PROBE_INTERVAL_S", 0)
    answers = iter([False, True, False, True])
    rounds: list[str] = []
    done = asyncio.Event()

    async def probe(host: Address) -> bool:
        return next(answers)

    monkeypatch.setattr(host_probes, "_accepts_connections", probe)
    host = table_at(1).address

    def note() -> None:
        rounds.append(probes.state(host))
        if len(rounds) == 4:
            done.set()

    probes = host_probes.HostProbes(lambda: [host], note)
    running = asyncio.create_task(probes.run())
    async with asyncio.timeout(LONGEST):
        await done.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert rounds == ["reachable"] * 4
