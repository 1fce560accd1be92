"""Drags that something comes between, at the program's window, with every card of every verb that
the mouse can carry: nothing is played by that, and nothing sticks to the pointer."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPointingDevice, QTabletEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.match import offer_matching as offered
from tabletop.match.match import Match, Player
from tests.ui.random_matches import some_answer
from tests.ui.table_driver import LEFT, RIGHT, assert_settled
from tests.ui.window_driver import Open, move_pressed, point_on, settle, table
from ui.match.screen.table_screen import TableScreen

MIDDLE, BACK = Qt.MouseButton.MiddleButton, Qt.MouseButton.BackButton
NONE, UNHELD = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
FAR = QPoint(-900, -900)
"""Outside the window."""
LONG = bool(os.environ.get("TABLETOP_LONG"))
"""Every trouble is tried with every verb; else each trouble with one verb of each game."""
GAMES = ("awss", "chains", "royale", "sisters", "sun")
Trouble = Callable[[TableScreen, QPoint], None]
"""Happens at a table while a card is carried over this point of its view."""


def lose_release(screen: TableScreen, at: QPoint) -> None:
    port = screen.view.viewport()
    place, spot = QPointF(at), QPointF(port.mapToGlobal(at))
    kind = QEvent.Type.MouseMove
    QApplication.sendEvent(port, QMouseEvent(kind, place, spot, NONE, NONE, UNHELD))


def open_dialog(screen: TableScreen, at: QPoint) -> None:
    dialog = QDialog(screen.window())
    dialog.setModal(True)
    dialog.show()
    QTest.mouseRelease(dialog, LEFT)
    dialog.close()


def open_menu(screen: TableScreen, at: QPoint) -> None:
    menu = QMenu(screen)
    menu.addAction("About")
    menu.popup(screen.mapToGlobal(QPoint(5, 5)))
    menu.close()


def switch_window(screen: TableScreen, at: QPoint) -> None:
    """As by Alt and Tab: the button is let go of while another window is active."""
    QApplication.sendEvent(screen.window(), QEvent(QEvent.Type.WindowDeactivate))
    QTest.mouseRelease(screen.view.viewport(), LEFT, pos=at)


def press_other(button: Qt.MouseButton, screen: TableScreen, at: QPoint) -> None:
    QTest.mousePress(screen.view.viewport(), button, pos=at)
    QTest.mouseRelease(screen.view.viewport(), button, pos=at)


def press_middle(screen: TableScreen, at: QPoint) -> None:
    """The drag goes on."""
    press_other(MIDDLE, screen, at)
    assert screen.scene.gesture.carried_card is not None
    press_escape(screen, at)


def press_escape(screen: TableScreen, at: QPoint) -> None:
    QTest.keyClick(screen.view, Qt.Key.Key_Escape)


def leave_window(screen: TableScreen, at: QPoint) -> None:
    move_pressed(screen.view.viewport(), FAR)
    QTest.mouseRelease(screen.view.viewport(), LEFT, pos=FAR)


def lift_pen(screen: TableScreen, at: QPoint) -> None:
    """A pen leaves the tablet: what comes next is a pen that hovers."""
    port = screen.view.viewport()
    pen = QPointingDevice.primaryPointingDevice()
    place, kind = QPointF(at), QEvent.Type.TabletMove
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    QApplication.sendEvent(port, QTabletEvent(kind, pen, place, place, *zero, UNHELD, NONE, NONE))
    lose_release(screen, at)


def cover(screen: TableScreen, at: QPoint) -> None:
    screen.set_covered(True)
    screen.set_covered(False)


def resize(screen: TableScreen, at: QPoint) -> None:
    window = screen.window()
    window.resize(window.width() - 200, window.height() - 100)
    settle()
    window.resize(window.width() + 200, window.height() + 100)
    settle()


def dress(screen: TableScreen, at: QPoint) -> None:
    screen.refresh_appearance()


def hide(screen: TableScreen, at: QPoint) -> None:
    screen.window().hide()
    screen.window().show()


def sit_again(screen: TableScreen, at: QPoint) -> None:
    """Another viewer looks, and this one again."""
    seat = screen.switch.shown_seat
    assert seat is not None
    screen.clear_table()
    QTest.mouseRelease(screen.view.viewport(), LEFT, pos=at)
    screen.show_seat(seat)


def take_question_away(screen: TableScreen, at: QPoint) -> None:
    """The question vanishes, and is put again once the card was let go of."""
    seat, match = screen.switch.shown_seat, screen.seated.match
    assert seat is not None and match is not None  # noqa: PT018
    asked = match.make_reset(seat.number)
    seat.receive(replace(asked, offers={}))
    move_pressed(screen.view.viewport(), at)
    QTest.mouseRelease(screen.view.viewport(), LEFT, pos=at)
    seat.receive(asked)


TROUBLES: tuple[Trouble, ...] = (
    lose_release,
    open_dialog,
    open_menu,
    switch_window,
    partial(press_other, RIGHT),
    partial(press_other, BACK),
    press_middle,
    press_escape,
    leave_window,
    lift_pen,
    cover,
    resize,
    dress,
    hide,
    sit_again,
    take_question_away,
)


def carried_moves(match: Match) -> Iterator[Move]:
    """Moves of seat 0, or beginnings of some, that the mouse can make by carrying a card."""
    for ask, offers in match.offers(0).items():
        for offer in offers:
            if offered.takes_several_cards(offer) or offer.cards:
                yield Move(ask, offer.verb, offer.cards[:1], (offer.targets or ("",))[0])


def matches(game: str) -> Iterator[tuple[Move, Match]]:
    """For every verb with a card that a game comes to, a match that has come there."""
    kit, found = catalogue.load(game), set[str]()
    seats = max(2, min(kit.box.seats))
    players = [Player(f"P{n}", "sun", "bot" if n else "person", "easy") for n in range(seats)]
    new = partial(Match, kit, players, catalogue.options(kit))
    for seed in ("drag 0", "drag 1", "drag 2")[: 3 if LONG else 1]:
        luck, match = FastRng(seed), new(seed)
        while match.state.result is None:
            for move in carried_moves(match):
                if move.verb not in found:
                    found.add(move.verb)
                    there = new(seed)
                    for entry in match.record:
                        there.restore(entry)
                    yield move, there
            match.submit(*some_answer(match, luck))


def carry(screen: TableScreen, move: Move) -> QPoint:
    """Press the mouse on a card and bring it to a point of the view, which is returned."""
    port, start = screen.view.viewport(), point_on(screen, move.cards[0])
    QTest.mousePress(port, LEFT, pos=start)
    move_pressed(port, start - QPoint(0, 2 * QApplication.startDragDistance()))
    rect = screen.scene.stage.zone_rect(move.target) if move.target else screen.scene.sceneRect()
    assert rect is not None
    at = screen.view.mapFromScene(rect.center())
    move_pressed(port, at)
    assert screen.scene.gesture.carried_card is not None
    return at


def assert_nothing_came_of_it(screen: TableScreen, trouble: object) -> None:
    scene = screen.scene
    assert scene.gesture.phase is None, trouble
    assert not any(item.is_held for item in scene.stage.items), trouble
    assert not scene.choice.is_busy, trouble
    assert_settled(scene)


@pytest.mark.parametrize("game", GAMES)
def test_a_drag_that_is_disturbed_plays_nothing(opened: Open, game: str) -> None:
    window, found = opened(), list(matches(game))
    for number, (move, match) in enumerate(found):
        window.matches.show_match(match)
        settle()
        screen, before = table(window), len(match.record)
        for trouble in TROUBLES if LONG else TROUBLES[number :: len(found)]:
            at = carry(screen, move)
            trouble(screen, at)
            lose_release(screen, at)
            QTest.mouseRelease(screen.view.viewport(), LEFT, pos=at)
            settle()
            assert_nothing_came_of_it(screen, trouble)
            assert len(match.record) == before, trouble
    assert found


@pytest.mark.parametrize("game", GAMES)
def test_news_in_a_drag_leave_nothing_in_the_hand(opened: Open, game: str) -> None:
    """An undo, and a bot that sits down at the seat."""
    window, carried = opened(), 0
    for move, match in islice(matches(game), None if LONG else 2):
        window.matches.show_match(match)
        settle()
        screen, acted = table(window), list[Move]()
        screen.scene.choice.answer_sent.add(acted.append)
        for news in ("undo", "bot"):
            if news == "undo" and not match.can_undo(None):
                continue
            at = carry(screen, move)
            if news == "undo":
                match.undo(None)
            else:
                screen.seated.let_bot_play(0, True)
            settle()
            lose_release(screen, at)
            QTest.mouseRelease(screen.view.viewport(), LEFT, pos=at)
            settle()
            assert acted == []
            assert_nothing_came_of_it(screen, news)
            carried += 1
            break
    assert carried
