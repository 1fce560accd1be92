"""The curtain's text, the commands under it, and the second one while nobody looks."""

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QWindowStateChangeEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

import ui
from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Player
from tabletop.storage import saved_matches
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    hold,
    look,
    pass_on,
    play,
    settle,
    timer,
    until_asked,
)
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.shell import window_attention
from ui.shell.window_privacy import WindowPrivacy, set_privacy

ACTIVE = Qt.ApplicationState.ApplicationActive
INACTIVE = Qt.ApplicationState.ApplicationInactive


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute that is over at once."""
    monkeypatch.setattr(window_attention, "UNATTENDED_AFTER_MS", 0)


def state(now: Qt.ApplicationState) -> None:
    program = QApplication.instance()
    program.applicationStateChanged.emit(now)
    settle()


def minimise(window: Window) -> None:
    window.setWindowState(window.windowState() | Qt.WindowState.WindowMinimized)
    QApplication.sendEvent(window, QWindowStateChangeEvent(Qt.WindowState.WindowNoState))
    settle()


def texts(screen: TableScreen) -> str:
    labels = screen.curtain.findChildren(QLabel)
    shown = [each for each in labels if each.isVisibleTo(screen.curtain)]
    return "\n".join(each.text() for each in shown if each.text())


# Texts


def test_the_first_look_is_not_told_of_a_look_before(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened())
    assert "Since your last turn" not in texts(screen)
    assert "So far" in texts(screen)
    luck = FastRng(5)
    looked: set[str] = set()
    for _ in range(6):
        if screen.curtain.is_drawn:
            name = screen.curtain.accessibleName()
            assert ("Since your last turn" in texts(screen)) == (name in looked)
            looked.add(name)
        pass_on(qtbot, screen, luck, 1)
        if screen.switch.decision.handover_due:
            click(button(screen.prompt, "Hand over"))
    assert len(looked) == 2


def test_its_lines_follow_the_language(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    before = texts(screen)
    window.context.change_settings(language="ja")
    after = texts(screen)
    assert not set(before.splitlines()) & set(after.splitlines())
    assert after.splitlines()[1] == "これまでの出来事"
    window.context.change_settings(language="en")
    assert texts(screen) == before


def test_under_it_no_menu_pretends_to_do_anything(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    grey = ("undo", "hint", "pass", "rules", "actions", "log", "zoom_in", "reset_layout")
    assert not any(window.menus.commands[name].isEnabled() for name in grey)
    hold(qtbot, screen)
    assert window.menus.commands["rules"].isEnabled()
    assert window.menus.commands["reset_layout"].isEnabled()
    window.show_shelf()
    assert window.menus.commands["rules"].isEnabled(), "of the game that is looked at"


# The second curtain


def test_none_falls_unless_it_is_wanted(opened: Open, away: None) -> None:
    window = opened()
    screen = begin(window, 1)
    state(INACTIVE)
    minimise(window)
    assert not screen.curtain.is_drawn


@pytest.mark.parametrize("by", ["minimised", "away", "hidden"])
def test_it_falls_when_nobody_seems_to_look(
    opened: Open, qtbot: QtBot, away: None, by: str
) -> None:
    window = opened(second_curtain=True)
    screen = begin(window, 1)
    assert not screen.curtain.is_drawn
    if by == "minimised":
        minimise(window)
        window.showNormal()
    else:
        state(INACTIVE if by == "away" else Qt.ApplicationState.ApplicationHidden)
    qtbot.waitUntil(lambda: screen.curtain.is_drawn)
    assert texts(screen).splitlines()[0] == "Hinata's table"
    assert screen.switch.shown_seat is None, "nothing of the hand exists below it"
    hold(qtbot, screen)
    assert screen.switch.active_viewer == 0
    assert until_asked(qtbot, screen)
    play(screen, FastRng(1))


def test_who_is_back_within_the_minute_finds_the_table_open(opened: Open) -> None:
    screen = begin(opened(second_curtain=True), 1)
    away = timer(screen.hot_seat.findChild(window_attention.WindowAttentionWatcher))
    state(INACTIVE)
    assert away.isActive()
    assert away.interval() == 60_000
    state(ACTIVE)
    assert not away.isActive()
    assert not screen.curtain.is_drawn


def test_it_hides_no_open_table_and_no_end(opened: Open, qtbot: QtBot) -> None:
    window = opened(second_curtain=True)
    screen = near_its_end(window)
    pass_on(qtbot, screen, FastRng(1), 60)
    assert screen.seated.is_over
    minimise(window)
    assert not screen.curtain.is_drawn


def test_under_it_the_game_goes_on_and_calls_back(opened: Open, qtbot: QtBot) -> None:
    window = opened(second_curtain=True, animation="slow")
    screen = begin(window, 1)
    called: list[bool] = []
    screen.hot_seat.viewer_asked.connect(called.append)
    luck = FastRng(2)
    seat = screen.switch.shown_seat
    while seat.offers:  # until the bot is asked, or something still moves
        play(screen, luck)
    minimise(window)
    assert screen.curtain.is_drawn
    match = screen.seated.match
    qtbot.waitUntil(lambda: bool(match.asks(0)) and called[-1:] == [True])
    window.showNormal()
    hold(qtbot, screen)
    assert until_asked(qtbot, screen)


def test_among_several_it_is_the_ones_who_looked(opened: Open, qtbot: QtBot) -> None:
    window = opened(second_curtain=True)
    screen = begin(window)
    look(qtbot, screen)
    seat = screen.switch.active_viewer
    minimise(window)
    window.showNormal()
    assert screen.curtain.is_drawn
    QTest.keyClick(screen.curtain, Qt.Key.Key_Return)
    assert screen.curtain.is_drawn
    hold(qtbot, screen)
    assert screen.switch.active_viewer == seat
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowStateChange))
    assert not screen.curtain.is_drawn


def over_the_table() -> list[QWidget]:
    """The dialogs and menus that are seen."""
    kinds = (QDialog, QMenu)
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, kinds) and w.isVisible()]


def test_a_draft_falls_with_it_and_comes_back(opened: Open, qtbot: QtBot) -> None:
    window = opened(second_curtain=True)
    screen = begin(window, 1)
    window.run_command("note")
    [sheet] = over_the_table()
    sheet.field.setPlainText("my secret plan")
    minimise(window)
    window.showNormal()
    assert screen.curtain.is_drawn
    assert over_the_table() == []
    hold(qtbot, screen)
    [sheet] = over_the_table()
    assert sheet.text == "my secret plan"
    click(sheet.save_button)
    assert over_the_table() == []


def test_a_draft_is_not_for_the_next_player(opened: Open, qtbot: QtBot) -> None:
    window = opened(second_curtain=True)
    screen = begin(window)
    look(qtbot, screen)
    first = screen.switch.active_viewer
    window.run_command("note")
    [sheet] = over_the_table()
    screen.switch._cover(1 - first)
    settle()  # the window is active again
    hold(qtbot, screen)
    assert screen.switch.active_viewer == 1 - first
    assert over_the_table() == []
    screen.switch._cover(first)
    settle()  # the window is active again
    hold(qtbot, screen)
    assert over_the_table() == [sheet]
    screen.switch._cover(1 - first)
    settle()
    window.run_command("new")
    settle()
    assert over_the_table() == []


def test_a_draft_is_not_for_the_next_player_without_a_curtain(opened: Open, qtbot: QtBot) -> None:
    window, kit, luck = opened(), catalogue.load("chains"), FastRng(1)
    players = [Player("Hinata"), Player("Kaname")]
    options = catalogue.options(kit)
    window.matches.show_match(saved_matches.begin(kit, players, options, "draft", ("en", "en")))
    screen = window.table

    def play_until_looks(viewer: int) -> None:
        while screen.switch.active_viewer != viewer:
            assert not look(qtbot, screen), "no curtain falls in this game"
            play(screen, luck)
            settle()

    play_until_looks(0)
    window.run_command("note")
    [sheet] = over_the_table()
    play_until_looks(1)
    assert over_the_table() == []
    play_until_looks(0)
    assert over_the_table() == [sheet]


def test_reports_questions_and_menus_fall_with_it(opened: Open) -> None:
    window = opened(second_curtain=True)
    screen = begin(window, 1)
    window.run_command("tell")
    box = QMessageBox(window)
    box.open()
    menu = QMenu(window)
    menu.addAction("Play")
    menu.popup(QPoint(10, 10))
    assert len(over_the_table()) == 3
    minimise(window)
    assert screen.curtain.is_drawn
    assert over_the_table() == []


@pytest.mark.parametrize(
    ("privacy", "stays"),
    [(WindowPrivacy.PUBLIC, True), (WindowPrivacy.PRIVATE, False), (None, False)],
)
@pytest.mark.parametrize("kind", [QDialog, QWidget])
def test_a_window_that_does_not_say_whom_it_concerns_falls_too(
    opened: Open, kind: type[QWidget], privacy: WindowPrivacy | None, stays: bool
) -> None:
    window = opened(second_curtain=True)
    screen = begin(window, 1)
    over = kind(window, Qt.WindowType.Dialog)
    if privacy is not None:
        set_privacy(over, privacy)
    over.show()
    minimise(window)
    assert screen.curtain.is_drawn
    assert over.isVisible() is stays
    over.close()


def test_every_dialog_says_whom_it_concerns() -> None:
    silent = []
    for path in Path(ui.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and "QDialog" in map(ast.unparse, node.bases):
                calls = {ast.unparse(n.func) for n in ast.walk(node) if isinstance(n, ast.Call)}
                silent += [] if "set_privacy" in calls else [node.name]
    assert silent == []
