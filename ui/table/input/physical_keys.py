"""Recognises digits and R by their physical key.

A French keyboard types other characters in the digit
row, and a Russian or Greek one has no Latin letters.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

_DIGITS = "123456789"
_SCAN_CODE_R = 0x13
_SCAN_CODE_1 = 0x02
"""Scan codes of the keys R and 1. X11 and Wayland add 8 to them."""
_SCAN_CODE_OFFSETS = {"xcb": 8, "wayland": 8, "windows": 0}
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
    code = _scan_code(event)
    return (
        code - _SCAN_CODE_1
        if code is not None and 0 <= code - _SCAN_CODE_1 < len(_DIGITS)
        else None
    )


def logical_key(event: QKeyEvent) -> Qt.Key:
    """Return the key of `event`; R also if the key types a letter of another script."""
    if event.text().isalpha() and not event.text().isascii() and _scan_code(event) == _SCAN_CODE_R:
        return Qt.Key.Key_R
    return Qt.Key(event.key())


def _scan_code(event: QKeyEvent) -> int | None:
    """Return the normalised scan code of a key pressed
    without modifiers, or None if it is unknown.
    """
    added = _SCAN_CODE_OFFSETS.get(QGuiApplication.platformName())
    if added is None or event.modifiers() & _MODIFIERS or not event.text():
        return None
    return event.nativeScanCode() - added
