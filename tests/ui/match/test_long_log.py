"""The log of a long match: its last lines are there at once, the others when somebody goes up."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.events import Said
from tabletop.language.words import Words
from tabletop.match.match import Player
from tests.ui.window_driver import Open
from ui.match.log_panel import INITIAL_LINES, LogPanel
from ui.style.line_breaks import bind_phrases

PLAYERS = (Player("Ann", "sun"), Player("Bea", "moon"))
LINES = tuple(
    Said("{seat} has {n}.", args={"seat": n % 2, "n": n}) for n in range(3 * INITIAL_LINES)
)


@pytest.fixture
def panel(opened: Open, qtbot: QtBot) -> Iterator[LogPanel]:
    context = opened().context
    panel = LogPanel(context)
    panel.resize(300, 400)
    panel.show()
    panel.show_lines(LINES, context.game_words(catalogue.load("sun")), PLAYERS, 0)
    yield panel
    panel.close()


def top_line(panel: LogPanel) -> str:
    return panel.list_widget.itemAt(QPoint(40, 20)).text()


def test_the_last_lines_are_there_at_once(panel: LogPanel) -> None:
    assert panel.list_widget.count() == INITIAL_LINES
    last = panel.list_widget.item(INITIAL_LINES - 1)
    assert str(len(LINES) - 1) in last.text()
    assert panel.list_widget.viewport().rect().intersects(panel.list_widget.visualItemRect(last))


def test_the_early_lines_come_when_somebody_goes_up(panel: LogPanel, qtbot: QtBot) -> None:
    panel.list_widget.verticalScrollBar().setValue(0)
    seen = top_line(panel)
    qtbot.waitUntil(lambda: panel.list_widget.count() == len(LINES))
    assert top_line(panel) == seen, "what is read stays where it is"
    assert "has 0." in panel.list_widget.item(0).text()


def test_a_line_tells_which_it_is_before_and_after(panel: LogPanel) -> None:
    heard: list[object] = []
    panel.line_chosen.connect(lambda said, row: heard.extend((said, row)))
    for _ in range(2):
        panel.list_widget.itemClicked.emit(panel.list_widget.item(panel.list_widget.count() - 5))
        panel.load_earlier_lines()
    assert heard == [LINES[-5], len(LINES) - 5] * 2


def test_new_lines_follow_and_early_ones_stay_away(panel: LogPanel) -> None:
    more = Said("{seat} has {n}.", args={"seat": 0, "n": 12345})
    words = Words("en", catalogue.load("sun"), PLAYERS)
    panel.show_lines((*LINES, more), words, PLAYERS, 0)
    assert panel.list_widget.count() == INITIAL_LINES + 1
    assert "12345" in panel.list_widget.item(INITIAL_LINES).text()


def test_the_whole_log_is_copied(panel: LogPanel) -> None:
    panel.copy()
    assert QGuiApplication.clipboard().text().count("\n") == len(LINES) - 1


def test_a_replay_comes_to_an_early_line(panel: LogPanel) -> None:
    panel.mark_reached(3)
    assert panel.list_widget.currentRow() == 3
    assert panel.list_widget.currentItem().data(Qt.ItemDataRole.DisplayRole).endswith("has 3.")


def test_japanese_lines_break_between_phrases(panel: LogPanel) -> None:
    said = Said("プレイヤーが「やり直し」で振り直しました。出目は5です。")
    context = panel._context
    panel.show_lines((said,), context.game_words(catalogue.load("sun")), PLAYERS, 0)
    option, delegate = QStyleOptionViewItem(), panel.list_widget.itemDelegate()
    delegate.initStyleOption(option, panel.list_widget.indexFromItem(panel.list_widget.item(0)))
    assert option.text == bind_phrases(said.text) != said.text
    assert panel.list_widget.item(0).text() == said.text, "what is copied"
