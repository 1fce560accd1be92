"""Whether a server says that its disk is ill: nearly full, silent, or refusing."""

import asyncio
import re
import sys
import threading
from pathlib import Path

import pytest

from tabletop.net.host.table_registry import DISK_REFUSED
from tabletop.protocol.messages import Notice
from tabletop.server import disk_health
from tabletop.server.disk_health import PROBE_FILE, SILENT, DiskHealth
from tabletop.server.health import http_report
from tests.net.loopback import LONGEST, Friend, plan, play_on
from tests.server.operator.serving import serving

FULL = 2**60
"""Bytes that no disk has free."""


async def get(place: str, path: str) -> tuple[int, str]:
    """Return the answer over plain HTTP."""
    address, _, port = place.rpartition(":")
    reader, writer = await asyncio.open_connection(address, int(port))
    writer.write(f"GET {path} HTTP/1.1\r\nhost: {place}\r\nconnection: close\r\n\r\n".encode())
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    return int(head.split()[1]), body


async def until(place: str, status: int) -> str:
    """Return the text of `/health` once it answers with this status."""
    async with asyncio.timeout(LONGEST):
        while True:
            found, text = await get(place, "/health")
            if found == status:
                return text
            await asyncio.sleep(0.05)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits another process's files")
async def test_a_refusing_disk_is_reported_until_it_recovers(tmp_path: Path) -> None:
    import resource

    def takes(size: int) -> None:
        """From now on the server's files may be so large."""
        unlimited = resource.RLIM_INFINITY
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, unlimited))

    async with serving(tmp_path, "--metrics", "0") as server:
        place = await server.until(r"operator metrics=(\S+)")
        assert await get(place, "/health") == (200, "ok\n")
        assert (await get(place, "/status"))[0] == 404, "what names people is not here"
        friend = Friend(server.port)
        friend.guest.open_table(plan("sun", 2, bots=1), "")
        await friend.sit(0)
        friend.guest.start()
        await friend.until(lambda: friend.guest.own_seats and friend.guest.own_seats[0].offers)

        takes(0)
        friend.play()
        await friend.until(lambda: friend.refused or Notice(DISK_REFUSED) in friend.news)
        ill = await until(place, 503)
        assert ill.startswith('Can\'t write "server": ')
        assert ill.count("\n") == 1
        figures = (await get(place, "/metrics"))[1]
        assert re.search(r'tabletop_refusals_total{message="\w+",reason="disk"} ', figures)
        assert "tabletop_healthy 0.0" in figures

        takes(resource.RLIM_INFINITY)
        await until(place, 200)
        play_on([friend])
        while "tabletop_moves_total 0.0" in (figures := (await get(place, "/metrics"))[1]):
            await asyncio.sleep(0.05)
        assert "tabletop_healthy 1.0" in figures


async def test_a_disk_is_nearly_full_below_its_limit(tmp_path: Path) -> None:
    assert await DiskHealth(tmp_path, 0).trouble() is None
    status, text = http_report(await DiskHealth(tmp_path, FULL).trouble())
    free = int(text.split(": ")[1].split()[0])
    assert status == 503
    assert text == (
        f"The disk is nearly full: {free} MiB are free, less than the {FULL >> 20} wanted.\n"
    )
    assert http_report(await DiskHealth(tmp_path / "gone", 0).trouble())[0] == 503
    assert not (tmp_path / PROBE_FILE).exists()


async def test_a_disk_that_hangs_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs = threading.Event()
    looks: list[int] = []

    def sync(file: int) -> None:
        looks.append(file)
        hangs.wait(LONGEST)

    monkeypatch.setattr(disk_health, "PROBE_TIMEOUT_S", 0.05)
    monkeypatch.setattr(disk_health.os, "fsync", sync)
    health = DiskHealth(tmp_path, 0)
    assert await health.trouble() == SILENT
    assert await health.trouble() == SILENT
    assert len(looks) == 1, "it is not asked again before it has answered"
    hangs.set()
    monkeypatch.setattr(disk_health, "PROBE_TIMEOUT_S", LONGEST)
    assert await health.trouble() is None
    assert len(looks) == 1, "an answer holds for a moment"
