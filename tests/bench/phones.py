"""Hands on phones: size of pages, latency of a tap, and recovery of a killed gateway.

Browsers are sockets without a screen, in this process with the host; the gateway is a process of
its own.
"""

import asyncio
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import perf_counter, process_time

import msgspec
import psutil

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS, Match, Player
from tabletop.match.seat import Seat
from tabletop.studio.laws.random_games import random_answer
from tabletop.web.page import build_page
from tabletop.web.page_context import PageContext
from tests.bench.figures import Figure, figure, tail
from tests.net.loopback import hosting, plan
from tests.web.gateway_process import begun
from tests.web.gateways import Browser, opened, started

ANSWERS = 400
TAPS = 150
KILLS = 5
SECRET = 2
"""Seconds after which an answer that another browser has not seen is a secret one."""


def report() -> Iterator[Figure]:
    """The figures."""
    for kit in catalogue.shelf():
        yield from _pages(kit.id, kit.box.seats[-1])
    yield from asyncio.run(_taps("sun", 2))
    yield from asyncio.run(_taps("royale", 12))


def _pages(name: str, seats: int) -> list[Figure]:
    """Compressed size of a game's pages, and the CPU time to make one."""
    kit = catalogue.load(name)
    players = tuple(Player(f"Player {n + 1}", SYMBOLS[n]) for n in range(seats))
    match = Match(kit, players, catalogue.options(kit), "bench")
    sitting = [Seat.at_table(match, seat) for seat in range(seats)]
    words, room = Words("ja", kit, players), PageContext(kit=kit, players=players)
    sizes, taken = [], []
    for number in range(ANSWERS):
        if match.state.result is not None:
            break
        ask, move = random_answer(kit.rules, match.state, FastRng(f"{name} {number}"))
        start = process_time()
        frame = msgspec.json.encode(build_page(sitting[ask.seat], room, words))
        taken.append((process_time() - start) * 1000)
        sizes.append(len(zlib.compress(frame)) / 1024)
        match.submit(ask.seat, move)
    here = f"page {name} {seats}"
    largest = figure(f"{here}, the largest", "kB", max(sizes), most=8)
    return [figure(here, "kB", *sizes), largest, figure(f"{here} made", "ms", *taken)]


async def _taps(name: str, seats: int) -> list[Figure]:
    """Latency of a tap to its answer and to another browser; recovery of a killed gateway."""
    with tempfile.TemporaryDirectory() as folder:
        async with hosting(Path(folder)) as host, opened(host, plan(name, seats)) as owner:
            there = host.port, host.certificate.fingerprint
            process, port = await asyncio.to_thread(begun, *there)
            code = owner.guest.info.code
            browsers = [await Browser(port, code=code).start() for _ in range(seats)]
            for seat, browser in enumerate(browsers):
                await browser.sit(seat)
            await started(owner)
            await asyncio.gather(*(b.until(lambda b=b: b.page) for b in browsers))
            gateway = psutil.Process(process.pid)
            worked = sum(gateway.cpu_times()[:2])
            answered, seen = await _play(browsers)
            worked = (sum(gateway.cpu_times()[:2]) - worked) * 1000 / max(len(answered), 1)
            memory = gateway.memory_info().rss / 2**20
            back = []
            for _ in range(KILLS):
                lines = [browser.lines for browser in browsers]
                pages = [browser.pages for browser in browsers]
                process.kill()
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
        figure(f"tap {game}: accepted", "ms", *answered),
        tail(f"tap {game}: accepted", "ms", answered),
        figure(f"tap {game}: seen", "ms", *seen, most=80),
        tail(f"tap {game}: seen", "ms", seen, most=250),
        figure(f"gateway {game}", "MiB", memory, most=200),
        figure(f"gateway {game} killed, all are back", "s", *back),
        figure(f"gateway {game}: computing a tap", "ms", worked),
    ]


async def _play(browsers: list[Browser]) -> tuple[list[float], list[float]]:
    """Play `TAPS` answers in turn; return the milliseconds until each was accepted and was seen.

    An answer given on a page from before the last move may be refused; it isn't counted. One that
    is secret for now is seen by nobody.
    """
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
        if not (await taking)["taken"]:
            continue
        answered.append((perf_counter() - start) * 1000)
        with suppress(TimeoutError):
            async with asyncio.timeout(SECRET):
                await other.until(lambda other=other, n=pages: other.pages > n)
                seen.append((perf_counter() - start) * 1000)
    return answered, seen
