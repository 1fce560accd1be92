"""Threads for long searches, such as the review of a match."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from ui.shell.background_call import run_in_background
from ui.shell.window_thread import Deliver, call_in_gui_thread


class LongSearch(Protocol):
    """A search that reports progress and can be cancelled from another thread."""

    def run(self, progress: Callable[[int, int], None] | None = None, /) -> object:
        """Run the search and return its result.

        `progress` is called in the searching thread with the number of steps done and the total.

        Raises:
            CancelledError: `cancel` was called.
        """

    def cancel(self) -> None:
        """Cancel the search; `run` raises `CancelledError`."""


class SearchThread(QObject):
    """Runs one search in a thread; its signals are emitted in the GUI thread."""

    progressed = Signal(int, int)
    result_found = Signal(object)
    failed = Signal()
    """The search has raised an exception and has no result."""

    def __init__(self, search: LongSearch) -> None:
        super().__init__()
        self._search = search

    def start(self) -> None:
        """Start the search."""
        progressed = call_in_gui_thread(self._on_progress)
        search = partial(_run, self._search, progressed)
        run_in_background(search, "search", self._on_result, self._on_error)

    def stop(self) -> None:
        """Cancel the search, emit no more signals, and delete this object.

        The thread isn't joined, because the search stops only after its current step.
        """
        self.blockSignals(True)
        self._search.cancel()
        self.deleteLater()

    def _on_progress(self, done: int, of: int) -> None:
        self.progressed.emit(done, of)

    def _on_result(self, result: object) -> None:
        if result is not CANCELLED:
            self.result_found.emit(result)

    def _on_error(self, error: Exception) -> None:
        self.failed.emit()


CANCELLED = object()
"""The result of a cancelled search."""


def _run(search: LongSearch, progressed: Deliver) -> object:
    try:
        return search.run(progressed)
    except CancelledError:
        return CANCELLED
