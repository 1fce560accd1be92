"""The end of a match on the real window: seen, announced, shared, and played again."""

import threading
from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAccessible, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from tabletop.bots.decision import Decision, Question
from tabletop.catalogue import catalogue
from tabletop.commands import match_source
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Player
from tabletop.review import highlights
from tests.net.loopback import LONG
from tests.ui import window_driver
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import (
    Open,
    QuickMinds,
    begin,
    button,
    click,
    hold,
    key,
    pass_on,
    play,
    saving_to,
    settle,
    table,
    until_asked,
)
from ui.app import Window
from ui.match.result.score_sheet import winner_text
from ui.match.screen.table_screen import TableScreen
from ui.setup.lineup import MatchSetup
from ui.table.items.slip_item import SlipItem

NAMES = (
    *("Hinata", "Kaname", "Shizuku", "Tsubasa", "Botan", "Aoi"),
    *("Ren", "Sora", "Yuzu", "Tsukishiro", "Nagi", "Mio"),
)
SYMBOLS = (
    *("sun", "moon", "leaf", "flower", "wave", "bell"),
    *("crane", "gem", "fan", "key", "star", "cloud"),
)
BROAD, NARROW = (1280, 800), (1024, 600)
LOOKED = 10
"""At so many of its moves the bots look afterwards."""
EVERY_GAME = [("sun", 2), ("sisters", 4), ("chains", 1), ("chains", 10), ("awss", 4)]


def seated(seats: int, people: tuple[int, ...]) -> tuple[Player, ...]:
    return tuple(
        Player(NAMES[n], SYMBOLS[n]) if n in people else Player(NAMES[n], SYMBOLS[n], "bot", "easy")
        for n in range(seats)
    )


def ended(opened: Open, qtbot: QtBot, size: tuple[int, int] = BROAD) -> tuple[Window, TableScreen]:
    """A window with a game of two persons that is over."""
    window = opened(size)
    screen = near_its_end(window)
    pass_on(qtbot, screen, FastRng(0), 60)
    assert screen.seated.is_over
    return window, screen


def rail(screen: TableScreen, name: str) -> QToolButton:
    buttons = screen.side_sheet.rail.findChildren(QToolButton)
    return next(each for each in buttons if each.toolTip() == name)


# Placement


def test_a_broad_window_shows_the_whole_table_beside_it(opened: Open, qtbot: QtBot) -> None:
    _, screen = ended(opened, qtbot)
    sheet, area = screen.ending.sheet, screen.table_area
    left = sheet.mapTo(screen, QPoint(0, 0)).x()
    assert area.geometry().right() < left
    assert area.width() > BROAD[0] / 2
    assert screen.view.geometry() == area.rect(), "the table has all of its place"
    assert QApplication.focusWidget() is button(sheet, "Play again")


def test_in_a_narrow_window_it_slides_away_and_comes_back(opened: Open, qtbot: QtBot) -> None:
    window, screen = ended(opened, qtbot, NARROW)
    assert screen.ending.sheet.isVisible()
    click(button(screen.ending.sheet, "See the table"))
    assert not screen.ending.sheet.isVisible()
    assert QApplication.focusWidget() is screen.view
    click(rail(screen, "Score"))
    assert screen.ending.sheet.isVisible()
    screen.ending.sheet.focus_first_button()
    key(Qt.Key.Key_Escape)
    assert not screen.ending.sheet.isVisible()
    QTest.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert screen.ending.sheet.isVisible()
    key(Qt.Key.Key_Escape) if screen.ending.sheet.hasFocus() else window.run_command("reset_layout")
    click(button(screen.prompt, "Score sheet"))
    assert screen.ending.sheet.isVisible()
    assert QApplication.focusWidget() is button(screen.ending.sheet, "Play again")


def test_the_dock_is_as_it_was_when_the_next_match_begins(opened: Open, qtbot: QtBot) -> None:
    window = opened(BROAD)
    screen = near_its_end(window)
    wide = screen.dock.width()
    pass_on(qtbot, screen, FastRng(0), 60)
    assert screen.dock.width() > wide
    click(button(screen.ending.sheet, "Play again"))
    again = table(window)
    assert not again.ending.sheet.isVisible()
    assert again.dock.width() == wide


