"""The winner is shown over the table before the score sheet comes, and what is told of them."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.commands import match_source
from tabletop.engine.model import Result, ScoreLine
from tabletop.engine.scratch import FastRng
from tabletop.games.colours import contrast_ratio
from tabletop.language.words import Words
from tabletop.match.match import SYMBOLS, Player
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import Open, click, hold, pass_on, settle
from ui.app import Window
from ui.match.result.victory import (
    DIMMED_LIGHT,
    ORNAMENT_BADGES,
    ORNAMENT_SPACING,
    SHADE_OPACITY,
    ResultLines,
    result_lines,
)
from ui.match.screen.table_screen import TableScreen
from ui.style.theme import THEMES, load_theme, mix

NAMES = ("Hinata", "Kaname", "Shizuku", "Tsubasa")


def won(opened: Open, qtbot: QtBot, **settings: object) -> tuple[Window, TableScreen]:
    """A window in which a match of two has just ended, seen or skipped to its end."""
    window = opened()
    screen = near_its_end(window)
    hold(qtbot, screen) if screen.curtain.is_drawn else None
    window.context.change_settings(**({"animation": "slow"} | settings))
    luck = FastRng(0)
    while not screen.seated.is_over:
        pass_on(qtbot, screen, luck, 1)
        screen.scene.skip_animations()
        settle()
    screen.scene.skip_animations()
    settle()
    return window, screen


def ended_at(screen: TableScreen) -> tuple[bool, bool]:
    return screen.ending.victory.isVisible(), screen.ending.sheet.isVisible()


@pytest.mark.parametrize("way", ["press", "key"])
def test_the_winner_comes_before_the_sheet(opened: Open, qtbot: QtBot, way: str) -> None:
    _, screen = won(opened, qtbot)
    victory = screen.ending.victory
    assert ended_at(screen) == (True, False)
    assert victory.geometry() == screen.rect()
    assert victory.hasFocus()
    assert "wins" in victory.accessibleName()
    if way == "press":
        QTest.mouseClick(victory, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(victory, Qt.Key.Key_A)
    settle()
    assert ended_at(screen) == (False, True)


def test_a_victory_ends_by_itself(opened: Open, qtbot: QtBot) -> None:
    window, screen = won(opened, qtbot)
    victory = screen.ending.victory
    victory._clock.setCurrentTime(victory._clock.duration())
    assert ended_at(screen) == (True, True), "it goes out softly"
    assert not victory.is_running
    QApplication.sendPostedEvents()  # the sheet is laid
    assert screen.ending.sheet.x() > screen.ending.sheet.parentWidget().contentsRect().x(), (
        "it still comes"
    )
    qtbot.waitUntil(lambda: not victory.isVisible())
    assert window.context.animation_speed != "off"


def test_a_sheet_is_whole_if_motion_was_turned_off_meanwhile(opened: Open, qtbot: QtBot) -> None:
    window, screen = won(opened, qtbot)
    window.context.change_settings(animation="off")
    clock = screen.ending.victory._clock
    clock.setCurrentTime(clock.duration())
    settle()
    assert screen.ending.sheet.pos() == screen.ending.sheet.parentWidget().contentsRect().topLeft()
    assert ended_at(screen) == (False, True)
    told = printed(screen.ending.sheet)
    screen.ending.sheet._grid.show_counted(1.0)
    assert printed(screen.ending.sheet) == told


@pytest.mark.parametrize("still", [{"animation": "off"}, {"reduced_motion": True}])
def test_without_motion_the_sheet_comes_at_once(
    opened: Open, qtbot: QtBot, still: dict[str, object]
) -> None:
    _, screen = won(opened, qtbot, **still)
    assert ended_at(screen) == (False, True)
    assert printed(screen.ending.sheet)


def test_a_match_that_was_over_is_not_won_again(opened: Open) -> None:
    window = opened()
    window.context.change_settings(animation="slow")
    match = match_source.play_random_match(catalogue.load("sun"), 2, "the end")
    window.matches.show_match(match)
    settle()
    assert ended_at(window.table) == (False, True)


def test_a_move_taken_back_ends_the_victory(opened: Open, qtbot: QtBot) -> None:
    _, screen = won(opened, qtbot)
    screen.seated.agree_to_undo(screen.switch.active_viewer)
    settle()
    assert not screen.seated.is_over
    assert not screen.ending.victory.isVisible()


def printed(sheet: QWidget) -> list[str]:
    return sorted(each.text() for each in sheet.findChildren(QLabel) if each.isVisible())


def test_numbers_are_counted_up_to_what_they_are(opened: Open, qtbot: QtBot) -> None:
    _, screen = won(opened, qtbot)
    screen.ending.victory.skip()
    sheet = screen.ending.sheet
    sheet._entering.pause()
    sheet._entering.setCurrentTime(0)
    settle()
    begun = printed(sheet._grid)
    QTest.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=sheet.rect().topRight() + QPoint(-3, 3))
    settle()
    counted = printed(sheet._grid)
    assert begun != counted
    result = screen.seated.view.result
    assert all(str(score) in counted for score in result.scores)
    assert sheet.pos() == sheet.parentWidget().contentsRect().topLeft()
    sheet.show_result(result, screen.seated.players, screen.words)
    settle()
    assert printed(sheet._grid) == counted, "as without any motion"


@pytest.mark.parametrize("name", THEMES)
def test_the_winners_figures_are_in_their_colour(opened: Open, qtbot: QtBot, name: str) -> None:
    window, screen = won(opened, qtbot, animation="off", theme=name)
    seated = screen.seated
    (winner,) = seated.view.result.winners
    colour = window.context.seat_line_colour(seated.players[winner].symbol)
    frames = screen.ending.sheet._grid.findChildren(QFrame)
    sheets = [each.styleSheet() for each in frames]
    assert sum(colour in sheet for sheet in sheets) == 1
    (wash,) = (each for each in frames if colour in each.styleSheet())
    for each in screen.ending.sheet._grid.findChildren(QLabel):
        place = QRect(each.mapTo(screen.ending.sheet._grid, QPoint()), each.size())
        if wash.geometry().contains(place.center()):
            inside = place.marginsRemoved(each.contentsMargins())
            assert wash.geometry().adjusted(5, 5, -5, -5).contains(inside), each.text()
    assert not any(window.context.theme.accent in sheet for sheet in sheets)


def test_what_is_seldom_wanted_is_a_link(opened: Open, qtbot: QtBot) -> None:
    _, screen = won(opened, qtbot, animation="off")
    kinds = {each.text(): each.property("kind") for each in screen.ending.sheet._buttons.values()}
    assert kinds["Play again"] == "primary"
    assert kinds["Watch replay"] == kinds["Back to the shelf"] == kinds["Review"]
    assert kinds["Swap seats"] == kinds["Save replay…"] == "quiet"
    click(screen.ending.sheet._buttons["leave"])


@pytest.mark.parametrize("winners", [1, 2, 6])
def test_every_winner_has_room_for_an_ornament(opened: Open, qtbot: QtBot, winners: int) -> None:
    _, screen = won(opened, qtbot, animation="off")
    victory = screen.ending.victory
    players = tuple(Player(f"P{n}", symbol) for n, symbol in enumerate(SYMBOLS[:winners]))
    result = Result(tuple(range(winners)), (7,) * winners, ())
    screen.context.change_settings(animation="slow")
    victory.start(result, players, screen.words)
    victory._clock.pause()
    victory._clock.setCurrentTime(victory._clock.duration() - 1)
    side, middle = victory._badge_side(1.0), victory.height() * 0.4
    assert winners * side * ORNAMENT_BADGES * ORNAMENT_SPACING <= victory.width()
    picture = victory.grab().toImage()
    for number, player in enumerate(players):
        across = (number - (winners - 1) / 2) * side * ORNAMENT_BADGES * ORNAMENT_SPACING
        edge = QPoint(round(victory.width() / 2 + across - 0.44 * side), round(middle))
        seen = picture.pixelColor(edge * picture.devicePixelRatio())
        assert seen == QColor(screen.context.seat_colour(player.symbol))
    victory.skip()


@pytest.mark.parametrize("name", THEMES)
def test_its_words_are_read_over_the_brightest_card(name: str) -> None:
    behind = mix(
        mix("#FFFFFF", "#000000", 1.0 - DIMMED_LIGHT).name(), "#000000", SHADE_OPACITY
    ).name()
    assert contrast_ratio(load_theme(name).stock, behind) >= 4.5


# What is told of a result


def of(game: str, result: Result, seats: int = 3, language: str = "en") -> ResultLines:
    players = tuple(Player(name, "") for name in NAMES[:seats])
    return result_lines(result, seats, Words(language, catalogue.load(game), players))


def sheet_of(scores: tuple[int, ...]) -> tuple[ScoreLine, ...]:
    return (ScoreLine("Total", scores),)


@pytest.mark.parametrize("game", ["sun", "sisters", "chains", "awss", "royale"])
def test_the_nearest_loser_is_told_the_distance(game: str) -> None:
    scores = (12, 9, 4)
    assert of(game, Result((0,), scores, sheet_of(scores))) == ResultLines(
        "Hinata wins", "12 points", "Kaname: 3 points short"
    )
    ja = of(game, Result((0,), scores, sheet_of(scores)), language="ja")
    assert ja == ResultLines("Hinataの勝ち", "12点", "Kanameはあと3点でした")


def test_few_points_may_be_better() -> None:
    assert of("sun", Result((1,), (5, 1), ()), 2) == ResultLines(
        "Kaname wins", "1 point", "Hinata: 4 points too many"
    )


def test_equal_points_are_told_by_what_decides() -> None:
    result = Result((0,), (7, 7), (), "Equal weight: more fish decide.")
    assert of("_blank", result, 2).line == (
        "Kaname had just as many points. Equal weight: more fish decide."
    )


def test_several_winners_share_one_line() -> None:
    both = of("chains", Result((0, 1), (9, 9, 2), (), "A shared victory."))
    assert both == ResultLines("Hinata, Kaname win together", "9 points", "A shared victory.")


def test_teams_win_and_lose_together() -> None:
    teams = ((0, 2), (1, 3))
    result = Result((0, 2), (8, 6, 8, 6), (), teams=teams)
    assert of("sun", result, 4) == ResultLines(
        "Hinata and Shizuku win", "8 points", "Kaname and Tsubasa: 2 points short"
    )


def test_a_conceded_game_has_no_points() -> None:
    result = Result((1,), (), (), "{seat} conceded.", {"seat": 0})
    assert of("sun", result, 2) == ResultLines("Kaname wins", "", "Hinata conceded.")


def test_a_lost_solo_has_no_winner() -> None:
    result = Result((), (4,), sheet_of((4,)), "Not all ten chains: not won.", teams=((0,),))
    assert of("chains", result, 1) == ResultLines(
        "Not won this time", "", "Not all ten chains completed: you lose."
    )


def test_a_draw_has_no_line() -> None:
    assert of("sun", Result((), (4, 4), ()), 2) == ResultLines("A draw", "", "")
