"""The sheet of a new game: its texts about the game, the players, the remembered settings."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QStyle, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from tabletop.bots.personas import CHARACTERS
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.commands import match_source
from tabletop.language.words import Words
from tabletop.match import tutorial
from tabletop.storage import settings
from tabletop.storage.settings import LastSeat, LastTable
from tests.ui.counted_matches import count
from tests.ui.window_driver import Open, click, key, move_pressed, settle, sheet, table
from ui.app import Window
from ui.setup import lineup
from ui.setup.game_description import BoxFront
from ui.setup.new_game import MAX_FREE_HEIGHT_PX, ROW_GAP_PX, NewGame
from ui.setup.turn_steps import TurnSteps
from ui.widgets.styled_widgets import FittingScrollArea, Paper, scale_pixels

BOTS = {name for each in CHARACTERS for name in (each.name, Words("ja")(each.name))}
SIZES = [(1024, 600), (1280, 800), (2560, 1440)]


def new(window: Window, game: str) -> NewGame:
    window.show_new_game(catalogue.load(game))
    settle()
    return sheet(window)


def names(page: NewGame) -> list[str]:
    return [player.name for player in page.seats.players]


def kinds(page: NewGame) -> list[str]:
    return [player.level or player.kind for player in page.seats.players]


# About the game


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", [kit.id for kit in catalogue.shelf()])
def test_the_sheet_explains_goal_and_turn(opened: Open, game: str, language: str) -> None:
    page = new(opened(language=language), game)
    kit = catalogue.load(game)
    told = [each.text() for each in page.findChildren(QLabel)]
    goal = page.context.game_words(kit)(kit.words.goal)
    assert goal in told
    assert goal.count("。" if language == "ja" else ". ") + (language == "en") == 3
    assert 2 <= len(kit.words.turn) <= 4
    for number, step in enumerate(kit.words.turn, 1):
        words = page.context.game_words(kit)
        assert words.number(number, words(step)) in told


def test_a_game_without_a_description_still_has_its_sheet(opened: Open) -> None:
    window = opened()
    kit = catalogue.load("chains")
    window.show_new_game(replace(kit, words=replace(kit.words, goal="", turn=())))
    settle()
    shown = [each.text() for each in sheet(window).findChildren(QLabel) if each.isVisible()]
    assert "The goal" not in shown
    assert "How a turn goes" not in shown
    click(sheet(window).start_button)
    assert table(window).seated.kit.id == "chains"


def _turn_shown(page: NewGame, kit: GameKit) -> list[QLabel]:
    """The labels in sight that say how a turn goes, but for their numbers."""
    words = page.context.game_words(kit)
    steps = [words(step) for step in kit.words.turn]
    labels = [each for each in page.findChildren(QLabel) if each.isVisible()]
    return [each for each in labels if any(each.text().endswith(step) for step in steps)]


@pytest.mark.parametrize("game", ["sun", "sisters", "chains", "awss", "royale"])
def test_a_turn_is_told_once_wherever_there_is_room(opened: Open, game: str) -> None:
    window = opened()
    window.resize(1280, 800)
    kit = catalogue.load(game)
    page = new(window, game)
    settle()
    beside = _turn_shown(page, kit)
    assert len(beside) == len(kit.words.turn)
    seats = page.seats.mapTo(page, QPoint(0, page.seats.height()))
    assert all(each.mapTo(page, QPoint(0, 0)).y() > seats.y() for each in beside)
    assert page.start_button.isVisible()
    page.seats.set_count(max(kit.box.seats))
    window.resize(1024, 600)
    settle()
    assert len(_turn_shown(page, kit)) == len(kit.words.turn)


def test_where_a_turn_is_told_is_decided_once(opened: Open) -> None:
    """Shown or not, the steps decide the same: otherwise the sheet would be laid out for ever."""
    count("1", "awss", ("Mio", "Ren"), 0)
    window = opened((1024, 600), theme="contrast", players=("Mio",))
    page = new(window, "awss")
    for height in range(600, 840, 20):
        window.resize(1024, height)
        settle()
        under = page.fill_button.mapTo(page, QPoint(0, 0)).y()
        assert under >= page.seats.mapTo(page, QPoint(0, page.seats.height())).y(), height
        told = _turn_shown(page, page.kit)[0].mapTo(page, QPoint(0, 0))
        (roll,) = page.findChildren(FittingScrollArea)
        below = told.x() > page.seats.mapTo(page, QPoint(0, 0)).x()
        assert not below or roll.verticalScrollBar().maximum() == 0, height


def test_a_banner_offers_the_first_game_until_played(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    page = new(window, "sun")
    assert page.tutorial_banner.isVisible()
    assert page.tutorial_banner.isAncestorOf(page.tutorial_button)
    primary = [
        each for each in page.findChildren(QPushButton) if each.property("kind") == "primary"
    ]
    assert primary == [page.start_button]
    assert page.start_button.hasFocus()
    for game, seat in (("chains", 0), ("sun", 1)):
        assert new(window, "sun").tutorial_banner.isVisible()
        count(game, game, ("Hinata", "Mugi"), seat)
        window.show_shelf()
        qtbot.waitUntil(lambda game=game: game in window.context.shelf_statistics.by_game)
    page = new(window, "sun")
    assert not page.tutorial_banner.isVisible()
    assert page.tutorial_button.isVisible()
    assert page.tutorial_button.toolTip() != ""
    assert page.start_button.hasFocus()


def test_the_opened_box_lies_on_its_own_table(opened: Open) -> None:
    window = opened()
    page = new(window, "sun")
    about = page._about
    assert about._front.height() >= 260
    colour = about.grab().toImage().pixelColor(about.width() // 2, 6).name().upper()
    look, plain = window.context.table_theme(page.kit).table, window.context.theme.table
    near, far = (_distance(colour, other) for other in (look, plain))
    assert near < far / 4


def _distance(one: str, other: str) -> int:
    a, b = QColor(one), QColor(other)
    return abs(a.red() - b.red()) + abs(a.green() - b.green()) + abs(a.blue() - b.blue())


def test_the_number_of_players_is_a_slider_of_badges(opened: Open) -> None:
    page = new(opened(), "royale")
    click(page.seat_count, page.seat_count.badge_centre(12).toPoint())
    assert len(page.seats.rows) == 12
    QTest.mousePress(
        page.seat_count, Qt.MouseButton.LeftButton, pos=page.seat_count.badge_centre(12).toPoint()
    )
    move_pressed(page.seat_count, page.seat_count.badge_centre(5).toPoint())
    assert len(page.seats.rows) == 5
    page.seat_count.setFocus()
    key(Qt.Key.Key_Left)
    assert len(page.seats.rows) == 4
    key(Qt.Key.Key_Home)
    assert len(page.seats.rows) == 2
    assert page._seats_heading.text() == "2 players"
    assert page.seat_count.accessibleName() == "Number of players"
    click(page.seat_count, page.seat_count.badge_centre(1).toPoint())
    assert len(page.seats.rows) == 2, "one alone can't play it"


# Players


def test_twelve_seats_with_eleven_bots_take_at_most_three_clicks(opened: Open) -> None:
    page = new(opened(), "royale")
    click(page.seat_count, page.seat_count.badge_centre(12).toPoint())
    if page.fill_button.isEnabled():
        click(page.fill_button)
    assert kinds(page) == ["person", *["normal"] * 11]
    assert len(set(names(page))) == 12
    click(page.start_button)
    assert page.start_button.isEnabled()


def test_bots_fill_the_seats_that_nobody_has_written_a_name_for(opened: Open) -> None:
    page = new(opened(), "royale")
    page.seat_count.setValue(2)
    click(page.seats.rows[1].kind.person)
    page.seat_count.setValue(4)
    assert kinds(page) == ["person"] * 4, "who comes is as the last one is"
    assert names(page) == ["Player 1", "Player 2", "Player 3", "Player 4"]
    page.seats.rows[2].field.setText("Ren")
    click(page.fill_button)
    assert kinds(page) == ["person", "normal", "person", "normal"]
    assert names(page)[2] == "Ren"
    assert {names(page)[1], names(page)[3]} <= BOTS
    assert not page.fill_button.isEnabled()


def test_fewer_seats_leave_from_the_end(opened: Open) -> None:
    page = new(opened(), "royale")
    page.seat_count.setValue(5)
    before = names(page)
    click(page.seats.rows[1].buttons["remove"])
    assert names(page) == [before[0], *before[2:]]
    assert page.seat_count.value() == 4
    page.seat_count.setValue(2)
    assert names(page) == [before[0], before[2]]


def test_a_bot_keeps_its_level_and_gives_no_person_its_name(opened: Open) -> None:
    window = opened()
    page = new(window, "chains")
    page.seat_count.setValue(3)
    page.seats.rows[0].field.setText("Mio")
    page.seats.rows[2].kind.level.choose("hard")
    bots = names(page)[1:]
    click(page.start_button)
    window.run_command("leave")
    window.close()
    again = opened()
    page = new(again, "chains")
    assert names(page) == ["Mio", *bots]
    assert kinds(page) == ["person", "normal", "hard"]
    click(page.seats.rows[2].kind.person)
    assert names(page)[2] == "Player 3"
    click(page.seats.rows[2].kind.bot)
    assert names(page)[2] in BOTS
    assert settings.load()[0].players == ("Mio",)
    other = new(again, "awss")
    assert names(other)[0] == "Mio"
    click(other.seats.rows[1].kind.person)
    assert names(other)[1] == "Player 2"


def test_one_control_sets_the_level_of_all_bots(opened: Open) -> None:
    window = opened((1280, 800))
    page = new(window, "chains")
    page.seats.set_count(4)
    for card in page.seats.rows[1:]:
        card.kind.bot.click()
    assert page.level_box.isVisible()
    assert page.level_box.currentText() == "Bots: Normal"
    page.level_box.setCurrentIndex(page.level_box.findData("hard"))
    page.level_box.activated.emit(page.level_box.currentIndex())
    assert kinds(page) == ["person", "hard", "hard", "hard"]
    one = page.seats.rows[2].kind.level
    one.setCurrentIndex(one.findData("easy"))
    one.activated.emit(one.currentIndex())
    assert page.level_box.currentText() == "Bots: mixed"
    page.level_box.activated.emit(page.level_box.currentIndex())
    assert kinds(page) == ["person", "hard", "easy", "hard"]
    page.seats.set_count(2)
    assert not page.level_box.isVisible(), "one bot has a control of its own"


def test_a_person_s_name_comes_back_when_the_bot_goes(opened: Open) -> None:
    page = new(opened(players=("Mio", "Ren")), "sun")
    click(page.seats.rows[1].kind.person)
    assert names(page) == ["Mio", "Ren"]
    click(page.seats.rows[1].kind.bot)
    assert names(page)[1] in BOTS
    click(page.seats.rows[1].kind.person)
    assert names(page) == ["Mio", "Ren"]


def test_a_household_neither_loses_nor_doubles_a_person(opened: Open) -> None:
    """Play now, then three people, then two of them."""
    window = opened(players=("Anna",))
    window.matches.start_bot_match(catalogue.load("awss"))
    window.run_command("leave")
    page = new(window, "awss")
    for row, name in zip(page.seats.rows, ("Anna", "Ben", "Cleo"), strict=True):
        click(row.kind.person)
        row.field.setText(name)
    click(page.start_button)
    window.run_command("leave")
    page = new(window, "sisters")
    page.seats.set_count(2)
    for row, name in zip(page.seats.rows, ("Cleo", "Ben"), strict=True):
        click(row.kind.person)
        row.field.setText(name)
    click(page.start_button)
    window.run_command("leave")
    assert settings.load()[0].players == ("Cleo", "Ben", "Anna")
    page = new(window, "awss")
    page.seats.set_count(4)
    click(page.seats.rows[3].kind.person)
    assert names(page) == ["Anna", "Ben", "Cleo", "Player 4"]


def test_names_that_nobody_wrote_follow_the_language(opened: Open) -> None:
    window = opened(players=("プレイヤー1",))
    page = new(window, "awss")
    click(page.seats.rows[2].kind.person)
    assert names(page) == ["Player 1", "Mugi", "Player 3"]
    page.seats.rows[2].field.setText("Ren")
    window.context.change_settings(language="ja")
    assert names(page) == ["プレイヤー1", "むぎ", "Ren"]
    click(page.start_button)
    window.run_command("leave")
    window.context.change_settings(language="en")
    assert names(new(window, "awss")) == ["Player 1", "Mugi", "Ren"]


@pytest.mark.parametrize(
    "kept",
    [
        LastTable(()),
        LastTable(tuple(LastSeat("Mio", "sun") for _ in range(5))),
        LastTable(
            (LastSeat("", "no such"), LastSeat("\u200b", "sun", "godlike"), LastSeat("A", "sun"))
        ),
        LastTable(
            (LastSeat("A", "sun"), LastSeat("A", "sun"), LastSeat("A", "sun")),
            {"no such": 1, "sole_scorer": "odd"},
        ),
    ],
)
def test_odd_settings_still_make_a_table(opened: Open, kept: LastTable) -> None:
    window = opened(tables={"awss": kept})
    page = new(window, "awss")
    assert page.start_button.isEnabled()
    seats = lineup.last_setup(window.context, page.kit).players
    assert len(seats) == 3
    assert len({seat.name for seat in seats}) == len({seat.symbol for seat in seats}) == 3
    click(page.start_button)
    assert table(window).seated.kit.id == "awss"


# Room, and the way back


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_and_nothing_scrolls_while_there_is_room(
    opened: Open, size: tuple[int, int], language: str, qtbot: QtBot
) -> None:
    window = opened(size, language=language)
    for kit in catalogue.shelf():
        page = new(window, kit.id)
        (roll,) = page.findChildren(FittingScrollArea)
        qtbot.waitUntil(lambda roll=roll: roll.verticalScrollBar().maximum() == 0)
        assert roll.horizontalScrollBar().maximum() == 0
        for each in page.findChildren(QLabel):
            if each.wordWrap() and each.isVisible() and each.text():
                assert each.height() >= each.heightForWidth(each.width()), each.text()
        for card in page.seats.rows:
            _shows_all_of_its_text(card)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_twelve_seats_find_room_on_a_large_screen(
    opened: Open, language: str, qtbot: QtBot
) -> None:
    page = new(opened((2560, 1440), language=language), "royale")
    page.seat_count.setValue(12)
    (roll,) = page.findChildren(FittingScrollArea)
    qtbot.waitUntil(lambda: roll.verticalScrollBar().maximum() == 0)


def _shows_all_of_its_text(card) -> None:
    """Check that no name of a level is cut."""
    box = card.kind.level
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    style, part = box.style(), QStyle.SubControl.SC_ComboBoxEditField
    room = style.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
    for number in range(box.count()):
        assert box.fontMetrics().horizontalAdvance(box.itemText(number)) < room


def test_esc_goes_back_from_wherever_the_focus_is(opened: Open) -> None:
    window = opened()
    for wanted in ("name", "level", "start"):
        page = new(window, "sun")
        fields = {
            "name": page.seats.rows[0].field,
            "level": page.seats.rows[1].kind.level,
            "start": page.start_button,
        }
        fields[wanted].setFocus()
        settle()
        key(Qt.Key.Key_Escape)
        if wanted == "name":  # typed keys are handled first
            assert window.stack.currentWidget() is page
            assert not fields["name"].hasFocus()
            key(Qt.Key.Key_Escape)
        assert window.stack.currentWidget() is window.shelf, wanted


@pytest.mark.parametrize("command", ["host", "join", "replays"])
def test_esc_goes_back_from_the_other_screens_too(opened: Open, command: str) -> None:
    window = opened()
    window.run_command(command)
    settle()
    page, focused = window.stack.currentWidget(), QApplication.focusWidget()
    assert page is not window.shelf
    key(Qt.Key.Key_Escape)
    if command == "host":  # it begins in a name, where Esc ends the typing first
        assert window.stack.currentWidget() is page
        assert not focused.hasFocus()
        key(Qt.Key.Key_Escape)
    assert window.stack.currentWidget() is window.shelf


@pytest.mark.parametrize("game", [kit.id for kit in catalogue.shelf()])
def test_a_sheet_comes_as_one_window(opened: Open, game: str) -> None:
    """A widget shown before it is in the sheet is a window of its own, and takes the keys away."""
    window = opened()
    page = new(window, game)
    assert page.start_button.hasFocus()
    window.online.hosting.show_sheet(page.kit)
    settle()
    assert QApplication.focusWidget() is not None
    assert len([each for each in QApplication.topLevelWidgets() if each.isVisible()]) == 1


def test_an_opponent_of_the_first_game_has_a_name(opened: Open) -> None:
    window = opened(language="ja")
    page = new(window, "sisters")
    click(page.tutorial_button)
    players = table(window).seated.players
    assert [player.kind for player in players] == ["person", "bot", "bot"]
    assert {player.name for player in players[1:]} <= BOTS


# The first game, and what is proposed


@pytest.mark.parametrize(("game", "seats"), [("chains", 4), ("royale", 6), ("sisters", 2)])
def test_a_first_game_keeps_the_chosen_seats(opened: Open, game: str, seats: int) -> None:
    window = opened()
    page = new(window, game)
    page.seat_count.count_chosen.emit(seats)
    settle()
    chosen = [player.symbol for player in page.seats.players]
    assert len(chosen) == seats
    click(page.tutorial_button)
    seated = table(window).seated
    assert [player.symbol for player in seated.players] == chosen
    assert [player.kind for player in seated.players] == ["person", *["bot"] * (seats - 1)]
    assert seated.match.seed == tutorial.load_first_game(catalogue.load(game)).seed


def test_royale_proposes_four(opened: Open) -> None:
    window = opened()
    assert len(new(window, "royale").seats.players) == 4
    assert len(new(window, "chains").seats.players) == 2
    assert len(new(window, "sisters").seats.players) == 3  # as its first game


def test_the_shelf_focuses_what_was_played_last(opened: Open) -> None:
    window = opened()
    first = next(box for box in window.shelf.boxes if box.hasFocus())
    assert first.game.id == "sun"
    first.show_statistics(None)
    assert first.status_line == "Start here: 20 minutes"
    for game in ("chains", "awss", "chains"):
        click(new(window, game).start_button)
        window.show_shelf()
        settle()
        assert next(box.game.id for box in window.shelf.boxes if box.hasFocus()) == game
    first.refresh_appearance()
    assert first.status_line == ""


@pytest.mark.parametrize(
    ("game", "starts"), [("sun", True), ("chains", True), ("awss", False), ("royale", False)]
)
def test_the_sheet_says_who_starts_only_where_it_is_true(
    opened: Open, game: str, starts: bool
) -> None:
    page = new(opened(), game)
    assert page.as_seated.text() == "As seated" + ": the first player starts" * starts
    match = match_source.play_random_match(catalogue.load(game), len(page.seats.players), "a", 0)
    assert starts is all(ask.seat == 0 for ask in match.state.asks)


def test_who_starts_follows_the_option(opened: Open) -> None:
    page = new(opened(), "sisters")
    assert page.as_seated.text() == "As seated"  # the start player is drawn by lot
    page._options.choose({"parent": "first"})
    page._name_start()
    assert page.as_seated.text() == "As seated: the first player starts"


def test_a_low_sheet_has_its_box_above_the_title_if_it_fits(opened: Open) -> None:
    page = new(opened((1024, 600)), "sun")
    (front,) = page.findChildren(BoxFront)
    title = next(each for each in front.parentWidget().findChildren(QLabel) if each.text())
    assert front.height() >= 110
    assert title.mapTo(page, QPoint(0, 0)).y() >= front.mapTo(page, QPoint(0, front.height())).y()


def test_a_large_sheet_is_as_high_as_its_settings(opened: Open) -> None:
    page = new(opened((2560, 1440)), "sun")
    (steps,) = page.findChildren(TurnSteps)
    end = steps.mapTo(page, QPoint(0, steps.height())).y()
    gap = page.tutorial_banner.mapTo(page, QPoint(0, 0)).y() - end
    assert gap <= scale_pixels(page, MAX_FREE_HEIGHT_PX) + 3 * ROW_GAP_PX
    cards = [each.width() for each in steps.findChildren(Paper)]
    assert len(cards) == 3
    assert max(cards) - min(cards) <= 1
