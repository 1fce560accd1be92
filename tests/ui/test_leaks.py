"""Leak tests: however often games and dialogs are opened, nothing of them stays."""

import gc
import os
import sys
import threading
import weakref
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.scratch import FastRng
from tabletop.files import background_writes
from tabletop.match.match import Player
from tabletop.storage import settings
from tabletop.storage.record import record_of, save
from tests.net.loopback import LONG
from tests.ui.online.session_driver import host
from tests.ui.window_driver import QUICK, Open, page, play, settle, table, until_asked
from ui.app import Window
from ui.settings.pages import PAGES
from ui.setup.lineup import MatchSetup
from ui.shell import garbage_collection

TIMES = 100 if LONG else 3
GAMES = [kit.id for kit in catalogue.shelf()]
SYMBOLS = ("sun", "moon", "star", "leaf")


def alive(window: Window) -> Counter[str]:
    """Objects of the program by their kind, and all that Qt holds for its window."""
    background_writes.finish()
    settle()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    counts = Counter(
        kind.__name__
        for kind in map(type, gc.get_objects())
        if str(kind.__module__).startswith(("ui.", "tabletop."))  # of some it is no text
    )
    counts["QObject"] = len(window.findChildren(QObject))
    counts["top-level QWidget"] = len(QApplication.topLevelWidgets())
    return counts + resources(window)


def resources(window: Window) -> Counter[str]:
    """What the system gives the program, and what wakes it."""
    counts = Counter(
        {
            "active QTimer": sum(timer.isActive() for timer in window.findChildren(QTimer)),
            "Thread": threading.active_count(),
        }
    )
    if sys.platform == "linux":
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        counts["child process"] = len(children)
        counts["descriptor"] = len(os.listdir("/proc/self/fd"))
        counts["thread of the system"] = len(os.listdir("/proc/self/task"))
    return counts


def stays(window: Window, do: Callable[[], None], qtbot: QtBot) -> dict[str, int]:
    """The objects that grow in number when something is done several times."""
    do()
    do()
    before = alive(window)
    for _ in range(TIMES):
        do()
    grown: Counter[str] = Counter()

    def is_back() -> bool:
        nonlocal grown
        grown = alive(window) - before
        return not grown

    with suppress(qtbot.TimeoutError):  # the network may still hold what it is putting away
        qtbot.waitUntil(is_back)
    return dict(grown)


@pytest.mark.parametrize("game", GAMES if LONG else ["royale", "sun"])
def test_of_a_game_that_was_left_nothing_stays(opened: Open, game: str, qtbot: QtBot) -> None:
    window, kit, luck = opened(), catalogue.load(game), FastRng(5)
    players = tuple(Player(f"Player {n}", SYMBOLS[n]) for n in range(min(kit.box.seats)))

    def sit_and_leave() -> None:
        window.show_new_game(kit)
        window.matches.start_match(MatchSetup(kit, players, {}))
        screen = table(window)
        if screen.curtain.is_drawn:
            screen.curtain.opened.emit()
        screen.request_hint()
        if screen.switch.shown_seat is not None and screen.switch.shown_seat.offers:
            play(screen, luck)
        screen.switch.hand_over()
        file = screen.seated.record.file
        assert file is not None
        window.show_shelf()
        window.shelf.trash_requested.emit(file)

    assert stays(window, sit_and_leave, qtbot) == {}


def test_of_an_evening_of_matches_nothing_stays(home: Path, qtbot: QtBot) -> None:
    """Bots think in their own processes, and moves are saved in their own threads."""
    settings.save(replace(QUICK, sounds=True))
    window, luck = Window(), FastRng(7)
    window.show()
    kits = cycle(catalogue.load(game) for game in GAMES)

    def play_and_leave() -> None:
        kit = next(kits)
        seats = min(kit.box.seats)
        players = (
            Player("Hinata", SYMBOLS[0]),
            *(Player(f"Bot {n}", SYMBOLS[n], "bot", "easy") for n in range(1, seats)),
        )
        window.matches.start_match(MatchSetup(kit, players, {}))
        screen = table(window)
        for _ in range(3):
            if until_asked(qtbot, screen):
                play(screen, luck)
        window.show_shelf()

    play_and_leave()
    play_and_leave()
    before = resources(window)
    for _ in range(20 if LONG else 4):
        play_and_leave()
    qtbot.waitUntil(lambda: not resources(window) - before)
    window.close()
    window.deleteLater()


def test_of_a_replay_that_was_watched_nothing_stays(
    opened: Open, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    exempted: list[bool] = []
    monkeypatch.setattr(garbage_collection, "freeze_objects", lambda: exempted.append(True))
    monkeypatch.setattr(garbage_collection, "unfreeze_objects", lambda: exempted.append(False))
    window = opened()
    record = record_of(
        play_random_match(catalogue.load("sun"), 2, "left"), tmp_path / "left.tabletop"
    )
    save(record, record.path)

    def watch_and_leave() -> None:
        window.replays.open(record.path, 7)
        window.show_shelf()

    assert stays(window, watch_and_leave, qtbot) == {}
    assert exempted == [True, False] * (TIMES + 2)


def test_of_a_shared_table_that_was_left_nothing_stays(opened: Open, qtbot: QtBot) -> None:
    window = opened(confirmations={"leave": False})

    def host_and_leave() -> None:
        host(qtbot, window, "sun")
        window.run_command("leave")

    assert stays(window, host_and_leave, qtbot) == {}


@pytest.mark.parametrize("name", PAGES)
def test_of_a_page_that_was_left_nothing_stays(opened: Open, name: str, qtbot: QtBot) -> None:
    window = opened()
    assert stays(window, lambda: page(window, name).left.emit(), qtbot) == {}


def test_of_looks_and_languages_that_were_changed_nothing_stays(opened: Open, qtbot: QtBot) -> None:
    window = opened()

    def change() -> None:
        for language, theme in (("ja", "dark"), ("en", "light")):
            window.context.change_settings(language=language, theme=theme)

    assert stays(window, change, qtbot) == {}


def test_of_a_window_that_was_closed_nothing_stays(home: Path, qapp: QApplication) -> None:
    """Although nobody deletes it: the ring of its objects is found."""
    window = Window()
    gone = weakref.ref(window)
    settle()
    window.close()
    del window
    gc.collect()
    assert gone() is None
