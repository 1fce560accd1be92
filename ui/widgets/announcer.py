"""Says something to who listens: screen readers speak it at once, wherever the focus is."""

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from ui.shell.announcement_listeners import tell_whether_heard
from ui.shell.spoken_role import speak_as

Role = QAccessible.Role
URGENT = QAccessible.AnnouncementPoliteness.Assertive


class ScreenReaderAnnouncer(QObject):
    """Speaks for one widget, which it belongs to."""

    spoken = Signal(str)
    """The latest announcement."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._urgencies = 0
        """So many urgent announcements have been made."""
        self._notice: QWidget | None = None
        """What readers that hear no announcements are told by."""

    @property
    def heard(self) -> bool:
        """Whether a screen reader is there."""
        return QAccessible.isActive()

    def say(self, text: str, urgent: bool = False) -> None:
        """Say this, after what is being said; what is urgent comes first."""
        if text and self.heard:
            self._urgencies += urgent
            tell_whether_heard(self, partial(self._tell, text, urgent, self._urgencies))

    def _tell(self, text: str, urgent: bool, urgencies: int, announced: bool) -> None:
        """Tell by announcements, or otherwise; nothing that something urgent has overtaken."""
        if urgencies < self._urgencies:
            return
        if announced:
            self._announce(text, urgent)
        else:
            self._notify(text)
        self.spoken.emit(text)

    def _announce(self, text: str, urgent: bool) -> None:
        event = QAccessibleAnnouncementEvent(self._widget, text)
        if urgent:
            event.setPoliteness(URGENT)
        QAccessible.updateAccessibility(event)

    def _notify(self, text: str) -> None:
        """Have a notification in a status bar come up: Orca before 45 reads its name, and nothing
        else of it."""
        if self._notice is None:
            self._notice = _made_notice(self._widget)
        self._notice.setAccessibleName(text)
        event = QAccessibleEvent(self._notice, QAccessible.Event.ObjectShow)
        QAccessible.updateAccessibility(event)


def _made_notice(widget: QWidget) -> QWidget:
    """A notification in a status bar of this widget; neither is ever seen."""
    bar, notice = QWidget(), QWidget()
    speak_as(bar, Role.StatusBar)
    speak_as(notice, Role.Notification)
    notice.setParent(bar)
    bar.hide()
    bar.setParent(widget)
    return notice
