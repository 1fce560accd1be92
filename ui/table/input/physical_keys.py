"""Recognises digits and letters by their physical key.

A French keyboard types other characters in the digit row, and a Russian or Greek one has no Latin
letters.
"""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

_DIGITS = "123456789"
_SCAN_CODE_1 = 0x02
"""The scan code of the key 1."""
_KEY_ROWS = {0x10: "qwertyuiop[]", 0x1E: "asdfghjkl;'`", 0x2B: "\\zxcvbnm,./"}
"""The characters of a US keyboard's keys, by the scan code of the first key in each row."""
_US_KEYS = {first + i: char for first, row in _KEY_ROWS.items() for i, char in enumerate(row)}
_FIRST_SPECIAL_KEY = Qt.Key.Key_Escape.value
"""The first of Qt's keys that don't stand for a character."""
_SCAN_CODE_OFFSETS = {"xcb": 8, "wayland": 8, "windows": 0}
"""What platforms add to scan codes."""
_MODIFIERS = (
    Qt.KeyboardModifier.ShiftModifier
    | Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


def digit_index(event: QKeyEvent) -> int | None:
    """Return the index of a digit key, 0 for the key 1 up to 8 for the key 9, or None."""
    number = event.key() - Qt.Key.Key_1.value
    if 0 <= number < len(_DIGITS):
        return number
    if event.modifiers() & _MODIFIERS or not event.text():
        return None
    code = _scan_code(event)
    return (
        code - _SCAN_CODE_1
        if code is not None and 0 <= code - _SCAN_CODE_1 < len(_DIGITS)
        else None
    )


def has_latin_letter(event: QKeyEvent) -> bool | None:
    """Return whether the key of `event` types a Latin letter, if it types a letter."""
    typed = chr(event.key()) if event.key() < _FIRST_SPECIAL_KEY else ""
    return unicodedata.name(typed, "").startswith("LATIN ") if typed.isalpha() else None


def us_key(event: QKeyEvent) -> Qt.Key | None:
    """Return the key at the same position of a US keyboard, if the position is known.

    The keys of digits are left out.
    """
    code = _scan_code(event)
    at_position = None if code is None else _US_KEYS.get(code)
    return None if at_position is None else Qt.Key(ord(at_position.upper()))


def _scan_code(event: QKeyEvent) -> int | None:
    """Return the scan code of a key as the keyboard sends it, or None if it is unknown."""
    added = _SCAN_CODE_OFFSETS.get(QGuiApplication.platformName())
    return None if added is None else event.nativeScanCode() - added
