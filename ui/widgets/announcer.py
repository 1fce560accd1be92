"""Screen reader announcements that don't depend on the keyboard focus."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from ui.shell.announcement_listeners import detect_announcement_listeners
from ui.widgets.notifications import Notifications
from ui.widgets.utterance import Utterance

ASSERTIVE = QAccessible.AnnouncementPoliteness.Assertive
IDLE_DELAY_MS, BUSY_AFTER_MS, MAX_ATTEMPTS = 30, 200, 20
"""Delay in ms before queued texts are announced; additional delay in ms from which the event loop
counts as busy; and maximum number of attempts while it is busy.
"""
MAX_CALLBACK_DELAY_MS = 2000
"""Maximum time in ms that callbacks of `run_when_read` wait for a slow screen reader."""
ANSWER_TIMEOUT_MS = 800
"""The time in ms within which Orca must get all answers about an announcement."""


class ScreenReaderAnnouncer(QObject):
    """Queues announcements of one widget, and sends them while the event loop is idle.

    A screen reader responds by querying the widget, and drops an announcement if the answer takes
    longer than `ANSWER_TIMEOUT_MS`.
    """

    spoken = Signal(str)
    """Emitted with a text that was queued for announcement."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._waiting: list[Utterance] = []
        self._breath = QTimer(self, singleShot=True, interval=IDLE_DELAY_MS)
        self._breath.timeout.connect(self._breathe)
        self._since = QElapsedTimer()
        self._tries = 0
        self._asking = 0
        """Number of pending queries whether a screen reader supports announcements."""
        self._hushed = 0
        """Number of `clear_queue` calls so far. Texts taken from the queue before the latest call
        aren't announced.
        """
        self._notifications = Notifications(widget)
        """Fallback for screen readers without support for announcements."""
        self._notifications.all_read.connect(self._do_what_waited)
        self._afterwards: list[Callable[[], object]] = []
        """Callbacks to call once all texts have been read."""
        self._unhurried: list[Callable[[], object]] = []
        """Callbacks to call once all texts have been read, however long that takes."""
        self._answering = QTimer(self, singleShot=True, interval=ANSWER_TIMEOUT_MS)
        self._answering.timeout.connect(self._run_unhurried)
        self._bound = QTimer(self, singleShot=True, interval=MAX_CALLBACK_DELAY_MS)
        self._bound.timeout.connect(self._do_what_waited)

    @property
    def screen_reader_active(self) -> bool:
        """Whether a screen reader is running."""
        return QAccessible.isActive()

    def say(self, text: str, urgent: bool = False) -> None:
        """Queue `text` for announcement if a screen reader is running.

        An urgent text clears the queue first.
        """
        self.send(Utterance(text, urgent))

    def send(self, utterance: Utterance) -> None:
        """Queue `utterance` for announcement if a screen reader is running.

        An urgent utterance clears the queue first. Its callbacks run even if there is no text.
        """
        if not (utterance.text and self.screen_reader_active):
            utterance.on_read()
            return
        if utterance.urgent:
            self.clear_queue()
        self._waiting.append(utterance)
        if not self._breath.isActive():
            self._tries = 0
            self._take_breath()
        self.spoken.emit(utterance.text)

    def run_when_read(self, do: Callable[[], object]) -> None:
        """Call `do` once all queued texts have been delivered.

        If nothing is pending, `do` is called immediately. It is useful
        before work that blocks the event loop, because the screen reader
        then gets no answers. The delay is at most `MAX_CALLBACK_DELAY_MS`.
        """
        if not self._has_unread:
            do()
            return
        self._afterwards.append(do)
        if not self._bound.isActive():
            self._bound.start()

    def run_when_heard(self, do: Callable[[], object]) -> None:
        """Call `do` once the screen reader has received all queued texts, however long that takes.

        It is useful before long work in the background. Without a screen reader, `do` is called
        immediately.
        """
        if not self.screen_reader_active:
            do()
            return
        self._unhurried.append(do)
        if not self._has_unread:
            self._answering.start()

    @property
    def _has_unread(self) -> bool:
        return bool(self._waiting or self._asking or self._notifications.unread)

    def _do_what_waited(self) -> None:
        self._bound.stop()
        afterwards, self._afterwards = self._afterwards, []
        for do in afterwards:
            do()
        if self._unhurried:
            self._answering.start()

    def _run_unhurried(self) -> None:
        if self._has_unread:
            return  # `_do_what_waited` starts the timer again
        unhurried, self._unhurried = self._unhurried, []
        for do in unhurried:
            do()

    def clear_queue(self) -> None:
        """Discard the texts that haven't been announced yet."""
        self._waiting.clear()
        self._notifications.clear()
        self._hushed += 1

    def _take_breath(self) -> None:
        self._since.start()
        self._breath.start()

    def _breathe(self) -> None:
        self._tries += 1
        if self._since.elapsed() > IDLE_DELAY_MS + BUSY_AFTER_MS and self._tries < MAX_ATTEMPTS:
            self._take_breath()
            return
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._asking += 1
            detect_announcement_listeners(self, partial(self._tell, waiting, self._hushed))

    def _tell(self, waiting: Sequence[Utterance], hushed: int, announced: bool) -> None:
        """Send `waiting` as announcements, or as notifications if `announced` is false.

        Discard the texts if `clear_queue` was called since `hushed` was read, and those that are no
        longer true.
        """
        self._asking -= 1
        for utterance in waiting if hushed == self._hushed else ():
            if not announced:
                self._notifications.send(utterance)
            elif utterance.is_current():
                self._announce(utterance)
        if not self._has_unread:
            self._do_what_waited()

    def _announce(self, utterance: Utterance) -> None:
        event = QAccessibleAnnouncementEvent(self._widget, utterance.text)
        if utterance.urgent:
            event.setPoliteness(ASSERTIVE)
        QAccessible.updateAccessibility(event)
        utterance.on_read()
