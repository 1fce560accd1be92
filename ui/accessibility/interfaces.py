"""Accessibility interfaces of a table for Qt: one for the view, and one for each part.

None exists before a screen reader asks; then Qt makes one for the view by the factory
(`interface_factory.py`), and this one makes those of its parts. Qt's cache holds bare pointers to
them, so they are kept here as well, and end by `QAccessible.deleteAccessibleInterface` alone
(docs/decisions/accessibility.md). Qt asks them while it destroys the table as well: each looks
whether the view lives before it touches anything.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, cast, runtime_checkable

from PySide6.QtCore import QEvent, QObject, QRect, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget, QKeySequenceEdit, QStackedWidget, QWidget
from shiboken6 import VoidPtr, isValid

from tabletop.engine.model import NO_CARD, is_face
from tabletop.language.spoken_text import aloud
from ui.accessibility.card_parts import CardPart
from ui.accessibility.part import PRESS, Actions, TablePart
from ui.accessibility.table_parts import parts_of
from ui.table.view import TableView
from ui.widgets.announcer import ScreenReaderAnnouncer

NOTHING = VoidPtr(0)
"""The answer of `interface_cast` without such an interface: neither None nor 0 is taken."""
NOBODY = cast(QAccessibleInterface, None)
NO_OBJECT = cast(QObject, None)
NO_WINDOW = cast(QWindow, None)
"""Qt takes null as an answer; the stubs of PySide6 do not know that."""
Text = QAccessible.Text
_kept: dict[int, QAccessibleInterface] = {}
"""Every interface made here that Qt holds a pointer to, by its number there."""


@runtime_checkable
class Pressed(Protocol):
    """A widget that is no button, and yet can be pressed by who does not see it."""

    def press_unseen(self) -> None:
        """Do what a press does."""
        ...


class ActionList(QAccessibleActionInterface):
    """The actions of a part. Each is done once Qt's loop goes on, if it is still offered then: the
    caller has its answer by then, and is never held up by a dialog."""

    def __init__(self, owner: Callable[[], QObject | None], actions: Callable[[], Actions]) -> None:
        """`owner`: the widget that the part belongs to; with it all actions go."""
        super().__init__()
        self._owner = owner
        self._actions = actions

    def actionNames(self) -> list[str]:
        return list(self._actions())

    def doAction(self, name: str) -> None:
        owner = self._owner()
        if owner is not None and name in self._actions():
            QTimer.singleShot(0, owner, partial(self._do, name))

    def _do(self, name: str) -> None:
        act = self._actions().get(name)
        if act is not None:
            act()

    def localizedActionName(self, name: str) -> str:
        return name

    def localizedActionDescription(self, name: str) -> str:
        return ""

    def keyBindingsForAction(self, name: str) -> list[str]:
        return []


class PartInterface(QAccessibleInterface):
    """One part of a table."""

    def __init__(self, table: TableInterface, part: TablePart) -> None:
        super().__init__()
        self._table = table
        self.part = part
        self.last_name = part.name
        """Its name as it was last announced."""
        self._actions = ActionList(
            lambda: self._table.view, lambda: self.part.actions if self.isValid() else {}
        )

    def isValid(self) -> bool:
        return self._table.usable and self.part.exists

    def object(self) -> QObject:
        return NO_OBJECT

    def window(self) -> QWindow:
        return self._table.window() if isValid(self._table) else NO_WINDOW

    def parent(self) -> QAccessibleInterface:
        if not isValid(self._table):
            return NOBODY
        above = self.part.parent
        return self._table if above is None else self._table.interface_of(above)

    def _children(self) -> list[TablePart]:
        return self.part.children if self.isValid() else []

    def childCount(self) -> int:
        return len(self._children())

    def child(self, index: int) -> QAccessibleInterface:
        children = self._children()
        return self._table.interface_of(children[index]) if 0 <= index < len(children) else NOBODY

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return _index(child, self._children())

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        interfaces = (self._table.interface_of(part) for part in reversed(self._children()))
        return next((each for each in interfaces if each.rect().contains(x, y)), NOBODY)

    def focusChild(self) -> QAccessibleInterface:
        focused = next((part for part in self._children() if part.focused), None)
        return self._table.interface_of(focused) if focused is not None else NOBODY

    def text(self, kind: QAccessible.Text) -> str:
        if not self.isValid():
            return ""
        match kind:
            case Text.Name:
                return aloud(self.part.name, self.part.words)
            case Text.Description:
                return aloud(self.part.description, self.part.words)
            case _:
                return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing here can be written."""

    def rect(self) -> QRect:
        return self._table.on_screen(self.part) if self.isValid() else QRect()

    def role(self) -> QAccessible.Role:
        return self.part.role

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        if not self.isValid():
            state.invalid = True
            return state
        actions = self.part.actions
        state.focused = self.part.focused and self._table.has_focus
        state.focusable = bool(actions) or state.focused
        state.selectable = PRESS in actions and self.part.role is QAccessible.Role.ListItem
        state.selected = self.part.selected
        state.readOnly = not actions
        state.disabled = not self._table.usable
        return state

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        if kind is QAccessible.InterfaceType.ActionInterface:
            return self._actions
        return NOTHING


