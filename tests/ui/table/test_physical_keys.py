"""Digits and R are reached on keyboards that write something else there."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

from ui.table.input.physical_keys import digit_index, logical_key

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


def test_r_is_known_where_letters_are_not_latin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")
    assert logical_key(pressed(0x41A, "к", 27)) is Qt.Key.Key_R
    assert logical_key(pressed(Qt.Key.Key_P, "p", 27)) is Qt.Key.Key_P
