"""Shortcuts on keyboards without Latin letters, by the positions of their keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from ui.widgets.focus_filter import FocusFilter
from ui.widgets.menu_bar import accepts_text

KEY_EVENTS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease)
COMMAND_KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier
MODIFIERS = COMMAND_KEYS | Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class LatinKeyFilter(FocusFilter):
    """Event filter that makes keys of Russian, Greek and similar layouts work as shortcuts.

    With another layout that has Latin letters, Qt itself finds a shortcut's key.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._has_latin = True
        """Whether the letter key pressed last had a Latin letter."""
        window.installEventFilter(self)  # gets the keys if no widget has the focus

    def accepts_widget(self, widget: QWidget) -> bool:
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in KEY_EVENTS:  # most events
            return False
        if not isinstance(event, QKeyEvent) or not isinstance(watched, QWidget):
            return False
        # the window starts without the table's modules
        from ui.table.input.physical_keys import has_latin_letter, us_key

        latin, key = has_latin_letter(event), us_key(event)
        if latin is not None:
            self._has_latin = latin
        if self._has_latin or key is None:
            return False
        if latin is None and not QKeySequence(key).toString().isalpha():
            return False  # punctuation where a US keyboard has punctuation too
        if accepts_text(watched) and not event.modifiers() & COMMAND_KEYS:
            return False
        if event.type() is QEvent.Type.ShortcutOverride:  # before Qt looks for a shortcut
            _add_shortcuts(watched.window(), event, key)
            return False
        _send_as(key, event, watched)
        return True


def _send_as(key: Qt.Key, event: QKeyEvent, widget: QWidget) -> None:
    translated = QKeyEvent(
        event.type(),
        key,
        event.modifiers(),
        event.nativeScanCode(),
        event.nativeVirtualKey(),
        event.nativeModifiers(),
        event.text(),
        event.isAutoRepeat(),
        event.count(),
    )
    QApplication.sendEvent(widget, translated)


def _add_shortcuts(window: QWidget, event: QKeyEvent, key: Qt.Key) -> None:
    """Make `event` trigger the shortcuts in `window` that have the Latin letter `key` instead."""
    modifiers = event.modifiers() & MODIFIERS
    wanted = QKeySequence(QKeyCombination(modifiers, key))
    typed = QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
    actions = [(each, each.shortcuts()) for each in window.findChildren(QAction)]
    shortcuts = [(each, each.keys()) for each in window.findChildren(QShortcut)]
    if any(typed in keys for _, keys in (*actions, *shortcuts)):
        return
    for action, keys in actions:
        if wanted in keys:
            action.setShortcuts([*keys, typed])
    for shortcut, keys in shortcuts:
        if wanted in keys:
            shortcut.setKeys([*keys, typed])
