"""A server that is to be upgraded: nobody opens a table any more, and everybody plays on."""

import asyncio
from pathlib import Path

import pytest

from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.limits import Limits
from tabletop.protocol.messages import RESTART_ANNOUNCED, Notice
from tabletop.server.serve import serve
from tabletop.server.server import TableServer
from tabletop.server.server_tables import DRAINING
from tests.net.loopback import HANGS, Friend, plan, play_out, seated
from tests.server.table_server import table_server


async def test_running_matches_go_on_and_none_begins(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        assert not host.registry.drained
        host.registry.drain()
        host.registry.drain()
        for friend in friends:
            await friend.until(lambda friend=friend: Notice(RESTART_ANNOUNCED) in friend.news)
            assert friend.news.count(Notice(RESTART_ANNOUNCED)) == 1
        late = Friend(host.port)
        late.guest.open_table(plan("sun", 2), "")
        assert await late.refusal(0) == DRAINING
        late.guest.join(Ticket(code=friends[0].code))
        await late.until(lambda: Notice(RESTART_ANNOUNCED) in late.news)
        await late.close()
        assert not host.registry.drained
        await play_out(friends)
        assert len(host.hosted_tables) == 1
        async with asyncio.timeout(HANGS):
            await host.wait_until_drained()


async def test_a_drained_server_ends_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = TableServer.start

    async def started(host: TableServer, *place: object) -> None:
        await start(host, "127.0.0.1", 0)
        host.registry.drain()

    monkeypatch.setattr(TableServer, "start", started)
    async with asyncio.timeout(HANGS):
        await serve(tmp_path, None, 0, Limits(tables=10))
