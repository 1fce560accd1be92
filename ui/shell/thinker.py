"""Something that is thought out beside the window, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from threading import Thread
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from ui.shell.window_thread import Deliver, in_window_thread


class LongSearch(Protocol):
    """A long search: it reports progress, and can be cancelled from another thread."""

    def run(self, progress: Callable[[int, int], None] | None = None, /) -> object:
        """Search, and return the result.

        Raises:
            CancelledError: it was called off meanwhile.
        """

    def cancel(self) -> None:
        """Stop thinking: `run` raises."""


class Thinker(QObject):
    """Runs one search in a thread; its signals arrive in the window's."""

    progressed = Signal(int, int)
    found = Signal(object)

    def __init__(self, search: LongSearch) -> None:
        super().__init__()
        self._search = search
        deliveries = in_window_thread(self._tell_progress), in_window_thread(self._tell_found)
        self._thread = Thread(target=_run, args=(search, *deliveries), name="search", daemon=True)

    def start(self) -> None:
        """Begin to search."""
        self._thread.start()

    def stop(self) -> None:
        """Report nothing more. The thread ends by itself, soon: nobody waits for it, since a long
        match takes seconds to be played through."""
        self.blockSignals(True)
        self._search.cancel()

    def _tell_progress(self, done: int, of: int) -> None:
        self.progressed.emit(done, of)

    def _tell_found(self, result: object) -> None:
        self.found.emit(result)


def _run(search: LongSearch, progressed: Deliver, deliver: Deliver) -> None:
    try:
        deliver(search.run(progressed))
    except CancelledError:
        return  # nobody wants to know any more
