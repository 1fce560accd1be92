"""The keys of commands as a person reads them, and tool tips with them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from tabletop.language.words import Words
from tabletop.text.phrases import phrase
from ui.shell.app_context import AppContext
from ui.shell.commands import COMMANDS, keys

ARROWS = {
    "←": phrase("left arrow"),
    "→": phrase("right arrow"),
    "↑": phrase("up arrow"),
    "↓": phrase("down arrow"),
}
"""The names of the arrow keys."""


def shortcut_text(context: AppContext, name: str) -> str:
    """The first key of a command in the system's own writing; empty where it has none."""
    own = keys(COMMANDS[name], context.settings.keys)
    on_the_key = _native(Qt.Key.Key_Enter)  # for Return, too
    return _native(own[0]).replace(_native(Qt.Key.Key_Return), on_the_key) if own else ""


def _native(keys: QKeySequence | Qt.Key | str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def spoken_key(key: str, words: Words) -> str:
    """A key as it is read out: with words for arrows."""
    for arrow, called in ARROWS.items():
        key = key.replace(arrow, words(called))
    return key


def with_key(words: Words, text: str, key: str) -> str:
    """A tool tip with the key as well, where there is one."""
    return words.with_note(text, key) if key else text
