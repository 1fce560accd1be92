"""The public table while everybody holds cards on a phone: how long it paints, how evenly, and how
soon a tap is seen on it.

The window is a process of its own, without a screen, and has its gateway beside it as for people;
phones are sockets without a screen, here. One move a second, pictures on. Both processes read one
clock. A tap is seen when the public table is painted for the first time after it has heard of the
move. A tap while others are asked as well is not counted: nothing of it is seen before all have
answered. Nor is one at a chance to react, whose answer goes out when the fixed pause is over and
not before (`tabletop.reactions`). Wall time, but for what painting computes: a busy machine shows
in it.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.bench.figures import Figure, figure, percentile, tail
from tests.bench.window import BEGUN, at_home
from tests.web.gateways import Browser

TABLES = (("sun", 2), ("royale", 12))
MOVES = int(os.environ.get("TABLETOP_BENCH_MOVES", "30"))
LONGEST = 120.0
"""Seconds after which what is waited for does not come."""
MOVING = 0.1
"""Seconds between two pictures of something that moves: what comes later is another movement."""
READS = 0.5
"""Seconds from a question to the tap: who plays has to read it."""
SIZE = 780, 500
"""Of a picture on a phone, in pixels."""

WINDOW = f"""{BEGUN}
from time import monotonic, thread_time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QGraphicsView
from tabletop.games import catalogue
from ui.table.view import TableView

furnish = app.Window.furnish
reactions = catalogue.load(GAME).meaning.reactions

def furnished(window):
    furnish(window)
    window.public.show_always()
    window.ask_new_game(catalogue.load(GAME))
    sheet = window.new_game
    sheet.places.set_count(SEATS)
    for card in sheet.places.cards:
        card.person.click()
    sheet.phones.click()
    sheet.start.click()
    told = []
    timer = QTimer(window)

    def look():
        addresses = window.online.phones.gateway.addresses
        if addresses and not told:
            told.append(print("address", addresses[0], flush=True))
        lobby = window.online.lobby
        if lobby is not None and lobby.start.isEnabled():
            lobby.start.click()
        if window.table is not None:
            print("seated", flush=True)
            timer.stop()

    timer.timeout.connect(look)
    timer.start(100)

def paintEvent(view, event):
    begun = thread_time()
    QGraphicsView.paintEvent(view, event)
    if view.table.stage.public and view.table.link is not None:
        taken = (thread_time() - begun) * 1000
        now = view.table.link.view
        chance = any(ask.what in reactions for ask in now.asks)
        print("painted", now.ply, taken, monotonic(), int(chance), flush=True)

TableView.paintEvent = paintEvent
app.Window.furnish = furnished
sys.exit(main())
"""


class Picture(NamedTuple):
    """The public table was painted."""

    ply: int
    """What it had heard of."""
    milliseconds: float
    """What painting computed."""
    at: float
    """When it was done, in seconds of the common clock."""
    chance: bool
    """Whether a chance to react was open then."""


class Window:
    """What the window tells."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.address = ""
        self.seated = False
        self.pictures: list[Picture] = []
        self._process = process
        Thread(target=self._read, name="window", daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            word, *rest = line.split()
            match word:
                case "address":
                    self.address = rest[0]
                case "seated":
                    self.seated = True
                case "painted":
                    ply, milliseconds, at, chance = rest
                    picture = Picture(int(ply), float(milliseconds), float(at), chance == "1")
                    self.pictures.append(picture)
                case _:
                    pass

    async def until(self, what: str) -> None:
        """Wait until this attribute is something.

        Raises:
            RuntimeError: the window has ended.
            TimeoutError: it does not come.
        """
        async with asyncio.timeout(LONGEST):
            while not getattr(self, what):
                if self._process.poll() is not None:
                    raise RuntimeError(f"the window ended before it told: {what}")
                await asyncio.sleep(0.05)


@contextmanager
def window(game: str, seats: int) -> Iterator[Window]:
    """A window that opens a table for so many phones, until it is not wanted any more."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-c", f"GAME, SEATS = {game!r}, {seats}\n{WINDOW}"]
        process = subprocess.Popen(
            command, env=at_home(home), stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
        )
        try:
            yield Window(process)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


async def tapped(shown: Window, seats: int) -> list[float]:
    """All phones sit down and play; gives when each move was tapped that counted."""
    await shown.until("address")
    place = urlsplit(shown.address)
    browsers = [await Browser(place.port or 0, code=place.fragment).start() for _ in range(seats)]
    try:
        for seat, browser in enumerate(browsers):
            await browser.sit(seat)
        await shown.until("seated")
        for browser in browsers:
            await browser.until(lambda browser=browser: browser.page)
            browser.send("look", width=SIZE[0], height=SIZE[1], theme="light")
        await shown.until("pictures")
        return await _played(browsers)
    finally:
        for browser in browsers:
            await browser.stop()


async def _played(browsers: list[Browser]) -> list[float]:
    """One move a second."""
    taps = []
    while len(taps) < MOVES:
        async with asyncio.timeout(LONGEST):
            while not any(browser.asked for browser in browsers):
                if all(b.page and b.page["phase"] != "playing" for b in browsers):
                    return taps
                await asyncio.sleep(0.01)
            await asyncio.sleep(READS)
            at, asked = time.monotonic(), [b for b in browsers if b.asked]
            taking = next(filter(None, (b.play() for b in asked)), None)
            if taking is not None and (await taking)["taken"] and len(asked) == 1:
                taps.append(at)
        await asyncio.sleep(max(0.05, at + 1 - time.monotonic()))
    return taps


def seen(taps: list[float], pictures: list[Picture]) -> list[float]:
    """Milliseconds from each tap to the first picture after the public table had heard of it."""
    found = []
    for at in taps:
        known, chance = max(((p.ply, p.chance) for p in pictures if p.at < at), default=(0, False))
        if chance:
            continue
        after = (each.at for each in pictures if each.at >= at and each.ply > known)
        if (first := next(after, None)) is not None:
            found.append((first - at) * 1000)
    return found


def report() -> Iterator[Figure]:
    for game, seats in TABLES:
        with window(game, seats) as shown:
            taps = asyncio.run(tapped(shown, seats))
            pictures = shown.pictures[:]
        here, ats = f"public table, {game} {seats}", [each.at for each in pictures]
        begun = [each for each in pictures if taps and each.at >= taps[0]]
        gaps = [(b - a) * 1000 for a, b in pairwise(ats) if b - a < MOVING]
        computed, late = [each.milliseconds for each in begun], seen(taps, pictures)
        yield figure(f"{here}: a picture painted", "ms", *computed, note=f"{len(begun)} pictures")
        yield tail(f"{here}: a picture painted", "ms", computed, most=32)
        yield figure(f"{here}: from one to the next while it moves", "ms", *gaps)
        yield tail(f"{here}: from one to the next while it moves", "ms", gaps)
        note = f"{len(late)} of {len(taps)} moves"
        yield figure(f"{here}: tap to seen", "ms", percentile(late, 50), most=80, note=note)
        yield tail(f"{here}: tap to seen", "ms", late, most=250)
