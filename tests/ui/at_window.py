"""The program's window for tests: a home of its own, and hands that press, hold and play."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from itertools import count
from pathlib import Path

from patience import until

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tabletop.bots.minds import Minds
from tabletop.bots.thought import Estimate, Thought
from tabletop.bots.worker import mind_of, think
from tabletop.engine.instinct import some
from tabletop.engine.model import Note
from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from tabletop.storage import record, settings
from tabletop.storage.settings import Settings
from ui.app import Window
from ui.screens import ring
from ui.screens.box import Box
from ui.screens.new_game import NewGame
from ui.screens.table import TableScreen

QUICK = Settings(language="en", animation="off", bot_pause=0)
QUICKLY_HELD = 20
"""Milliseconds that a curtain has to be held: whole games are full of them."""
TRIES = 30
"""Games that are played on in mind for one thought of a review."""

Open = Callable[..., Window]


class QuickMinds(Minds):
    """Answers at once in this process, with any legal move: tests wait for nobody who thinks."""

    def think(self, game, level, view, offers, ask, seconds=1.0, seed="", past=None, tries=0):
        self.asked, self.past = (game, level, view, ask), past
        future: Future[Thought] = Future()
        move = some(tuple(offers[ask.id]), ask.id, Luck(seed))
        future.set_result(Thought(move, level, (Estimate(move, 0.6),), Note("It is legal.")))
        return future

    def ponder(self, question):
        """What a review asks is really thought about, shortly."""
        future: Future[Thought] = Future()
        mind = mind_of(catalogue.bring, question.game)
        future.set_result(think(mind, replace(question, tries=TRIES), lambda: False))
        return future


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where this test's program keeps its files."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    seeds = count()
    monkeypatch.setattr(record, "new_seed", lambda: f"seed {next(seeds)}")
    return tmp_path / "home"


@pytest.fixture
def opened(home: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens the program's window, as often as wanted; `changes` are settings."""
    windows: list[Window] = []
    monkeypatch.setattr(ring, "HOLD", QUICKLY_HELD)

    def open_window(size: tuple[int, int] = (1280, 800), **changes: object) -> Window:
        known = settings.load()[0]
        fresh = known == Settings()
        settings.save(replace(QUICK if fresh else known, **changes))
        window = Window()
        window.room.minds = QuickMinds(catalogue.bring)
        window.resize(*size)
        windows.append(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    yield open_window
    for window in windows:
        window.close()
        window.deleteLater()
    windows.clear()
    QApplication.processEvents()


def click(widget: QWidget, at: QPoint | None = None) -> None:
    """Press and release the left button in the widget's middle, or at a point of it."""
    QTest.mouseClick(
        widget, Qt.MouseButton.LeftButton, pos=at if at is not None else widget.rect().center()
    )
    settle()


def settle(milliseconds: int = 0) -> None:
    """Let everything that is under way come to its end."""
    for _ in range(3):
        QApplication.processEvents()
    if milliseconds:
        QTest.qWait(milliseconds)


def sun_box(window: Window) -> Box:
    """The box of Children of the Sun."""
    return next(box for box in window.shelf.boxes if box.kit.id == "sun")


def sheet(window: Window) -> NewGame:
    assert window.new_game is not None
    return window.new_game


def table(window: Window) -> TableScreen:
    assert window.table is not None
    return window.table


def button(screen: QWidget, text: str) -> QPushButton:
    """The visible button with this text."""
    found = [
        each
        for each in screen.findChildren(QPushButton)
        if each.text() == text and each.isVisible()
    ]
    assert found, f"no button {text!r} among {[b.text() for b in screen.findChildren(QPushButton)]}"
    return found[0]


def begin(window: Window, *bots: int, names: tuple[str, ...] = ("Hinata", "Kaname")) -> TableScreen:
    """A new game with these names by the mouse; these seats are bots."""
    click(sun_box(window))
    for seat, card in enumerate(sheet(window).places.cards):
        card.name.setText(names[seat])
        if seat in bots:
            click(card.bot)
    click(sheet(window).start)
    return table(window)


def hold(screen: TableScreen) -> None:
    """Open the curtain with the mouse."""
    curtain = screen.curtain
    assert curtain.drawn
    QTest.mousePress(curtain, Qt.MouseButton.LeftButton, pos=curtain.rect().center())
    until_open(screen)
    QTest.mouseRelease(curtain, Qt.MouseButton.LeftButton, pos=curtain.rect().center())
    settle()
    assert not curtain.drawn


def until_open(screen: TableScreen) -> None:
    """Go on holding; a busy computer takes its time."""
    until(lambda: not screen.curtain.drawn, "the curtain to open")


def play(screen: TableScreen, luck: Luck) -> None:
    """A random legal answer of who looks, played through the scene."""
    link = screen.sitting.link
    assert link is not None
    number = next(iter(link.offers))
    offers = link.offers[number]
    screen.scene.play(offers[luck.below(len(offers))].sample(number, luck))
    settle()


def pass_on(screen: TableScreen, luck: Luck, moves: int) -> None:
    """So many moves of a match among persons, with every hand-over in between."""
    for _ in range(moves):
        if screen.sitting.over:
            return
        if screen.curtain.drawn:
            hold(screen)
        if screen.hand_over.due:
            click(button(screen.prompt, "Hand over"))
            hold(screen)
        play(screen, luck)


def play_whole(screen: TableScreen, move: Callable[[TableScreen, Luck], None], luck: Luck) -> int:
    """A whole game among persons, every move made by `move`; gives how often the curtain fell."""
    curtains = 0
    while not screen.sitting.over:
        if screen.hand_over.due:
            click(button(screen.prompt, "Hand over"))
        if screen.curtain.drawn:
            curtains += 1
            hold(screen)
        move(screen, luck)
    settle()
    return curtains


def point_on(screen: TableScreen, card: int) -> QPoint:
    """A point of the view where this card lies uppermost."""
    scene, view = screen.scene, screen.view
    scene.skip()
    item = scene.stage.item_of(card)
    assert item is not None
    place = item.sceneBoundingRect()
    steps = range(1, 20)
    for y in steps:
        for x in steps:
            point = QPointF(place.x() + place.width() * x / 20, place.y() + place.height() * y / 20)
            spot = view.mapFromScene(point)
            free = view.rect().contains(spot) and not screen.prompt.geometry().contains(spot)
            if free and scene.pointer.card_at(view.mapToScene(spot)) is item:
                return spot
    raise AssertionError(f"{screen.words.card(card)} is nowhere to be seen")


def drag(screen: TableScreen, card: int, zone: str) -> None:
    """Take a card with the mouse and let it go over a zone."""
    target = screen.scene.stage.rect(zone)
    assert target is not None
    drag_to(screen, card, screen.view.mapFromScene(target.center()))


def drag_to(screen: TableScreen, card: int, end: QPoint) -> None:
    """Take a card with the mouse and let it go with its middle over a point of the view."""
    port, start = screen.view.viewport(), point_on(screen, card)
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    lifted = start - QPoint(0, 2 * QApplication.startDragDistance())
    move_pressed(port, lifted)
    held = screen.scene.hand.drag
    assert held is not None, f"{screen.words.card(card)} cannot be lifted"
    end += lifted - screen.view.mapFromScene(held.rect.center())
    for step in range(1, 9):
        move_pressed(port, lifted + (end - lifted) * step / 8)
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=end)
    settle()


def move_pressed(port: QWidget, at: QPoint) -> None:
    """A move of the mouse with the left button down; QTest's own moves press no button."""
    QApplication.sendEvent(
        port,
        QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(at),
            QPointF(port.mapToGlobal(at)),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        ),
    )


def press_choice(screen: TableScreen, number: int) -> None:
    """Click the n-th option of the open chooser."""
    scene, chooser = screen.scene, screen.scene.chooser
    assert chooser is not None
    width, height = (round(side) for side in scene.stage.size)
    for y in range(4, height, 6):
        for x in range(4, width, 6):
            if chooser.at(QPointF(x, y)) == number:
                spot = screen.view.mapFromScene(QPointF(x, y))
                click(screen.view.viewport(), spot)
                return
    raise AssertionError(f"no option {number} on the table")
