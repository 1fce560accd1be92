"""Bytes sent to a browser for a number of moves, counted beneath the socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tabletop.engine.scratch import FastRng
from tabletop.match.seat import Seat
from tabletop.studio.laws.random_games import random_answer
from tests.net.loopback import plan
from tests.web.gateways import Browser, seat_all, web_table

MOVES = 60
A_MOVE = 700
"""Bytes for one browser; the pages of Chains for ten are 30,000 bytes of text, 4,000 compressed."""


class Counted:
    """A port that passes everything on to another one, and counts what comes back."""

    def __init__(self, to: int) -> None:
        self._to = to
        self.received = 0

    async def passes(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect a browser to the port beneath."""
        back, forth = await asyncio.open_connection("127.0.0.1", self._to)
        await asyncio.gather(self._pass(reader, forth), self._pass(back, writer, True))

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, counts: bool = False
    ) -> None:
        while chunk := await reader.read(65536):
            self.received += len(chunk) * counts
            writer.write(chunk)
        writer.close()


@asynccontextmanager
async def counted(port: int) -> AsyncIterator[tuple[Counted, int]]:
    """The counter before this port, and the port where it listens."""
    counter = Counted(port)
    server = await asyncio.start_server(counter.passes, "127.0.0.1", 0)
    try:
        yield counter, server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def ask_always(browser: Browser) -> None:
    """Let no reaction be passed without a question: such a pass may come at any time."""

    def chosen() -> list[str]:
        return [each["does"].get("way") for each in browser.page["menu"] if each["on"]]

    if any(each["does"]["kind"] == "way" for each in browser.page["menu"]):
        browser.send("way", way="ask")
        await browser.until(lambda: "ask" in chosen())


async def sent(folder: Path, game: str, seats: int) -> float:
    """Play a number of moves; gives the bytes that a table's first browser was sent for each."""
    async with (
        AsyncExitStack() as browsers,
        web_table(folder, plan(game, seats)) as (host, owner, made),
        counted(made.port) as (counter, port),
    ):
        one, *others = [
            await browsers.enter_async_context(Browser(at, code=owner.code))
            for at in (port, *(made.port,) * (seats - 1))
        ]
        await seat_all(owner, one, *others)
        for browser in (one, *others):
            await ask_always(browser)
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        seat, before = Seat.at_table(match, 0), counter.received
        for number in range(MOVES):
            ask, move = random_answer(match.kit.rules, match.state, FastRng(f"{game} {number}"))
            hosted.hosted_match.play(ask.seat, move)
            await one.until(lambda: one.page["logged"] == len(seat.log))
        return (counter.received - before) / MOVES


@pytest.mark.parametrize(("game", "seats"), [("chains", 10), ("royale", 4)])
async def test_a_move_sends_little_more_than_its_changes(
    game: str, seats: int, tmp_path: Path
) -> None:
    assert await sent(tmp_path, game, seats) <= A_MOVE
