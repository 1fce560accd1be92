"""Drop-downs, number fields and sliders. Until somebody has chosen one, it leaves the wheel to its
page: one that is scrolled under the pointer changes nothing."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSlider, QSpinBox, QWidget


def _turn(field: QWidget, event: QWheelEvent, change: Callable[[QWheelEvent], None]) -> None:
    if field.hasFocus():
        change(event)
    else:
        event.ignore()


class ComboBox(QComboBox):
    """A drop-down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

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
