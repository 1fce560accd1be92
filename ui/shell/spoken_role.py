"""Roles for widgets that speak: Qt gives a plain widget one that no screen reader reads out."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QFrame, QScrollArea, QTabWidget, QWidget

PLAIN = (QWidget, QFrame, QScrollArea, QTabWidget)
"""Qt's classes whose roles no screen reader reads out."""
ROLE = "spoken_role"
"""The property that holds a widget's role, as a number."""
KIND = "spoken_kind"
"""The property that holds the class of what readers meet of a widget."""
_kept: dict[int, QAccessibleInterface] = {}
"""Qt holds bare pointers to them."""
_installed: list[object] = []


def speak_as(
    widget: QWidget, role: QAccessible.Role, kind: type[QAccessibleWidget] = QAccessibleWidget
) -> None:
    """Have screen readers meet the widget in this role, as this kind of thing."""
    widget.setProperty(ROLE, role.value)
    widget.setProperty(KIND, kind)
    if not _installed:
        _installed.append(_make_interface)
        QAccessible.installFactory(_make_interface)
    if QAccessible.isActive():
        met = QAccessible.queryAccessibleInterface(widget)
        if met.role() is not role:  # one has met it already: it is met anew
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(met))


def speak_as_group(widget: QWidget) -> None:
    """Have the name of a widget read that is nothing else to screen readers: when the focus comes
    into it."""
    own = next(each for each in type(widget).__mro__ if each.__module__ == QWidget.__module__)
    if own in PLAIN and widget.property(ROLE) is None:
        speak_as(widget, QAccessible.Role.Grouping)


def _make_interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    if key != type(thing).__name__ or not isinstance(thing, QWidget):
        return None  # asked once for each of its classes, the last one first
    role = thing.property(ROLE)
    if role is None:
        return None
    kind: type[QAccessibleWidget] = thing.property(KIND)
    interface = kind(thing, QAccessible.Role(role), "")
    _kept[id(interface)] = interface
    thing.destroyed.connect(partial(_kept.pop, id(interface), None))
    return interface
