"""How long the faces of each game's cards take to draw, 240 pixels wide.

The first face of a game compiles its templates; it is told apart. Nothing drawn is kept.
"""

import os
from collections.abc import Iterator
from time import process_time_ns

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from tabletop.games import catalogue
from tabletop.games.catalogue import Kit
from tabletop.words import Words
from tests.bench.figures import Figure, figure
from ui.style.art import Art
from ui.style.theme import theme
from ui.table.items.prints import Prints

WIDTH = 240
MOST = 60
"""Faces of a game that are drawn."""


def milliseconds(prints: Prints, card: int) -> float:
    """CPU time of drawing one face."""
    begun = process_time_ns()
    prints.face(card, WIDTH)
    return (process_time_ns() - begun) / 1e6


def faces(kit: Kit) -> list[float]:
    """Milliseconds each different face takes, the first with the compiling."""
    light = theme("light")
    art = Art(light, pixmap_bytes=0, svg_bytes=0)
    prints = Prints(kit, art, Words("en", kit), light)
    different = {str(card): number for number, card in enumerate(kit.deck)}
    return [milliseconds(prints, card) for card in list(different.values())[:MOST]]


def report() -> Iterator[Figure]:
    program = QApplication.instance() or QApplication([])
    for kit in catalogue.shelf():
        first, *rest = faces(kit)
        yield figure(f"{kit.id}: a face", "ms", *rest)
        yield figure(f"{kit.id}: the first face", "ms", first)
    program.processEvents()
