"""What hands on phones cost: pages, how soon a tap is seen, and how soon a killed gateway is back.

Browsers are sockets without a screen here, in this process with the host; the gateway has a process
of its own. Wall time: a busy machine shows in it.
"""

import asyncio
import os
import signal
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

import msgspec
import psutil

from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.laws.random_games import some_answer
from tabletop.link import Local
from tabletop.match import SYMBOLS, Match, Player
from tabletop.web.page import page
from tabletop.web.room import Room
from tabletop.words import Words
from tests.bench.figures import spread
from tests.net.loopback import hosting, plan
from tests.web.gateway_process import begun
from tests.web.gateways import Browser, opened, started

ANSWERS = 400
TAPS = 150
KILLS = 5
LOOKS = 30
"""Moves that are made while everybody looks at the table."""
SIZE = 780, 500
"""Of a picture, in pixels."""


def report() -> Iterator[str]:
    """The figures, line by line."""
    for kit in catalogue.shelf():
        yield _pages(kit.id, kit.box.seats[-1])
    yield from asyncio.run(_taps("sun", 2))
    yield from asyncio.run(_taps("royale", 12))
    yield asyncio.run(_with_pictures("royale", 12))


def _pages(name: str, seats: int) -> str:
    """How large the pages of a game are as they go over the wire, and what each takes to make."""
    kit = catalogue.load(name)
    players = tuple(Player(f"Player {n + 1}", SYMBOLS[n]) for n in range(seats))
    match = Match(kit.game, kit.backs, players, catalogue.options(kit), "bench")
    links = [Local(match, seat) for seat in range(seats)]
    words, room = Words("ja", kit, players), Room(kit=kit, players=players)
    sizes, taken = [], []
    for number in range(ANSWERS):
        if match.state.result is not None:
            break
        ask, move = some_answer(kit.game, match.state, Luck(f"{name} {number}"))
        start = process_time()
        frame = msgspec.json.encode(page(links[ask.seat], room, words))
        taken.append((process_time() - start) * 1000)
        sizes.append(len(zlib.compress(frame)) / 1024)
        match.submit(ask.seat, move)
    largest = f"largest {max(sizes):.1f} kB"
    return f"page {name} {seats}: {spread(sizes, '.1f')} kB, {largest}; {spread(taken)} ms"


async def _taps(name: str, seats: int) -> list[str]:
    """How soon a tap is answered and seen by another browser; then the gateway is killed."""
    with tempfile.TemporaryDirectory() as folder:
        async with hosting(Path(folder)) as host, opened(host, plan(name, seats)) as owner:
            there = host.port, host.certificate.fingerprint
            process, port = await asyncio.to_thread(begun, *there)
            assert owner.guest.info is not None
            code = owner.guest.info.code
            browsers = [await Browser(port, code=code).start() for _ in range(seats)]
            for seat, browser in enumerate(browsers):
                await browser.sit(seat)
            await started(owner)
            await asyncio.gather(*(b.until(lambda b=b: b.page) for b in browsers))
            answered, seen = await _play(browsers)
            memory = psutil.Process(process.pid).memory_info().rss / 2**20
            back = []
            for _ in range(KILLS):
                lines = [browser.lines for browser in browsers]
                pages = [browser.pages for browser in browsers]
                os.kill(process.pid, signal.SIGKILL)
                start = perf_counter()
                await asyncio.to_thread(process.wait)
                process, _ = await asyncio.to_thread(begun, *there, port)
                for browser, line, n in zip(browsers, lines, pages, strict=True):
                    await browser.until(
                        lambda b=browser, line=line, n=n: b.lines > line and b.pages > n
                    )
                back.append(perf_counter() - start)
            for browser in browsers:
                await browser.stop()
            process.kill()
            process.wait()
    game = f"{name} {seats}"
    return [
        f"tap {game}: taken after {_percentiles(answered)} ms, seen after {_percentiles(seen)} ms",
        f"gateway {game}: {memory:.0f} MiB; killed, all back after {spread(back)} s",
    ]


async def _with_pictures(name: str, seats: int) -> str:
    """All look at the table, and a move is made each second: memory and processor."""
    with tempfile.TemporaryDirectory() as folder:
        async with hosting(Path(folder)) as host, opened(host, plan(name, seats)) as owner:
            there = host.port, host.certificate.fingerprint
            process, port = await asyncio.to_thread(begun, *there, 0, True)
            gateway = psutil.Process(process.pid)
            assert owner.guest.info is not None
            code = owner.guest.info.code
            browsers = [await Browser(port, code=code).start() for _ in range(seats)]
            for seat, browser in enumerate(browsers):
                await browser.sit(seat)
            await started(owner)
            for browser in browsers:
                await browser.until(lambda b=browser: b.page)
                browser.send("look", width=SIZE[0], height=SIZE[1], theme="light")
            memory, begun_at, worked = 0.0, perf_counter(), sum(gateway.cpu_times()[:2])
            for _ in range(LOOKS):
                start = perf_counter()
                while not any(browser.asked for browser in browsers):
                    await asyncio.sleep(0.01)
                for taking in filter(None, (b.play() for b in browsers if b.asked)):
                    await taking
                    break
                await asyncio.sleep(max(0.0, start + 1 - perf_counter()))
                memory = max(memory, gateway.memory_info().rss / 2**20)
            share = (sum(gateway.cpu_times()[:2]) - worked) / (perf_counter() - begun_at)
            shown = sum(told["kind"] == "picture" for b in browsers for told in b.heard)
            for browser in browsers:
                await browser.stop()
            process.kill()
            process.wait()
    return (
        f"pictures on, {name} {seats}, {LOOKS} moves, one a second: gateway {memory:.0f} MiB "
        f"(at most 200), {share:.0%} of a processor for {shown} pictures"
    )


async def _play(browsers: list[Browser]) -> tuple[list[float], list[float]]:
    """Play so many answers one after the other; the milliseconds of each."""
    answered, seen = [], []
    while len(answered) < TAPS:
        player = next((browser for browser in browsers if browser.asked), None)
        if player is None:
            if all(browser.page and browser.page["phase"] != "playing" for browser in browsers):
                break
            await asyncio.sleep(0.01)
            continue
        other = next(browser for browser in browsers if browser is not player)
        pages = other.pages
        start = perf_counter()
        taking = player.play()
        assert taking is not None
        await taking
        answered.append((perf_counter() - start) * 1000)
        await other.until(lambda other=other, n=pages: other.pages > n)
        seen.append((perf_counter() - start) * 1000)
    return answered, seen


def _percentiles(figures: list[float]) -> str:
    ordered = sorted(figures)
    return f"p50 {ordered[len(ordered) // 2]:.0f} / p99 {ordered[int(len(ordered) * 0.99)]:.0f}"
