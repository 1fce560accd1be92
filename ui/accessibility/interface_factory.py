"""Provides Qt with interfaces of tables for screen readers; loads nothing until one asks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface

_factories: list[Callable[[str, QObject], QAccessibleInterface | None]] = []
"""Qt holds a bare pointer to it."""


def install() -> None:
    """Have Qt ask here for the interfaces of tables; once for all windows."""
    if not _factories:
        _factories.append(_make_interface)
        QAccessible.installFactory(_make_interface)


def _make_interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    from ui.accessibility import interfaces

    return interfaces.make_interface(key, thing)
