"""Registers the factory for accessibility interfaces,
without loading them until a screen reader asks.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface

_factories: list[Callable[[str, QObject], QAccessibleInterface | None]] = []
"""The registered factory, kept alive here because Qt holds a bare pointer to it."""


def install() -> None:
    """Register the factory with Qt, once for all windows."""
    if not _factories:
        _factories.append(_make_interface)
        QAccessible.installFactory(_make_interface)


def _make_interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    from ui.accessibility import interfaces

    return interfaces.make_interface(key, thing)
