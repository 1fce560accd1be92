"""Says something to who listens: screen readers speak it, wherever the focus is."""

from functools import partial

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from ui.shell.announcement_listeners import tell_whether_heard
from ui.shell.spoken_role import speak_as

Role = QAccessible.Role
URGENT = QAccessible.AnnouncementPoliteness.Assertive
KEPT = 32
"""So many notifications may still be unread by a slow reader."""
BREATH, LATE, TRIES = 30, 200, 20
"""Milliseconds for which the program has nothing else to do before it speaks; by which it is busy
where they take longer; and after how many busy ones it speaks all the same."""


class ScreenReaderAnnouncer(QObject):
    """Speaks for one widget, which it belongs to: once the program is at rest. A reader asks back
    what was told it by whom, and passes over what has no answer within 800 milliseconds."""

    spoken = Signal(str)
    """The latest announcement."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._waiting: list[tuple[str, bool]] = []
        """The texts that will be told at the next rest, with whether they are urgent."""
        self._breath = QTimer(self, singleShot=True, interval=BREATH)
        self._breath.timeout.connect(self._breathe)
        self._since = QElapsedTimer()
        self._tries = 0
        self._hushed = 0
        """How often all that was not told yet was forgotten."""
        self._notices: list[QWidget] = []
        """What readers that hear no announcements are told by, the oldest first."""

    @property
    def heard(self) -> bool:
        """Whether a screen reader is there."""
        return QAccessible.isActive()

    def say(self, text: str, urgent: bool = False) -> None:
        """Say this, after what is being said; what is urgent comes first, and alone."""
        if not (text and self.heard):
            return
        if urgent:
            self.hush()
        self._waiting.append((text, urgent))
        if not self._breath.isActive():
            self._tries = 0
            self._take_breath()
        self.spoken.emit(text)

    def hush(self) -> None:
        """Forget what is not told yet."""
        self._waiting.clear()
        self._hushed += 1

    def _take_breath(self) -> None:
        self._since.start()
        self._breath.start()

    def _breathe(self) -> None:
        self._tries += 1
        if self._since.elapsed() > BREATH + LATE and self._tries < TRIES:
            self._take_breath()
            return
        waiting, self._waiting = self._waiting, []
        if waiting:
            tell_whether_heard(self, partial(self._tell, waiting, self._hushed))

    def _tell(self, waiting: list[tuple[str, bool]], hushed: int, announced: bool) -> None:
        """Tell this by announcements, or otherwise, unless it was to be forgotten meanwhile."""
        for text, urgent in waiting if hushed == self._hushed else ():
            if announced:
                self._announce(text, urgent)
            else:
                self._notify(text)

    def _announce(self, text: str, urgent: bool) -> None:
        event = QAccessibleAnnouncementEvent(self._widget, text)
        if urgent:
            event.setPoliteness(URGENT)
        QAccessible.updateAccessibility(event)

    def _notify(self, text: str) -> None:
        """Have a notification in a status bar come up: Orca before 45 reads its name, and nothing
        else of it. It does so when it comes to it: each text has a notification of its own, which
        stays while later ones come."""
        if self._notices:
            bar = self._notices[0].parentWidget()
        else:
            bar = QWidget()
            speak_as(bar, Role.StatusBar)
            bar.hide()
            bar.setParent(self._widget)
        notice = QWidget()
        speak_as(notice, Role.Notification)
        notice.setAccessibleName(text)
        notice.setParent(bar)
        self._notices.append(notice)
        if len(self._notices) > KEPT:
            self._notices.pop(0).deleteLater()
        QAccessible.updateAccessibility(QAccessibleEvent(notice, QAccessible.Event.ObjectShow))
