"""Background work that delivers its result in the GUI thread."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject

from tabletop.background import faults, threads
from ui.shell.window_thread import call_in_gui_thread

T = TypeVar("T")


def run_in_background(
    work: Callable[[], T],
    name: str,
    on_result: Callable[[T], None],
    on_error: Callable[[Exception], None] | None = None,
    owner: QObject | None = None,
) -> None:
    """Run `work` in a thread called `name`, or in this thread if no other can be started.

    `on_result` is called with the result, and `on_error` with an exception, which is also reported.
    Both are methods that are called in the GUI thread by `call_in_gui_thread`, with the same
    `owner`.
    """
    deliver = call_in_gui_thread(on_result, owner)
    deliver_error = call_in_gui_thread(on_error, owner) if on_error is not None else None

    def work_and_deliver() -> None:
        deliver(work())

    try:
        threads.start(work_and_deliver, name, deliver_error)
    except RuntimeError:  # the system has run out of threads
        faults.run_guarded(work_and_deliver, name, deliver_error)
