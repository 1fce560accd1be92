"""The keys of commands as a person reads them, and tool tips that tell them."""

from PySide6.QtGui import QKeySequence

from ui.shell.app_context import AppContext
from ui.shell.commands import COMMANDS, keys


def shortcut_text(context: AppContext, name: str) -> str:
    """The first key of a command in the system's own writing; empty where it has none."""
    found = keys(COMMANDS[name], context.settings.keys)
    return QKeySequence(found[0]).toString(QKeySequence.SequenceFormat.NativeText) if found else ""


def with_key(told: str, key: str) -> str:
    """A tool tip that tells the key as well, where there is one."""
    return f"{told} ({key})" if key else told
