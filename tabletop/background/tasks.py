"""Tasks of an event loop whose faults are heard."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tabletop.background import faults
from tabletop.background.faults import ErrorHandler
from tabletop.background.threads import can_start_thread

NETWORK_CONTEXT_KEYS = frozenset(("transport", "protocol", "socket", "server"))
"""The keys of an error's context in asyncio that mark it as an error of the network."""

T = TypeVar("T")
Work = Coroutine[Any, Any, T]


class Tasks:
    """The tasks of one owner that nobody awaits.

    An `asyncio.TaskGroup` ends with a block that awaits it, and one task's error cancels the
    others; an owner's tasks end with their owner, and each error is reported while the others
    go on.
    """

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Work[T], failed: ErrorHandler | None = None) -> asyncio.Task[T]:
        """Run this in the running loop; `failed` is called there."""

        def ended(task: asyncio.Task[T]) -> None:
            self._running.discard(task)
            _report_task(task, _name_of(work), failed)

        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)  # the loop holds only a weak reference to it
        task.add_done_callback(ended)
        return task

    def start_restarting(
        self, work: Callable[[], Work[T]], pause: float, failed: ErrorHandler | None = None
    ) -> asyncio.Task[T]:
        """Run this; after each fault call `failed`, then restart it `pause` seconds later."""

        async def restarted() -> T:
            while True:
                attempt = work()
                try:
                    return await attempt
                except Exception as error:
                    faults.report(error, _name_of(attempt), failed)
                await asyncio.sleep(pause)

        return self.start(restarted())

    async def wait(self) -> None:
        """Return once all have ended."""
        await asyncio.gather(*self._running, return_exceptions=True)

    async def cancel(self) -> None:
        """Cancel all, and return once they have ended."""
        for task in self._running:
            task.cancel()
        await self.wait()


def create_child_task(work: Work[T]) -> asyncio.Task[T]:
    """Run this in the running loop for an owner that awaits it, and so gets its error.

    For a task that several await, or that somebody else cancels; the tasks of one block are in an
    `asyncio.TaskGroup`.
    """
    return asyncio.get_running_loop().create_task(work)


async def wait_for_first(*works: Work[Any]) -> None:
    """Return once one of these has ended; the others are cancelled.

    Raises:
        ExceptionGroup: the errors of those that failed.
    """
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work) for work in works]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()


async def run_in_thread(work: Callable[[], T]) -> T:
    """Run slow work in a thread, or here where there is none; return its result."""
    return await asyncio.to_thread(work) if can_start_thread() else work()


def run_in_other_loop(work: Work[T], loop: asyncio.AbstractEventLoop, seconds: float) -> T:
    """Run this in a loop of another thread; return its result.

    Raises:
        TimeoutError: it takes longer.
        Any error of the work.
    """
    return asyncio.run_coroutine_threadsafe(work, loop).result(seconds)


async def run_reporting_faults(work: Work[T]) -> T:
    """Do this work as the whole of a loop, in which faults of callbacks are reported too."""
    report_callback_faults(asyncio.get_running_loop())
    return await work


def report_callback_faults(loop: asyncio.AbstractEventLoop) -> None:
    """Report faults of a loop's callbacks and protocols."""
    loop.set_exception_handler(_report_callback)


def _name_of(work: Work[Any]) -> str:
    return str(getattr(work, "__qualname__", type(work).__name__))


def _report_task(task: asyncio.Task[Any], work: str, failed: ErrorHandler | None) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        faults.report(error, work, failed)


def _report_callback(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    of_a_line = isinstance(error, OSError) and not NETWORK_CONTEXT_KEYS.isdisjoint(context)
    if isinstance(error, Exception) and not of_a_line:
        faults.report(error, str(context.get("message", "the event loop")))
    else:
        loop.default_exception_handler(context)
