"""The event loop of a host or gateway without a window, with its stop and log rotation signals."""

import asyncio
import gc
import logging
import os
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from tabletop.background.processes import INTERRUPT_SIGNALS, receives_hangup
from tabletop.background.tasks import run_reporting_faults
from tabletop.background.threads import can_start_thread

log = logging.getLogger("tabletop.net")

THREAD_SWITCH_INTERVAL_S = 0.0005
"""Seconds after which Python switches threads while the loop is busy.

With Python's default, which is ten times as long, moves on a busy host waited longer for the disk
threads than for the disk.
"""

GC_THRESHOLDS = (700, 10, 200)
"""Python's thresholds for garbage collection. Only the last one differs from the default.

A full collection with 400 tables takes 140 ms. With the default it would run every few seconds.
"""

CLOSE_EVENTS = (2, 5, 6)
"""CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT and CTRL_SHUTDOWN_EVENT of wincon.h."""
CLOSE_TIMEOUT_S = 5.0
"""Seconds that Windows waits before it kills the program."""

_closing = threading.Event()
_handlers: list[object] = []

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` in a new event loop, as `asyncio.run` does, and return its result.

    Uses uvloop if it is installed (extra `server`) and the system can start a thread for it. uvloop
    saves about a tenth of the processor time of a move.
    """
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(THREAD_SWITCH_INTERVAL_S)
    gc.set_threshold(*GC_THRESHOLDS)
    try:
        try:
            from uvloop import run as run_in_uvloop
        except ImportError:
            return asyncio.run(run_reporting_faults(work))
        whole = run_reporting_faults(work)
        return run_in_uvloop(whole) if can_start_thread() else asyncio.run(whole)
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*thresholds)


async def wait_for_stop() -> None:
    """Wait until the system or the user asks the program to stop.

    SIGHUP asks to stop if the program has a terminal. Otherwise it reopens the log.
    """
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def request_stop(*_: object) -> None:
        loop.call_soon_threadsafe(stop.set)

    handlers = dict.fromkeys((*INTERRUPT_SIGNALS, signal.SIGTERM), stop.set)
    if receives_hangup():
        has_terminal = any(os.isatty(number) for number in range(3))
        handlers[signal.SIGHUP] = stop.set if has_terminal else make_log_reopener()
    for number, handler in handlers.items():
        try:
            loop.add_signal_handler(number, handler)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_, handler=handler: loop.call_soon_threadsafe(handler))
    with handling_console_close(request_stop):
        await stop.wait()


def make_log_reopener() -> Callable[[], None]:
    """Return a function that reopens the files of standard output and standard error by name.

    Call that function after log rotation has moved the files. Pipes are left alone.
    """
    files = {}
    for number in (1, 2):
        with suppress(OSError):  # the stream is closed, or the system has no /proc
            if stat.S_ISREG(os.fstat(number).st_mode):
                files[number] = os.readlink(f"/proc/self/fd/{number}")

    def reopen() -> None:
        for number, path in files.items():
            try:
                file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)
            except OSError as error:
                log.error("log not reopened file=%s why=%s", path, error)
                continue
            os.dup2(file, number)
            os.close(file)
        log.info("log reopened")

    return reopen


def is_console_closing() -> bool:
    """Return whether Windows is about to kill the program."""
    return _closing.is_set()


@contextmanager
def handling_console_close(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` if Windows closes the console or the user signs out within the `with` block."""
    if sys.platform != "win32":
        yield
        return
    import ctypes

    callback_type = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint)
    handler = callback_type(lambda event: handle_console_event(event, stop))
    ctypes.windll.kernel32.SetConsoleCtrlHandler(handler, True)
    _handlers.append(handler)  # Windows still calls it while the program ends
    try:
        yield
    finally:
        if not _closing.is_set():
            ctypes.windll.kernel32.SetConsoleCtrlHandler(handler, False)


def handle_console_event(event: int, stop: Callable[[], None]) -> bool:
    """Handle a console event of Windows. Return whether it was handled.

    Windows calls this function in a separate thread, and kills the program as soon as it returns.
    It therefore sleeps to leave time for an orderly stop.
    """
    if event not in CLOSE_EVENTS:
        return False
    _closing.set()
    stop()
    time.sleep(CLOSE_TIMEOUT_S)
    return True


def raise_open_file_limit() -> None:
    """Raise this process's limit of open files and sockets to the system's maximum."""
    if sys.platform != "win32":
        import resource

        _, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))
