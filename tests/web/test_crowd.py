"""Twelve browsers at one table, in the longest game."""

import asyncio
from pathlib import Path

from tests.net.loopback import LONG, plan
from tests.web.gateways import Browser, play_out, started, web_table

MOVES = 4000 if LONG else 30


async def test_twelve_browsers_play_sister_royale(tmp_path: Path) -> None:
    async with web_table(tmp_path, plan("royale", 12)) as (host, owner, made):
        code = owner.code
        browsers = [await Browser(made.port, code=code).start() for _ in range(12)]
        for seat, browser in enumerate(browsers):
            await browser.sit(seat)
        await started(owner)
        await asyncio.gather(*(b.until(lambda b=b: b.page) for b in browsers))
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        playing = [asyncio.create_task(play_out([browser])) for browser in browsers]
        while match.state.ply < MOVES and match.state.result is None:
            ply = match.state.ply
            await browsers[0].until(lambda ply=ply: match.state.ply > ply)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for seat, browser in enumerate(browsers):
            assert browser.lines == 1
            page = browser.page
            assert page["seat"] == seat
            assert len(page["others"]) == 12
            await browser.stop()
