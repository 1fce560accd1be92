"""Combo boxes, number fields and sliders that ignore the mouse wheel unless they have the focus.

Otherwise, scrolling a page with the wheel would change the fields under the pointer.
"""

import sys
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSlider, QSpinBox, QWidget

from ui.widgets.spoken_focus import announce_row
from ui.widgets.styled_widgets import PlainLabel

ANNOUNCES_CHOICES = sys.platform == "linux"
"""Whether the program must notify screen readers of a
new choice in a closed combo box, because Qt doesn't.
"""


def _turn(field: QWidget, event: QWheelEvent, change: Callable[[QWheelEvent], None]) -> None:
    if field.hasFocus():
        change(event)
    else:
        event.ignore()


class ComboBox(QComboBox):
    """A combo box with an accessible name.

    On Linux, Qt reports the value as the name, and uses another name only from a label whose buddy
    is the field. An invisible label therefore provides the name.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel(parent=parent)
        self._label.hide()
        self._label.setBuddy(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        if ANNOUNCES_CHOICES:
            self.currentIndexChanged.connect(lambda _: QTimer.singleShot(0, self, self._tell))

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self._label.setText(name)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ParentChange:
            self._label.setParent(self.parentWidget())
            self._label.hide()
        return super().event(event)

    def _tell(self) -> None:
        """Notify screen readers of a choice made by keyboard, after all other handlers have run."""
        if self.hasFocus() and not self.view().isVisible() and self.currentIndex() >= 0:
            announce_row(self.view(), self.currentIndex())

    def wheelEvent(self, event: QWheelEvent) -> None:
        _turn(self, event, super().wheelEvent)


class SpinBox(QSpinBox):
    """A field for an integer that ignores the wheel without the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        _turn(self, event, super().wheelEvent)


class DoubleSpinBox(QDoubleSpinBox):
    """A field for a decimal number that ignores the wheel without the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        _turn(self, event, super().wheelEvent)


class Slider(QSlider):
    """A slider that ignores the wheel without the focus."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        _turn(self, event, super().wheelEvent)
