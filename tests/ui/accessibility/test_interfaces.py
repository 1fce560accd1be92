"""Tests of Qt's words to screen readers about a table: names, places, states and actions, for as
long as each thing is there."""

import gc
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tabletop.engine.scratch import FastRng
from tests.ui.accessibility.reader import (
    Role,
    actions,
    children,
    described,
    inside,
    name,
    press,
    usable,
)
from tests.ui.window_driver import Open, begin, hold, play, settle, until_asked
from ui.accessibility import interfaces
from ui.match.screen.table_screen import TableScreen

TIMES = 10


@pytest.fixture
def screen(opened: Open, qtbot: QtBot) -> TableScreen:
    screen = begin(opened(), 1)
    assert until_asked(qtbot, screen)
    return screen


def interface_of(screen: TableScreen) -> QAccessibleInterface:
    """The table as a screen reader meets it."""
    interface = QAccessible.queryAccessibleInterface(screen.view)
    assert isinstance(interface, interfaces.TableInterface)
    return interface


def named(screen: TableScreen, start: str) -> QAccessibleInterface:
    return next(each for each in inside(interface_of(screen)) if name(each).startswith(start))


def hand(screen: TableScreen, whose: str = "Your") -> list[QAccessibleInterface]:
    return list(children(named(screen, f"{whose} hand")))


def test_a_card_tells_its_place_its_state_and_what_it_can_do(screen: TableScreen) -> None:
    cards = hand(screen)
    for number, card in enumerate(cards, start=1):
        assert f", {number} of 6" in name(card)
    playable = [card for card in cards if "can be played" in name(card)]
    assert 0 < len(playable) <= 6
    for card in cards:
        assert described(card).startswith("Your hand. ")
        assert actions(card)[:4] == ["Press", "ShowMenu", "SetFocus", "Enlarge"]
        assert ("Why not" in actions(card)) is (card not in playable)
        assert card.state().focusable
        assert not card.state().disabled
        assert not card.rect().isEmpty()
        assert screen.view.rect().contains(screen.view.mapFromGlobal(card.rect().center()))
    theirs = list(children(named(screen, screen.words.seat(1) + "'s hand")))
    assert {name(card).partition(",")[0] for card in theirs} == {"A card"}
    assert {tuple(actions(card)) for card in theirs} == {()}


def test_a_press_chooses_a_card_and_a_place_and_answers(screen: TableScreen) -> None:
    before = screen.seated.view.ply
    card = next(card for card in hand(screen) if "can be played" in name(card))
    called = name(card).partition(",")[0]
    press(card)
    assert card.state().selected
    assert "chosen" in name(card)
    place = next(
        each
        for each in children(interface_of(screen))
        if name(each).endswith(", can be chosen") and usable(each)
    )
    where = name(place).partition(",")[0]
    press(place)
    assert screen.seated.view.ply > before
    assert not card.isValid()
    lying = list(children(named(screen, where)))
    assert name(lying[0]).startswith(called)


def test_it_is_told_why_a_card_cannot_be_played(screen: TableScreen, qtbot: QtBot) -> None:
    for seed in range(40):
        stuck = [card for card in hand(screen) if "Why not" in actions(card)]
        if stuck:
            break
        play(screen, FastRng(seed))
        assert until_asked(qtbot, screen)
    press(stuck[0], "Why not")
    assert screen.prompt.reason
    press(stuck[0], "Enlarge")
    assert screen.dock.current_tab == "card"
    shown = [each.text() for each in screen.dock.card.findChildren(QLabel)]
    assert name(stuck[0]).partition(",")[0] in " ".join(shown).replace(" · ", " ")


def test_the_focus_is_told_as_it_goes(screen: TableScreen) -> None:
    table = interface_of(screen)
    screen.view.setFocus()
    QTest.keyClick(screen.view, Qt.Key.Key_Right)
    settle()
    first = table.focusChild()
    assert name(first).partition(",")[0] == name(hand(screen)[0]).partition(",")[0]
    assert first.state().focused
    QTest.keyClick(screen.view, Qt.Key.Key_Right)
    settle()
    assert name(table.focusChild()) == name(hand(screen)[1])
    assert not first.state().focused


def test_what_lies_at_a_point_is_found(screen: TableScreen) -> None:
    table = interface_of(screen)
    card = hand(screen)[0]
    at = card.rect().center()
    interface = table.childAt(at.x(), at.y())
    assert interface.role() is Role.ListItem
    assert table.childAt(-1000, -1000) is None


def test_under_the_curtain_there_is_nothing(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened())
    hold(qtbot, screen)
    cards = hand(screen, "Hinata's")
    table = interface_of(screen)
    play(screen, FastRng("under"))
    screen.switch.hand_over()
    settle()
    assert screen.curtain.is_drawn
    assert table.childCount() == 0
    assert [name(card) for card in cards if card.isValid()] == []
    assert [card.text(QAccessible.Text.Name) for card in cards] == [""] * len(cards)
    curtain = QAccessible.queryAccessibleInterface(screen.curtain)
    assert name(curtain) == "Curtain for Kaname"
    assert actions(curtain) == ["Press"]
    press(curtain)
    assert not screen.curtain.is_drawn
    assert all("A card, face down" in name(c) for c in hand(screen, "Hinata's"))


def test_a_press_ends_with_its_table(opened: Open) -> None:
    """A reader has pressed, and before its turn comes the table is left."""
    window = opened()
    screen = begin(window)
    curtain = QAccessible.queryAccessibleInterface(screen.curtain)
    curtain.actionInterface().doAction("Press")
    window.show_shelf()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not isValid(screen.curtain)
    settle()


@pytest.fixture
def counted() -> int:
    """The number of interfaces kept before a test."""
    gc.collect()
    return len(interfaces._live_interfaces)


def test_ten_tables_leave_nothing(opened: Open, qtbot: QtBot, counted: int) -> None:
    """Each is read from end to end, played at, read again, and left."""
    window = opened()
    scenes = []
    for turn in range(TIMES):
        screen = begin(window, 1)
        assert until_asked(qtbot, screen)
        read = [(name(each), described(each), each.rect()) for each in inside(interface_of(screen))]
        assert len(read) > 30
        for seed in range(2):
            play(screen, FastRng(f"{turn} {seed}"))
            assert until_asked(qtbot, screen)
            assert sum(1 for _ in inside(interface_of(screen))) > 30
        scenes.append(weakref.ref(screen.scene))
        del screen
        window.show_shelf()
        settle()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QApplication.processEvents()
    gc.collect()
    assert len(interfaces._live_interfaces) == counted
    assert sum(scene() is not None for scene in scenes) <= 1


def test_nothing_is_made_while_nobody_asks(opened: Open, qtbot: QtBot, counted: int) -> None:
    screen = begin(opened(), 1)
    assert until_asked(qtbot, screen)
    play(screen, FastRng("nobody"))
    assert len(interfaces._live_interfaces) == counted
