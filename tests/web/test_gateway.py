"""The gateway over real sockets: browsers come, play, vanish, come back, and learn nothing else.

`TABLETOP_LONG=1` plays every game with its fewest and its most, otherwise the shortest matches.
"""

import asyncio
import socket
from pathlib import Path

import pytest

from tabletop.web.gateway.gateway import _listener
from tests.net.loopback import LONG, plan
from tests.web.gateways import Browser, play_out, started, web_table

SHORT = [("sun", 2), ("sisters", 4), ("chains", 1), ("fox_masks", 3), ("night_garden", 2)]
TABLES = [
    *SHORT,
    ("sisters", 2),
    ("chains", 10),
    ("awss", 3),
    ("awss", 4),
    ("royale", 2),
    ("royale", 6),
    ("royale", 12),
]


@pytest.mark.parametrize(("game", "seats"), TABLES if LONG else SHORT)
async def test_browsers_play_a_match_to_its_score_sheet(
    game: str, seats: int, tmp_path: Path
) -> None:
    async with web_table(tmp_path, plan(game, seats)) as (host, owner, made):
        code = owner.code
        browsers = [Browser(made.port, code=code, language="ja") for _ in range(seats)]
        for seat, browser in enumerate(browsers):
            await browser.start()
            await browser.sit(seat)
        await started(owner)
        await play_out(browsers)
        for browser in browsers:
            await browser.until(lambda browser=browser: browser.page.get("verdict"))
            assert browser.page["verdict"]["good"]
            assert browser.page["result"]["text"]
            assert "このブラウザーの乱数は" in browser.page["verdict"]["text"]
        (hosted,) = host.hosted_tables.values()
        assert hosted.hosted_match.match.state.result is not None
        for browser in browsers:
            await browser.stop()


def test_answers_do_not_wait_for_acknowledgements() -> None:
    async def accepted() -> int:
        came: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def come(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            line = writer.get_extra_info("socket")
            came.set_result(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = _listener("127.0.0.1", 0)
        async with await asyncio.start_server(come, sock=listener):
            with socket.create_connection(listener.getsockname()):
                return await came

    assert asyncio.run(accepted())


async def test_a_message_with_the_code_is_pasted_on_a_phone(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("sun", 2)) as (_, owner, made):
        typed = f"コードは{owner.code}です。{'待ってます！' * 20}"
        async with Browser(made.port, code=typed) as browser:
            await browser.until(lambda: browser.lobby)
