"""Roles for widgets that speak: Qt gives a plain widget one that no screen reader reads out."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QFrame, QLabel, QScrollArea, QTabWidget, QWidget

PLAIN = (QWidget, QFrame, QScrollArea, QTabWidget)
"""Qt's classes whose roles no screen reader reads out."""
ROLE = "spoken_role"
"""The property that holds a widget's role, as a number."""
KIND = "spoken_kind"
"""The property that holds the class of what readers meet of a widget."""
READ = 3
"""The fewest words of a text that Orca reads together with the screen around it."""
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
        if met.role() is not role:  # a reader has met the widget already and must meet it afresh
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(met))


def _left_out(around: QWidget) -> str:
    """The texts in a widget that Orca passes over. It reads most of them as it comes to the screen,
    but none that name another thing, nor of less than three words: to it Japanese without spaces is
    a single word."""
    left: list[tuple[int, int, str]] = []
    labels = around.findChildren(QLabel)
    named = [each.buddy() for each in labels]
    for each in labels:
        place, buddy = each.mapTo(around, QPoint(0, 0)), each.buddy()
        name = QAccessible.queryAccessibleInterface(each).text(QAccessible.Text.Name).strip()
        read = len(name.split()) >= READ and buddy is None and each not in named
        field = buddy is not None and not isinstance(buddy, QLabel)
        if name and each.isVisible() and not (read or field):
            left.append((place.y(), place.x(), name))
    return "\n".join(name for *_, name in sorted(left))


class _TextsInterface(QAccessibleWidget):
    """What a reader meets of something that is told by the texts in it."""

    def text(self, kind: QAccessible.Text) -> str:
        said, around = super().text(kind), self.object()
        if kind is QAccessible.Text.Name and isinstance(around, QWidget):
            return _left_out(around) or said
        return said


def speak_as_texts(widget: QWidget) -> None:
    """Have all texts in a widget read when the focus comes to it."""
    speak_as(widget, QAccessible.Role.Paragraph, _TextsInterface)


def speak_as_group(widget: QWidget) -> None:
    """Have the name of a widget read that is nothing else to screen readers: when the focus comes
    into it."""
    own = next(each for each in type(widget).__mro__ if each.__module__ == QWidget.__module__)
    if own in PLAIN and widget.property(ROLE) is None:
        speak_as(widget, QAccessible.Role.Grouping)


def _make_interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    if key != type(thing).__name__ or not isinstance(thing, QWidget):
        return None  # called once per class of the object, the most derived first
    role = thing.property(ROLE)
    if role is None:
        return None
    kind: type[QAccessibleWidget] = thing.property(KIND)
    interface = kind(thing, QAccessible.Role(role), "")
    _kept[id(interface)] = interface
    thing.destroyed.connect(partial(_kept.pop, id(interface), None))
    return interface
