"""What the screen in the middle of the room shows of twelve phones: how soon a tap is seen on the
public table, and what its frames take, while all phones look at their pictures.

The window is the program's own, without a screen, with its gateway beside it; phones are sockets in
a thread of this process. A frame is from one painted table to the next while anything moves; what
the window's own thread computed in it is told beside it, as a busy machine shows in the first
alone.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from tabletop.games import catalogue
from tabletop.match import Reset, Update
from tests.bench.figures import Figure, figure, tail
from tests.web.gateways import Browser
from ui.app import Window

MOVES = 40
EVERY = 1.0
"""Seconds from one move to the next."""
SIZE = 1920, 1080
LOOKS = {"width": 780, "height": 500, "theme": "light"}
STILL = 0.1
"""Seconds after which the next painting is no frame of the same movement."""


class Painted(QObject):
    """When the public table was painted, and what this thread had computed until then."""

    def __init__(self, watched: QObject) -> None:
        super().__init__()
        self.at: list[tuple[float, float]] = []
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            watched.removeEventFilter(self)
            QApplication.sendEvent(watched, event)
            watched.installEventFilter(self)
            self.at.append((time.perf_counter(), time.thread_time()))
            return True
        return False


class Phones:
    """Browsers in a thread with a loop of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        Thread(target=self.loop.run_forever, daemon=True).start()
        self.browsers: list[Browser] = []

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Let this happen while the window lives on; gives what comes of it."""
        future = asyncio.run_coroutine_threadsafe(work, self.loop)
        wait(future.done)
        return future.result()

    async def come(self, url: str, seat: int) -> None:
        """Another phone scans the code and sits down."""
        place = urlsplit(url)
        browser = await Browser(place.port or 0, code=place.fragment).start()
        self.browsers.append(browser)
        await browser.sit(seat)

    async def look(self) -> None:
        """All look at the table."""
        for browser in self.browsers:
            await browser.until(lambda browser=browser: browser.page)
            browser.send("look", **LOOKS)

    async def tap(self) -> float:
        """Whoever is asked answers; gives when, once an answer counts."""
        while True:
            for browser in self.browsers:
                begun = time.perf_counter()
                answer = browser.play() if browser.asked else None
                if answer is not None and (await answer)["taken"]:
                    return begun
            await asyncio.sleep(0.01)


def wait(until: Callable[[], bool]) -> None:
    """The window lives on until this is so."""
    while not until():
        QApplication.processEvents()
        time.sleep(0.001)


def report() -> Iterator[Figure]:
    program = QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as home:
        os.environ["TABLETOP_HOME"] = str(Path(home))
        yield from _evening("royale", 12)
    del program


def _evening(game: str, seats: int) -> Iterator[Figure]:
    window, phones = Window(), Phones()
    window.resize(1280, 800)
    window.show()
    window.ask_new_game(catalogue.load(game))
    sheet = window.new_game
    assert sheet is not None
    sheet.places.set_count(seats)
    for card in sheet.places.cards:
        card.person.click()
    sheet.phones.click()
    sheet.start.click()
    gateway = window.online.phones.gateway
    wait(lambda: window.online.lobby is not None and bool(gateway.addresses))
    for seat in range(seats):
        phones.run(phones.come(gateway.addresses[0], seat))
    lobby = window.online.lobby
    assert lobby is not None
    wait(lobby.start.isEnabled)
    lobby.start.click()
    wait(lambda: window.table is not None)
    window.menus.commands["public_table"].trigger()
    table = window.public.table
    assert table is not None
    table.showNormal()
    table.resize(*SIZE)
    phones.run(phones.look())
    heard: list[float] = []

    def hear(news: Update | Reset) -> None:
        heard.append(time.perf_counter())

    assert window.table is not None
    window.table.seats_here.attend(-1).on_update(hear)
    painted = Painted(table)
    process = psutil.Process(gateway._process.processId())
    seen, memory = [], 0.0
    for _ in range(MOVES):
        begun = phones.run(phones.tap())
        wait(lambda begun=begun: bool(heard) and heard[-1] > begun)
        told = heard[-1]
        wait(lambda told=told: painted.at[-1][0] > told if painted.at else False)
        seen.append((next(at for at, _ in painted.at if at > told) - begun) * 1000)
        wait(lambda begun=begun: time.perf_counter() > begun + EVERY)
        memory = max(memory, process.memory_info().rss / 2**20)
    frames = [
        ((b[0] - a[0]) * 1000, (b[1] - a[1]) * 1000)
        for a, b in zip(painted.at, painted.at[1:], strict=False)
        if b[0] - a[0] < STILL
    ]
    yield figure(f"tap to public table, {game} {seats}", "ms", *seen, most=80)
    yield tail(f"tap to public table, {game} {seats}", "ms", seen, most=250)
    shown = f"{SIZE[0]} x {SIZE[1]}; {len(frames)} frames"
    yield figure("frames of the public table", "ms", *(after for after, _ in frames), note=shown)
    yield tail("frames of the public table", "ms", [after for after, _ in frames], most=32)
    yield figure("frames of the public table, computing", "ms", *(busy for _, busy in frames))
    yield figure(f"gateway of {seats} phones that look", "MiB", memory, most=200)
    for browser in phones.browsers:
        phones.run(browser.stop())
    window.close()
