"""README's moving picture: a card is dragged to its place, and the ghost turns.

python packaging/readme_film.py LANGUAGE FILE
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.pictures.window_shot import seat_one_person, staged_window
from ui.replay.apng import make_apng

SIZE = (1200, 750)
GAME, SEED, PLY = "sun", "7", 12
STEP = 1 / 12
"""Seconds between two pictures."""
BEFORE, ON_THE_WAY, OVER, AFTER = 10, 14, 10, 34
"""Pictures before the press, while the card is carried, over its place, and after the release."""
ARROW = ((0, 0), (0, 19), (5, 15), (8, 22), (11, 21), (8, 14), (14, 14))
"""The corners of the pointer."""
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def main(language: str, file: Path) -> None:
    """Write the moving picture in this language."""
    kit = catalogue.load(GAME)
    match = play_random_match(kit, 2, SEED, PLY)
    with staged_window(kit, language, "light") as window:
        window.resize(*SIZE)
        seat_one_person(match, match.state.asks[0].seat, window.context.words)
        window.context.change_settings(animation="normal")
        window.matches.show_match(match)
        content = make_apng(drag(window))
    file.write_bytes(content)
    print(f"{file}: {len(content) / 2**20:.2f} MiB")


def drag(window: Window) -> Iterator[tuple[QImage, int]]:
    """Drag a card of the hand to its place; each picture with the milliseconds it stays."""
    screen = window.table
    assert screen is not None
    settle(screen)
    seat = screen.switch.shown_seat
    assert seat is not None
    hand = screen.scene.stage.zones[f"hand/{seat.number}"]
    item = hand[len(hand) // 2]
    move = next(m for m in screen.scene.choice.legal_moves() if item.card in m.cards and m.target)
    place = screen.scene.stage.zone_rect(move.target)
    assert place is not None
    view, port = screen.view, screen.view.viewport()
    start = view.mapFromScene(item.sceneBoundingRect().center())
    end = view.mapFromScene(place.center())
    for _ in range(BEFORE):
        yield picture(window, port.mapTo(window, start))
    QTest.mousePress(port, LEFT, NONE, start)
    for step in range(1, ON_THE_WAY + 1):
        share = step / ON_THE_WAY
        eased = share * share * (3 - 2 * share)
        at = start + (end - start) * eased
        QTest.mouseMove(port, at)
        yield picture(window, port.mapTo(window, at))
    for _ in range(OVER):
        yield picture(window, port.mapTo(window, end))
    QTest.mouseRelease(port, LEFT, NONE, end)
    for _ in range(AFTER):
        yield picture(window, port.mapTo(window, end))


def settle(screen: TableScreen) -> None:
    """Wait until the cards lie still."""
    QApplication.processEvents()
    while screen.scene.animator.is_running:
        QApplication.processEvents()
        time.sleep(0.01)


def picture(window: Window, pointer: QPoint) -> tuple[QImage, int]:
    """The window as it is a step later, with the pointer."""
    end = time.monotonic() + STEP
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)
    made = window.grab().toImage()
    with QPainter(made) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(pointer)
        painter.setPen(QPen(QColor("#14131A"), 1.2))
        painter.setBrush(QColor("#FFFFFF"))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in ARROW]))
    return made, round(STEP * 1000)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