def test_a_window_that_becomes_narrow_or_broad_keeps_it(opened: Open, qtbot: QtBot) -> None:
    window, screen = ended(opened, qtbot)
    window.resize(*NARROW)
    settle()
    click(rail(screen, "Score"))
    assert screen.ending.sheet.isVisible()
    assert button(screen.ending.sheet, "See the table")
    window.resize(*BROAD)
    settle()
    assert screen.ending.sheet.isVisible()
    assert screen.table_area.geometry().right() < screen.dock.geometry().left()


def test_when_all_agree_to_go_back_nothing_of_the_end_is_left(opened: Open, qtbot: QtBot) -> None:
    window, screen = ended(opened, qtbot)
    wide = screen.dock.width()
    window.run_command("undo")
    settle()
    click(button(screen.prompt, "Hinata and Kaname agree"))
    assert not screen.seated.is_over
    assert not screen.ending.sheet.isVisible()
    assert screen.ending.highlight is None
    assert screen.dock.width() < wide
    pass_on(qtbot, screen, FastRng(3), 60)
    assert screen.ending.sheet.isVisible()


# Every game


@pytest.mark.parametrize(("game", "seats"), [*EVERY_GAME, ("royale", 12)])
@pytest.mark.parametrize("size", [NARROW, BROAD] if LONG else [NARROW])
def test_every_game_is_watched_to_its_end_and_told(
    opened: Open,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    seats: int,
    size: tuple[int, int],
) -> None:
    monkeypatch.setattr(window_driver, "TRIES_A_SECOND", 20)
    monkeypatch.setattr(highlights, "MAX_REVIEWED_MOVES", LOOKED)
    window = opened(size)
    screen = near_its_end(window, game, seated(seats, ()))
    qtbot.waitUntil(screen.ending.sheet.isVisible)
    result = screen.seated.view.result
    assert result is not None
    sheet = screen.ending.sheet
    assert sheet.winner_band.title.text() == winner_text(result, seats, screen.words)
    inside = sheet.scroll_area.widget()
    qtbot.waitUntil(
        lambda: inside.width() <= sheet.scroll_area.viewport().width()
    )  # nothing is cut off
    qtbot.waitUntil(lambda: screen.ending.highlight is not None)
    assert screen.ending.sheet.feat.text
    window.context.change_settings(language="ja", theme="dark")
    settle()
    assert sheet.winner_band.title.text() == winner_text(result, seats, screen.words)
    assert screen.ending.sheet.feat.text


# The best move


class Hesitant(QuickMinds):
    """Never comes to an end by itself."""

    asked_first: threading.Event

    def submit(self, question: Question) -> "Future[Decision]":
        self.asked_first.set()
        self.waiting = Future()
        return self.waiting


