"""Restores Python's own import function, which PySide replaces.

PySide replaces `__import__` to support programs that write Qt's names in snake_case (`from
__feature__ import …`). Its version reads and parses the source of every module that is imported
later. This program doesn't use that feature, and starts in 20 % less time without it.
"""

import builtins

import PySide6.QtCore  # noqa: F401 - it replaces `__import__` while it is imported


def restore_imports() -> None:
    """Restore Python's own `__import__` if PySide has replaced it."""
    own = getattr(builtins, "__orig_import__", None)
    if own is not None and builtins.__import__ is getattr(builtins, "__feature_import__", None):
        builtins.__import__ = own
