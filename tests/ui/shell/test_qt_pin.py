"""Why PySide is pinned: a release that loses a reference to None on each void call aborts Python.

Every call below gives None. Where a binding forgets to count it, `None` runs out of references
after some ten thousand calls, and the interpreter is gone without a word.
"""

import sys

import pytest
from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtWidgets import QGraphicsPixmapItem, QGraphicsRectItem, QGraphicsScene

CALLS = 20_000


class Bell(QObject):
    rung = Signal(int)


@pytest.mark.usefixtures("qapp")
def test_void_calls_keep_none_alive() -> None:
    scene = QGraphicsScene()
    item, shape = QGraphicsPixmapItem(), QGraphicsRectItem(0, 0, 5, 7)
    scene.addItem(item)
    scene.addItem(shape)
    bell = Bell()
    heard: list[int] = []
    bell.rung.connect(heard.append)
    before = sys.getrefcount(None)
    for number in range(CALLS):
        item.setPos(number, 0)
        item.setRotation(number)
        shape.setPos(QPointF(0, number))
        shape.setVisible(True)
        bell.rung.emit(number)
    assert len(heard) == CALLS
    assert sys.getrefcount(None) > before - CALLS // 100
