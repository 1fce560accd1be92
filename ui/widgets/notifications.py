"""Notifications for screen readers that don't support announcements.

Each text is sent as an accessible notification. The next one follows when the screen reader has
read it.
"""

from __future__ import annotations

from collections import deque
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import delete

from ui.shell.spoken_role import speak_as
from ui.widgets.utterance import Utterance

Role = QAccessible.Role
MAX_KEPT = 32
"""Maximum number of notifications to keep; old ones are kept because a slow screen reader may still
read them.
"""
CHECK_INTERVAL_MS = 100
"""Interval in ms between checks whether the latest notification was read."""
ATTEMPT_INTERVALS = (10, 20, 40)
"""Number of check intervals to wait for a query from
the screen reader, for each attempt to send a text.
"""


class Notification(QWidget):
    """An accessible widget that carries one text."""

    queried = Signal(bool)
    """Emitted when a screen reader queries the notification; the argument is whether it queried the
    description, which it reads last.
    """

    def __init__(self, text: str, bar: QWidget) -> None:
        super().__init__()
        speak_as(self, Role.Notification, _Interface)
        self.setAccessibleName(text)
        self.setParent(bar)


class _Interface(QAccessibleWidget):
    """The accessible interface of a notification.

    Orca queries the description after everything else it speaks; Qt itself never does.
    """

    def text(self, kind: QAccessible.Text) -> str:
        notification = self.object()
        if isinstance(notification, Notification):
            notification.queried.emit(kind is QAccessible.Text.Description)
        return super().text(kind)


class Notifications(QObject):
    """A queue of texts that appear as notifications in a hidden status bar of `widget`.

    Orca before version 45 reads the accessible names of such notifications. It drops a notification
    if an answer takes too long, so an unread text is sent again.
    """

    all_read = Signal()
    """Emitted when each text was read or given up."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._bar: QWidget | None = None
        self._kept: deque[Notification] = deque()
        """Recent notifications, the newest last."""
        self._waiting: deque[Utterance] = deque()
        """Unread texts. The latest notification has the first of them."""
        self._patient = True
        """Whether each text waits until the previous one
        was read. False if no screen reader responds.
        """
        self._tries = self._beats = 0
        """Number of times the first text was sent again,
        and number of intervals since its last query.
        """
        self._beat = QTimer(self, interval=CHECK_INTERVAL_MS)
        self._beat.timeout.connect(self._look)
        self._end = QTimer(self, singleShot=True, interval=0)
        self._end.timeout.connect(self._go_on)

    @property
    def unread(self) -> bool:
        """Whether any text hasn't been read yet."""
        return bool(self._waiting)

    def send(self, utterance: Utterance) -> None:
        """Send `utterance` after all earlier texts have been read, if it is still true then."""
        self._waiting.append(utterance)
        if len(self._waiting) == 1:
            self._begin()

    def clear(self) -> None:
        """Drop the current notification and clear the queue."""
        self._waiting.clear()
        self._rest()

    def _begin(self) -> None:
        while self._waiting:
            if not self._waiting[0].is_current():
                self._waiting.popleft()
                continue
            self._tries = 0
            self._tell()
            if self._patient:
                return
            self._waiting.popleft().on_read()
        self._rest()

    def _go_on(self) -> None:
        self._waiting.popleft().on_read()
        self._begin()

    def _rest(self) -> None:
        self._beat.stop()
        self._end.stop()
        self.all_read.emit()

    def _tell(self) -> None:
        self._beats = 0
        self._beat.start()
        if self._bar is None:
            self._bar = QWidget()
            speak_as(self._bar, Role.StatusBar)
            self._bar.hide()
            self._bar.setParent(self._widget)
        told = Notification(self._waiting[0].text, self._bar)
        told.queried.connect(partial(self._note, told))
        self._kept.append(told)
        if len(self._kept) > MAX_KEPT:
            self._kept.popleft().deleteLater()
        QAccessible.updateAccessibility(QAccessibleEvent(told, QAccessible.Event.ObjectShow))

    def _note(self, asked: Notification, last: bool) -> None:
        """Handle a query of the notification `asked`; `last` is whether the screen reader has now
        read all of it.
        """
        self._patient = self._patient or last
        if not self._waiting or asked is not self._kept[-1]:
            return
        self._beats = 0
        if last:
            self._end.start()

    def _look(self) -> None:
        self._beats += 1
        if self._beats >= ATTEMPT_INTERVALS[self._tries]:
            self._again()

    def _again(self) -> None:
        """Send the text again in a new notification, because
        screen readers don't read the same one twice.

        After the last attempt, give up the text, and no longer wait for later texts to be read.
        """
        self._tries += 1
        if not self._waiting[0].is_current():
            self._waiting.popleft()
            self._begin()
        elif self._tries < len(ATTEMPT_INTERVALS):
            delete(self._kept.pop())
            self._tell()
        else:
            self._patient = False
            self._go_on()
