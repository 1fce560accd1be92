"""Qt accessibility interfaces of a table: one for the view and one for each of its parts.

They are created when a screen reader asks for them: Qt creates the interface of the view by a
factory (`interface_factory.py`), and that interface creates those of the parts. Qt's cache holds
bare pointers, so the interfaces are kept alive here until `QAccessible.deleteAccessibleInterface`
is called (docs/decisions/accessibility.md). Qt also calls them while it destroys the table, so they
check whether the view still exists.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, cast, runtime_checkable

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleEvent,
    QAccessibleInterface,
    QKeyEvent,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget, QKeySequenceEdit, QStackedWidget, QWidget
from shiboken6 import VoidPtr, isValid

from tabletop.engine.model import NO_CARD, is_face
from tabletop.language.spoken_text import to_spoken_text
from ui.accessibility.card_parts import CardPart
from ui.accessibility.part import PRESS, Actions, TablePart
from ui.accessibility.table_parts import list_parts
from ui.table.view import TableView
from ui.widgets.announcer import ScreenReaderAnnouncer

NULL_POINTER = VoidPtr(0)
"""Result of `interface_cast` for an unsupported interface; PySide accepts neither None nor 0."""
NULL_INTERFACE = cast(QAccessibleInterface, None)
NULL_OBJECT = cast(QObject, None)
NULL_WINDOW = cast(QWindow, None)
"""A null result for Qt, which accepts None although the type stubs of PySide6 don't."""
Text = QAccessible.Text
SILENT_KEYS = frozenset(
    (
        *(Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr),
        *(Qt.Key.Key_Meta, Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_Insert),
    )
)
"""Keys that don't need an announcement, because screen readers and desktops use them."""
_live_interfaces: dict[int, QAccessibleInterface] = {}
"""The interfaces to which Qt holds pointers, by ID."""


@runtime_checkable
class Pressable(Protocol):
    """A widget that isn't a button but that a screen reader can press."""

    def accessible_press(self) -> None:
        """Do what a mouse click does."""
        ...


