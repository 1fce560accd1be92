"""The boxes of the shelf: their order, and how they answer to pointer and keys."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tabletop.storage import settings
from tests.ui.window_driver import Open, click, key, move_pressed, settle, sheet
from ui.app import Window

BY_MINUTES = ["sun", "chains", "sisters", "awss", "royale"]


def order(window: Window) -> list[str]:
    """The games from left to right, as they are seen."""
    boxes = sorted(window.shelf.boxes, key=lambda box: (box.y(), box.x()))
    assert boxes == list(window.shelf.boxes)
    return [box.game.id for box in boxes]


def test_the_shortest_game_is_the_first(opened: Open) -> None:
    window = opened()
    assert order(window) == BY_MINUTES
    assert window.current_kit().id == "sun", "the rules that are opened where no game is meant"


def test_a_dragged_box_stays_where_it_is_let_go(opened: Open) -> None:
    window = opened()
    sun, _, sisters, *_ = window.shelf.boxes
    start = sun.rect().center()
    QTest.mousePress(sun, Qt.MouseButton.LeftButton, pos=start)
    while sun.geometry().center().x() < sisters.geometry().center().x():
        move_pressed(sun, start + QPoint(30, 0))
    QTest.mouseRelease(sun, Qt.MouseButton.LeftButton, pos=start)
    settle()
    assert order(window) == ["chains", "sisters", "sun", "awss", "royale"]
    assert window.new_game is None, "it was dragged, not opened"
    window.close()
    again = opened()
    assert order(again) == ["chains", "sisters", "sun", "awss", "royale"]
    click(again.shelf.boxes[0])
    assert sheet(again).kit.id == "chains"


def test_keys_move_a_box_and_the_tab_key_follows(opened: Open) -> None:
    window = opened()
    sun = window.shelf.boxes[0]
    sun.setFocus()
    key(Qt.Key.Key_Right, ctrl=True)
    assert order(window)[:2] == ["chains", "sun"]
    assert sun.hasFocus()
    key(Qt.Key.Key_Left, ctrl=True)
    key(Qt.Key.Key_Left, ctrl=True)
    assert order(window) == BY_MINUTES
    key(Qt.Key.Key_Right, ctrl=True)
    window.shelf.boxes[0].setFocus()
    for stop in window.shelf.board.tab_stops:
        assert QApplication.focusWidget() is stop
        key(Qt.Key.Key_Tab)


def test_a_box_has_a_menu_for_its_place(opened: Open) -> None:
    window = opened(shelf=("royale", "sun"))
    assert order(window) == ["royale", "sun", "chains", "sisters", "awss"]
    box = window.shelf.boxes[0]
    QTest.keyClick(box, Qt.Key.Key_Menu)
    settle()
    QApplication.sendEvent(box, _asked(box))
    (menu,) = [each for each in box.findChildren(QMenu) if each.isVisible()]
    actions = {each.text(): each for each in menu.actions()}
    actions["Move right"].trigger()
    assert order(window)[:2] == ["sun", "royale"]
    actions["Shortest game first"].trigger()
    assert order(window) == BY_MINUTES
    assert settings.load()[0].shelf == ()
    menu.close()


def _asked(box: object) -> object:
    from PySide6.QtGui import QContextMenuEvent
    from PySide6.QtWidgets import QWidget

    assert isinstance(box, QWidget)
    middle = box.rect().center()
    return QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, box.mapToGlobal(middle))


def test_a_box_rises_wherever_its_column_is_pointed_at(opened: Open) -> None:
    window = opened()
    box = window.shelf.boxes[1]

    def picture() -> object:
        settle()
        return box.grab(box.rect().adjusted(0, 0, 0, -box.play_button.height() - 12)).toImage()

    QTest.mouseMove(window, QPoint(2, window.height() - 2))
    resting = picture()
    for point in (
        QPoint(40, 60),
        box.play_button.geometry().center(),
        QPoint(60, box.height() - 60),
    ):
        QTest.mouseMove(box, point)
        assert picture() != resting
        QTest.mouseMove(window, QPoint(2, window.height() - 2))
        assert picture() == resting


def test_nothing_says_new_on_each_box(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    boxes = {box.game.id: box for box in window.shelf.boxes}
    qtbot.waitUntil(lambda: bool(boxes.pop("sun").history_text if "sun" in boxes else True))
    assert {box.status_line for box in boxes.values()} == {""}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440)])
def test_the_row_begins_below_the_heading(
    opened: Open, size: tuple[int, int], language: str
) -> None:
    shelf = opened(size, language=language).shelf
    host, rules = shelf.commands["host"], shelf.commands["rules"]
    assert host.mapTo(shelf, QPoint(0, 0)).x() == shelf._greeting.x()
    assert rules.y() < shelf.board.mapTo(shelf, QPoint(0, 0)).y()
    assert rules.x() > shelf.width() / 2
    assert rules.text() == ""
    assert rules.accessibleName() == rules.toolTip() != ""
    box = shelf.boxes[0]
    assert box.board_top <= 0.48 * size[1]
    if size[0] == 2560:
        assert box.board_top > 0.4 * size[1]
