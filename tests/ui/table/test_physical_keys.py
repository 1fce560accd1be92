"""Digits and letters are known by the position of their keys."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

from ui.table.input.physical_keys import digit_index, has_latin_letter, us_key

BARE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def pressed(key: int, text: str, code: int, keys: Qt.KeyboardModifier = BARE) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, keys, code, 0, 0, text)


@pytest.mark.parametrize(
    ("platform", "event", "digit"),
    [
        ("xcb", (Qt.Key.Key_Ampersand, "&", 10), 0),
        ("wayland", (Qt.Key.Key_Eacute, "é", 11), 1),
        ("windows", (Qt.Key.Key_Minus, "-", 7), 5),
        ("xcb", (Qt.Key.Key_1, "1", 10, SHIFT), 0),
        ("xcb", (Qt.Key.Key_9, "9", 81), 8),
        ("xcb", (Qt.Key.Key_Exclam, "!", 10, SHIFT), None),
        ("xcb", (Qt.Key.Key_Minus, "-", 15, CONTROL), None),
        ("xcb", (Qt.Key.Key_Agrave, "à", 19), None),
        ("xcb", (Qt.Key.Key_Escape, "\x1b", 9), None),
        ("offscreen", (Qt.Key.Key_Ampersand, "&", 10), None),
    ],
)
def test_a_digit_is_known_by_its_place(
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    event: tuple[Qt.Key, str, int],
    digit: int | None,
) -> None:
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: platform)
    assert digit_index(pressed(*event)) == digit


@pytest.mark.parametrize(
    ("event", "latin", "key"),
    [
        ((0x41A, "к", 27), False, Qt.Key.Key_R),
        ((0x414, "", 46, CONTROL), False, Qt.Key.Key_L),
        ((0x411, "б", 59), False, Qt.Key.Key_Comma),
        ((0x42F, "Я", 52, SHIFT), False, Qt.Key.Key_Z),
        ((Qt.Key.Key_Semicolon, ";", 24), None, Qt.Key.Key_Q),
        ((Qt.Key.Key_A, "a", 24), True, Qt.Key.Key_Q),
        ((Qt.Key.Key_Eacute, "é", 11), True, None),
        ((Qt.Key.Key_F1, "", 67), None, None),
    ],
)
def test_a_letter_is_known_by_its_place(
    monkeypatch: pytest.MonkeyPatch, event: tuple[int, str, int], latin: bool, key: Qt.Key | None
) -> None:
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")
    assert has_latin_letter(pressed(*event)) is latin
    assert us_key(pressed(*event)) == key