class DeferredActions(QAccessibleActionInterface):
    """The actions of a part. Each runs when control
    returns to the event loop, if it is still offered.

    The screen reader therefore gets its answer first, and no dialog blocks it.
    """

    def __init__(self, owner: Callable[[], QObject | None], actions: Callable[[], Actions]) -> None:
        """`owner` returns the widget that the part belongs
        to; if it returns None, there are no actions.
        """
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
    """The interface of one part of a table."""

    def __init__(self, table: TableInterface, part: TablePart) -> None:
        super().__init__()
        self._table = table
        self.part = part
        self.last_name = part.name
        """The name that was last announced."""
        self._actions = DeferredActions(
            lambda: self._table.view, lambda: self.part.actions if self.isValid() else {}
        )

    def isValid(self) -> bool:
        return self._table.is_usable and self.part.is_present

    def object(self) -> QObject:
        return NULL_OBJECT

    def window(self) -> QWindow:
        return self._table.window() if isValid(self._table) else NULL_WINDOW

    def parent(self) -> QAccessibleInterface:
        if not isValid(self._table):
            return NULL_INTERFACE
        above = self.part.parent
        return self._table if above is None else self._table.interface_of(above)

    def _children(self) -> list[TablePart]:
        return self.part.children if self.isValid() else []

    def childCount(self) -> int:
        return len(self._children())

    def child(self, index: int) -> QAccessibleInterface:
        children = self._children()
        return (
            self._table.interface_of(children[index])
            if 0 <= index < len(children)
            else NULL_INTERFACE
        )

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return _child_index(child, self._children())

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        interfaces = (self._table.interface_of(part) for part in reversed(self._children()))
        return next((each for each in interfaces if each.rect().contains(x, y)), NULL_INTERFACE)

    def focusChild(self) -> QAccessibleInterface:
        focused = next((part for part in self._children() if part.is_focused), None)
        return self._table.interface_of(focused) if focused is not None else NULL_INTERFACE

    def text(self, kind: QAccessible.Text) -> str:
        if not self.isValid():
            return ""
        match kind:
            case Text.Name:
                return to_spoken_text(self.part.name, self.part.words)
            case Text.Description:
                return to_spoken_text(self.part.description, self.part.words)
            case _:
                return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Do nothing: a part has no editable text."""

    def rect(self) -> QRect:
        return self._table.screen_rect(self.part) if self.isValid() else QRect()

    def role(self) -> QAccessible.Role:
        return self.part.role

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        if not self.isValid():
            state.invalid = True
            return state
        actions = self.part.actions
        state.focused = self.part.is_focused and self._table.has_focus
        state.focusable = bool(actions) or state.focused
        state.selectable = PRESS in actions and self.part.role is QAccessible.Role.ListItem
        state.selected = self.part.is_selected
        state.readOnly = not actions
        state.disabled = not self._table.is_usable
        return state

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        if kind is QAccessible.InterfaceType.ActionInterface:
            return self._actions
        return NULL_POINTER


class TableInterface(QAccessibleWidget):
    """The interface of a table view."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view, QAccessible.Role.Grouping, "")
        self._view = weakref.ref(view)
        self._parts: dict[TablePart, PartInterface] = {}
        self._watch = TableWatcher(view, self.announce_changes)
        view.destroyed.connect(self.on_view_destroyed)

    @property
    def is_usable(self) -> bool:
        """Whether the table is enabled, which it isn't under a curtain."""
        view = self.view
        return view is not None and view.isEnabled()

    @property
    def has_focus(self) -> bool:
        view = self.view
        return view is not None and view.hasFocus()

    @property
    def view(self) -> TableView | None:
        """The view; None once Qt has destroyed it."""
        view = self._view()
        return view if view is not None and isValid(view) else None

    def interface_of(self, part: TablePart) -> PartInterface:
        """Return the interface of `part`, created on first use."""
        interface = self._parts.get(part)
        if interface is None:
            interface = self._parts[part] = PartInterface(self, part)
            _live_interfaces[QAccessible.registerAccessibleInterface(interface)] = interface
        return interface

    def screen_rect(self, part: TablePart) -> QRect:
        """Return the rectangle of `part` on the screen, in pixels."""
        view = self.view
        if view is None:
            return QRect()
        inside = view.mapFromScene(part.rect).boundingRect()
        return QRect(view.viewport().mapToGlobal(inside.topLeft()), inside.size())

    def _children(self) -> list[TablePart]:
        view = self.view
        return list_parts(view.table) if view is not None and view.isEnabled() else []

    def childCount(self) -> int:
        return len(self._children())

    def child(self, index: int) -> QAccessibleInterface:
        children = self._children()
        return self.interface_of(children[index]) if 0 <= index < len(children) else NULL_INTERFACE

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return _child_index(child, self._children())

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        for part in reversed(self._children()):
            interfaces = self.interface_of(part)
            if interfaces.rect().contains(x, y):
                return interfaces.childAt(x, y) or interfaces
        return NULL_INTERFACE

    def focusChild(self) -> QAccessibleInterface:
        focused = self._focused_part()
        return self.interface_of(focused) if focused is not None else NULL_INTERFACE

    def _focused_part(self) -> TablePart | None:
        for part in self._children():
            inside = next((each for each in part.children if each.is_focused), None)
            if inside is not None or part.is_focused:
                return inside or part
        return None

    def announce_changes(self) -> None:
        """Announce changed names and the focus, and delete
        the interfaces of parts that no longer exist.
        """
        for part, known in list(self._parts.items()):
            if not known.isValid():
                del self._parts[part]
                self._watch.on_part_removed(part)
                _delete_interface(known)
            elif part.name != known.last_name:
                known.last_name = part.name
                _announce(known, QAccessible.Event.NameChanged)
        focused = self._focused_part() if self.has_focus else None
        unanswered = self._watch.take_unanswered_key()
        if not self._watch.update_focus(focused) and not unanswered:
            return
        if focused is None:
            if unanswered and (view := self.view) is not None:
                view.reminder_requested.emit()
        elif self._watch.set_reader_focus(focused):
            _announce(self.interface_of(focused), QAccessible.Event.Focus)
        else:
            text = focused.words.sentences((focused.name, focused.description))
            self._watch.announce(to_spoken_text(text, focused.words))

    def on_view_destroyed(self) -> None:
        """Delete the interfaces of all parts."""
        for known in self._parts.values():
            _delete_interface(known)
        self._parts.clear()


