"""Says something to who listens: screen readers speak it at once, wherever the focus is."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

URGENT = QAccessible.AnnouncementPoliteness.Assertive


class ScreenReaderAnnouncer(QObject):
    """Speaks for one widget, which it belongs to."""

    spoken = Signal(str)
    """The latest announcement."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget

    @property
    def heard(self) -> bool:
        """Whether a screen reader is there."""
        return QAccessible.isActive()

    def say(self, text: str, urgent: bool = False) -> None:
        """Say this, after what is being said; what is urgent comes first."""
        if not (text and self.heard):
            return
        event = QAccessibleAnnouncementEvent(self._widget, text)
        if urgent:
            event.setPoliteness(URGENT)
        QAccessible.updateAccessibility(event)
        self.spoken.emit(text)
