"""Fingers on a touch screen: they play, open menus, zoom, and scroll pages."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QPointingDevice, QTouchEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QScroller, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.table_driver import LEFT, Table, asked, assert_settled, new_match
from ui.shell.finger_scrolling import FingerScrolling
from ui.table.input.touch_translator import TouchTranslator
from ui.table.items.card_item import CardItem

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(scope="module")
def screen() -> QPointingDevice:
    return QTest.createTouchDevice()


@pytest.fixture
def siege() -> Table:
    match = new_match()
    return Table(match, asked(match))


class Touch:
    """A hand on a widget."""

    def __init__(self, widget: QWidget, screen: QPointingDevice) -> None:
        self.widget, self.screen = widget, screen
        self.down: dict[int, QPoint] = {}

    def press(self, finger: int, at: QPoint) -> None:
        """Another finger comes down."""
        events = QTest.touchEvent(self.widget, self.screen, False)
        for other, place in self.down.items():
            events.move(other, place, self.widget)
        events.press(finger, at, self.widget)
        events.commit()
        self.down[finger] = at

    def move(self, *places: QPoint) -> None:
        """All fingers move."""
        self.down = dict(zip(self.down, places, strict=True))
        events = QTest.touchEvent(self.widget, self.screen, False)
        for finger, at in self.down.items():
            events.move(finger, at, self.widget)
        events.commit()

    def release(self) -> None:
        """All fingers go."""
        events = QTest.touchEvent(self.widget, self.screen, False)
        for finger, at in self.down.items():
            events.release(finger, at, self.widget)
        events.commit()
        self.down.clear()


def playable(table: Table) -> CardItem:
    return next(item for item in table.hand if item.is_playable)


def target_of(table: Table, item: CardItem) -> str:
    """Where the card may go."""
    moves = table.scene.choice.legal_moves()
    return next(move.target for move in moves if item.card in move.cards)


def on(table: Table, where: QPointF) -> QPoint:
    return table.point(where)


def test_a_finger_drags_a_card_to_its_place(siege: Table, screen: QPointingDevice) -> None:
    item = playable(siege)
    hand = Touch(siege.view.viewport(), screen)
    start = on(siege, siege.grip(item))
    end = on(siege, siege.middle(target_of(siege, item)))
    hand.press(1, start)
    for step in range(1, 6):
        hand.move(start + (end - start) * step / 5)
    assert siege.scene.gesture.carried_card is not None
    hand.release()
    assert len(siege.match.record) == 1
    assert_settled(siege.scene)


def test_a_finger_that_stays_opens_the_menu(
    siege: Table, screen: QPointingDevice, qtbot: QtBot
) -> None:
    hand = Touch(siege.view.viewport(), screen)
    hand.press(1, on(siege, siege.grip(playable(siege))))
    timer = siege.view.viewport().findChild(TouchTranslator).findChild(QTimer)
    qtbot.waitUntil(lambda: not timer.isActive())
    hand.release()
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert [action.text() for action in menu.actions()][-1] == "Rules"
    menu.close()
    assert siege.match.record == []
    assert_settled(siege.scene)


def test_two_fingers_zoom_and_play_nothing(siege: Table, screen: QPointingDevice) -> None:
    item = playable(siege)
    hand, view = Touch(siege.view.viewport(), screen), siege.view
    start = on(siege, siege.grip(item))
    middle = view.viewport().rect().center()
    hand.press(1, start)
    hand.move(middle)
    assert siege.scene.gesture.carried_card is not None
    hand.press(2, middle + QPoint(40, 0))
    assert siege.scene.gesture.carried_card is None
    under = view.mapToScene(middle)
    hand.move(middle - QPoint(40, 0), middle + QPoint(80, 0))
    assert view.zoom == pytest.approx(3.0)
    hand.release()
    assert siege.match.record == []
    assert (view.mapFromScene(under) - middle).manhattanLength() < view.width()
    assert_settled(siege.scene)


def test_a_touch_that_is_called_off_plays_nothing(siege: Table, screen: QPointingDevice) -> None:
    item, port = playable(siege), siege.view.viewport()
    home, hand = item.pos(), Touch(port, screen)
    hand.press(1, on(siege, siege.grip(item)))
    hand.move(on(siege, siege.middle(target_of(siege, item))))
    called_off = QTouchEvent(QEvent.Type.TouchCancel, screen, Qt.KeyboardModifier.NoModifier, [])
    QApplication.sendEvent(port, called_off)
    assert siege.scene.gesture.carried_card is None
    assert item.pos() == home
    hand.release()
    assert siege.match.record == []
    assert_settled(siege.scene)


def test_the_mouse_carries_nothing_of_a_finger(siege: Table, screen: QPointingDevice) -> None:
    """Neither a mouse that is bumped, nor its button: what was pressed last is the pointer."""
    item, port = playable(siege), siege.view.viewport()
    other = next(one for one in siege.hand if one.is_playable and one is not item)
    there, hand = on(siege, siege.middle(target_of(siege, item))), Touch(port, screen)
    hand.press(1, on(siege, siege.grip(item)))
    hand.move(there)
    QTest.mouseMove(port, there + QPoint(60, 60))
    QTest.mouseRelease(port, LEFT, pos=there)
    assert siege.scene.gesture.carried_card is not None
    siege.press(siege.grip(other))
    assert siege.scene.gesture.carried_card is None
    hand.move(there)
    hand.release()
    assert siege.match.record == []
    siege.release(siege.grip(other))
    assert siege.scene.choice.picked_up == other.card
    siege.key(Qt.Key.Key_Escape)
    assert_settled(siege.scene)


def test_a_list_scrolls_by_finger(
    qtbot: QtBot, qapp: QApplication, screen: QPointingDevice
) -> None:
    scrolling = FingerScrolling(qapp)
    qapp.installEventFilter(scrolling)
    shown = QListWidget()
    shown.addItems([str(n) for n in range(200)])
    qtbot.addWidget(shown)
    shown.resize(200, 300)
    shown.show()
    qapp.removeEventFilter(scrolling)
    assert QScroller.hasScroller(shown.viewport())
    hand = Touch(shown.viewport(), screen)
    hand.press(1, QPoint(100, 280))
    for y in range(270, 20, -10):
        hand.move(QPoint(100, y))
    hand.release()
    qtbot.waitUntil(lambda: shown.verticalScrollBar().value() > 100)
