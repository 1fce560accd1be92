"""Table pictures for phones: CPU time, size, and the first load of a page."""

import asyncio
import gzip
import os
from collections.abc import Iterator
from time import process_time
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import msgspec
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS, Match, Player
from tabletop.match.seat import Seat
from tabletop.studio.laws.random_games import random_answer
from tabletop.web.cards import picture_order
from tabletop.web.drawer import FaceOrder
from tabletop.web.page import build_page
from tabletop.web.page_context import PageContext
from tests.bench.figures import Figure, figure, tail
from ui.phones.drawing import QtDrawer
from ui.style.asset_folder import PHONE_PAGE_FOLDER

SIZE = 780, 500
"""Of a picture, in pixels."""
FACE = 384
"""Width in pixels of a hand's face at a device pixel ratio of 3."""
POSITIONS = 60


def report() -> Iterator[Figure]:
    """The figures."""
    program = QApplication.instance() or QApplication([])
    for kit in catalogue.shelf():
        yield from asyncio.run(_pictures(kit.id, kit.box.seats[-1]))
    del program


async def _pictures(name: str, seats: int) -> list[Figure]:
    """First load of a game, then CPU time and size of its table's pictures move by move."""
    kit, drawer = catalogue.load(name), QtDrawer()
    players = tuple(Player(f"Player {n + 1}", SYMBOLS[n]) for n in range(seats))
    match = Match(kit, players, catalogue.options(kit), "bench")
    at, words = (
        PageContext(kit=kit, players=players, art_version="bench"),
        Words("ja", kit, players),
    )
    seat = Seat.at_table(match, 0)
    first = await _first_load(drawer, seat, at, words)
    taken, sizes = [], []
    had: list[Any] = []  # an older program draws all of a picture each time
    for number in range(POSITIONS):
        if match.state.result is not None:
            break
        begun = process_time()
        drawn = await drawer.picture(picture_order(seat, at, "ja", "light", SIZE), *had)
        taken.append((process_time() - begun) * 1000)
        had = [drawn.shown] if hasattr(drawn, "shown") else []
        sizes.append(len(drawn.content) / 1000)
        ask, move = random_answer(kit.rules, match.state, FastRng(f"{name} {number}"))
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


async def _first_load(drawer: QtDrawer, seat: Seat, at: PageContext, words: Words) -> float:
    """Size in kB, as sent, of the page's files, the first page, and the faces of the hand."""
    files = (path.read_bytes() for path in PHONE_PAGE_FOLDER.iterdir() if path.is_file())
    shown = build_page(seat, at, words)
    near = {card for zone in shown.zones if zone.hand for card in zone.cards}
    size = sum(len(gzip.compress(content)) for content in files)
    size += len(gzip.compress(msgspec.json.encode(shown)))
    for face in {shown.cards[card].face for card in near}:
        order = FaceOrder(shown.game, int(face[1:]), -1, "ja", "light", FACE)
        drawn = await drawer.face(order)
        size += len(drawn.content) if drawn is not None else 0
    return size / 1000
