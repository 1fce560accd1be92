"""Hands for tests of the program's window, which press, hold and play, and the patience to wait
for what comes of it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tabletop.bots.bot_pool import BotPool
from tabletop.bots.decision import Decision, Estimate
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.heuristic import some
from tabletop.engine.model import Offer, Remark
from tabletop.engine.scratch import FastRng
from tabletop.storage.settings import Settings
from tests.ui.table_driver import spot_of
from ui.app import Window
from ui.match.lesson.subject import Halo
from ui.match.screen.table_screen import TableScreen
from ui.setup.new_game import NewGame
from ui.widgets.game_box import GameBox
from ui.widgets.page_screen import PageScreen

QUICK = Settings(language="en", animation="off", bot_pause=0)
PATIENCE = 60_000
"""Milliseconds after which something that is waited for will not come any more."""
READ_GAMES = (
    "search",
    "table",
    "game file",
    "import",
    "thumbnail",
    "statistics",
    "kept game",
    "replays",
)
"""The names of such threads."""
TRIES_A_SECOND = 200
"""Games that are played on in mind for each second that a review gives a thought."""

T = TypeVar("T")
Open = Callable[..., Window]
Mover = Callable[[TableScreen, FastRng], None]
"""Makes one move of a game."""
NAMES = ("Hinata", "Kaname", "Shizuku", "Tsubasa")
"""Of people who sit at a computer."""


LOOKS = 2
"""Milliseconds after which a test that waits looks again; whole games wait thousands of times."""


class PatientBot(QtBot):
    """Waits for what is to come, never for a time, however busy the computer is."""

    def wait(self, ms: int) -> None:
        """By this pytest-qt lets time pass between two looks."""
        super().wait(min(ms, LOOKS))

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitActive(self, widget: QWidget, *, timeout: int = PATIENCE) -> object:
        return super().waitActive(widget, timeout=timeout)


class QuickMinds(BotPool):
    """Answers at once in this process, with any legal move: tests wait for nobody who thinks."""

    def think(self, game, level, view, offers, ask, seconds=1.0, seed="", past=None, tries=0):
        self.asked, self.past = (game, level, view, ask), past
        future: Future[Decision] = Future()
        move = some(tuple(offers[ask.id]), ask.id, FastRng(seed))
        future.set_result(Decision(move, level, (Estimate(move, 0.6),), Remark("It is legal.")))
        return future

    def submit(self, question):
        """Let the bots really think, shortly, for a review."""
        future: Future[Decision] = Future()
        agent = make_agent(catalogue.load_bot_parts, question.game)
        tries = round(TRIES_A_SECOND * question.seconds)
        future.set_result(think(agent, replace(question, tries=tries), lambda: False))
        return future


class QuickDisk:
    """Writes at once in the window's own thread: tests wait for no disk."""

    def enqueue(self, job: Callable[[], None]) -> None:
        job()

    def close(self) -> None: ...


def finish_work() -> None:
    """Wait for the threads that read games: a search that was called off at its table ends a little
    later, and would look for a game that the next test doesn't have."""
    for thread in threading.enumerate():
        if thread.name in READ_GAMES:
            thread.join(PATIENCE / 1000)
            assert not thread.is_alive(), f"{thread.name} doesn't end"


def do_at_once(
    work: Callable[[], T],
    name: str,
    take: Callable[[T], None],
    failed: Callable[[Exception], None] | None = None,
) -> None:
    """In the place of `run_in_background`: work that a test needn't wait for."""
    take(work())


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


def answering(monkeypatch: pytest.MonkeyPatch, text: str, again: bool = True) -> list[str]:
    """Press the button with this text in every question from now on; gives the questions. With
    `again` False they are not asked again."""
    asked: list[str] = []

    def answer(box: QMessageBox) -> int:
        asked.append(box.text())
        if not again:
            box.checkBox().setChecked(True)
        next(each for each in box.buttons() if each.text() == text).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return asked


