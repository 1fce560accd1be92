"""The score sheet at the end of a match."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tabletop.engine.model import Result, ScoreLine
from tabletop.language.words import Words
from tabletop.match.match import Player
from tabletop.storage.settings import Settings
from tests.ui.window_driver import settle
from ui.match.result.score_sheet import MAX_WIDTH_PX, MIN_WIDTH_PX, ScoreSheet, winner_text
from ui.shell.app_context import AppContext

NAMES = ("Hinata", "Kaname", "Botan", "Aoi", "Ren", "Sora", "Yuzu", "Mio", "Tsukishiro", "Nagi")
SYMBOLS = ("sun", "moon", "leaf", "flower", "wave", "bell", "crane", "gem", "fan", "key")
PLAYERS = tuple(Player(*named) for named in zip(NAMES, SYMBOLS, strict=True))


@pytest.fixture
def context(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppContext:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path))
    return AppContext(Settings(language="en"))


def texts(widget: QWidget) -> list[str]:
    return [each.text() for each in widget.findChildren(QLabel) if each.isVisibleTo(widget)]


# The sheet


def test_the_verdict_names_winners_and_true_draws() -> None:
    words = Words("en", None, PLAYERS)
    assert winner_text(Result((1,), (1, 2)), 2, words) == "Kaname wins"
    assert winner_text(Result((0, 1), (2, 2)), 2, words) == "Hinata, Kaname win together"
    assert winner_text(Result((), (2, 2)), 2, words) == "A draw"
    assert winner_text(Result((), (7,)), 1, words) == "Not won this time"
    assert winner_text(Result((), (7,)), 1, Words("ja")) == "今回は達成ならず"


def result(seats: int, lines: int) -> Result:
    """A result with so many columns and rows, each with a formula."""
    points = tuple(range(10, 10 + seats))
    formulas = tuple(f"{n}×({n}−1)×1" for n in points)
    sheet = tuple(ScoreLine(f"House: lovers of kind {n}", points, formulas) for n in range(lines))
    return Result((0,), tuple(n * lines for n in points), sheet)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """The room of the sheet."""
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def laid(context: AppContext, window: QWidget, ended: Result, place: QSize) -> ScoreSheet:
    """The sheet of this end in a place of this size."""
    window.resize(place)
    sheet = ScoreSheet(context)
    sheet.setParent(window)
    seats = len(ended.scores) or 2
    sheet.show_result(ended, PLAYERS[:seats], Words("en", None, PLAYERS))
    sheet.resize(place)
    sheet.show()
    settle()
    return sheet


def told(widget: QWidget) -> str:
    """All its printed texts, and its tool tips."""
    tips = [each.toolTip() for each in widget.findChildren(QWidget) if each.isVisible()]
    return "\n".join([*texts(widget), *tips])


@pytest.mark.parametrize("across", [2, 10])
def test_a_total_is_heard_with_its_player(
    context: AppContext, window: QWidget, across: int
) -> None:
    sheet = laid(context, window, result(across, 4), QSize(MIN_WIDTH_PX, 690))
    named = {each.accessibleName() for each in sheet.findChildren(QLabel)}
    assert {"Hinata: Total: 40", "Kaname: Total: 44"} <= named
    assert not [name for name in named if name.isdigit()]


LOW, USUAL, LARGE = QSize(MIN_WIDTH_PX, 500), QSize(MIN_WIDTH_PX, 690), QSize(MAX_WIDTH_PX, 1350)
"""Heights that windows of three sizes leave to the sheet."""


@pytest.mark.parametrize("place", [LOW, USUAL, LARGE])
@pytest.mark.parametrize(("seats", "lines"), [(4, 12), (10, 4), (10, 5), (2, 5), (1, 4)])
def test_every_figure_fits_the_width_and_its_formula_is_told(
    context: AppContext, window: QWidget, seats: int, lines: int, place: QSize
) -> None:
    sheet = laid(context, window, result(seats, lines), place)
    inside = sheet.scroll_area.widget()
    assert inside.minimumSizeHint().width() <= sheet.scroll_area.viewport().width()
    for each in inside.findChildren(QLabel):
        if each.isVisible():
            right = each.mapTo(inside, each.rect().topRight()).x()
            assert right <= inside.width(), each.text()
    seen = told(sheet)
    for n in range(10, 10 + seats):
        assert seen.count(f"{n}×({n}−1)×1") >= lines
        assert str(n * lines) in texts(sheet)


@pytest.mark.parametrize(("seats", "lines"), [(4, 12), (2, 5), (1, 4)])
def test_in_a_large_window_nothing_has_to_be_scrolled(
    context: AppContext, window: QWidget, seats: int, lines: int
) -> None:
    sheet = laid(context, window, result(seats, lines), LARGE)
    assert sheet.scroll_area.verticalScrollBar().maximum() == 0
    assert texts(sheet).count("10×(10−1)×1") == lines, "there is room for all formulas"


def test_many_stand_one_below_the_other_who_won_first(context: AppContext, window: QWidget) -> None:
    points = tuple(range(10))
    ended = Result((3,), points, (ScoreLine("Links", points),))
    sheet = laid(context, window, ended, USUAL)
    names = [
        each for each in sheet.findChildren(QLabel) if each.text() in NAMES and each.isVisible()
    ]
    names.sort(key=lambda each: each.mapTo(sheet, each.pos()).y())
    order = [NAMES.index(each.text()) for each in names]
    assert order == [3, *(seat for seat in reversed(range(10)) if seat != 3)]


def test_who_won_is_told_by_symbol_and_colour(context: AppContext, window: QWidget) -> None:
    sheet = laid(context, window, Result((1,), (40, 52)), USUAL)
    assert sheet.winner_band.title.text() == "Kaname wins"
    picture = sheet.winner_band.grab().toImage()
    edge = picture.pixelColor(sheet.winner_band.width() // 2, 1)
    wanted = QColor(context.seat_colour("moon"))
    near = zip(edge.getRgb()[:3], wanted.getRgb()[:3], strict=True)
    assert all(abs(is_ - should) < 60 for is_, should in near)
    badges = [each for each in sheet.findChildren(QLabel) if not each.pixmap().isNull()]
    assert {each.accessibleName() for each in badges} == {"Sun", "Moon"}


def test_the_names_of_many_winners_are_not_cut(context: AppContext, window: QWidget) -> None:
    sheet = laid(context, window, Result((0, 1, 2, 3), (52,) * 10), LOW)
    title = sheet.winner_band.title
    assert title.height() >= title.heightForWidth(title.width())
    assert sheet.winner_band.height() >= title.height()


def test_how_close_it_was_is_said(context: AppContext, window: QWidget) -> None:
    sheet = laid(context, window, Result((1,), (51, 52)), USUAL)
    assert "Only 1 point ahead of Hinata!" in texts(sheet)


def test_a_conceded_game_has_a_sheet_without_figures(context: AppContext, window: QWidget) -> None:
    conceded = Result((1,), (), (), "{seat} conceded.", {"seat": 0})
    sheet = laid(context, window, conceded, USUAL)
    seen = texts(sheet)
    assert "Kaname wins" in seen
    assert "Hinata conceded." in seen
    assert "Total" not in seen


def test_only_what_makes_sense_can_be_pressed(context: AppContext, window: QWidget) -> None:
    sheet = laid(context, window, result(2, 3), USUAL)

    def seen() -> list[str]:
        return [b.text() for b in sheet.findChildren(QPushButton) if b.isVisible() and b.text()]

    everything = ["Play again", "Review", "Share as picture"]
    rest = ["Watch replay", "Back to the shelf", "Swap seats", "Save replay…"]
    assert seen() == [*everything, *rest]
    sheet.set_covering(True)
    assert "See the table" in seen()
    sheet.set_covering(False)
    sheet.set_available_buttons(("leave",))
    assert seen() == ["Share as picture", "Back to the shelf"]
    alone = laid(context, window, Result((), (7,), (ScoreLine("Links", (7,)),)), USUAL)
    assert alone.isVisible()
