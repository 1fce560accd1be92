"""A window with a home of its own, and hands that are patient with it.

Objects of a test are destroyed before the next one begins. Windows are rings of objects that nobody
but the collector finds; left to its own pace it lets hundreds of them gather. It collects in this
thread alone, between two tests as well: a test that failed keeps its window longer, and the thread
in which a worker of pytest-xdist hears of the next test would destroy it (garbage_collection.py).
"""

import gc
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.storage import record, settings
from tabletop.storage.settings import Settings
from tabletop.table import table_bots
from tests.ui.table_driver import light_art
from tests.ui.window_driver import (
    QUICK,
    Open,
    PatientBot,
    QuickDisk,
    QuickMinds,
    do_at_once,
    finish_work,
)
from tests.watched_files import Watched
from ui.app import Window
from ui.replay import replay_loader
from ui.settings import statistics_screen
from ui.shelf import table_picture
from ui.shell import app_context, garbage_collection
from ui.style.art import Art
from ui.style.card_style import CardStyle
from ui.style.theme import Theme
from ui.widgets import hold_ring

MANY = 8_000
"""Objects through which a sweep goes in a moment."""
QUICKLY_HELD = 20
"""Milliseconds that a curtain has to be held: whole games are full of them."""


@cache
def drawn_art(theme: Theme, cards: CardStyle, compiled: Path) -> Art:
    """Draws for all windows of a run: the next one need not draw a picture again."""
    return Art(theme, cards=cards, compiled=compiled)


def shared_art(theme: Theme, *, cards: CardStyle, compiled: Path, shelf: Path) -> Art:
    """A substitute for `Art`; nothing is kept for another start."""
    return drawn_art(theme, cards, compiled)


@pytest.fixture(scope="session", autouse=True)
def frozen() -> Iterator[None]:
    """The modules of the program and of the tests stay: no collector needs to look at them."""
    gc.disable()
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
    for art in (light_art, drawn_art):
        art.cache_clear()  # pixmaps must go before the application


@pytest.fixture(autouse=True)
def swept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Destroy, once all else of a test has been put away, what it has left.

    What stays for all tests, as drawings do, is looked at no more once there is much of it; but a
    test that failed may have left a window, which goes later. A replay that is left has the program
    look at everything again: of a run of tests that is a hundred times as much.
    """
    with (
        patch.object(garbage_collection, "freeze_objects", lambda: None),
        patch.object(garbage_collection, "unfreeze_objects", lambda: None),
    ):
        yield
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()
    if not request.session.testsfailed and len(gc.get_objects()) > MANY:
        gc.freeze()


@pytest.fixture(autouse=True)
def english() -> None:
    """Letters are shaped as English ones, though a Japanese window was there before: Qt shapes all
    text in the language of the last one."""
    QLocale.setDefault(QLocale("en"))


@pytest.fixture
def listening() -> Iterator[None]:
    """A screen reader is there."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """The application in the program's style, which is Windows' own by default there."""
    qapp.setStyle("fusion")
    return qapp


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    """pytest-qt's hands, as patient as a busy computer needs."""
    return PatientBot(request)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where this test's program keeps its files, but for templates it has compiled."""
    cache = folders.cache()
    monkeypatch.setattr(folders, "cache", lambda: cache)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    seeds = count()
    monkeypatch.setattr(record, "new_seed", lambda: f"seed {next(seeds)}")
    monkeypatch.setattr(table_bots, "new_seed", "luck/{}".format)
    return tmp_path / "home"


@pytest.fixture
def shut_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file c, in the folder in which the program runs: nobody opens it."""
    (tmp_path / "c").write_bytes(b"no picture")
    monkeypatch.chdir(tmp_path)
    watched = Watched([tmp_path / "c"])
    yield
    opened = watched.opened()
    watched.close()
    assert not opened


@pytest.fixture
def opened(home: Path, qtbot: PatientBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens the program's window, as often as wanted; `changes` are settings."""
    windows: list[Window] = []
    monkeypatch.setattr(hold_ring, "HOLD_MS", QUICKLY_HELD)
    monkeypatch.setattr(app_context, "Art", shared_art)
    for module in (statistics_screen, replay_loader):
        monkeypatch.setattr(module, "run_in_background", do_at_once)

    def open_window(size: tuple[int, int] = (1280, 800), **changes: object) -> Window:
        known = settings.load()[0]
        fresh = known == Settings()
        settings.save(replace(QUICK if fresh else known, **changes))
        window = Window()
        window.context.bot_pool = QuickMinds(catalogue.load_bot_parts)
        window.context.disk_pool = QuickDisk()
        window.resize(*size)
        windows.append(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    yield open_window
    monkeypatch.setattr(table_picture, "save_thumbnail", lambda *_: None)  # nobody will look at it
    for window in windows:
        window.close()
        window.deleteLater()
    windows.clear()
    QApplication.processEvents()
    finish_work()
