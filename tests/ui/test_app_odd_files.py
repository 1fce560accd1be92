"""Odd files, and a home that nobody may look into: the window opens all the same."""

import logging
import shutil
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.files import folders
from tabletop.match.match import Player
from tabletop.storage import saved_matches, settings
from tabletop.storage.record import read, save_as
from tests.storage.odd_disks import BEYOND, date, lock
from tests.storage.odd_files import ODD
from tests.storage.played_matches import bare, begun, play
from tests.storage.redigested import redigested
from tests.ui.window_driver import QUICK, Open, begin, button, click, pass_on, settle, table
from ui.app import Window


def opened_menu(window: Window) -> QMenu:
    """The menu of matches to continue, which is filled when it is opened."""
    menu = window.menus.submenus["continue"]
    menu.aboutToShow.emit()
    return menu


def listed(window: Window) -> list[tuple[str, bool]]:
    """The entries of the menu of matches to continue, and those of them that can be chosen."""
    menu = opened_menu(window)
    return [(action.text().split(" · ")[0], action.isEnabled()) for action in menu.actions()]


def test_odd_files_are_listed_with_reasons(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    window = opened()
    pass_on(qtbot, begin(window), FastRng(1), 3)
    window.run_command("leave")
    (good,) = folders.matches().glob("*.tabletop")
    odd = bare().replace('"heard":[', '"heard":[["moved",99999,"a","b"],', 1)
    (folders.matches() / "cards.tabletop").write_bytes(redigested(odd.encode()))
    old = shutil.copy(good, folders.matches() / "future.tabletop")
    date(old, BEYOND, monkeypatch)
    caplog.set_level(logging.WARNING, "tabletop")
    again = opened()
    assert listed(again) == [
        ("Children of the Sun", True),
        ('"cards.tabletop" is damaged at line 3.', False),
        ('"future.tabletop" has an invalid date.', False),
    ]
    assert again.banner.text == '"cards.tabletop" is damaged at line 3.'
    again.show_shelf()
    settle()
    assert caplog.text.count('"cards.tabletop" is damaged at line 3.') == 1
    assert caplog.text.count('"future.tabletop" has an invalid date.') == 1


def damage(file: Path, line: int) -> bytes:
    """Change one byte in a line of a match; gives what the file holds then."""
    lines = file.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1][:20] + b"~" + lines[line - 1][21:]
    file.write_bytes(b"".join(lines))
    return file.read_bytes()


@pytest.mark.parametrize("way", ["menu", "banner"])
@pytest.mark.parametrize("kind", ["person", "bot"])
def test_a_damaged_match_goes_on_from_its_last_good_move(kind: str, way: str, opened: Open) -> None:
    players = (Player("Hinata", "sun"), Player("Kaname", "moon", kind))
    match = saved_matches.begin(catalogue.load("sun"), players)
    play(match, 4)
    match.journal.close()
    file = match.journal.path
    broken = damage(file, 5)
    window = opened()
    sentence = f'"{file.name}" is damaged at line 5.'
    offer = "Continue from the last readable move"
    assert window.banner.text == sentence
    (action,) = opened_menu(window).actions()
    assert action.text() == f"{sentence} {offer}"
    if way == "menu":
        action.trigger()
    else:
        click(button(window.banner, offer))
    (aside,) = folders.matches().glob("*.broken-*")
    kept = f"The match continues in a copy. The damaged file is kept as “{aside.name}”."
    assert window.banner.text == kept
    going_on = table(window).seated.match
    assert going_on.record[:2] == match.record[:2]
    assert aside.read_bytes() == broken
    window.run_command("leave")
    (copy,) = folders.matches().glob("*.tabletop")
    found, bad = saved_matches.unfinished_matches()
    assert ([saved.path for saved in found], bad) == ([copy], ())


@pytest.mark.parametrize("way", ["opened", "watched"])
def test_a_damaged_replay_is_shown_up_to_its_last_good_move(
    way: str, opened: Open, tmp_path: Path
) -> None:
    match, file = begun("sun", 12), tmp_path / "odd.tabletop"
    save_as(match, file)
    broken = damage(file, 9)
    window = opened()
    if way == "opened":
        window.open_file(file)
    else:
        window.replays.open(file)
    screen = window.replays.screen
    assert len(screen.playback.plies) == 7
    sentence = '"odd.tabletop" is damaged at line 9.'
    assert window.banner.text == f"{sentence} It's shown up to its last readable move."
    screen.save_comment("Behind the damage?")
    assert window.banner.text == sentence
    assert file.read_bytes() == broken


def test_the_window_opens_in_a_home_that_may_not_be_looked_into(
    home: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.save(QUICK)
    folders.matches().mkdir()
    lock(home, monkeypatch)
    window = Window()
    qtbot.addWidget(window)
    window.show()
    assert window.stack.currentWidget() is window.shelf
    assert window.banner.text == 'Can\'t read "settings.json": using the default settings.'
    assert [text for text, _ in listed(window)] == ['Can\'t read "matches": permission denied.']
    window.close()


SMALL = ("settings.json", "keyring.json", "agreed.json", "seal.key", "statistics.sqlite")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("odd", ["pipe", "device", "folder", "loop", "huge"])
def test_the_window_opens_whatever_its_small_files_are(odd: str, home: Path, qtbot: QtBot) -> None:
    home.mkdir(exist_ok=True)
    for name in SMALL:
        ODD[odd](home / name)
    window = Window()
    qtbot.addWidget(window)
    window.show()
    assert window.stack.currentWidget() is window.shelf
    if odd != "loop":
        assert '"settings.json"' in window.banner.text
    window.close()


def test_the_window_opens_where_the_home_is_a_file(home: Path, qtbot: QtBot) -> None:
    home.write_text("no folder")
    window = Window()
    qtbot.addWidget(window)
    window.show()
    assert window.stack.currentWidget() is window.shelf
    if sys.platform == "win32":  # to Windows a path below a file is just missing, until it is made
        window.shelf.play_requested.emit(window.shelf.boxes[0].game)
    assert window.banner.text
    window.close()


@pytest.mark.parametrize("way", ["continued", "opened", "opened from elsewhere", "watched"])
def test_unknown_names_in_a_save_are_replaced(way: str, opened: Open, tmp_path: Path) -> None:
    window = opened()
    players = (Player("Hinata", "zzz", level="very"), Player("Kaname", "moon", "bot", "easy"))
    match = saved_matches.begin(catalogue.load("sun"), players)
    play(match, 2)
    match.journal.close()
    file = match.journal.path
    match way:
        case "continued":
            window.continue_match(file)
        case "opened":
            window.open_file(file)
        case "opened from elsewhere":
            window.open_file(shutil.copy(file, tmp_path / file.name))
        case _:
            window.replays.open(file)
    frame = window.replays.screen if way == "watched" else window.table
    assert frame is not None
    settle()
    assert window.banner.isVisible()
    assert window.banner.text == (
        f'"{file.name}" uses unknown values: zzz, very. Defaults are used instead.'
    )
    known = read(file).header.players
    assert [player.symbol for player in known] == ["sun", "moon"]


def test_damaged_ways_back_are_set_aside_and_told_of(
    opened: Open, home: Path, qtbot: QtBot
) -> None:
    home.mkdir(parents=True)
    folders.known_hosts().write_bytes(b"{")
    window = opened()
    qtbot.waitUntil(window.banner.isVisible)
    assert window.banner.text.startswith('"keyring.json" was damaged and moved to ')
    assert list(home.glob("keyring.json.broken-*"))
    assert window.online.known_hosts.rejoinable_tables == ()
