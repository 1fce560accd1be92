"""A server that is to be upgraded: nobody opens a table any more, and everybody plays on."""

import asyncio
from pathlib import Path

import pytest

from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.headless import serve
from tabletop.net.host.server import Host
from tabletop.net.host.table_registry import DRAINING
from tabletop.net.limits import Limits
from tabletop.net.protocol import SOON_AWAY, Notice
from tests.net.loopback import HANGS, Friend, hosting, plan, play_out, seated


async def test_running_matches_go_on_and_none_begins(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        assert not host.registry.drained
        host.registry.drain()
        host.registry.drain()
        for friend in friends:
            await friend.until(lambda friend=friend: Notice(SOON_AWAY) in friend.news)
            assert friend.news.count(Notice(SOON_AWAY)) == 1
        late = Friend(host.port)
        late.guest.open(plan("sun", 2), "")
        assert await late.refusal(0) == DRAINING
        late.guest.enter(Ticket(code=friends[0].code))
        await late.until(lambda: Notice(SOON_AWAY) in late.news)
        await late.close()
        assert not host.registry.drained
        await play_out(friends)
        assert len(host.hosted_tables) == 1
        async with asyncio.timeout(HANGS):
            await host.drained()


async def test_a_drained_server_ends_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = Host.start

    async def started(host: Host, *place: object) -> None:
        await start(host, "127.0.0.1", 0)
        host.registry.drain()

    monkeypatch.setattr(Host, "start", started)
    async with asyncio.timeout(HANGS):
        await serve(tmp_path, None, 0, Limits(tables=10))