def saving_to(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    """Answer with this file whenever the window asks where to write."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))


def sun_box(window: Window) -> GameBox:
    return next(box for box in window.shelf.boxes if box.game.id == "sun")


def sheet(window: Window) -> NewGame:
    assert window.new_game is not None
    return window.new_game


def page(window: Window, name: str) -> PageScreen:
    """The page that a command opens over the screen."""
    window.run_command(name)
    settle()
    assert window.stack.page is not None
    return window.stack.page


def table(window: Window) -> TableScreen:
    assert window.table is not None
    return window.table


def button(screen: QWidget, text: str) -> QPushButton:
    """The visible button with this text."""
    buttons = [
        each
        for each in screen.findChildren(QPushButton)
        if each.text() == text and each.isVisible()
    ]
    assert buttons, (
        f"no button {text!r} among {[b.text() for b in screen.findChildren(QPushButton)]}"
    )
    return buttons[0]


def begin(window: Window, *bots: int, names: tuple[str, ...] = ("Hinata", "Kaname")) -> TableScreen:
    """A new game with these names by the mouse; these seats are bots."""
    click(sun_box(window))
    for seat, card in enumerate(sheet(window).seats.rows):
        click(card.kind.bot if seat in bots else card.kind.person)
        if seat not in bots:
            card.field.setText(names[seat])
    click(sheet(window).start_button)
    return table(window)


def hold(qtbot: QtBot, screen: TableScreen) -> None:
    """Open the curtain with the mouse."""
    curtain = screen.curtain
    assert curtain.is_drawn
    QTest.mousePress(curtain, Qt.MouseButton.LeftButton, pos=curtain.rect().center())
    until_open(qtbot, screen)
    QTest.mouseRelease(curtain, Qt.MouseButton.LeftButton, pos=curtain.rect().center())
    settle()
    assert not curtain.is_drawn


def until_open(qtbot: QtBot, screen: TableScreen) -> None:
    """Go on holding; a busy computer takes its time."""
    qtbot.waitUntil(lambda: not screen.curtain.is_drawn)


def until_asked(qtbot: QtBot, screen: TableScreen) -> bool:
    """Wait for a question to the viewer; return whether there is one, and the game is not over."""
    seated, switch = screen.seated, screen.switch
    qtbot.waitUntil(
        lambda: bool(seated.is_over or (switch.shown_seat and switch.shown_seat.offers))
    )
    qtbot.waitUntil(lambda: not switch.is_animating)
    settle()
    return not seated.is_over


def play(screen: TableScreen, luck: FastRng) -> None:
    """A random legal answer of who looks, played through the scene."""
    seat = screen.switch.shown_seat
    number = next(iter(seat.offers))
    offers = seat.offers[number]
    screen.scene.choice.play(offers[luck.below(len(offers))].sample(number, luck))
    settle()


def key(code: Qt.Key, *, ctrl: bool = False) -> None:
    """Press a key in the focused widget."""
    focus = QApplication.focusWidget()
    assert focus is not None, "the keyboard acts nowhere"
    modifier = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(focus, code, modifier)
    settle()


def open_by_space(qtbot: QtBot, screen: TableScreen) -> None:
    """Open the curtain with the keyboard."""
    assert QApplication.focusWidget() is screen.curtain
    QTest.keyPress(screen.curtain, Qt.Key.Key_Space)
    until_open(qtbot, screen)
    QTest.keyRelease(screen.curtain, Qt.Key.Key_Space)
    settle()


def tab_to(wanted: Callable[[QWidget | None], bool]) -> None:
    """Press Tab until what has the focus is what is wanted."""
    for _ in range(60):
        if wanted(QApplication.focusWidget()):
            return
        key(Qt.Key.Key_Tab)
    raise AssertionError("Tab does not come there")


def seat_by_keys(window: Window, game: str) -> TableScreen:
    """From the shelf to a table of as few persons as can play."""
    window.activateWindow()
    tab_to(lambda focus: isinstance(focus, GameBox) and focus.game.id == game)
    key(Qt.Key.Key_Return)
    for card in sheet(window).seats.rows:
        tab_to(lambda focus, card=card: focus is card.kind.person)
        key(Qt.Key.Key_Space)
    tab_to(lambda focus: focus is sheet(window).start_button)
    key(Qt.Key.Key_Return)
    return table(window)


def leave_by_keys(window: Window) -> None:
    """From the score sheet back to the shelf."""
    focused = []
    for _ in range(8):
        focus = QApplication.focusWidget()
        focused.append(focus)
        if focus is not None and getattr(focus, "text", str)() == "Back to the shelf":
            break
        key(Qt.Key.Key_Tab)
    key(Qt.Key.Key_Return)
    assert window.table is None, focused


def offers_now(screen: TableScreen) -> tuple[Offer, ...]:
    seat = screen.switch.shown_seat
    return next(iter(seat.offers.values()))


def look(qtbot: QtBot, screen: TableScreen, keys: bool = False) -> bool:
    """Have who is asked look at the table; gives whether the curtain had fallen for it."""
    if screen.switch.decision.handover_due:
        if keys:
            key(Qt.Key.Key_Return, ctrl=True)
        else:
            # the button comes once all of the move was shown; another's move may make it needless
            qtbot.waitUntil(
                lambda: (
                    not screen.switch.decision.handover_due
                    or "Hand over" in [each.text() for each in screen.prompt.buttons]
                )
            )
            if screen.switch.decision.handover_due:
                click(button(screen.prompt, "Hand over"))
    fallen = screen.curtain.is_drawn
    if fallen:
        open_by_space(qtbot, screen) if keys else hold(qtbot, screen)
    return fallen


def pass_on(qtbot: QtBot, screen: TableScreen, luck: FastRng, moves: int) -> None:
    """So many moves of a match among persons, with every hand-over in between."""
    for _ in range(moves):
        if screen.seated.is_over:
            return
        look(qtbot, screen)
        if not until_asked(qtbot, screen):
            return
        play(screen, luck)


def play_whole(
    qtbot: QtBot,
    screen: TableScreen,
    move: Mover,
    luck: FastRng,
    keys: bool = False,
) -> int:
    """A whole game among persons, every move made by `move`; gives how often the curtain fell."""
    curtains = 0
    while not screen.seated.is_over:
        curtains += look(qtbot, screen, keys)
        move(screen, luck)
    settle()
    return curtains


def timer(owner: QObject) -> QTimer:
    """The only timer of an object."""
    (found,) = owner.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return found


def middle(screen: TableScreen, zone: str) -> QPoint:
    """The middle of a zone, as a point of the view."""
    rect = screen.scene.stage.zone_rect(zone)
    assert rect is not None, f"{zone} is nowhere on the table"
    return screen.view.mapFromScene(rect.center())


def lit_on(screen: TableScreen) -> list[QRectF]:
    """What a lesson lights on the table, in the scene."""
    return [each.rect for each in screen.scene.items() if isinstance(each, Halo)]


def point_on(screen: TableScreen, card: int) -> QPoint:
    """A point of the view where this card is uppermost."""
    scene, view = screen.scene, screen.view
    scene.skip_animations()
    item = scene.stage.item_of(card)
    place = item.sceneBoundingRect()
    steps = range(1, 20)
    for y in steps:
        for x in steps:
            point = QPointF(place.x() + place.width() * x / 20, place.y() + place.height() * y / 20)
            spot = view.mapFromScene(point)
            free = view.rect().contains(spot) and not screen.prompt.geometry().contains(spot)
            if free and scene.gesture.card_at(view.mapToScene(spot)) is item:
                return spot
    raise AssertionError(f"{screen.words.card(card)} is nowhere to be seen")


def drag(screen: TableScreen, card: int, zone: str) -> None:
    """Take a card with the mouse and let it go over a zone."""
    drag_to(screen, card, middle(screen, zone))


def drag_to(screen: TableScreen, card: int, end: QPoint) -> None:
    """Take a card with the mouse and let it go with its middle over a point of the view."""
    port, start = screen.view.viewport(), point_on(screen, card)
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    lifted = start - QPoint(0, 2 * QApplication.startDragDistance())
    move_pressed(port, lifted)
    held = screen.scene.gesture.carried_card
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
    click(screen.view.viewport(), screen.view.mapFromScene(spot_of(screen.scene, number)))
