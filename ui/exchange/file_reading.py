"""Reads and imports untrusted files in the background, with a notice that lets the user cancel."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from tabletop.background.faults import WENT_WRONG
from tabletop.background.worker_process import WorkerCancelled
from tabletop.files.errors import BadFile, StorageError
from tabletop.language import labels
from ui.shell.app_context import AppContext, name_widget
from ui.shell.background_call import run_in_background
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.styled_widgets import button
from ui.widgets.top_bar import TopBar

NOTICE_DELAY_MS = 400
"""Delay before the notice appears, in milliseconds. Reading most files takes less time."""


class CancellableWork(Protocol):
    """Work on an untrusted file, done in a worker process."""

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called before the work ended."""
        ...

    def run(self) -> object:
        """Do the work and return its result.

        Raises:
            BadFile, StorageError: the work failed.
            WorkerCancelled: the work was cancelled.
        """
        ...

    def cancel(self) -> None:
        """Stop the work now. Thread-safe."""


class FileReading(QObject):
    """Runs one `CancellableWork` in the background, and shows a notice if it takes long.

    The object deletes itself afterwards.
    """

    ended = Signal(object)
    """Emitted with the result of the work or a `Reason`. Not emitted after `cancel`."""

    def __init__(
        self,
        context: AppContext,
        window: QWidget,
        file: str,
        work: CancellableWork,
        parent: QObject,
    ) -> None:
        """Prepare the work. `file` is the file name shown in the notice."""
        super().__init__(parent)
        self._work = work
        self.notice = ReadingNotice(context, window, file)
        self.notice.cancelled.connect(self.cancel)
        self._delay = QTimer(self, singleShot=True, interval=NOTICE_DELAY_MS)
        self._delay.timeout.connect(self.notice.appear)

    def start(self) -> None:
        """Start the work on a background thread, and the delay of the notice."""
        self._delay.start()
        run_in_background(partial(_result_of, self._work), "game file", self._end, self._fail)

    def cancel(self) -> None:
        """Cancel the work, unless it has ended already."""
        self._work.cancel()
        if self._work.cancelled:
            self._put_away()

    def _end(self, result: object) -> None:
        if self._work.cancelled:  # already removed
            return
        self._put_away()
        self.ended.emit(result)

    def _fail(self, _: Exception) -> None:
        self._end(WENT_WRONG)

    def _put_away(self) -> None:
        self._delay.stop()
        self.notice.hide()
        self.notice.deleteLater()
        self.deleteLater()


class ReadingNotice(TopBar):
    """A notice below the window's banner that a file is being read, with a *Cancel* button."""

    TOP = 104
    cancelled = Signal()

    def __init__(self, context: AppContext, window: QWidget, file: str) -> None:
        super().__init__(context, window)
        self._said = context.words("Reading “{file}”…", file=file)
        self._announcer = ScreenReaderAnnouncer(self)
        self.cancel = button("quiet", text=context.words(labels.CANCEL))
        self.cancel.clicked.connect(self.cancelled)
        self._row.addWidget(self.cancel)
        name_widget(self, self._said)
        window.installEventFilter(self)

    def appear(self) -> None:
        """Show and announce the notice without taking the focus."""
        self._show(self._said, "clock")
        self._announcer.say(self._said)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)


def _result_of(work: CancellableWork) -> object:
    """Return the result of `work`, the reason if it failed, or None if it was cancelled."""
    try:
        return work.run()
    except (BadFile, StorageError) as error:
        return error.reason
    except WorkerCancelled:
        return None
