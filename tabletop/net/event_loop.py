"""The event loop of a host or a gateway without a window, what ends it, and what has it open its
log anew."""

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

SWITCH = 0.0005
"""Seconds for which a thread that has heard from the disk waits while the host has much to do. With
Python's own, ten times as long, every move of a host under load took longer than the disk."""

COLLECT_AFTER = (700, 10, 200)
"""Python's own thresholds but for the last: to look through all of 400 tables takes 140 ms, and
would happen every few seconds."""

CLOSING = (2, 5, 6)
"""CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT and CTRL_SHUTDOWN_EVENT of wincon.h."""
CLOSING_SECONDS = 5.0
"""Windows itself waits no longer."""

_closing = threading.Event()
_hearing: list[object] = []

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`; on uvloop where it is installed (the extra `server`), which takes about a
    tenth less of the processor for a move, and where the system has a thread for it."""
    usual, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(*COLLECT_AFTER)
    try:
        try:
            from uvloop import run as run_quickly
        except ImportError:
            return asyncio.run(run_reporting_faults(work))
        whole = run_reporting_faults(work)
        return run_quickly(whole) if can_start_thread() else asyncio.run(whole)
    finally:
        sys.setswitchinterval(usual)
        gc.set_threshold(*thresholds)


async def stop_requested() -> None:
    """Wait until the system or the person at the keyboard wants the program to end. A closed
    terminal is such a wish (SIGHUP); without one, the log is opened anew."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def request_stop(*_: object) -> None:
        loop.call_soon_threadsafe(stop.set)

    acts = dict.fromkeys((*INTERRUPT_SIGNALS, signal.SIGTERM), stop.set)
    if receives_hangup():
        of_terminal = any(os.isatty(number) for number in range(3))
        acts[signal.SIGHUP] = stop.set if of_terminal else make_reopener()
    for number, act in acts.items():
        try:
            loop.add_signal_handler(number, act)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_, act=act: loop.call_soon_threadsafe(act))
    with console_closing(request_stop):
        await stop.wait()


def make_reopener() -> Callable[[], None]:
    """Return a function that opens the files of standard output and standard error anew, under the
    names they have now: whoever rotates logs has moved them by then. A pipe stays as it is."""
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


def ends_soon() -> bool:
    """Whether Windows ends the program in some seconds, whatever it does."""
    return _closing.is_set()


@contextmanager
def console_closing(stop: Callable[[], None]) -> Iterator[None]:
    """Meanwhile `stop` is called where Windows closes the console, or the person signs out."""
    if sys.platform != "win32":
        yield
        return
    import ctypes

    hear = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_uint)(lambda event: handle_event(event, stop))
    ctypes.windll.kernel32.SetConsoleCtrlHandler(hear, True)
    _hearing.append(hear)  # it is still called while the program ends
    try:
        yield
    finally:
        if not _closing.is_set():
            ctypes.windll.kernel32.SetConsoleCtrlHandler(hear, False)


def handle_event(event: int, stop: Callable[[], None]) -> bool:
    """Attend to an event of the console, in a thread of Windows'. It ends the program as soon as
    this returns, which leaves some seconds to stop in order."""
    if event not in CLOSING:
        return False
    _closing.set()
    stop()
    time.sleep(CLOSING_SECONDS)
    return True


def raise_open_file_limit() -> None:
    """Let the program have as many files and lines open as the system allows it."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
