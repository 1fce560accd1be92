"""The dock of a narrow window: over the table, and only when wanted."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    hold,
    key,
    settle,
    sheet,
    sun_box,
    table,
)
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.match.side_sheet import MAX_HEIGHT_SHARE, MIN_HEIGHT_SHARE, OVERLAY_BELOW_PX
from ui.pictures.window_shot import seat_one_person

NARROW, BROAD = (1024, 600), (1280, 800)
UPRIGHT = [(800, 1280), (960, 1080), (1080, 1920), (1280, 1440), (1200, 1920), (960, 1020)]
USED = 0.97
"""The share of the height beside the dock that an upright table uses at least."""


def rail(screen: TableScreen) -> dict[str, QToolButton]:
    """The visible buttons of the rail, by what they are called."""
    buttons = screen.side_sheet.rail.findChildren(QToolButton)
    return {each.toolTip(): each for each in buttons if each.isVisible()}


def test_a_closed_sheet_gives_the_table_the_width(
    opened: Open,
) -> None:
    screen = begin(opened(NARROW), 1)
    assert not screen.dock.isVisible()
    assert screen.table_area.width() > NARROW[0] - 60
    assert list(rail(screen)) == ["Now", "Card", "Log", "Rules", "Actions"]
    assert QApplication.focusWidget() is screen.view


def test_a_rail_button_opens_and_closes_the_sheet(opened: Open) -> None:
    screen = begin(opened(NARROW), 1)
    before = screen.table_area.geometry()
    click(rail(screen)["Rules"])
    assert screen.dock.rules.isVisible()
    assert screen.table_area.geometry() == before
    assert before.contains(screen.dock.geometry())
    click(rail(screen)["Log"])
    assert screen.dock.log.isVisible()
    click(rail(screen)["Log"])
    assert not screen.dock.isVisible()
    assert QApplication.focusWidget() is screen.view


def test_esc_and_its_own_cross_close_it(opened: Open) -> None:
    window = opened(NARROW)
    screen = begin(window, 1)
    window.run_command("actions")
    assert QApplication.focusWidget() is screen.dock.moves.action_list
    key(Qt.Key.Key_Escape)
    assert not screen.dock.isVisible()
    assert QApplication.focusWidget() is screen.view
    window.run_command("now")
    assert screen.dock.race.isVisible()
    screen.dock.close()
    settle()
    assert not screen.dock.isVisible()
    window.run_command("log")
    assert screen.dock.log.isVisible()


def test_a_broad_window_has_it_beside_the_table_as_it_was(opened: Open) -> None:
    window = opened(BROAD)
    screen = begin(window, 1)
    wide = screen.dock.width()
    window.resize(*NARROW)
    settle()
    assert not screen.dock.isVisible()
    window.resize(*BROAD)
    settle()
    assert screen.dock.isVisible()
    assert screen.dock.tabs.isVisible()
    assert not screen.side_sheet.rail.isVisible()
    assert screen.dock.width() == wide
    assert screen.table_area.geometry().right() < screen.dock.geometry().left()


def test_only_a_broad_windows_docks_are_remembered(opened: Open) -> None:
    window = opened(BROAD)
    begin(window, 1)
    window.resize(*NARROW)
    settle()
    window.run_command("leave")
    window.resize(*BROAD)
    settle()
    click(button(window.shelf.cards[0], "Continue"))
    assert table(window).dock.isVisible()
    assert not table(window).side_sheet.overlays_table


def first_game(window: Window) -> TableScreen:
    click(sun_box(window))
    click(sheet(window).tutorial_button)
    return table(window)


def test_one_key_and_one_button_open_the_story(opened: Open) -> None:
    screen = begin(opened(NARROW), 1)
    assert not screen.dock.isVisible()
    key(Qt.Key.Key_N)
    assert screen.dock.now.isVisible()
    assert screen.table_area.geometry().contains(screen.dock.geometry())
    click(rail(screen)["Now"])
    assert not screen.dock.isVisible()
    click(rail(screen)["Now"])
    assert screen.dock.now.isVisible()


def test_a_lesson_moves_into_the_sheet_and_back(opened: Open) -> None:
    window = opened(NARROW)
    screen = first_game(window)
    tutor, slip = screen.tutor, screen.dock.lesson_slip
    assert tutor.bubble.isVisible()
    window.run_command("now")
    assert slip.isVisible()
    assert not tutor.bubble.isVisible()
    assert tutor.page.isVisible()
    screen.side_sheet.close_tabs()
    settle()
    assert tutor.bubble.isVisible()
    assert tutor.page.isVisible()


@pytest.mark.parametrize("name", ["log", "score", "card"])
def test_nothing_comes_over_the_curtain(opened: Open, qtbot: QtBot, name: str) -> None:
    window = opened(NARROW)
    screen = begin(window)
    assert screen.curtain.is_drawn
    screen.dock.show_tab(name)
    settle()
    middle = screen.mapTo(window, screen.dock.geometry().center())
    under = window.childAt(middle)
    assert under is screen.curtain or screen.curtain.isAncestorOf(under)
    hold(qtbot, screen)
    assert screen.dock.isEnabled()


def test_it_changes_its_place_at_one_width_alone(opened: Open) -> None:
    window = opened(BROAD)
    screen = begin(window, 1)
    for wide, over in (
        (OVERLAY_BELOW_PX, False),
        (OVERLAY_BELOW_PX - 1, True),
        (OVERLAY_BELOW_PX, False),
    ):
        window.resize(wide, 700)
        settle()
        assert screen.side_sheet.overlays_table is over


@pytest.mark.parametrize(("game", "size"), list(zip(catalogue.names(), UPRIGHT, strict=False)))
def test_an_upright_window_is_filled(opened: Open, game: str, size: tuple[int, int]) -> None:
    window = opened(size)
    kit = catalogue.load(game)
    match = play_random_match(kit, kit.box.seats[-1], "high", 1)
    seat_one_person(match, match.state.asks[0].seat, window.context.words)
    window.matches.show_match(match)
    screen = table(window)
    area, dock, setting = screen.table_area, screen.dock, screen.scene.stage.placed
    assert setting is not None
    assert dock.isVisible()
    assert dock.geometry().top() > area.geometry().bottom(), "the tabs are below the table"
    assert area.width() == screen.width()
    assert (
        MIN_HEIGHT_SHARE * screen.height() - 1
        <= dock.height()
        <= MAX_HEIGHT_SHARE * screen.height() + 1
    )
    used = setting.surface.size[1] * setting.unit * screen.view.transform().m22()
    most = dock.height() >= MAX_HEIGHT_SHARE * screen.height() - 1
    assert most or used >= USED * area.height(), "what the table does not use is the dock's"


@pytest.mark.parametrize("size", [(1024, 600), (960, 540)])
def test_the_prompt_keeps_clear_of_the_sheet(opened: Open, size: tuple[int, int]) -> None:
    screen = begin(opened(size), 1)
    for tab in ("actions", "log"):
        screen.dock.show_tab(tab)
        settle()
        assert screen.side_sheet.overlays_table
        prompt = screen.prompt.geometry().translated(screen.table_area.pos())
        assert not prompt.intersects(screen.dock.geometry())
        for each in screen.prompt.buttons:
            assert each.isVisible()
    free = screen.prompt.geometry()
    screen.side_sheet.close_tabs()
    settle()
    assert screen.prompt.geometry() != free


def test_a_sheet_over_the_table_says_alone_that_it_is_over(opened: Open) -> None:
    window = opened(NARROW)
    kit = catalogue.load("sun")
    match = play_random_match(kit, 2, "over")
    seat_one_person(match, 0, window.context.words)
    window.matches.show_match(match)
    screen = table(window)
    screen.scene.skip_animations()
    screen.ending.show()
    settle()
    assert screen.side_sheet.overlays_table
    assert screen.dock.isVisible()
    assert screen.prompt.isHidden()
    screen.side_sheet.close_tabs()
    settle()
    assert screen.prompt.isVisible()
    assert screen.prompt.text == "The game is over."
