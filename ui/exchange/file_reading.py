"""Reads a file of a stranger beside the window, and lets the person cancel that."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from tabletop.background.faults import WENT_WRONG
from tabletop.exchange.guarded_reading import GuardedReading, ReadingCancelled
from tabletop.files.errors import BadFile
from tabletop.language import labels
from ui.shell.app_context import AppContext, name_widget
from ui.shell.beside_window import beside_window
from ui.widgets.announcer import ScreenReaderAnnouncer
from ui.widgets.surface import button
from ui.widgets.top_bar import TopBar

NOTICE_DELAY_MS = 400
"""Most files are read sooner, without a notice."""


class FileReading(QObject):
    """One reading: it ends with a game, a refusal, or nothing if it was cancelled."""

    ended = Signal(object)
    """What was found, or a `Reason`. Not emitted after `cancel`."""

    def __init__(
        self, context: AppContext, window: QWidget, guarded: GuardedReading[Any], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._guarded = guarded
        self.notice = ReadingNotice(context, window, guarded.path.name)
        self.notice.cancelled.connect(self.cancel)
        self._delay = QTimer(self, singleShot=True, interval=NOTICE_DELAY_MS)
        self._delay.timeout.connect(self.notice.appear)

    def start(self) -> None:
        """Begin; the window stays responsive."""
        self._delay.start()
        beside_window(partial(_found_by, self._guarded), "game file", self._end, self._fail)

    def cancel(self) -> None:
        """End the reading now."""
        self._guarded.cancel()
        self._put_away()

    def _end(self, found: object) -> None:
        if self._guarded.cancelled:  # put away already
            return
        self._put_away()
        self.ended.emit(found)

    def _fail(self, _: Exception) -> None:
        self._end(WENT_WRONG)

    def _put_away(self) -> None:
        self._delay.stop()
        self.notice.hide()
        self.notice.deleteLater()
        self.deleteLater()


class ReadingNotice(TopBar):
    """Says that a file is being read, with a button that cancels it; below the window's banner."""

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
        """Show the notice; the focus stays where it is."""
        self._show(self._said, "clock")
        self._announcer.say(self._said)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)


def _found_by(reading: GuardedReading[Any]) -> Any:
    """Return what the reading finds, why it finds nothing, or None once it's cancelled."""
    try:
        return reading.run()
    except BadFile as error:
        return error.reason
    except ReadingCancelled:
        return None
