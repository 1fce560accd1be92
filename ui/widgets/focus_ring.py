"""The focus ring, shown for keyboard users only."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from ui.widgets.focus_filter import FocusFilter

RING_PROPERTY = "ring"
"""The widget property that the style sheet combines with `:focus`."""
MODIFIER_KEYS = {
    Qt.Key.Key_Shift,
    Qt.Key.Key_Control,
    Qt.Key.Key_Alt,
    Qt.Key.Key_Meta,
    Qt.Key.Key_AltGr,
}
"""Modifier keys, which don't count as keyboard use."""


class FocusRing(FocusFilter):
    """Shows a ring around the focused widget after
    a key press, and hides it after a mouse press.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._keys = False
        """Whether the latest input came from the keyboard."""

    def accepts_widget(self, widget: QWidget) -> bool:
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._keys = False
        _set(widget, self._keys)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.MouseButtonPress:
            self._note(watched, False)
        elif (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and Qt.Key(event.key()) not in MODIFIER_KEYS
        ):
            self._note(watched, True)
        return False

    def _note(self, watched: QObject, keys: bool) -> None:
        self._keys = keys
        if isinstance(watched, QWidget):
            _set(watched, keys)


def has_ring(widget: QWidget) -> bool:
    """Return whether a widget that paints itself must draw the focus ring."""
    return widget.hasFocus() and bool(widget.property(RING_PROPERTY))


def _set(widget: QWidget, ring: bool) -> None:
    if bool(widget.property(RING_PROPERTY)) != ring:
        widget.setProperty(RING_PROPERTY, ring)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()
