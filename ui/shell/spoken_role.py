"""Accessible roles for plain widgets, which Qt gives a role that screen readers ignore."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QFrame, QLabel, QScrollArea, QTabWidget, QWidget

PLAIN = (QWidget, QFrame, QScrollArea, QTabWidget)
"""Qt classes whose role screen readers ignore."""
ROLE = "spoken_role"
"""The property with a widget's role, as a number."""
KIND = "spoken_kind"
"""The property with the class of a widget's accessible interface."""
READ = 3
"""The fewest words of a label that Orca reads together with its screen."""
_kept: dict[int, QAccessibleInterface] = {}
"""References to all interfaces, because Qt holds bare pointers to them."""
_installed: list[object] = []


def speak_as(
    widget: QWidget, role: QAccessible.Role, kind: type[QAccessibleWidget] = QAccessibleWidget
) -> None:
    """Give `widget` an accessible `role`, with an interface of the class `kind`."""
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
    """Return the texts in `around` that Orca skips, top to bottom.

    Orca reads most labels when a screen appears, but skips labels of other widgets and those of
    fewer than
    three words. Japanese without spaces counts as a single word.
    """
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
    """An accessible interface that is named by the texts inside its widget."""

    def text(self, kind: QAccessible.Text) -> str:
        said, around = super().text(kind), self.object()
        if kind is QAccessible.Text.Name and isinstance(around, QWidget):
            return _left_out(around) or said
        return said


def speak_as_texts(widget: QWidget) -> None:
    """Make screen readers read all texts in `widget` when it gets the focus."""
    speak_as(widget, QAccessible.Role.Paragraph, _TextsInterface)


def speak_as_group(widget: QWidget) -> None:
    """Make screen readers read the name of a plain `widget` when the focus enters it."""
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
