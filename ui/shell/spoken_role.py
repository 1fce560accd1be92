"""Roles for widgets that speak: Qt gives a plain widget one that no screen reader reads out."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

ROLE = "spoken_role"
"""The property that holds a widget's role, as a number."""
_kept: dict[int, QAccessibleInterface] = {}
"""Qt holds bare pointers to them."""
_installed: list[object] = []


def speak_as(widget: QWidget, role: QAccessible.Role) -> None:
    """Have screen readers meet the widget in this role; to be called before one does."""
    widget.setProperty(ROLE, role.value)
    if not _installed:
        _installed.append(_make_interface)
        QAccessible.installFactory(_make_interface)


def _make_interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    if key != type(thing).__name__ or not isinstance(thing, QWidget):
        return None  # asked once for each of its classes, the last one first
    role = thing.property(ROLE)
    if role is None:
        return None
    interface = QAccessibleWidget(thing, QAccessible.Role(role), "")
    _kept[id(interface)] = interface
    thing.destroyed.connect(partial(_kept.pop, id(interface), None))
    return interface
