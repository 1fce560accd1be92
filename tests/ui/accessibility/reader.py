"""Hands and ears of somebody who does not see the window: they know nothing but what Qt gives
screen readers."""

import weakref
from collections.abc import Iterator

import shiboken6
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from tabletop.engine.scratch import FastRng
from tests.ui.window_driver import settle

Role, Text = QAccessible.Role, QAccessible.Text
PRESS = "Press"
_read: weakref.WeakSet[QAccessibleInterface] = weakref.WeakSet()
"""The last result of `window_tree`, as long as somebody has it."""


def name(thing: QAccessibleInterface) -> str:
    return thing.text(Text.Name)


def described(thing: QAccessibleInterface) -> str:
    return thing.text(Text.Description)


def actions(thing: QAccessibleInterface) -> list[str]:
    interface = thing.actionInterface()
    return list(interface.actionNames()) if interface is not None else []


def press(thing: QAccessibleInterface, action: str = PRESS) -> None:
    """Do it, and let what comes of it come."""
    button = thing.object()
    interface = thing.actionInterface()
    assert interface is not None, name(thing)
    interface.doAction(action)
    del interface
    forget()
    # Qt lets a button go up a moment later; one that is disabled meanwhile never signals it
    while isinstance(button, QAbstractButton) and shiboken6.isValid(button) and button.isDown():
        settle(5)
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


def forget() -> None:
    """Let go of what `window_tree` gave, before the window changes: Qt deletes interfaces without
    a word to PySide6, which then takes a new object at the same address for the old interface."""
    for each in list(_read):
        if not shiboken6.createdByPython(each):
            shiboken6.invalidate(each)
    _read.clear()


def window_tree() -> list[QAccessibleInterface]:
    """Everything in the window that is in front; good until something is pressed."""
    forget()
    window: QWidget | None = QApplication.activeModalWidget() or QApplication.activeWindow()
    assert window is not None
    root = QAccessible.queryAccessibleInterface(window)
    assert root is not None
    tree = list(inside(root))
    _read.update(tree)
    return tree


def usable(thing: QAccessibleInterface) -> bool:
    return PRESS in actions(thing) and not thing.state().disabled


class Reader:
    """A player by announcements and by nothing else; choices they cannot make are random."""

    SKIPPED = ("Undo", "Reactions…", "Hint")
    SHOWS = "Plays back what happened since your last turn"
    """The description of a button that answers nothing."""

    def __init__(self, luck: FastRng) -> None:
        self.luck = luck
        self.curtains = 0
        self.pressed: list[str] = []
        """Her actions, in order."""

    def step(self, tree: list[QAccessibleInterface]) -> bool:
        """Do one thing of what was read, if there is something to be done; whether there was."""
        wanted = self._wanted(tree)
        if not wanted:
            forget()
            return False
        thing = wanted[self.luck.below(len(wanted))]
        self.pressed.append(name(thing))
        press(thing)
        return True

    def _wanted(self, tree: list[QAccessibleInterface]) -> list[QAccessibleInterface]:
        """The elements that move the game on."""
        curtain = [each for each in tree if name(each).startswith("Curtain for ")]
        if curtain:
            self.curtains += 1
            return curtain
        table = next((each for each in tree if name(each) == "The table"), None)
        question = next((each for each in tree if name(each) == "Question"), None)
        if table is None or question is None:
            return []
        usable_children = [each for each in inside(table) if usable(each)]
        choices = [each for each in usable_children if name(each.parent()) == "Choose"]
        if choices:
            return choices
        places = [each for each in usable_children if name(each).endswith(", can be chosen")]
        cards = [each for each in usable_children if each.role() is Role.ListItem]
        chosen = [each for each in cards if each.state().selected]
        playable = [each for each in cards if "can be played" in name(each)]
        buttons = [
            each
            for each in inside(question)
            if each.role() is Role.Button and usable(each) and self._answers(each)
        ]
        if chosen:
            return places or buttons or playable
        return [*places, *playable, *buttons]

    def _answers(self, button: QAccessibleInterface) -> bool:
        return name(button) not in self.SKIPPED and described(button) != self.SHOWS


def over(tree: list[QAccessibleInterface]) -> bool:
    """Whether the score sheet is on the table."""
    return any(name(each) == "Back to the shelf" and usable(each) for each in tree)
