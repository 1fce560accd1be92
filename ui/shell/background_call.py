"""Background work whose result is delivered in the GUI thread."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject

from tabletop.background import faults, threads
from ui.shell.window_thread import call_in_gui_thread

T = TypeVar("T")


def run_in_background(
    work: Callable[[], T],
    name: str,
    take: Callable[[T], None],
    failed: Callable[[Exception], None] | None = None,
    owner: QObject | None = None,
) -> None:
    """Run `work` in a thread called `name`, or synchronously if no thread can be started.

    `take` gets the result and `failed` an exception, which is also reported. Both are methods,
    called in the
    GUI thread as by `call_in_gui_thread`, with the same `owner`.
    """
    deliver = call_in_gui_thread(take, owner)
    fail = call_in_gui_thread(failed, owner) if failed is not None else None

    def work_and_deliver() -> None:
        deliver(work())

    try:
        threads.start(work_and_deliver, name, fail)
    except RuntimeError:  # the system has no thread left
        faults.guarded(work_and_deliver, name, fail)
