"""Every screen as somebody meets it who does not see it, or sees it otherwise than most."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tests.storage.corpus import LATEST
from tests.ui.accessibility.screens import (
    SIGN,
    backwards,
    faded,
    screens,
    signs,
    silent,
    unnamed_fields,
    unnamed_screens,
)
from tests.ui.online.session_driver import host
from tests.ui.window_driver import Open, begin, settle, sheet

LOOKS = {
    "as usual": {},
    "in Japanese, small": {"language": "ja", "theme": "dark"},
    "with large cards, in high contrast": {"card_size": "large", "theme": "contrast"},
}


@pytest.mark.parametrize("look", LOOKS)
def test_everything_is_named_in_words_and_in_order(
    opened: Open, tmp_path: Path, listening: None, look: str
) -> None:
    size = (1024, 600) if "small" in look else (1280, 800)
    window = opened(size, reduced_motion=True, **LOOKS[look])
    found, seen = {}, set[str]()
    for name, screen in screens(window, tmp_path):
        settle()
        wrong = [
            *(f"silent: {each}" for each in silent(screen)),
            *(f"a sign: {each}" for each in signs(screen)),
            *(f"not to be seen: {each}" for each in faded(screen)),
            *(f"against reading: {each}" for each in backwards(screen)),
            *(f"a field without a name: {each}" for each in unnamed_fields(seen)),
            *(f"a screen without a name: {each}" for each in unnamed_screens(window)),
        ]
        if wrong:
            found[name] = wrong
    assert found == {}
    assert seen >= {"ComboBox", "TextField", "Slider", "DoubleSpinBox", "QKeySequenceEdit"}


def test_a_review_and_what_is_said_of_a_step_have_names(
    opened: Open, qtbot: QtBot, tmp_path: Path, listening: None
) -> None:
    window = opened(language="ja")
    window.open_file(Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path / "film.tabletop")))
    settle()
    film = window.replays.screen
    film.set_viewer(1)
    for command in ("review", "comment"):
        film.do(command)
        settle()
    qtbot.waitUntil(lambda: bool(film.reviewer.findings))
    settle()
    assert film.reviewer.panel.isVisible()
    assert silent(window) == []
    assert signs(window) == set()


def test_menus_have_words_for_all_they_offer(opened: Open) -> None:
    for language in ("en", "ja"):
        window = opened(language=language)
        texts = [
            action.text()
            for menu in window.menus.findChildren(QMenu)
            for action in menu.actions()
            if not action.isSeparator()
        ]
        assert len(texts) > 40
        assert not [text for text in texts if not text.strip() or SIGN.search(text)]


def test_a_lobby_has_names_and_an_order_too(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    host(qtbot, window)
    settle()
    assert silent(window) == []
    assert signs(window) == set()
    assert unnamed_fields(set()) == []
    assert faded(window) == []
    assert backwards(window) == []


def test_a_seats_symbol_is_said_by_its_word(opened: Open, qtbot: QtBot) -> None:
    window = opened(language="ja")
    window.show_new_game(catalogue.load("sun"))
    assert {described(card.symbol_menu) for card in sheet(window).seats.rows} == {"太陽", "月"}
    screen = begin(window)
    assert screen.curtain.is_drawn
    assert screen.curtain._ring.accessibleName() == "太陽"


def described(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Description)