def test_the_search_for_the_best_move_ends_on_leaving(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = near_its_end(window)
    pool = Hesitant(catalogue.load_bot_parts)
    pool.asked_first = threading.Event()
    window.context.bot_pool = pool
    pass_on(qtbot, screen, FastRng(0), 60)
    assert screen.ending.sheet.isVisible()
    assert pool.asked_first.wait(60)
    feat = screen.ending.sheet.feat
    assert feat.isVisible()
    assert "ooking for the best move" in feat.text
    assert feat.progress_bar.isVisible()
    sheet = screen.ending.sheet
    assert sheet.scroll_area.isAncestorOf(feat), "it waits where the move will be shown"
    assert sheet.scroll_area.verticalScrollBar().maximum() == 0
    sheet.setFixedHeight(320)  # the figures are scrolled now
    settle()
    sheet.show_searching()
    settle()
    assert not sheet.scroll_area.isAncestorOf(feat)
    assert feat.geometry().bottom() < button(sheet, "Back to the shelf").y()
    click(button(screen.ending.sheet, "Back to the shelf"))
    assert window.table is None
    assert pool.waiting.cancelled()
    qtbot.waitUntil(lambda: "search" not in [thread.name for thread in threading.enumerate()])


def test_the_best_move_is_told_and_seen_in_the_replay(opened: Open, qtbot: QtBot) -> None:
    window, screen = ended(opened, qtbot)
    qtbot.waitUntil(lambda: screen.ending.highlight is not None)
    feat = screen.ending.feat
    text = screen.ending.sheet.feat.text
    assert f"Best move: {screen.words.seat(feat.ask.seat)}" in text
    assert screen.words.move(feat.played, feat.ask.seat, feat.view) in text
    assert f"about {round(100 * feat.gain)} points" in text
    assert not screen.ending.sheet.feat.progress_bar.isVisible()
    click(button(screen.ending.sheet, "Show it"))
    replay = window.replays.screen
    assert replay.seat.viewer == feat.ask.seat
    assert replay.at == replay.playback.beat_after_ply(feat.ply - 1)
    played = replay.playback.plies[feat.ply].entry
    assert played.seat == feat.ask.seat


def test_an_unreadable_match_still_has_its_sheet(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tabletop.files.errors import BadFile
    from ui.match.result import ending

    def gone(path: Path) -> None:
        raise BadFile('"{file}" holds nothing.', file=path.name)

    monkeypatch.setattr(ending, "read", gone)
    _, screen = ended(opened, qtbot)
    qtbot.waitUntil(lambda: screen.ending.highlight is not None)
    assert screen.ending.feat is None
    assert screen.ending.sheet.isVisible()


# Again


@pytest.mark.parametrize(
    ("game", "people", "seats"),
    [("chains", (0,), 1), ("chains", (0, 2), 3), ("sisters", (), 3), ("sun", (0, 1), 2)],
)
def test_again_keeps_seats_bots_and_options(
    opened: Open, qtbot: QtBot, game: str, people: tuple[int, ...], seats: int
) -> None:
    window = opened()
    kit = catalogue.load(game)
    options = {option.key: option.choices[-1].value for option in kit.box.options}
    players = seated(seats, people)
    window.matches.start_match(MatchSetup(kit, players, options))
    settle()
    if table(window).curtain.is_drawn:
        hold(qtbot, table(window))
    before = dict(table(window).seated.view.options)
    table(window).seated.record.match.concede(people[0] if people else 0)
    settle()
    click(button(table(window).ending.sheet, "Play again"))
    again = table(window)
    assert not again.seated.is_over
    assert again.seated.players == players
    assert dict(again.seated.view.options) == before


# Share as picture


def share(screen: TableScreen, number: int) -> None:
    """Choose an entry of the menu, by the keyboard alone."""
    screen.ending.sheet.focus_first_button()
    shared = button(screen.ending.sheet, "Share as picture")
    while QApplication.focusWidget() is not shared:
        key(Qt.Key.Key_Tab)
    seen: list[QMenu] = []

    def choose() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        seen.append(menu)
        for _ in range(number + 1):
            QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Return)

    QTimer.singleShot(0, shared, choose)
    QTest.keyClick(shared, Qt.Key.Key_Space)
    settle()
    assert seen


@pytest.mark.parametrize(
    ("language", "heard"),
    [
        ("en", ["Share as picture", "Save the picture…", "Copy the picture"]),
        ("ja", ["画像で共有", "画像を保存…", "画像をコピー"]),
    ],
    ids=["en", "ja"],
)
def test_the_button_and_menu_of_sharing_are_heard(
    opened: Open, qtbot: QtBot, language: str, heard: list[str]
) -> None:
    window, screen = ended(opened, qtbot)
    window.context.change_settings(language=language)
    settle()
    shared = button(screen.ending.sheet, heard[0])
    told: list[tuple[str, QAccessible.Role]] = []

    def listen() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        for each in (shared, menu):
            found = QAccessible.queryAccessibleInterface(each)
            parts = [found.child(n) for n in range(found.childCount())] if each is menu else [found]
            told.extend((part.text(QAccessible.Text.Name), part.role()) for part in parts)
        menu.close()

    QTimer.singleShot(0, shared, listen)
    QTest.mouseClick(shared, Qt.MouseButton.LeftButton)
    settle()
    entry = QAccessible.Role.MenuItem
    assert told == list(zip(heard, (QAccessible.Role.ButtonMenu, entry, entry), strict=True))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_final_table_is_saved_as_a_picture(
    opened: Open, qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    window, screen = ended(opened, qtbot)
    window.context.change_settings(theme=theme)
    asked: list[str] = []

    def named(_parent: object, _title: str, wish: str, _kinds: str) -> tuple[str, str]:
        asked.append(Path(wish).name)
        return str(home / "shared.png"), ""

    monkeypatch.setattr("ui.widgets.file_dialogs.QFileDialog.getSaveFileName", named)
    share(screen, 0)
    assert asked == ["Children of the Sun.png"]
    picture = QImage(str(home / "shared.png"))
    assert (picture.width(), picture.height() > 1000) == (1600, True)
    colours = {picture.pixel(x, y) for x in range(60, 1540, 40) for y in range(150, 1000, 40)}
    assert len(colours) > 60, "the table is drawn on it"
    assert "shared.png" in window.banner.text
    assert screen.ending.sheet.isVisible()


def test_the_picture_is_copied(opened: Open, qtbot: QtBot) -> None:
    window, screen = ended(opened, qtbot)
    share(screen, 1)
    assert QGuiApplication.clipboard().image().width() == 1600
    assert "clipboard" in window.banner.text


def test_a_disk_that_takes_no_picture_is_told(
    opened: Open, qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, screen = ended(opened, qtbot)
    saving_to(monkeypatch, home / "nowhere" / "deep" / "x.png" / "y.png")
    (home / "nowhere").write_bytes(b"a file where a folder would be")
    share(screen, 0)
    assert window.banner.isVisible()
    assert screen.ending.sheet.isVisible()


# The end is seen


def test_a_double_click_turns_one_page_of_a_scoring(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = near_its_end(window)
    luck, match = FastRng(1), screen.seated.match
    while not (
        screen.switch.decision.handover_due and match.state.values["phase"] == "extermination"
    ):
        pass_on(qtbot, screen, luck, 1)
    window.context.change_settings(animation="slow")
    pass_on(qtbot, screen, luck, 1)
    assert screen.seated.is_over
    animator, port = screen.scene.animator, screen.view.viewport()
    spot = port.rect().center()

    before = len(animator._queue)
    assert animator.is_running
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=spot)
    after = len(animator._queue)
    assert after < before
    QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=spot)
    assert animator.is_running, "the second press of a double click skips nothing"
    assert not screen.ending.sheet.isVisible()
    for _ in range(20):
        if not animator.is_running:
            break
        QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=spot)
    settle()
    click(screen.ending.victory)
    assert screen.ending.sheet.isVisible(), "single presses skip on purpose"


def test_without_motion_the_final_count_stays_on_the_table(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened(), 1)
    luck = FastRng(0)
    while until_asked(qtbot, screen):
        play(screen, luck)
    qtbot.waitUntil(screen.ending.sheet.isVisible)
    settle()
    lights = screen.scene.animator.marks.items
    assert lights, "though the table was laid out anew"
    assert not any(isinstance(each, SlipItem) for each in lights), "the score sheet has the words"


@pytest.mark.parametrize("game", ["sun", "sisters", "awss", "chains", "royale"])
def test_a_low_window_shows_the_totals(opened: Open, game: str, qtbot: QtBot) -> None:
    """At once, and while the best move is looked for; nothing of it needs to be scrolled to."""
    window = opened((1024, 600))
    kit = catalogue.load(game)
    match = match_source.play_random_match(kit, min(4, kit.box.seats[-1]), "the end")
    window.matches.show_match(match)
    settle()
    sheet = table(window).ending.sheet
    assert sheet.isVisible()
    for looks in (sheet.show_searching, lambda: None):
        looks()
        settle()
        total = next(each for each in sheet.findChildren(QLabel) if each.text() == "Total")
        roll = sheet.scroll_area.viewport()
        place = total.rect().translated(total.mapTo(roll, QPoint()))
        assert roll.rect().contains(place), (place, roll.rect())
