"""Drop-downs, number fields and sliders. Until somebody has chosen one, it leaves the wheel to its
page: one that is scrolled under the pointer changes nothing."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSlider, QSpinBox, QWidget

from ui.widgets.spoken_focus import tell_choice
from ui.widgets.styled_widgets import PlainLabel

TOLD_HERE = sys.platform == "linux"
"""Whether a screen reader hears of a change in a closed drop-down by us alone."""


def _turn(field: QWidget, event: QWheelEvent, change: Callable[[QWheelEvent], None]) -> None:
    if field.hasFocus():
        change(event)
    else:
        event.ignore()


class ComboBox(QComboBox):
    """A drop-down.

    On Linux, Qt gives readers its value for its name, and takes a name only from a label beside it:
    so it has an invisible one.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = PlainLabel(parent=parent)
        self._label.hide()
        self._label.setBuddy(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        if TOLD_HERE:
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
        """Tell a screen reader what has been chosen by keys, once all that follows is done."""
        if self.hasFocus() and not self.view().isVisible() and self.currentIndex() >= 0:
            tell_choice(self.view(), self.currentIndex())

    def wheelEvent(self, event: QWheelEvent) -> None:
        _turn(self, event, super().wheelEvent)


class SpinBox(QSpinBox):
    """A field for a whole number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        _turn(self, event, super().wheelEvent)


class DoubleSpinBox(QDoubleSpinBox):
    """A field for a number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        _turn(self, event, super().wheelEvent)


class Slider(QSlider):
    """A slider."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        _turn(self, event, super().wheelEvent)
