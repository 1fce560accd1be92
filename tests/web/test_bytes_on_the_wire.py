"""How much a browser is sent for a number of moves, counted beneath the socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tabletop.engine.scratch import Luck
from tabletop.laws.random_games import some_answer
from tabletop.match.link import Local
from tests.net.loopback import plan
from tests.web.gateways import Browser, seat_all, web_table

MOVES = 60
A_MOVE = 700
"""Bytes for one browser; the whole pages of Chains are 2,400 bytes compressed, 21,000 as text."""


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


@asynccontextmanager
async def moves(
    folder: Path, game: str, seats: int, changes: bool
) -> AsyncIterator[tuple[Browser, Counted, AsyncIterator[None]]]:
    """A table's first browser, what it is sent, and moves to be made one after the other."""
    async with (
        AsyncExitStack() as browsers,
        web_table(folder, plan(game, seats)) as (host, owner, made),
        counted(made.port) as (counter, port),
    ):
        one, *others = [
            await browsers.enter_async_context(Browser(at, code=owner.code, changes=changes))
            for at in (port, *(made.port,) * (seats - 1))
        ]
        await seat_all(owner, one, *others)
        for browser in (one, *others):
            await ask_always(browser)
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        link = Local(match, 0)

        async def play() -> AsyncIterator[None]:
            for number in range(MOVES):
                ask, move = some_answer(match.game, match.state, Luck(f"{game} {number}"))
                hosted.hosted_match.play(ask.seat, move)
                await one.until(lambda: one.page["logged"] == len(link.log))
                yield

        yield one, counter, play()


async def sent(folder: Path, game: str, seats: int, changes: bool) -> float:
    """Play a number of moves; gives the bytes that a browser was sent for each."""
    async with moves(folder, game, seats, changes) as (_, counter, played):
        before = counter.received
        async for _ in played:
            pass
        return (counter.received - before) / MOVES


@pytest.mark.parametrize("game", ["chains", "royale"])
async def test_a_move_sends_only_changes(game: str, tmp_path: Path) -> None:
    assert await sent(tmp_path, game, 4, changes=True) <= A_MOVE


@pytest.mark.parametrize("game", ["chains", "royale"])
async def test_changes_add_up_to_the_whole_page(game: str, tmp_path: Path) -> None:
    async with moves(tmp_path, game, 4, changes=True) as (one, _, played):
        async for _ in played:
            pass
        one.send("say", text="That was the last move.")
        await one.until(lambda: one.page["chat"])  # it comes after all moves
        added_up, pages = one.page, one.pages
        assert sum(message["kind"] == "page" for message in one.heard) == 1
        await one.drop()
        await one.until(lambda: one.pages > pages)
        assert one.heard[-1]["kind"] == "page"
        assert one.page == added_up


async def test_a_page_from_before_an_update_gets_whole_pages(tmp_path: Path) -> None:
    """Its script, still open in a browser, cannot put changes together."""

    async with moves(tmp_path, "sun", 2, changes=False) as (one, _, played):
        await anext(played)
        assert not any(message["kind"] == "change" for message in one.heard)
