"""The statistics on the screen: counted at the end of a match, shown, written out, forgotten."""

from contextlib import AbstractContextManager
from pathlib import Path
from threading import Thread, current_thread

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from tabletop.engine.model import Result, ScoreLine
from tabletop.engine.scratch import FastRng
from tabletop.files import folders
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.storage import statistics as kept_statistics
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import Open, button, click, page, pass_on, saving_to, settle
from ui.app import Window
from ui.settings import statistics_screen
from ui.settings.chart import DOT_RADIUS_PX, ResultDots, ScoreChart, axis_ticks, won_symbol
from ui.settings.statistics_page import StatisticsPage
from ui.settings.statistics_screen import StatisticsScreen
from ui.shell.background_call import run_in_background
from ui.style.rich_text import in_colour
from ui.widgets.styled_widgets import FittingScrollArea, RichLabel

MIO, REN = Player("Mio"), Player("Ren")
BOT = Player("Kuro", kind="bot", level="hard")
SCORES = "Scores, latest match on the right"


def count(key: str, game: str, players: tuple[Player, ...], *scores: int) -> None:
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    sheet = (ScoreLine("Attack {n}", scores, (), {"n": 1}),)
    with kept_statistics.open_statistics() as kept:
        kept.add_match(key, game, players, Result(winners, scores, sheet))


def open_dialog(window: Window) -> StatisticsScreen:
    shown = page(window, "statistics")
    assert isinstance(shown, StatisticsScreen)
    return shown


def texts(dialog: StatisticsScreen) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


def test_a_match_played_to_its_end_is_counted_once(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = near_its_end(window, "sun", (Player("Mio", "sun"), Player("Ren", "moon")))
    pass_on(qtbot, screen, FastRng(4), 400)
    assert screen.seated.is_over
    settle()
    screen.consent.undo()
    settle()
    pass_on(qtbot, screen, FastRng(5), 10)
    assert screen.seated.is_over
    settle()
    with kept_statistics.open_statistics() as kept:
        assert kept.count_by_game("Mio") == {"sun": 1}
        scores = [kept.matches(name)[0].score for name in ("Mio", "Ren")]
        figures = {name: kept.line_statistics(name, "sun") for name in ("Mio", "Ren")}
    assert tuple(scores) == screen.seated.match.state.result.scores
    assert all(any(each.tally for each in kept) for kept in figures.values())
    acquired = [line for line in screen.seated.log if line.text == "{seat} acquires {card}."]
    means = [
        next(each.mean for each in kept if each.line.text == "Cards acquired")
        for kept in figures.values()
    ]
    assert sum(means) == len(acquired)


def test_before_the_first_match_it_says_so(opened: Open) -> None:
    shown = open_dialog(opened())
    assert "Your first win goes under one of these boxes. Which one will it be?" in texts(shown)
    assert not shown.player.isVisible()


def test_player_and_game_are_chosen(opened: Open) -> None:
    count("1", "sun", (MIO, REN), 9, 2)
    count("2", "sun", (MIO, BOT), 4, 5)
    count("3", "chains", (MIO,), 7)
    shown = open_dialog(opened())
    assert [shown.player.itemText(n) for n in range(shown.player.count())] == ["Mio", "Ren"]
    assert {"3", "Bot, hard"} <= set(texts(shown))
    played = {box.kit.id for box in shown.boxes.boxes if box.wins_text != "not played yet"}
    assert played == {"chains", "sun"}
    shown.game.setCurrentIndex(shown.game.findData("sun"))
    settle()
    assert {"50%", "6.5", "9", "Attack 1", "On the score sheet", "Against"} <= set(texts(shown))
    assert shown.findChildren(ScoreChart)[-1].accessibleDescription() == "9 (won), 4"
    shown.player.setCurrentIndex(shown.player.findData("Ren"))
    settle()
    assert shown.game.currentData() == "sun"
    assert "2.0" in texts(shown)


def test_a_win_is_the_full_dot_and_in_japanese_the_open_one() -> None:
    assert [won_symbol(Words(language)) for language in ("en", "ja")] == ["●", "○"]
    assert Words("ja")("● won   ○ not won   - - average").startswith("○")


@pytest.mark.parametrize(("language", "won_is_full"), [("en", True), ("ja", False)])
def test_the_dots_are_drawn_as_their_key_says(
    opened: Open, language: str, won_is_full: bool
) -> None:
    count("1", "sun", (MIO, REN), 9, 2)
    window = opened(language=language)
    dots = next(each for each in open_dialog(window).findChildren(ResultDots) if each.isVisible())
    picture = dots.grab().toImage()
    middle = picture.pixelColor(round(DOT_RADIUS_PX + 1.5), picture.height() // 2)
    assert (middle == QColor(window.context.theme.accent)) == won_is_full
    theme, won = window.context.theme, won_symbol(window.context.words)
    other = next(sign for sign in "●○" if sign != won)
    keys = [each.text() for each in window.findChildren(RichLabel) if won in each.text()]
    for sign, colour in ((won, theme.accent), (other, theme.accent_2)):
        assert all(in_colour(sign, colour) in key for key in keys), "in the dot's own colour"
    assert keys


def test_every_game_has_a_row_of_dots_in_the_order_of_boxes(opened: Open) -> None:
    for key, game, mine in (("1", "chains", 9), ("2", "sun", 2), ("3", "chains", 1)):
        count(key, game, (MIO, REN), mine, 5)
    shown = open_dialog(opened())
    rows = [each for each in shown.findChildren(ResultDots) if each.isVisible()]
    told = [(each.accessibleName(), each.accessibleDescription()) for each in rows]
    assert told == [("Children of the Sun", "not won"), ("Chains", "won, not won")]
    assert {name for name, _ in told} <= set(texts(shown))


def test_the_export_is_a_file_for_spreadsheets(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count("1", "sun", (Player("美緒"), REN), 9, 2)
    shown = open_dialog(opened())
    file = tmp_path / "out.csv"
    saving_to(monkeypatch, file)
    click(button(shown, "Export as CSV…"))
    head, first, second = file.read_text("utf-8-sig").splitlines()
    assert head.startswith("match,ended,game")
    assert "美緒" in first
    assert "Ren" in second


@pytest.mark.parametrize("agrees", [True, False])
def test_a_player_is_forgotten_once_agreed(
    opened: Open, monkeypatch: pytest.MonkeyPatch, agrees: bool
) -> None:
    count("1", "sun", (MIO, REN), 9, 2)
    count("2", "chains", (MIO,), 7)
    shown = open_dialog(opened())
    monkeypatch.setattr(QMessageBox, "exec", lambda box: click(box.buttons()[0 if agrees else 1]))
    click(button(shown, "Delete this player's statistics…"))
    settle()
    names = [shown.player.itemText(n) for n in range(shown.player.count())]
    assert names == (["Ren"] if agrees else ["Mio", "Ren"])


def test_a_damaged_file_spoils_neither_the_dialog_nor_the_table(opened: Open) -> None:
    folders.statistics().mkdir(parents=True)
    window = opened()
    shown = open_dialog(window)
    assert not shown.player.isVisible()
    assert window.banner.isVisible()


def test_the_scale_has_round_numbers_round_the_scores() -> None:
    assert axis_ticks(2, 9) == (2, 4, 6, 8, 10)
    assert axis_ticks(136, 223) == (100, 150, 200, 250)
    assert axis_ticks(-3, 4) == (-4, -2, 0, 2, 4)
    assert axis_ticks(5, 5) == (5, 6)


def test_at_small_tables_the_seats_are_told_apart(opened: Open) -> None:
    count("1", "sun", (MIO, REN), 9, 2)
    count("2", "sun", (REN, MIO), 4, 5)
    shown = open_dialog(opened())
    assert "Match by match, latest on the right" in texts(shown)
    assert "Seat by seat" not in texts(shown)
    shown.game.setCurrentIndex(shown.game.findData("sun"))
    settle()
    assert {"Seat by seat", "Seat 1", "Seat 2", "100%"} <= set(texts(shown))


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440)])
def test_the_dialog_is_no_larger_than_the_window(opened: Open, size: tuple[int, int]) -> None:
    count("1", "sun", (MIO, REN), 9, 2)
    shown = open_dialog(opened(size))
    assert shown.width() <= size[0]
    assert shown.height() <= size[1]
    page = shown.findChild(StatisticsPage)
    assert page is not None
    if size[1] > 600:  # nothing is scrolled: figures and boxes end at one line, and fill the page
        assert page.width() == shown.boxes.width()
        assert shown.boxes.height() == shown.boxes.maximumHeight()
    assert all(box.height() >= box.minimumSizeHint().height() for box in shown.boxes.boxes)