class TableInterface(QAccessibleWidget):
    """The view on a table."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view, QAccessible.Role.Grouping, "")
        self._view = weakref.ref(view)
        self._parts: dict[TablePart, PartInterface] = {}
        self._watch = TableWatch(view, self.renew)
        view.destroyed.connect(self.forget)

    @property
    def usable(self) -> bool:
        """Whether the table can be used: no curtain covers it."""
        view = self.view
        return view is not None and view.isEnabled()

    @property
    def has_focus(self) -> bool:
        view = self.view
        return view is not None and view.hasFocus()

    @property
    def view(self) -> TableView | None:
        """The view; None once it is gone, and while Qt destroys it."""
        view = self._view()
        return view if view is not None and isValid(view) else None

    def interface_of(self, part: TablePart) -> PartInterface:
        """The interface of a part, made when it is first asked for."""
        interface = self._parts.get(part)
        if interface is None:
            interface = self._parts[part] = PartInterface(self, part)
            _kept[QAccessible.registerAccessibleInterface(interface)] = interface
        return interface

    def on_screen(self, part: TablePart) -> QRect:
        """The rectangle of a part on the screen, in pixels."""
        view = self.view
        if view is None:
            return QRect()
        inside = view.mapFromScene(part.rect).boundingRect()
        return QRect(view.viewport().mapToGlobal(inside.topLeft()), inside.size())

    def _children(self) -> list[TablePart]:
        view = self.view
        return parts_of(view.table) if view is not None and view.isEnabled() else []

    def childCount(self) -> int:
        return len(self._children())

    def child(self, index: int) -> QAccessibleInterface:
        children = self._children()
        return self.interface_of(children[index]) if 0 <= index < len(children) else NOBODY

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return _index(child, self._children())

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        for part in reversed(self._children()):
            interfaces = self.interface_of(part)
            if interfaces.rect().contains(x, y):
                return interfaces.childAt(x, y) or interfaces
        return NOBODY

    def focusChild(self) -> QAccessibleInterface:
        focused = self._focused_part()
        return self.interface_of(focused) if focused is not None else NOBODY

    def _focused_part(self) -> TablePart | None:
        for part in self._children():
            inside = next((each for each in part.children if each.focused), None)
            if inside is not None or part.focused:
                return inside or part
        return None

    def renew(self) -> None:
        """Announce new names, and where the focus is, after something happened at the table; end
        parts that are gone."""
        for part, known in list(self._parts.items()):
            if not known.isValid():
                del self._parts[part]
                self._watch.forget(part)
                _delete(known)
            elif part.name != known.last_name:
                known.last_name = part.name
                _announce(known, QAccessible.Event.NameChanged)
        focused = self._focused_part() if self.has_focus else None
        if not self._watch.comes_to(focused) or focused is None:
            return
        if self._watch.is_new_focus(focused):
            _announce(self.interface_of(focused), QAccessible.Event.Focus)
        else:
            text = focused.words.sentences((focused.name, focused.description))
            self._watch.say(aloud(text, focused.words))

    def forget(self) -> None:
        """The view is gone: so are all parts."""
        for known in self._parts.values():
            _delete(known)
        self._parts.clear()


class TableWatch(QObject):
    """Hears what happens at a table; belongs to its view."""

    def __init__(self, view: TableView, renew: Callable[[], None]) -> None:
        super().__init__(view)
        self._announcer = weakref.ref(ScreenReaderAnnouncer(view))
        self._focused: TablePart | None = None
        self._held = NO_CARD
        """The card that was picked up when the focus was looked for last."""
        self._chosen = False
        """Whether the card in focus was put with others then."""
        self._told: TablePart | None = None
        """The part that readers hold for the one in focus: they pass over an event that says so
        again."""
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(renew)
        self._choice = weakref.ref(view.table.choice)
        scene = view.table
        for signal in (scene.settled, scene.look.looked, scene.arranged):
            signal.connect(self._note)
        for listeners in (scene.choice.answer_sent, scene.choice.refused):
            listeners.add(self._note)
        view.installEventFilter(self)

    def say(self, text: str) -> None:
        """Say what readers would pass over."""
        if (announcer := self._announcer()) is not None:
            announcer.say(text)

    def comes_to(self, part: TablePart | None) -> bool:
        """Whether the focus was elsewhere until now, or here with another card picked up, or the
        card here is put with others by now, or taken back; None where it is on no part."""
        choice = self._choice()
        if choice is None:
            return False
        before = (self._focused, self._held, self._chosen)
        self._focused, self._held = part, choice.picked_card
        self._chosen = isinstance(part, CardPart) and part.card in choice.multi_selection.chosen
        if part != before[0]:
            return True
        if self._held != before[1] and is_face(self._held):
            return True
        return choice.multi_selection.is_active and self._chosen != before[2]

    def is_new_focus(self, part: TablePart) -> bool:
        """Whether a reader that is told of this focus has it elsewhere as yet."""
        new, self._told = part != self._told, part
        return new

    def forget(self, part: TablePart) -> None:
        """What readers knew as this part is gone."""
        if self._told == part:
            self._told = None

    def _note(self, *_: object) -> None:
        self._later.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.FocusIn, QEvent.Type.EnabledChange):
            self._later.start()
        elif event.type() is QEvent.Type.FocusOut:
            self._focused = self._told = None
            if (announcer := self._announcer()) is not None:
                announcer.clear_queue()
        return False


OTHERWISE: dict[type[QWidget], QAccessible.Role] = {
    QStackedWidget: QAccessible.Role.Client,  # never a "layered pane", whatever lies on it
    QKeySequenceEdit: QAccessible.Role.HotkeyField,
}
"""The roles of those of Qt's widgets that are read out, or not, to nobody's use."""


class PressedInterface(QAccessibleWidget):
    """A widget that can be pressed, though it is no button."""

    def __init__(self, widget: QWidget, press: Callable[[], None]) -> None:
        super().__init__(widget, QAccessible.Role.Button, "")
        self._press = weakref.WeakMethod(press)
        self._actions = ActionList(self.object, self._offered_actions)

    def _offered_actions(self) -> Actions:
        press = self._press()
        return {PRESS: press} if press is not None else {}

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        if kind is QAccessible.InterfaceType.ActionInterface:
            return self._actions
        return NOTHING


def make_interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    """The interface of a widget whose class has this name; None where Qt has one itself."""
    if key != type(thing).__name__:
        return None  # called once per class of the object, the most derived first
    interface: QAccessibleInterface | None = None
    if isinstance(thing, TableView):
        interface = TableInterface(thing)
    elif isinstance(thing, QWidget) and isinstance(thing, Pressed):
        interface = PressedInterface(thing, thing.press_unseen)
    elif isinstance(thing, QWidget) and type(thing) in OTHERWISE:
        interface = QAccessibleWidget(thing, OTHERWISE[type(thing)], "")
    if interface is not None:
        _kept[id(interface)] = interface
        thing.destroyed.connect(partial(_kept.pop, id(interface), None))
    return interface


def _index(child: QAccessibleInterface, parts: list[TablePart]) -> int:
    part = child.part if isinstance(child, PartInterface) else None
    return parts.index(part) if part in parts else -1


def _announce(known: PartInterface, kind: QAccessible.Event) -> None:
    QAccessible.updateAccessibility(QAccessibleEvent(known, kind))


def _delete(known: PartInterface) -> None:
    """Let Qt delete an interface, and let go of it."""
    number = QAccessible.uniqueId(known)
    QAccessible.deleteAccessibleInterface(number)
    _kept.pop(number, None)
