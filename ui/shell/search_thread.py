"""Long searches beside the window, each in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from ui.shell.background_call import run_in_background
from ui.shell.window_thread import Deliver, call_in_gui_thread


class LongSearch(Protocol):
    """A long search: it reports progress, and can be cancelled from another thread."""

    def run(self, progress: Callable[[int, int], None] | None = None, /) -> object:
        """Search, and return the result.

        Raises:
            CancelledError: it was called off meanwhile.
        """

    def cancel(self) -> None:
        """Stop thinking: `run` raises."""


class SearchThread(QObject):
    """Runs one search in a thread; its signals arrive in the window's."""

    progressed = Signal(int, int)
    found = Signal(object)
    failed = Signal()
    """There will be no result."""

    def __init__(self, search: LongSearch) -> None:
        super().__init__()
        self._search = search

    def start(self) -> None:
        """Begin to search."""
        progressed = call_in_gui_thread(self._tell_progress)
        search = partial(_run, self._search, progressed)
        run_in_background(search, "search", self._tell_found, self._tell_failed)

    def stop(self) -> None:
        """Report nothing more, and go. The thread ends by itself, soon: nobody waits for it, since
        a long match takes seconds to be played through."""
        self.blockSignals(True)
        self._search.cancel()
        self.deleteLater()

    def _tell_progress(self, done: int, of: int) -> None:
        self.progressed.emit(done, of)

    def _tell_found(self, result: object) -> None:
        if result is not CALLED_OFF:
            self.found.emit(result)

    def _tell_failed(self, error: Exception) -> None:
        self.failed.emit()


CALLED_OFF = object()
"""The value in place of a result."""


def _run(search: LongSearch, progressed: Deliver) -> object:
    try:
        return search.run(progressed)
    except CancelledError:
        return CALLED_OFF  # nobody wants the result any more
