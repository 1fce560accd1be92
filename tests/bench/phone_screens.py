"""What a phone shows: tables drawn and packed, the first load, and the phone's own work for a new
page, in Chromium, times four: what a phone takes longer.

All of it is CPU time: of this process, and of the browser's main thread as Chromium tells it.
"""

import asyncio
import tempfile
from collections.abc import Coroutine, Iterator
from pathlib import Path
from time import process_time
from typing import Any
from urllib.parse import urlsplit

import msgspec
from PySide6.QtWidgets import QApplication

from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.laws.random_games import some_answer
from tabletop.link import Local
from tabletop.match import SYMBOLS, Match, Player
from tabletop.net.host.garbage_collection import collect_seldom
from tabletop.web.cards import picture_order
from tabletop.web.drawer import FaceOrder
from tabletop.web.page import page
from tabletop.web.room import Room
from tabletop.web.static_files import packed
from tabletop.words import Words
from tests.bench.figures import Figure, figure, tail
from tests.web.browser.fingers import LOADED, UPRIGHT, room
from tests.web.gateways import Browser, started
from ui.phones.drawing import QtDrawer
from ui.phones.late_drawing import PAGE

SIZE = 780, 500
"""Of a picture, in pixels."""
FACE = 384
"""Width of a face of the hand on a phone that draws three pixels for one."""
POSITIONS = 60
PAGES = 60
SLOWED = 4
"""So many times longer a phone of the middle sort takes."""
WATCH = """() => {
  window.lines = 0;
  window.shown = 0;
  const told = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data").get;
  Object.defineProperty(MessageEvent.prototype, "data", { get() {
    const data = told.call(this);
    if (/^{"kind":"(page|change)"/.test(data)) window.lines += 1;
    return data;
  }});
}"""
"""Counts the pages that arrive."""
SHOWN = """async () => {
  while (window.lines === window.shown) await new Promise((t) => setTimeout(t, 5));
  await new Promise((t) => requestAnimationFrame(() => requestAnimationFrame(t)));
  const pages = window.lines - window.shown;
  window.shown = window.lines;
  return pages;
}"""
"""Another page has come, or several, and is on the screen: how many."""


def report() -> Iterator[Figure]:
    """The figures."""
    program = QApplication.instance() or QApplication([])
    for kit in catalogue.shelf():
        yield from asyncio.run(_as_a_gateway(_pictures(kit.id, kit.box.seats[-1])))
    for name in ("sun", "royale"):
        yield from asyncio.run(_work(name))
    del program


async def _as_a_gateway(figures: Coroutine[Any, Any, list[Figure]]) -> list[Figure]:
    """Have figures taken while garbage is collected as in a gateway's process."""
    collecting = asyncio.create_task(collect_seldom())
    await asyncio.sleep(0)
    try:
        return await figures
    finally:
        collecting.cancel()


async def _pictures(name: str, seats: int) -> list[Figure]:
    """What pictures of a game's table take, move by move, and how large is what is sent of them to
    who shows the one before, once its cards are made ready; all that a phone loads first."""
    kit, drawer = catalogue.load(name), QtDrawer()
    players = tuple(Player(f"Player {n + 1}", SYMBOLS[n]) for n in range(seats))
    match = Match(kit.game, kit.backs, players, catalogue.options(kit), "bench")
    at, words = Room(kit=kit, players=players, art="bench"), Words("ja", kit, players)
    link = Local(match, 0)
    first = await _first_load(drawer, link, at, words)
    taken, sizes = [], []
    had: list[Any] = []  # an older program draws all of a picture each time
    for number in range(POSITIONS):
        if match.state.result is not None:
            break
        begun = process_time()
        drawn = await drawer.picture(picture_order(link, at, "ja", "light", SIZE), *had)
        taken.append((process_time() - begun) * 1000)
        had = [drawn.shown] if hasattr(drawn, "shown") else []
        await asyncio.gather(*drawer.ahead.values())
        sizes.append(len(drawn.content) / 1000)
        ask, move = some_answer(kit.game, match.state, Luck(f"{name} {number}"))
        match.submit(ask.seat, move)
    here = f"{name} {seats}"
    return [
        figure(f"{here}: first load", "kB", first, most=250),
        figure(f"{here}: a table's first picture", "ms", taken[0]),
        figure(f"{here}: pictures move by move", "ms", *taken[1:]),
        tail(f"{here}: pictures move by move", "ms", taken[1:], most=60),
        figure(f"{here}: a picture's size", "kB", *sizes),
        tail(f"{here}: a picture's size", "kB", sizes, most=60),
    ]


async def _first_load(drawer: QtDrawer, link: Local, at: Room, words: Words) -> float:
    """Page, script, style, the first page and the faces of the hand, in kB as they are sent."""
    files = (path.read_bytes() for path in PAGE.iterdir() if path.is_file())
    shown = page(link, at, words)
    near = {card for zone in shown.zones if zone.hand for card in zone.cards}
    size = sum(len(packed(content) or content) for content in files)
    size += len(packed(msgspec.json.encode(shown)))
    for face in {shown.cards[card].face for card in near}:
        order = FaceOrder(shown.game, int(face[1:]), -1, "ja", "light", FACE)
        drawn = await drawer.face(order)
        size += len(drawn.content) if drawn is not None else 0
    return size / 1000


async def _work(name: str) -> list[Figure]:
    """The main thread's milliseconds for a page, at the least seats of a game. A move may bring
    several, and one that comes late is counted with the next ones: each of them has its share."""
    seats = catalogue.load(name).box.seats[0]
    with tempfile.TemporaryDirectory() as folder:
        async with room(Path(folder), name, seats) as here:
            phone = await here.phone(UPRIGHT, "ja")
            await phone.open(here.url)
            await phone.sit(0, "はるか")
            place = urlsplit(here.url)
            others = [
                await Browser(place.port or 0, code=place.fragment).start()
                for _ in range(seats - 1)
            ]
            for number, other in enumerate(others):
                await other.sit(number + 1)
            await started(here.owner)
            await phone.page.wait_for_selector(".prompt")
            await phone.page.wait_for_selector(".frame canvas")
            await phone.page.wait_for_function(LOADED)
            session = await phone.context.new_cdp_session(phone.page)
            await session.send("Performance.enable", {"timeDomain": "threadTicks"})
            match = here.hosted.hosted_match.match
            assert match is not None
            await phone.page.evaluate(WATCH)
            taken = []
            for number in range(PAGES):
                if match.state.result is not None:
                    break
                before = await _busy(session)
                ask, move = some_answer(match.game, match.state, Luck(f"{name} {number}"))
                here.hosted.hosted_match.play(ask.seat, move)
                pages = await phone.page.evaluate(SHOWN)
                taken.append((await _busy(session) - before) * 1000 * SLOWED / pages)
            for other in others:
                await other.stop()
    here = f"work for a new page, {name} {seats}"
    slowed = f"{SLOWED} x slowed"
    return [figure(here, "ms", *taken, note=slowed), tail(here, "ms", taken, most=50)]


async def _busy(session: Any) -> float:
    """Seconds of processor that the page's main thread has had so far."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return sum(each["value"] for each in metrics if each["name"] == "TaskDuration")
