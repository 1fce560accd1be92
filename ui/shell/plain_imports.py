"""Imports as Python makes them, without PySide's part in them.

PySide replaces `__import__` for programs that write Qt's names in snake_case (`from __feature__
import …`): it reads and parses the source of every module that is imported after Qt. This program
writes them as Qt does, and a start is a fifth shorter without it.
"""

import builtins

import PySide6.QtCore  # noqa: F401 - it replaces `__import__` while it is imported


def restore_imports() -> None:
    """Restore Python's own `__import__` if PySide has replaced it."""
    own = getattr(builtins, "__orig_import__", None)
    if own is not None and builtins.__import__ is getattr(builtins, "__feature_import__", None):
        builtins.__import__ = own