class TableWatcher(QObject):
    """Watches a table for changes to announce. It is a child object of the view."""

    def __init__(self, view: TableView, renew: Callable[[], None]) -> None:
        super().__init__(view)
        self._announcer = weakref.ref(ScreenReaderAnnouncer(view))
        self._focused: TablePart | None = None
        self._held_card = NO_CARD
        """The card that was selected at the last check."""
        self._was_chosen = False
        """Whether the focused card was part of the draft move at the last check."""
        self._reader_focus: TablePart | None = None
        """The part that screen readers consider focused; they ignore a repeated focus event."""
        self._has_unanswered_key = False
        """Whether the last key hasn't been answered by an announcement yet."""
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(renew)
        self._choice = weakref.ref(view.table.choice)
        scene = view.table
        for signal in (
            scene.settled,
            scene.selection_view.viewed_card_changed,
            scene.arrangement_changed,
        ):
            signal.connect(self._schedule)
        for listeners in (scene.choice.answer_sent, scene.choice.refused):
            listeners.add(self._on_answered)
        scene.animator.progressed.connect(self._on_answered)  # the events are announced
        view.installEventFilter(self)

    def announce(self, text: str) -> None:
        """Announce a text that screen readers wouldn't read by themselves."""
        if (announcer := self._announcer()) is not None:
            announcer.say(text)

    def update_focus(self, part: TablePart | None) -> bool:
        """Record `part` as focused. Return whether the focus, the selected card or the draft move
        has changed.
        """
        choice = self._choice()
        if choice is None:
            return False
        before = (self._focused, self._held_card, self._was_chosen)
        self._focused, self._held_card = part, choice.picked_card
        self._was_chosen = isinstance(part, CardPart) and part.card in choice.multi_selection.chosen
        if part != before[0]:
            return True
        if self._held_card != before[1] and (is_face(self._held_card) or is_face(before[1])):
            return True
        return choice.multi_selection.is_active and self._was_chosen != before[2]

    def set_reader_focus(self, part: TablePart) -> bool:
        """Record `part` as the screen reader's focus. Return whether it has changed."""
        new, self._reader_focus = part != self._reader_focus, part
        return new

    def on_part_removed(self, part: TablePart) -> None:
        """Forget `part` as the screen reader's focus."""
        if self._reader_focus == part:
            self._reader_focus = None

    def take_unanswered_key(self) -> bool:
        """Return whether the last key still needs an announcement, and forget that key."""
        pressed, self._has_unanswered_key = self._has_unanswered_key, False
        return pressed

    def _schedule(self, *_: object) -> None:
        self._timer.start()

    def _on_answered(self, *_: object) -> None:
        """Check for changes. The answer's events, or the reason for a refusal, are announced."""
        self._has_unanswered_key = False
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            self._has_unanswered_key = not (event.isAutoRepeat() or event.key() in SILENT_KEYS)
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.FocusIn, QEvent.Type.EnabledChange):
            self._timer.start()
        elif event.type() is QEvent.Type.FocusOut:
            self._focused = self._reader_focus = None
            self._has_unanswered_key = False
            if (announcer := self._announcer()) is not None:
                announcer.clear_queue()
        return False


ROLE_OVERRIDES: dict[type[QWidget], QAccessible.Role] = {
    QStackedWidget: QAccessible.Role.Client,  # not a "layered pane"
    QKeySequenceEdit: QAccessible.Role.HotkeyField,
}
"""The roles of Qt widgets whose default role is misleading."""


class PressableInterface(QAccessibleWidget):
    """The interface of a widget that can be pressed but isn't a button."""

    def __init__(self, widget: QWidget, press: Callable[[], None]) -> None:
        super().__init__(widget, QAccessible.Role.Button, "")
        self._press = weakref.WeakMethod(press)
        self._actions = DeferredActions(self.object, self._offered_actions)

    def _offered_actions(self) -> Actions:
        press = self._press()
        return {PRESS: press} if press is not None else {}

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        if kind is QAccessible.InterfaceType.ActionInterface:
            return self._actions
        return NULL_POINTER


def make_interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    """Return the interface of `thing` if it is of
    class `key` and needs a custom one, otherwise None.
    """
    if key != type(thing).__name__:
        return None  # Qt calls this once per class, most derived first
    interface: QAccessibleInterface | None = None
    if isinstance(thing, TableView):
        interface = TableInterface(thing)
    elif isinstance(thing, QWidget) and isinstance(thing, Pressable):
        interface = PressableInterface(thing, thing.accessible_press)
    elif isinstance(thing, QWidget) and type(thing) in ROLE_OVERRIDES:
        interface = QAccessibleWidget(thing, ROLE_OVERRIDES[type(thing)], "")
    if interface is not None:
        _live_interfaces[id(interface)] = interface
        thing.destroyed.connect(partial(_live_interfaces.pop, id(interface), None))
    return interface


def _child_index(child: QAccessibleInterface, parts: list[TablePart]) -> int:
    part = child.part if isinstance(child, PartInterface) else None
    return parts.index(part) if part in parts else -1


def _announce(known: PartInterface, kind: QAccessible.Event) -> None:
    QAccessible.updateAccessibility(QAccessibleEvent(known, kind))


def _delete_interface(known: PartInterface) -> None:
    """Let Qt delete the interface `known`, and release it."""
    number = QAccessible.uniqueId(known)
    QAccessible.deleteAccessibleInterface(number)
    _live_interfaces.pop(number, None)
