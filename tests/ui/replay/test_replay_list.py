"""The list of replays after a year: found, grouped, and put away several at once."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt

from tabletop.files import folders
from tabletop.match.match import Player
from tabletop.storage import saved_matches
from tabletop.storage.record import read, save
from tests.storage.corpus import LATEST
from tests.ui.replay.listed_replays import SPOKEN, rows, show_replays
from tests.ui.window_driver import Open, button, click, settle
from ui.app import Window
from ui.replay.replay_list import CARD_GAP_PX, FILE_ROLE, MONTH_ROLE, ReplayList
from ui.widgets.fading_bars import HIDDEN_PROPERTY

PLAYED = {
    "a": ("sun-2", "Ann", datetime(2026, 3, 4, 20, tzinfo=UTC)),
    "b": ("sun-2", "Bea", datetime(2026, 3, 9, 20, tzinfo=UTC)),
    "c": ("royale-2", "Ann", datetime(2026, 10, 12, 20, tzinfo=UTC)),
}


@pytest.fixture
def year(opened: Open) -> ReplayList:
    """The list of three matches of two months."""
    folders.replays().mkdir(parents=True)
    for name, (match, player, when) in PLAYED.items():
        record = read(LATEST / f"{match}.tabletop")
        players = (Player(player, "sun"), *record.header.players[1:])
        head = replace(record.header, players=players, created=when)
        save(replace(record, header=head), folders.replays() / f"{name}.tabletop")
    return show_replays(opened())


def listed(year: ReplayList) -> list[str]:
    """The months and the files, from above."""
    return [row.data() if row.data(MONTH_ROLE) else row.data(FILE_ROLE).stem for row in rows(year)]


def window_of(year: ReplayList) -> Window:
    window = year.window()
    assert isinstance(window, Window)
    return window


def test_replays_stand_by_months_of_their_matches(year: ReplayList) -> None:
    assert listed(year) == ["October 2026 (1)", "c", "March 2026 (2)", "b", "a"]
    assert [file.stem for file in year.selected_files] == ["c"]
    heard = [row.data(SPOKEN) for row in rows(year)]
    assert heard[0] == "October 2026: 1 replay"
    assert heard[2] == "March 2026: 2 replays"
    for row in (1, 3, 4):
        assert " points. " in heard[row] + " "
        assert " : " not in heard[row]
    places = [year.shown.visualRect(row) for row in rows(year)]
    assert places[0].width() == places[2].width() == year.shown.viewport().width()
    right = year.shown.mapTo(year, QPoint(places[0].right() - CARD_GAP_PX, 0)).x()
    assert abs(right - year.filter.geometry().right()) <= 1, "cards end where all else ends"
    assert places[0].height() < places[1].height() / 3, "a month is a line, and no empty card"
    assert places[3].top() == places[4].top() == places[2].bottom() + 1
    window_of(year).context.change_settings(language="ja")
    settle()
    assert listed(year)[0] == "2026年10月（1件）"


def test_a_search_and_filters_find_a_replay(year: ReplayList) -> None:
    year.filter.search.setText("ANN sun")
    assert listed(year) == ["a"]
    year.filter.search.setText("nobody")
    assert listed(year) == []
    assert not year.buttons["delete"].isEnabled()
    year.filter.search.clear()
    choices = year.filter.choices
    choices["player"].setCurrentIndex(choices["player"].findText("Bea"))
    assert listed(year) == ["b"]
    choices["player"].setCurrentIndex(0)
    choices["month"].setCurrentIndex(choices["month"].findText("March 2026"))
    assert listed(year) == ["b", "a"]
    choices["month"].setCurrentIndex(0)
    choices["game"].setCurrentIndex(choices["game"].findText("Children of the Sun"))
    assert listed(year) == ["b", "a"]


def test_several_go_and_come_and_no_other_is_read(
    year: ReplayList, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_matches, "iter_replay_batches", lambda: pytest.fail("all were read"))
    select = QItemSelectionModel.SelectionFlag
    for row, name in zip(rows(year), listed(year), strict=True):
        act = select.Select if name in "ab" else select.Deselect
        year.shown.selectionModel().select(row, act)
    assert not year.buttons["watch"].isEnabled()
    click(button(year, "Delete"))
    assert listed(year) == ["c"]
    window = window_of(year)
    assert window.banner.text == "2 replays moved to the trash."
    click(button(window.banner, "Undo"))
    assert listed(year) == ["October 2026 (1)", "c", "March 2026 (2)", "b", "a"]


def test_a_heading_is_never_chosen(year: ReplayList) -> None:
    year.shown.selectAll()
    assert sorted(file.stem for file in year.selected_files) == ["a", "b", "c"]
    assert not rows(year)[0].flags() & Qt.ItemFlag.ItemIsSelectable


def test_while_nothing_was_played_a_game_is_offered(opened: Open) -> None:
    window = opened()
    listed = show_replays(window)
    assert listed.empty is not None
    first = listed.empty.games[0]
    assert first.isVisible()
    assert not listed.shown.isVisible()
    click(first)
    assert window.new_game is not None
    assert window.new_game.kit.id == first.kit.id


def test_an_upright_window_has_two_columns_and_no_needless_bar(year: ReplayList) -> None:
    window = window_of(year)
    for size, columns in (((1080, 1920), 2), ((1280, 800), 3)):
        window.resize(*size)
        settle()
        assert year.shown.viewport().width() // year.shown.card.width() == columns
    window.resize(1080, 1920)
    settle()
    bar = year.shown.verticalScrollBar()
    assert bar.maximum() == bar.minimum()
    assert bar.property(HIDDEN_PROPERTY) is True
