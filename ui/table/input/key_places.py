"""Keys known by their places: where a keyboard writes something else than a digit in the row of
digits (French), or no Latin letters (Russian, Greek)."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent

_DIGITS = "123456789"
_LETTER_R = 0x13
_FIRST = 0x02
"""The codes of keyboards, of R and of 1; Linux adds eight, as X has always done."""
_ADDED = {"xcb": 8, "wayland": 8, "windows": 0}
_NOT_BARE = (
    Qt.KeyboardModifier.ShiftModifier
    | Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


def digit_of(event: QKeyEvent) -> int | None:
    """The digit of a key, counted from 0 for 1 up to 8 for 9."""
    number = event.key() - Qt.Key.Key_1.value
    if 0 <= number < len(_DIGITS):
        return number
    code = _place_of(event)
    return code - _FIRST if code is not None and 0 <= code - _FIRST < len(_DIGITS) else None


def key_of(event: QKeyEvent) -> Qt.Key:
    """The key; R also where it writes a letter of another script."""
    if event.text().isalpha() and not event.text().isascii() and _place_of(event) == _LETTER_R:
        return Qt.Key.Key_R
    return Qt.Key(event.key())


def _place_of(event: QKeyEvent) -> int | None:
    """The code of the place of a key that is pressed alone; None where it isn't known."""
    added = _ADDED.get(QGuiApplication.platformName())
    if added is None or event.modifiers() & _NOT_BARE or not event.text():
        return None
    return event.nativeScanCode() - added
