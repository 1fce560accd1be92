"""Slow work beside the window: its result, or its fault, comes back to the window's thread."""

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
    """Do this in a thread, or here where there is none. `take` gets the result; `failed` gets a
    fault, once it is reported. Both are methods, called as `call_in_gui_thread` does."""
    deliver = call_in_gui_thread(take, owner)
    fail = call_in_gui_thread(failed, owner) if failed is not None else None

    def work_and_deliver() -> None:
        deliver(work())

    try:
        threads.start(work_and_deliver, name, fail)
    except RuntimeError:  # the system has no thread left
        faults.run_guarded(work_and_deliver, name, fail)
