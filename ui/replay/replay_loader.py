"""Loads the replays for the list on a background thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from tabletop.language.words import Words
from ui.replay.replay_model import ListedReplay, to_listed_replay
from ui.shell.background_call import run_in_background
from ui.shell.window_thread import call_in_gui_thread

if TYPE_CHECKING:
    from tabletop.files.errors import BadFile

SHOW_INTERVAL_MS = 250
"""Interval between two updates of the list, in milliseconds."""
PAUSE_S, REPLAYS_BEFORE_PAUSE = 0.001, 25
"""The length in seconds of the thread's pauses, and the number of replays between two pauses.

Without pauses, each event that runs Python code would wait for Python's switch interval.
"""


class ReplayLoader(QObject):
    """Loads replays on a background thread, for one list at a time.

    Signals are emitted on the GUI thread.
    """

    found = Signal(object, object)
    """More replays were loaded: a `ListedReplay` list, and a `BadFile` list for other files."""
    ended = Signal()
    """All replays have been loaded. Not emitted after `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._stopped: Event | None = None
        """The event that tells the thread to stop; None while nothing is loading."""
        self._replays: list[ListedReplay] = []
        self._unreadable: list[BadFile] = []
        self._shown = False
        self._next = QTimer(self, singleShot=True, interval=SHOW_INTERVAL_MS)
        self._next.timeout.connect(self._show)

    @property
    def loading(self) -> bool:
        """Whether replays are still being loaded."""
        return self._stopped is not None

    def start(self, words: Words) -> None:
        """Load all replays, with their texts in the language of `words`."""
        self.stop()
        self._shown = False
        self._stopped = stopped = Event()
        deliver = call_in_gui_thread(self._take)
        work = partial(_read, words, stopped, partial(deliver, stopped))
        run_in_background(work, "replays", self._end, self._fail)

    def stop(self) -> None:
        """Stop loading. The thread ends after the current batch of replays."""
        if self._stopped is not None:
            self._stopped.set()
            self._stopped = None
        self._next.stop()
        self._replays, self._unreadable = [], []

    def _take(
        self, of: Event, replays: Sequence[ListedReplay], unreadable: Sequence[BadFile], last: bool
    ) -> None:
        if of is not self._stopped:
            return  # loaded before the last start
        self._replays += replays
        self._unreadable += unreadable
        if last or not self._shown:
            self._show()
        elif not self._next.isActive():
            self._next.start()
        if last:
            self._stopped = None
            self.ended.emit()

    def _show(self) -> None:
        replays, unreadable = self._replays, self._unreadable
        self._replays, self._unreadable = [], []
        if replays or unreadable:
            self._shown = True
            self.found.emit(replays, unreadable)

    def _end(self, _: None) -> None:
        """Do nothing, because the last batch has already ended the loading."""

    def _fail(self, error: Exception) -> None:
        if self._stopped is not None:
            self._take(self._stopped, (), (), True)


def _read(
    words: Words,
    stopped: Event,
    deliver: Callable[[Sequence[ListedReplay], Sequence[BadFile], bool], None],
) -> None:
    from tabletop.storage import saved_matches

    for page in saved_matches.iter_replay_batches():
        replays = []
        for number, kept in enumerate(page.kept, start=1):
            replays.append(to_listed_replay(kept, words))
            if number % REPLAYS_BEFORE_PAUSE == 0:
                time.sleep(PAUSE_S)
        deliver(replays, page.unreadable, False)
        if stopped.is_set():
            return
    deliver((), (), True)
