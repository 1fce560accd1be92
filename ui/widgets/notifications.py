"""Texts told to a screen reader that hears no announcements: by a notification each, the next once
the last was read."""

from __future__ import annotations

from collections import deque
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import delete

from ui.shell.spoken_role import speak_as

Role = QAccessible.Role
KEPT = 32
"""The notifications that a slow reader may not have read yet."""
BEAT = 100
"""Milliseconds between two looks whether the last one was read."""
PATIENCE = (10, 20, 40)
"""Beats without a question for which each attempt to tell a text is waited for."""


class Notification(QWidget):
    """A text that comes up for screen readers."""

    asked = Signal(bool)
    """A reader asks for a part of it: whether it is the last that it needs."""

    def __init__(self, text: str, bar: QWidget) -> None:
        super().__init__()
        speak_as(self, Role.Notification, _Interface)
        self.setAccessibleName(text)
        self.setParent(bar)


class _Interface(QAccessibleWidget):
    """What a reader meets of a notification. Orca asks for its description when it has all else
    that it speaks; Qt itself never does."""

    def text(self, kind: QAccessible.Text) -> str:
        notification = self.object()
        if isinstance(notification, Notification):
            notification.asked.emit(kind is QAccessible.Text.Description)
        return super().text(kind)


class Notifications(QObject):
    """Tells a reader texts in a status bar of this widget, where Orca before 45 reads them: their
    names, and nothing else of them. It does so when it comes to it, and passes over what it got no
    answer about in time: that is told again."""

    read = Signal()
    """All that was told was read, or is not waited for any longer."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._bar: QWidget | None = None
        self._kept: deque[Notification] = deque()
        """The newest last."""
        self._waiting: deque[str] = deque()
        """The texts that were not read yet; the newest notification tells the first of them."""
        self._patient = True
        """Whether each text waits until the one before was read: not where nobody reads."""
        self._tries = self._beats = 0
        """How often the first text was told again; the beats since somebody asked for it."""
        self._beat = QTimer(self, interval=BEAT)
        self._beat.timeout.connect(self._look)
        self._end = QTimer(self, singleShot=True, interval=0)
        self._end.timeout.connect(self._go_on)

    @property
    def unread(self) -> bool:
        """Whether somebody is waited for to read."""
        return bool(self._waiting)

    def tell(self, text: str) -> None:
        """Tell this once all before it was read."""
        self._waiting.append(text)
        if len(self._waiting) == 1:
            self._begin()

    def forget(self) -> None:
        """Tell none of this again, nor what waits."""
        self._waiting.clear()
        self._rest()

    def _begin(self) -> None:
        while self._waiting:
            self._tries = 0
            self._tell()
            if self._patient:
                return
            self._waiting.popleft()
        self._rest()

    def _go_on(self) -> None:
        self._waiting.popleft()
        self._begin()

    def _rest(self) -> None:
        self._beat.stop()
        self._end.stop()
        self.read.emit()

    def _tell(self) -> None:
        self._beats = 0
        self._beat.start()
        if self._bar is None:
            self._bar = QWidget()
            speak_as(self._bar, Role.StatusBar)
            self._bar.hide()
            self._bar.setParent(self._widget)
        told = Notification(self._waiting[0], self._bar)
        told.asked.connect(partial(self._note, told))
        self._kept.append(told)
        if len(self._kept) > KEPT:
            self._kept.popleft().deleteLater()
        QAccessible.updateAccessibility(QAccessibleEvent(told, QAccessible.Event.ObjectShow))

    def _note(self, asked: Notification, last: bool) -> None:
        """Somebody asks for a notification."""
        self._patient = self._patient or last
        if not self._waiting or asked is not self._kept[-1]:
            return
        self._beats = 0
        if last:
            self._end.start()

    def _look(self) -> None:
        self._beats += 1
        if self._beats >= PATIENCE[self._tries]:
            self._again()

    def _again(self) -> None:
        """Tell the text by another notification, as nobody can read the old one any more. After a
        few times it stays, and later texts don't wait."""
        self._tries += 1
        if self._tries < len(PATIENCE):
            delete(self._kept.pop())
            self._tell()
        else:
            self._patient = False
            self._go_on()
