"""Accessible roles for plain widgets, because screen readers ignore the role that Qt gives them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QFrame, QLabel, QScrollArea, QTabWidget, QWidget

IGNORED_CLASSES = (QWidget, QFrame, QScrollArea, QTabWidget)
"""Qt classes with a role that screen readers ignore."""
ROLE_PROPERTY = "spoken_role"
"""The name of the property with a widget's role, as a number."""
INTERFACE_PROPERTY = "spoken_kind"
"""The name of the property with the class of a widget's accessible interface."""
MIN_READ_WORDS = 3
"""The minimum number of words of a label that Orca reads when its screen appears."""
_interfaces: dict[int, QAccessibleInterface] = {}
"""All accessible interfaces, kept alive because Qt holds only bare pointers to them."""
_installed: list[object] = []


def speak_as(
    widget: QWidget,
    role: QAccessible.Role,
    interface_class: type[QAccessibleWidget] = QAccessibleWidget,
) -> None:
    """Give `widget` the accessible `role`, by an interface of the class `interface_class`."""
    widget.setProperty(ROLE_PROPERTY, role.value)
    widget.setProperty(INTERFACE_PROPERTY, interface_class)
    if not _installed:
        _installed.append(_make_interface)
        QAccessible.installFactory(_make_interface)
    if QAccessible.isActive():
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface.role() is not role:  # a screen reader has cached the old role
            QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(interface))


def _skipped_texts(container: QWidget) -> str:
    """Return the texts in `container` that Orca doesn't read, from top to bottom.

    Orca reads most labels when a screen appears, but not those with fewer than three words, nor the
    labels of other widgets. Japanese text without spaces counts as one word.
    """
    skipped: list[tuple[int, int, str]] = []
    labels = container.findChildren(QLabel)
    buddies = [each.buddy() for each in labels]
    for each in labels:
        place, buddy = each.mapTo(container, QPoint(0, 0)), each.buddy()
        name = QAccessible.queryAccessibleInterface(each).text(QAccessible.Text.Name).strip()
        read = len(name.split()) >= MIN_READ_WORDS and buddy is None and each not in buddies
        field = buddy is not None and not isinstance(buddy, QLabel)
        if name and each.isVisible() and not (read or field):
            skipped.append((place.y(), place.x(), name))
    return "\n".join(name for *_, name in sorted(skipped))


class _TextsInterface(QAccessibleWidget):
    """An accessible interface whose name consists of the texts in its widget."""

    def text(self, kind: QAccessible.Text) -> str:
        said, container = super().text(kind), self.object()
        if kind is QAccessible.Text.Name and isinstance(container, QWidget):
            return _skipped_texts(container) or said
        return said


def speak_as_texts(widget: QWidget) -> None:
    """Make screen readers read all texts in `widget` when it gets the focus."""
    speak_as(widget, QAccessible.Role.Paragraph, _TextsInterface)


def speak_as_group(widget: QWidget) -> None:
    """Make screen readers read the name of a plain `widget` when the focus enters it."""
    own = next(each for each in type(widget).__mro__ if each.__module__ == QWidget.__module__)
    if own in IGNORED_CLASSES and widget.property(ROLE_PROPERTY) is None:
        speak_as(widget, QAccessible.Role.Grouping)


def _make_interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    if key != type(thing).__name__ or not isinstance(thing, QWidget):
        return None  # called once per class of the object, the most derived first
    role = thing.property(ROLE_PROPERTY)
    if role is None:
        return None
    interface_class: type[QAccessibleWidget] = thing.property(INTERFACE_PROPERTY)
    interface = interface_class(thing, QAccessible.Role(role), "")
    _interfaces[id(interface)] = interface
    thing.destroyed.connect(partial(_interfaces.pop, id(interface), None))
    return interface
