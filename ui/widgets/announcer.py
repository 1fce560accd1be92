"""Says something to who listens: screen readers speak it, wherever the focus is."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from ui.shell.announcement_listeners import detect_announcement_listeners
from ui.widgets.notifications import Notifications

URGENT = QAccessible.AnnouncementPoliteness.Assertive
BREATH, LATE, TRIES = 30, 200, 20
"""Milliseconds of rest before the program speaks; the delay beyond which it counts as busy; and the
number of busy waits after which it speaks all the same."""
BOUND = 2000
"""Milliseconds for which what is done afterwards waits at most, for a slow reader."""


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
        self._asking = 0
        """How often the bus has not yet answered who is listening."""
        self._hushed = 0
        """How often all that was not told yet was forgotten."""
        self._notifications = Notifications(widget)
        """The notifications for readers that hear no announcements."""
        self._notifications.read.connect(self._do_what_waited)
        self._afterwards: list[Callable[[], object]] = []
        """The calls to make once that was read."""
        self._bound = QTimer(self, singleShot=True, interval=BOUND)
        self._bound.timeout.connect(self._do_what_waited)

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

    def then(self, do: Callable[[], object]) -> None:
        """Do this now where all that was said was taken, or nobody listens; else as soon as that is
        so, but not much later. A reader gets no answer while the program is busy."""
        if not (self._waiting or self._asking or self._notifications.unread):
            do()
            return
        self._afterwards.append(do)
        if not self._bound.isActive():
            self._bound.start()

    def _do_what_waited(self) -> None:
        self._bound.stop()
        afterwards, self._afterwards = self._afterwards, []
        for do in afterwards:
            do()

    def hush(self) -> None:
        """Forget what is not told yet, and tell nothing again."""
        self._waiting.clear()
        self._notifications.forget()
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
            self._asking += 1
            detect_announcement_listeners(self, partial(self._tell, waiting, self._hushed))

    def _tell(self, waiting: list[tuple[str, bool]], hushed: int, announced: bool) -> None:
        """Tell this by announcements, or otherwise, unless it was to be forgotten meanwhile."""
        self._asking -= 1
        for text, urgent in waiting if hushed == self._hushed else ():
            if announced:
                self._announce(text, urgent)
            else:
                self._notifications.tell(text)
        if announced:
            self._do_what_waited()

    def _announce(self, text: str, urgent: bool) -> None:
        event = QAccessibleAnnouncementEvent(self._widget, text)
        if urgent:
            event.setPoliteness(URGENT)
        QAccessible.updateAccessibility(event)
