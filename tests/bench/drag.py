"""Cost of dragging a card, of sitting down, and of a full repaint at 1600x1000.

A drag is measured beside a bare QGraphicsPixmapItem of the same pixmap, moved the same way over the
same table in the same run. Repaints show every game half played, with as many players as it seats.
"""

import os
import time
from collections.abc import Callable, Iterator
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsPixmapItem, QGraphicsView

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.scratch import FastRng
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tabletop.studio.laws.random_games import random_answer
from tests.bench.figures import Figure, figure
from ui.style.art import Art
from ui.style.theme import load_theme
from ui.table.scene import TableScene
from ui.table.view import TableView

SIZE = (1600, 1000)
STEPS = 200


def timed(action: Callable[[int], object], times: int) -> list[float]:
    """Milliseconds of each of so many runs."""
    spent = []
    for number in range(times):
        start = time.perf_counter()
        action(number)
        spent.append((time.perf_counter() - start) * 1000)
    return spent


def carried(move: Callable[[QPointF], object]) -> list[float]:
    """Milliseconds of each step of a drag, repaint included."""

    def step(number: int) -> None:
        move(QPointF(300 + number * 4 % 900, 300 + number * 3 % 400))
        QApplication.processEvents()

    return timed(step, STEPS)


def seated(kit: GameKit, match: Match, viewer: int) -> tuple[TableScene, TableView]:
    """The table of a match as its window shows it."""
    colours = load_theme("light")
    scene = TableScene(kit, Art(colours), Words("en", kit, match.players), colours)
    view = TableView(scene)
    view.resize(*SIZE)
    view.show()
    scene.set_size(*SIZE)
    scene.show_seat(Seat.at_table(match, viewer))
    view.sharpen()
    QApplication.processEvents()
    return scene, view


def half_played(kit: GameKit) -> Match:
    """A game with every seat taken, halfway through random play."""
    seats = load_theme("light").seats[: kit.box.seats[-1]]
    players = [Player(seat.symbol, seat.symbol) for seat in seats]
    whole, half = (Match(kit, players, catalogue.options(kit), "bench") for _ in range(2))
    luck = FastRng("bench")
    while whole.state.result is None:
        ask, move = random_answer(kit.rules, whole.state, luck)
        whole.submit(ask.seat, move)
    for entry in whole.record[: len(whole.record) // 2]:
        half.restore(entry)
    return half


def repainted(view: QGraphicsView) -> list[float]:
    """Milliseconds of full repaints into a picture of the window's size."""
    canvas = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)

    def paint(_: int) -> None:
        with QPainter(canvas) as painter:
            view.render(painter)

    return timed(paint, 40)


def report() -> Iterator[Figure]:
    program = QApplication.instance() or QApplication([])
    kit = catalogue.load("sun")
    match = Match(kit, [Player("A", "sun"), Player("B", "moon")], seed="bench")
    begin = time.perf_counter()
    scene, view = seated(kit, match, 0)
    first = (time.perf_counter() - begin) * 1000
    seats = [Seat.at_table(match, 0), Seat.at_table(match, 1)]
    sit = timed(lambda number: scene.show_seat(seats[number % 2]), 20)
    scene.show_seat(seats[0])
    program.processEvents()

    card = scene.stage.zones["hand/0"][2]
    bare = QGraphicsPixmapItem(card.pixmap())
    bare.setOffset(card.offset())
    left, at = Qt.MouseButton.LeftButton, card.pos()
    scene.gesture.press(left, at, at)
    ours = carried(lambda point: scene.gesture.move(point, point, left))

    card.setVisible(False)
    bare.setZValue(1000)
    scene.addItem(bare)
    floor = carried(bare.setPos)
    scene.removeItem(bare)
    scene.cancel()
    view.hide()

    yield figure("sitting down the first time", "ms", first)
    yield figure("sitting down again", "ms", *sit)
    yield figure("a step of a drag", "ms", *ours)
    yield figure("a step of a bare item", "ms", *floor)
    yield figure("a drag beside the bare item", "x", median(ours) / median(floor), most=2)
    for name in catalogue.names():
        kit = catalogue.load(name)
        scene, view = seated(kit, half_played(kit), 0)
        note = f"{kit.box.seats[-1]} seats, {len(scene.items())} items"
        yield figure(f"full repaint of {name}", "ms", *repainted(view), most=10, note=note)
        view.hide()
