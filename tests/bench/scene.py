"""How fast the table is, in medians.

Dragging one card is measured beside the bare floor of the same run: a QGraphicsPixmapItem of the
same pixmap, moved along the same way over the same table. A drag may cost twice as much. A full
repaint at 1600x1000 may take 10 ms.
"""

import os
import time
from collections.abc import Callable, Iterator
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsPixmapItem, QGraphicsView

from tabletop.games import catalogue
from tabletop.link import Local
from tabletop.match import Match, Player
from tabletop.words import Words
from ui.art import Art
from ui.table.scene import TableScene
from ui.table.view import TableView
from ui.theme import theme

SIZE = (1600, 1000)
STEPS = 200


def timed(action: Callable[[int], object], times: int) -> float:
    """Median of so many runs, in milliseconds."""
    spent = []
    for number in range(times):
        start = time.perf_counter()
        action(number)
        spent.append((time.perf_counter() - start) * 1000)
    return median(spent)


def carried(view: QGraphicsView, move: Callable[[QPointF], object]) -> float:
    """One step of a drag with the repaint that follows."""

    def step(number: int) -> None:
        move(QPointF(300 + number * 4 % 900, 300 + number * 3 % 400))
        QApplication.processEvents()

    return timed(step, STEPS)


def report() -> Iterator[str]:
    program = QApplication.instance() or QApplication([])
    kit = catalogue.load("sun")
    match = Match(kit.game, kit.backs, [Player("A", "sun"), Player("B", "moon")], seed="bench")
    colours = theme("light")
    scene = TableScene(kit, Art(colours), Words("en", kit, match.players), colours)
    view = TableView(scene)
    view.resize(*SIZE)
    view.show()
    links = [Local(match, 0), Local(match, 1)]
    scene.set_size(*SIZE)

    start = time.perf_counter()
    scene.sit(links[0])
    first = (time.perf_counter() - start) * 1000
    sit = timed(lambda number: scene.sit(links[number % 2]), 20)

    canvas = QImage(*SIZE, QImage.Format.Format_ARGB32_Premultiplied)

    def paint(_: int) -> None:
        with QPainter(canvas) as painter:
            view.render(painter)

    scene.sit(links[0])
    view.sharpen()
    program.processEvents()
    repaint = timed(paint, 40)

    card = scene.stage.zones["hand/0"][2]
    bare = QGraphicsPixmapItem(card.pixmap())
    bare.setOffset(card.offset())
    scene.hand.lift(card, card.pos())
    ours = carried(view, scene.hand.carry)

    card.setVisible(False)
    bare.setZValue(1000)
    scene.addItem(bare)
    least = carried(view, bare.setPos)
    scene.removeItem(bare)
    scene.cancel()

    yield f"sit()            first {first:6.1f} ms, again {sit:6.1f} ms"
    yield f"full repaint     {repaint:6.2f} ms   (at most 10)"
    yield f"one step of a drag {ours:6.3f} ms, bare floor {least:6.3f} ms: {ours / least:.2f} times"