def test_statistics_are_opened_beside_the_window(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    count("1", "sun", (MIO, REN), 9, 2)
    window = opened(players=("Mio",))
    threads: list[Thread] = []
    really_open = kept_statistics.open_statistics

    def open_statistics() -> AbstractContextManager[kept_statistics.Statistics]:
        threads.append(current_thread())
        return really_open()

    monkeypatch.setattr(statistics_screen, "run_in_background", run_in_background)
    monkeypatch.setattr(statistics_screen, "open_statistics", open_statistics)
    monkeypatch.setattr(kept_statistics, "open_statistics", open_statistics)
    shown = open_dialog(window)
    qtbot.waitUntil(lambda: "Against" in texts(shown))
    click(shown.done)
    box = next(box for box in window.shelf.boxes if box.game.id == "sun")
    window.show_new_game(box.game)
    window.show_shelf()
    qtbot.waitUntil(lambda: "won 1 of 1" in box.history_text)
    assert threads
    assert current_thread() not in threads


def test_papers_lie_below_one_another_in_a_narrow_page(opened: Open) -> None:
    for key, score in (("a", 17), ("b", -4)):
        count(key, "sun", (MIO, BOT), score, 12)
    window = opened((640, 400))
    window.setMinimumSize(1, 1)
    shown = open_dialog(window)
    shown.game.setCurrentIndex(shown.game.findData("sun"))
    for wide in (640, 1280, 640):
        window.resize(wide, 400)
        settle()
        roll = shown.findChild(FittingScrollArea)
        assert roll is not None
        assert roll.horizontalScrollBar().maximum() == 0
        chart, table = (heading(shown, text) for text in (SCORES, "Against"))
        below = table.mapTo(shown, QPoint(0, 0)).y() > chart.mapTo(shown, QPoint(0, 0)).y()
        assert below == (wide == 640)


def heading(dialog: StatisticsScreen, text: str) -> QLabel:
    return next(label for label in dialog.findChildren(QLabel) if label.text() == text)
