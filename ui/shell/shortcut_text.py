"""Texts of keyboard shortcuts for tool tips and screen readers."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from tabletop.language.words import Words
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext
from ui.shell.commands import COMMANDS, shortcuts_of

ARROWS = {
    "←": phrase("left arrow"),
    "→": phrase("right arrow"),
    "↑": phrase("up arrow"),
    "↓": phrase("down arrow"),
}
"""The spoken names of arrow keys."""


def shortcut_text(context: AppContext, name: str) -> str:
    """Return the first shortcut of the command `name` in the system's notation, or ""."""
    own = shortcuts_of(COMMANDS[name], context.settings.keys)
    on_the_key = _native(Qt.Key.Key_Enter)  # for Return, too
    return _native(own[0]).replace(_native(Qt.Key.Key_Return), on_the_key) if own else ""


def _native(keys: QKeySequence | Qt.Key | str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def spoken_key(key: str, words: Words) -> str:
    """Return `key` with words in place of arrows, for screen readers."""
    for arrow, called in ARROWS.items():
        key = key.replace(arrow, words(called))
    return key


def with_key(words: Words, text: str, key: str) -> str:
    """Return `text` followed by the shortcut `key`, or `text` alone if `key` is ""."""
    return words.with_note(text, key) if key else text
