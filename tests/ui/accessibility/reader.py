"""Hands and ears of somebody who does not see the window: they know nothing but what Qt tells
screen readers."""

from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui.window_driver import settle

Role, Text = QAccessible.Role, QAccessible.Text
PRESS = "Press"


def name(thing: QAccessibleInterface) -> str:
    return thing.text(Text.Name)


def described(thing: QAccessibleInterface) -> str:
    return thing.text(Text.Description)


def actions(thing: QAccessibleInterface) -> list[str]:
    found = thing.actionInterface()
    return list(found.actionNames()) if found is not None else []


def press(thing: QAccessibleInterface, action: str = PRESS) -> None:
    """Do it, and let what comes of it come."""
    found = thing.actionInterface()
    assert found is not None, name(thing)
    found.doAction(action)
    settle()


def children(thing: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    for index in range(thing.childCount()):
        child = thing.child(index)
        if child is not None and child.isValid():
            assert thing.indexOfChild(child) == index, (name(thing), name(child))
            yield child


def inside(thing: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """Everything in it that can be seen, itself first."""
    if thing.state().invisible or not thing.isValid():
        return
    yield thing
    for child in children(thing):
        yield from inside(child)


def window_tree() -> list[QAccessibleInterface]:
    """Everything in the window that is in front."""
    window: QWidget | None = QApplication.activeModalWidget() or QApplication.activeWindow()
    assert window is not None
    root = QAccessible.queryAccessibleInterface(window)
    assert root is not None
    return list(inside(root))


def usable(thing: QAccessibleInterface) -> bool:
    return PRESS in actions(thing) and not thing.state().disabled
