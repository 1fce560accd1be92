"""Matches that wait: all of them side by side over the shelf, each with its picture."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import Luck
from tests.ui.window_driver import Open, begin, button, click, pass_on, settle, table
from ui.app import Window
from ui.widgets.surface import Shortened


def several(qtbot: QtBot, window: Window, count: int) -> None:
    for number in range(count):
        pass_on(qtbot, begin(window, names=(f"Mio {number}", "Ren")), Luck(number), 3)
        window.do("leave")
        settle()


@pytest.mark.parametrize("size", [(960, 540), (1280, 800), (2560, 1440)])
def test_all_matches_that_wait_are_there_and_no_button_is_cut(
    opened: Open, size: tuple[int, int], qtbot: QtBot
) -> None:
    window = opened(size)
    several(qtbot, window, 4)
    window.context.change(language="ja")
    settle()
    cards = window.shelf.cards
    assert [card.waiting.players[:5] for card in cards] == ["Mio 3", "Mio 2", "Mio 1", "Mio 0"]
    assert all(card.waiting.picture is not None for card in cards)
    for card in cards:
        assert card.geometry().height() <= window.shelf._begun.height()
        for each in card.findChildren(QPushButton):
            assert each.width() >= each.minimumSizeHint().width()
    lefts = [card.geometry() for card in cards]
    assert all(one.right() < two.left() for one, two in pairwise(lefts))


def test_the_wheel_brings_the_others_into_sight(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    several(qtbot, window, 3)
    row, last = window.shelf._begun, window.shelf.cards[-1]
    assert row.horizontalScrollBar().maximum() > 0
    nowhere = Qt.KeyboardModifier.NoModifier
    for _ in range(20):
        middle = QPointF(row.viewport().rect().center())
        QApplication.sendEvent(
            row.viewport(),
            QWheelEvent(
                middle,
                row.viewport().mapToGlobal(middle),
                QPoint(),
                QPoint(0, -120),
                Qt.MouseButton.NoButton,
                nowhere,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            ),
        )
    settle()
    assert not last.go.visibleRegion().isEmpty()
    click(button(last, "Continue"))
    assert table(window).seats_here.players[0].name == "Mio 0"


def test_a_text_that_finds_no_room_is_told_when_it_is_pointed_at(opened: Open) -> None:
    opened()
    line = Shortened()
    line.setText("A very long name of a match that was begun on a Friday")
    line.resize(80, 20)
    line.show()
    settle()
    assert line.toolTip() == line.text()
    line.resize(800, 20)
    settle()
    assert line.toolTip() == ""


def test_bots_do_not_think_on_at_a_table_that_was_left(opened: Open) -> None:
    window = opened(animation="fast")
    screen = begin(window, 1, 1)
    seating = screen.seats_here.seating
    window.do("leave")
    told = len(seating.match.record)
    seating.rest(True)
    settle(30)
    assert seating._future is None
    assert len(seating.match.record) == told
