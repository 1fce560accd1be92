"""Shortcuts on keyboards without Latin letters."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.storage.corpus import LATEST
from tests.ui.window_driver import Open, begin

BARE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
RUSSIAN_L, RUSSIAN_N, RUSSIAN_H = (0x414, 46), (0x422, 57), (0x420, 43)
RUSSIAN_A, RUSSIAN_C, RUSSIAN_R = (0x424, 38), (0x421, 54), (0x41A, 27)
RUSSIAN_V = (0x41C, 55)
GREEK_L, GREEK_Q = (0x39B, 46), (Qt.Key.Key_Semicolon, 24)
LATIN_A, FRENCH_COMMA = (Qt.Key.Key_A, 38), (Qt.Key.Key_Comma, 58)


@pytest.fixture(autouse=True)
def x11(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scan codes as X11 sends them."""
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")


def event_of(kind: QEvent.Type, key: tuple[int, int], keys: Qt.KeyboardModifier) -> QKeyEvent:
    code, position = key
    return QKeyEvent(kind, code, keys, position, 0, 0, "" if keys & CONTROL else chr(code))


def press(key: tuple[int, int], keys: Qt.KeyboardModifier = BARE) -> None:
    """Press a key as Qt does: ask the focused widget for an override, then look for a shortcut."""
    focused = QApplication.focusWidget()
    override = event_of(QEvent.Type.ShortcutOverride, key, keys)
    override.ignore()
    QApplication.sendEvent(focused, override)
    if not override.isAccepted():  # QTest looks for a shortcut; its events have no position
        QTest.keyClick(focused, Qt.Key(key[0]), keys)


def press_unmatched(key: tuple[int, int], keys: Qt.KeyboardModifier = BARE) -> None:
    """Press a key that is no shortcut."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(QApplication.focusWidget(), event_of(kind, key, keys))


@pytest.fixture
def requested(opened: Open) -> list[str]:
    """Return the commands that the window of a match has been asked for."""
    window = opened()
    begin(window, 1)
    commands: list[str] = []
    window.menus.command_requested.connect(commands.append)
    return commands


def test_shortcuts_fall_back_to_the_position_of_the_key(requested: list[str]) -> None:
    press(RUSSIAN_L, CONTROL)
    press(RUSSIAN_H)
    press(RUSSIAN_N)
    press(GREEK_L, CONTROL)
    assert requested == ["actions", "hint", "now", "actions"]


def test_punctuation_falls_back_only_after_other_letters(requested: list[str]) -> None:
    press(GREEK_L, CONTROL)
    override = event_of(QEvent.Type.ShortcutOverride, GREEK_Q, CONTROL)
    focused = QApplication.focusWidget()
    QApplication.sendEvent(focused, override)
    quitting = focused.window().menus.commands["quit"].shortcuts()
    assert [each.toString() for each in quitting] == ["Ctrl+Q", "Ctrl+;"]
    press(LATIN_A)
    press(FRENCH_COMMA, CONTROL)
    assert requested == ["actions", "settings"]


def test_shortcuts_of_a_replay_fall_back_too(opened: Open, tmp_path: Path) -> None:
    window = opened()
    window.open_file(Path(shutil.copy(LATEST / "sun-2.tabletop", tmp_path)))
    press(RUSSIAN_V)
    press(RUSSIAN_C)
    field = QApplication.focusWidget()
    assert window.replays.screen.comment_bar.isAncestorOf(field)
    press_unmatched(RUSSIAN_N)
    assert field.text() == "Т", "text fields type the letter"
    press_unmatched(RUSSIAN_A, CONTROL)
    press_unmatched(RUSSIAN_C, CONTROL)
    assert QApplication.clipboard().text() == "Т"


def test_a_card_turns_with_the_key_of_r(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    window = opened()
    screen = begin(window, 1)
    turned: list[bool] = []
    monkeypatch.setitem(screen.scene._key_actions, Qt.Key.Key_R, lambda: turned.append(True))
    press_unmatched(RUSSIAN_R)
    assert turned == [True]
