"""The pointer's gesture when things go wrong: a release that never comes, another button, an
update, a table that is left. Nothing is played by that, and nothing sticks to the pointer."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHideEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.table_driver import LEFT, RIGHT, Table, asked, assert_settled, new_match
from ui.table.items.card_item import CardItem

pytestmark = pytest.mark.usefixtures("qapp")
MIDDLE, NONE = Qt.MouseButton.MiddleButton, Qt.MouseButton.NoButton


@pytest.fixture
def siege() -> Table:
    match = new_match()
    return Table(match, asked(match))


def playable(table: Table) -> CardItem:
    return next(item for item in table.hand if item.is_playable)


def move(table: Table, where: QPointF, buttons: Qt.MouseButton) -> None:
    """A move of the mouse with just these buttons down."""
    port, at = table.view.viewport(), QPointF(table.point(where))
    kind, spot = QEvent.Type.MouseMove, port.mapToGlobal(at)
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(port, QMouseEvent(kind, at, spot, NONE, buttons, none))


def test_a_press_whose_release_is_lost_clicks_nothing(siege: Table) -> None:
    item = playable(siege)
    grip = siege.grip(item)
    siege.press(grip)
    move(siege, siege.middle("grid/0,0"), NONE)
    siege.release(siege.middle("grid/0,0"))
    assert not item.is_held
    assert siege.scene.choice.picked_up is None


def test_a_press_after_a_lost_release_begins_anew(siege: Table) -> None:
    item = playable(siege)
    home = item.pos()
    siege.lift(item)
    siege.move(siege.middle("grid/0,0"))
    other = next(one for one in siege.hand if one.is_playable and one is not item)
    siege.press(siege.grip(other))
    assert not item.is_held
    assert item.pos() == home
    siege.release(siege.grip(other))
    assert not siege.acted
    assert siege.scene.choice.picked_up == other.card


def test_another_buttons_release_drops_nothing(siege: Table) -> None:
    item, place = playable(siege), siege.middle("grid/0,0")
    siege.lift(item)
    siege.move(place)
    QTest.mouseRelease(siege.view.viewport(), MIDDLE, pos=siege.point(place))
    assert item.is_held
    assert not siege.acted
    siege.key(Qt.Key.Key_Escape)
    assert_settled(siege.scene)


def zoomed(table: Table) -> QPoint:
    """Zoom the table; return where it is seen then."""
    table.view.zoom_by(2.0)
    table.view.sharpen()
    table.view.centerOn(640, 400)
    return bars(table)


def bars(table: Table) -> QPoint:
    """The point of the zoomed table that is at the upper left of its view, in pixels."""
    return QPoint(table.view.horizontalScrollBar().value(), table.view.verticalScrollBar().value())


def test_the_middle_button_moves_a_zoomed_table(siege: Table) -> None:
    port, before = siege.view.viewport(), zoomed(siege)
    QTest.mousePress(port, MIDDLE, pos=QPoint(600, 400))
    QTest.mouseMove(port, QPoint(570, 380))
    QTest.mouseMove(port, QPoint(550, 370))
    QTest.mouseRelease(port, MIDDLE, pos=QPoint(550, 370))
    assert bars(siege) - before == QPoint(50, 30)
    QTest.mouseMove(port, QPoint(300, 300))
    assert bars(siege) - before == QPoint(50, 30)


def test_panning_ends_when_its_release_is_lost(siege: Table) -> None:
    port, before = siege.view.viewport(), zoomed(siege)
    QTest.mousePress(port, MIDDLE, pos=QPoint(600, 400))
    for x in (500, 400, 300):
        move(siege, siege.view.mapToScene(QPoint(x, 400)), NONE)
    assert bars(siege) == before
    assert siege.scene.gesture.phase is None
    QTest.mouseRelease(port, MIDDLE, pos=QPoint(300, 400))


def press_twice(table: Table, where: QPointF) -> None:
    """The second press of a double click alone, as after a release that went elsewhere."""
    port, at = table.view.viewport(), QPointF(table.point(where))
    kind, spot = QEvent.Type.MouseButtonDblClick, port.mapToGlobal(at)
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(port, QMouseEvent(kind, at, spot, LEFT, LEFT, none))


def test_a_double_click_ends_what_was_under_way(siege: Table) -> None:
    bare = siege.view.mapToScene(QPoint(4, 4))
    siege.press(siege.grip(playable(siege)))
    press_twice(siege, bare)
    siege.release(bare)
    assert siege.scene.choice.picked_up is None, "the first press clicks nothing any more"
    port, before = siege.view.viewport(), zoomed(siege)
    QTest.mousePress(port, MIDDLE, pos=QPoint(600, 400))
    press_twice(siege, siege.view.mapToScene(QPoint(4, 4)))
    move(siege, siege.view.mapToScene(QPoint(500, 300)), MIDDLE)
    assert bars(siege) == before
    assert siege.scene.gesture.phase is None
    QTest.mouseRelease(port, MIDDLE, pos=QPoint(500, 300))


ELSEWHERE = {
    "a menu": QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.PopupFocusReason),
    "another window": QEvent(QEvent.Type.WindowDeactivate),
    "a page": QHideEvent(),
    "a curtain": None,
}
"""Where the release goes, and what the table hears of that."""


@pytest.mark.parametrize("taker", ELSEWHERE)
def test_what_takes_the_release_ends_the_gesture(siege: Table, taker: str) -> None:
    item, news = playable(siege), ELSEWHERE[taker]
    home, grip = item.pos(), siege.grip(item)
    for state in ("pressed", "dragging"):
        siege.press(grip)
        if state == "dragging":
            siege.move(siege.middle("grid/0,0"))
            assert item.is_held
        if news is None:
            siege.view.setEnabled(False)
            siege.view.setEnabled(True)
        else:
            QApplication.sendEvent(siege.view, news)
        assert siege.scene.gesture.phase is None, state
        assert not item.is_held, "at once, not with the next move"
        assert item.pos() == home
        siege.release(grip)
        assert siege.scene.choice.picked_up is None, state


def test_news_between_press_and_release_click_nothing(siege: Table) -> None:
    item, seat = playable(siege), siege.seat.number
    siege.click(siege.grip(item))
    siege.click(siege.middle(siege.scene.selection_view.target_lights.lit_zones[0]))
    siege.sit(seat)
    grip = siege.grip(siege.hand[0])
    siege.press(grip)
    siege.match.undo(None)
    siege.release(grip)
    assert siege.scene.choice.picked_up is None
    siege.click(siege.grip(siege.hand[0]))
    assert siege.scene.choice.picked_up == siege.hand[0].card, "a new press does"


def test_a_card_picked_by_key_takes_a_drags_place(siege: Table) -> None:
    item = playable(siege)
    home = item.pos()
    siege.lift(item)
    number = next(n for n, one in enumerate(siege.hand) if one.is_playable and one is not item)
    siege.key(Qt.Key(Qt.Key.Key_1.value + number))
    assert not item.is_held
    assert siege.scene.choice.picked_up == siege.hand[number].card
    siege.release(siege.middle("grid/0,0"))
    assert not siege.acted
    siege.key(Qt.Key.Key_Escape)
    assert item.pos() == home
    assert_settled(siege.scene)


def test_a_table_that_is_left_leaves_nothing_in_the_hand(siege: Table, qtbot: QtBot) -> None:
    for state in ("pressed", "dragging"):
        grip = siege.grip(playable(siege))
        siege.press(grip)
        if state == "dragging":
            siege.move(grip - QPointF(0, 60))
        siege.scene.clear_seat()
        assert siege.scene.gesture.phase is None
        assert not siege.scene.items()
        siege.release(grip)
        siege.scene.show_seat(siege.seat)
        assert_settled(siege.scene)
    assert not siege.acted


def test_an_undo_in_the_middle_of_a_drag_ends_it_well(siege: Table) -> None:
    item = playable(siege)
    card, seat = item.card, siege.seat.number
    siege.click(siege.grip(item))
    siege.click(siege.middle(siege.scene.selection_view.target_lights.lit_zones[0]))
    siege.sit(seat)
    grip = siege.grip(siege.hand[0])
    siege.press(grip)
    siege.move(grip - QPointF(0, 40))
    siege.match.undo(None)
    siege.move(siege.middle("grid/1,1"))
    siege.release(siege.middle("grid/1,1"))
    assert card in [one.card for one in siege.hand]
    assert not any(one.is_held for one in siege.scene.stage.items)
    assert_settled(siege.scene)


def test_a_card_that_can_do_nothing_more_is_left_lying(siege: Table) -> None:
    item = playable(siege)
    other = next(m for m in siege.scene.choice.legal_moves() if item.card not in m.cards)
    siege.lift(item)
    siege.match.submit(siege.seat.number, other)
    siege.move(siege.middle("grid/1,1"))
    assert not item.is_held
    siege.release(siege.middle("grid/1,1"))
    assert_settled(siege.scene)


def open_menu(table: Table, where: QPointF) -> None:
    """Press the right button: a desktop asks for a menu then."""
    port, at = table.view.viewport(), table.point(where)
    table.press(where, RIGHT)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(port, QContextMenuEvent(reason, at, port.mapToGlobal(at)))
    table.release(where, RIGHT)


def test_the_button_that_calls_a_drag_off_opens_no_menu(siege: Table) -> None:
    item = playable(siege)
    grip = siege.lift(item)
    open_menu(siege, grip)
    assert not item.is_held
    assert QApplication.activePopupWidget() is None
    open_menu(siege, grip)
    menu = QApplication.activePopupWidget()
    assert menu is not None, "the next time it does"
    menu.close()
