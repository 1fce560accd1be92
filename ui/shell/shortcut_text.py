"""The keys of commands as a person reads them, and tool tips with them."""

from PySide6.QtGui import QKeySequence

from tabletop.language.words import Words
from ui.shell.app_context import AppContext
from ui.shell.commands import COMMANDS, keys


def shortcut_text(context: AppContext, name: str) -> str:
    """The first key of a command in the system's own writing; empty where it has none."""
    own = keys(COMMANDS[name], context.settings.keys)
    return QKeySequence(own[0]).toString(QKeySequence.SequenceFormat.NativeText) if own else ""


def with_key(words: Words, text: str, key: str) -> str:
    """A tool tip with the key as well, where there is one."""
    return words.with_note(text, key) if key else text
