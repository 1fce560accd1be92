"""Bots in people's places at one computer: the plate's menu, the way back, and concessions."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsSceneContextMenuEvent, QMenu
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.match.match import Player
from tabletop.storage.record import read
from tabletop.storage.verification import verify_record
from tests.ui.window_driver import Open, button, click, hold, settle, table
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.setup.lineup import MatchSetup

PEOPLE = (Player("Ann", "sun"), Player("Ben", "moon"), Player("Cem", "leaf"))


def sat(window: Window, players: tuple[Player, ...] = PEOPLE, game: str = "sisters") -> TableScreen:
    kit = catalogue.load(game)
    window.matches.start_match(MatchSetup(kit, players, catalogue.options(kit), "seed"))
    settle()
    return table(window)


def look(qtbot: QtBot, screen: TableScreen) -> int:
    """Open the curtain, where one is drawn; return the seat that looks."""
    qtbot.waitUntil(lambda: screen.curtain.is_drawn or screen.switch.shown_seat is not None)
    if screen.curtain.is_drawn:
        hold(qtbot, screen)
    qtbot.waitUntil(lambda: screen.switch.shown_seat is not None)
    return screen.switch.active_viewer


def plaque(screen: TableScreen, seat: int) -> QPointF:
    signs = screen.scene.stage.background.plaques
    return next(i for s, i in signs if s.plaque.seat == seat).boundingRect().center()


def menu_of(screen: TableScreen, seat: int) -> QMenu:
    """Ask for the menu of a player's plaque, with the right button."""
    event = QGraphicsSceneContextMenuEvent()
    event.setScenePos(plaque(screen, seat))
    event.setScreenPos(QPoint(100, 100))
    screen.scene.contextMenuEvent(event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def press(menu: QMenu) -> str:
    (entry,) = menu.actions()
    text = entry.text()
    entry.trigger()
    menu.close()
    settle()
    return text


def test_a_bot_plays_from_the_plates_menu_and_back(opened: Open, qtbot: QtBot) -> None:
    window = opened((1280, 800))
    screen = sat(window)
    seated = screen.seated
    seat = look(qtbot, screen)
    other = next(each for each in range(3) if each != seat)
    assert press(menu_of(screen, other)) == f"A bot plays for {PEOPLE[other].name}"
    qtbot.waitUntil(lambda: other not in seated.people)
    assert screen.switch.active_viewer == seat, "nothing changes for who looks"
    assert seated.match.bots == {other: "normal"}
    settle()
    assert screen.scene.stage.marks == {other: "bot"}
    assert press(menu_of(screen, other)) == f"{PEOPLE[other].name} plays again"
    qtbot.waitUntil(lambda: other in seated.people)
    assert seated.match.bots == {}
    file = seated.record.file
    assert [c.level for _, c in read(file).stand_ins] == ["normal", ""]
    assert verify_record(read(file))


def test_who_leaves_sees_no_more_and_the_bot_plays(opened: Open, qtbot: QtBot) -> None:
    window = opened((1280, 800))
    screen = sat(window)
    seated = screen.seated
    seat = look(qtbot, screen)
    seated.let_bot_play(seat, True)
    qtbot.waitUntil(lambda: seat not in seated.people)
    qtbot.waitUntil(lambda: bool(seated.match.record), timeout=60_000)
    assert seated.match.record[0].seat == seat or seat not in seated.people
    settle()
    assert screen.switch.active_viewer != seat
    if screen.switch.decision.following != AUDIENCE and screen.switch.shown_seat is None:
        assert screen.curtain.is_drawn, "nobody looks at the next one's cards unasked"


def test_the_play_menu_offers_all_seats_by_keys(opened: Open, qtbot: QtBot) -> None:
    window = opened((1280, 800))
    screen = sat(window)
    look(qtbot, screen)
    window.menus.commands["stand_ins"].trigger()
    menu = QApplication.activePopupWidget()
    assert [each.text() for each in menu.actions()] == [
        f"A bot plays for {player.name}" for player in PEOPLE
    ]
    QTest.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: 0 not in screen.seated.people)


def test_a_match_that_is_continued_has_its_bot(opened: Open, qtbot: QtBot) -> None:
    window = opened((1280, 800))
    screen = sat(window)
    look(qtbot, screen)
    screen.seated.let_bot_play(2, True)
    qtbot.waitUntil(lambda: 2 not in screen.seated.people)
    file = screen.seated.record.file
    window.show_shelf()
    settle()
    window.matches.resume_match(Path(file))
    settle()
    again = table(window).seated
    assert again.people == (0, 1)
    again.let_bot_play(2, False)
    qtbot.waitUntil(lambda: again.people == (0, 1, 2))


def test_who_concedes_among_several_is_played_for(opened: Open, qtbot: QtBot) -> None:
    window = opened((1280, 800))
    screen = sat(window)
    seat = look(qtbot, screen)
    window.menus.commands["concede"].trigger()
    settle()
    name = PEOPLE[seat].name
    assert screen.prompt.text.startswith(f"{name} concedes: a bot plays on")
    click(button(screen, "Cancel"))
    assert screen.consent.question == ""
    assert screen.seated.match.bots == {}
    window.menus.commands["concede"].trigger()
    settle()
    click(button(screen, "A bot plays on"))
    qtbot.waitUntil(lambda: seat not in screen.seated.people)
    assert not screen.seated.is_over
    assert screen.seated.match.bots == {seat: "normal"}


def test_all_the_others_here_may_end_it(opened: Open, qtbot: QtBot) -> None:
    window = opened((1280, 800))
    screen = sat(window)
    seat = look(qtbot, screen)
    others = [player.name for n, player in enumerate(PEOPLE) if n != seat]
    window.menus.commands["concede"].trigger()
    settle()
    click(button(screen, f"{others[0]} and {others[1]} agree to end"))
    qtbot.waitUntil(lambda: screen.seated.is_over)
    assert seat not in screen.seated.view.result.winners


@pytest.mark.parametrize("levels", [("hard", "hard"), ("easy", "hard")])
def test_a_stand_in_is_as_strong_as_all_bots(
    levels: tuple[str, str], opened: Open, qtbot: QtBot
) -> None:
    window = opened((1280, 800))
    signs = zip(("fan", "key"), levels, strict=True)
    bots = tuple(Player(sign, sign, "bot", level) for sign, level in signs)
    screen = sat(window, (*PEOPLE[:2], *bots), "chains")
    screen.seated.let_bot_play(1, True)
    qtbot.waitUntil(lambda: 1 not in screen.seated.people)
    assert screen.seated.match.bots[1] == ("hard" if levels[0] == "hard" else "normal")
