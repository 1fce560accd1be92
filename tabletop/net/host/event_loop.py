"""The event loop of a host or a gateway without a window, and what ends it."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

from tabletop.bots.processes import thread_to_be_had

SWITCH = 0.0005
"""Seconds for which a thread that has heard from the disk waits while the host has much to do. With
Python's own, ten times as long, every move of a host under load took longer than the disk."""

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`; on uvloop where it is installed (the extra `server`), which takes about a
    tenth less of the processor for a move, and where the system has a thread for it."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        try:
            from uvloop import run as run_quickly
        except ImportError:
            return asyncio.run(work)
        return run_quickly(work) if thread_to_be_had() else asyncio.run(work)
    finally:
        sys.setswitchinterval(usual)


async def told_to_stop() -> None:
    """Wait until the system or the person at the keyboard wants the program to end."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    await stop.wait()


def many_files() -> None:
    """Let the program have as many files and lines open as the system allows it."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
