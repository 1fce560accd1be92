"""Points: the score tab during a game, the sheet at its end."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tabletop.engine.model import Result, ScoreLine, State
from tabletop.games import catalogue
from tabletop.match import Player
from tabletop.storage.settings import Settings
from tabletop.words import Words
from ui.match.dock_panels import ScorePanel
from ui.match.score_sheet import ScoreSheet, verdict
from ui.shell.app_context import AppContext

NAMES = ("Hinata", "Kaname", "Botan", "Aoi", "Ren", "Sora", "Yuzu", "Mio", "Tsukishiro", "Nagi")
SYMBOLS = ("sun", "moon", "leaf", "flower", "wave", "bell", "crane", "gem", "fan", "key")
PLAYERS = tuple(Player(*named) for named in zip(NAMES, SYMBOLS, strict=True))


@pytest.fixture
def context(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppContext:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))
    return AppContext(Settings(language="en"))


def texts(widget: QWidget) -> list[str]:
    return [each.text() for each in widget.findChildren(QLabel) if not each.isHidden()]


# The score tab


def shown(context: AppContext, view: State, game: str = "sun", score: str = "score/{seat}") -> str:
    kit = catalogue.load(game)
    kit = replace(kit, meaning=replace(kit.meaning, score=score))
    panel = ScorePanel(context, kit)
    panel.show_scores(view, PLAYERS[:2], Words("en", kit, PLAYERS[:2]))
    return " | ".join(filter(None, texts(panel)))


def test_the_running_score_is_the_value_of_that_name(context: AppContext) -> None:
    view = State(2, (), values={"score/0": 3, "score/1": 5, "points/0": 8, "points/1": 9})
    assert shown(context, view) == "Hinata | 3 | Kaname | 5"
    assert shown(context, view, score="points/{seat}") == "Hinata | 8 | Kaname | 9"


def test_without_a_running_score_nothing_is_pretended(context: AppContext) -> None:
    view = State(2, (), values={"round": 3})
    assert shown(context, view, "sisters") == "No points are counted before the end."
    over = replace(view, result=Result((1,), (40, 52)))
    assert shown(context, over, "sisters") == "Hinata | 40 | Kaname · winner | 52"
    given_up = replace(view, result=Result((1,), ()))
    assert shown(context, given_up, "sisters") == "No points were counted."


# The sheet


def test_the_verdict_names_who_won_and_calls_nothing_a_draw_that_is_none() -> None:
    words = Words("en", None, PLAYERS)
    assert verdict(Result((1,), (1, 2)), 2, words) == "Kaname wins"
    assert verdict(Result((0, 1), (2, 2)), 2, words) == "Hinata, Kaname win together"
    assert verdict(Result((), (2, 2)), 2, words) == "A draw"
    assert verdict(Result((), (7,)), 1, words) == "Not won this time"
    assert verdict(Result((), (7,)), 1, Words("ja")) == "今回は達成ならず"


def result(seats: int, lines: int) -> Result:
    """A result with so many columns and rows, each with a formula."""
    points = tuple(range(10, 10 + seats))
    formulas = tuple(f"{n}×({n}−1)×1" for n in points)
    sheet = tuple(ScoreLine(f"House: lovers of kind {n}", points, formulas) for n in range(lines))
    return Result((0,), tuple(n * lines for n in points), sheet)


@pytest.fixture
def table_area(qtbot: QtBot) -> QWidget:
    """What the sheet lies on."""
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def printed(
    context: AppContext, table_area: QWidget, seats: int, lines: int, place: QSize
) -> ScoreSheet:
    table_area.resize(place)
    sheet = ScoreSheet(context, table_area)
    sheet.show_result(result(seats, lines), PLAYERS[:seats], Words("en", None, PLAYERS))
    sheet.show()
    sheet.resize(sheet.wanted_size(place))
    QTest.qWait(20)
    return sheet


SMALL, USUAL, LARGE = QSize(768, 565), QSize(972, 765), QSize(2200, 1400)
"""What the dock leaves of the table in windows of three sizes."""


@pytest.mark.parametrize("place", [SMALL, USUAL, LARGE])
@pytest.mark.parametrize(("seats", "lines"), [(4, 12), (10, 4), (2, 5), (1, 4)])
def test_every_figure_fits_without_scrolling(
    context: AppContext, table_area: QWidget, seats: int, lines: int, place: QSize
) -> None:
    sheet = printed(context, table_area, seats, lines, place)
    assert sheet.width() <= place.width()
    assert sheet.height() <= place.height()
    roll = sheet.roll
    assert roll.horizontalScrollBar().maximum() == 0
    assert roll.verticalScrollBar().maximum() == 0
    seen = texts(sheet)
    for n in range(10, 10 + seats):
        assert seen.count(f"{n}×({n}−1)×1") == lines
        assert str(n * lines) in seen


def test_a_conceded_game_has_a_sheet_without_figures(
    context: AppContext, table_area: QWidget
) -> None:
    sheet = printed(context, table_area, 2, 3, USUAL)
    conceded = Result((1,), (), (), "{seat} conceded.", {"seat": 0})
    sheet.show_result(conceded, PLAYERS[:2], Words("en", None, PLAYERS))
    QTest.qWait(20)
    sheet.resize(sheet.wanted_size(USUAL))
    seen = texts(sheet)
    assert "Kaname wins" in seen
    assert "Hinata conceded." in seen
    assert "Total" not in seen
    assert sheet.height() < 250
