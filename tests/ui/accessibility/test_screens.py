"""Every screen as somebody meets it who does not see it, or sees it otherwise than most."""

from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QWidget,
)
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tests.ui.accessibility.screens import (
    backwards,
    faded,
    mute,
    painted,
    screens,
    unnamed,
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
def test_everything_has_a_name_and_a_reading_order(opened: Open, tmp_path: Path, look: str) -> None:
    size = (1024, 600) if "small" in look else (1280, 800)
    window = opened(size, reduced_motion=True, **LOOKS[look])
    found, seen = {}, set[str]()
    for name, screen in screens(window, tmp_path):
        settle()
        wrong = [
            *(f"unnamed: {each}" for each in unnamed(screen)),
            *(f"not to be seen: {each}" for each in faded(screen)),
            *(f"painted for the eye alone: {each}" for each in painted(screen)),
            *(f"against reading: {each}" for each in backwards(screen)),
            *(f"a field without a name: {each}" for each in unnamed_fields(seen)),
            *(f"a screen without a name: {each}" for each in unnamed_screens(window)),
        ]
        if wrong:
            found[name] = wrong
    assert found == {}
    assert seen >= {"ComboBox", "TextField", "Slider", "DoubleSpinBox", "QKeySequenceEdit"}


def test_every_name_has_a_role_that_is_read(opened: Open, tmp_path: Path, listening: None) -> None:
    window = opened(reduced_motion=True)
    found = {name: mute(screen) for name, screen in screens(window, tmp_path) if mute(screen)}
    assert found == {}


def test_a_lobby_has_names_and_an_order_too(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    host(qtbot, window)
    settle()
    assert unnamed(window) == []
    assert mute(window) == []
    assert painted(window) == []
    assert faded(window) == []
    assert backwards(window) == []


def test_a_seats_symbol_is_said_by_its_word(opened: Open, qtbot: QtBot) -> None:
    window = opened(language="ja")
    window.ask_new_game(catalogue.load("sun"))
    assert {described(card._badge) for card in sheet(window).places.cards} == {"太陽", "月"}
    screen = begin(window)
    assert screen.curtain.drawn
    assert screen.curtain._ring.accessibleName() == "太陽"


def described(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Description)
