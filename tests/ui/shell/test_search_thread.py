"""Searches beside the window: called off with what they were for, and ended with their test."""

from concurrent.futures import CancelledError
from threading import Event

import pytest

from tests.ui.window_driver import finish_work
from ui.shell.search_thread import SearchThread

SLOWLY = 0.2
"""Seconds that a search takes to notice that it was called off."""


class Search:
    """A search that ends some time after it was called off."""

    def __init__(self) -> None:
        self.begun, self.called_off, self.ended = Event(), Event(), Event()

    def run(self, progress: object = None) -> object:
        self.begun.set()
        self.called_off.wait()
        Event().wait(SLOWLY)
        self.ended.set()
        raise CancelledError

    def cancel(self) -> None:
        self.called_off.set()


@pytest.mark.usefixtures("qapp")
def test_a_search_ends_before_its_test_does() -> None:
    search = Search()
    thinker = SearchThread(search)
    thinker.start()
    search.begun.wait()
    thinker.stop()
    finish_work()
    assert search.ended.is_set()
