"""Asyncio tasks whose exceptions are reported as faults."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tabletop.background import faults
from tabletop.background.faults import ErrorHandler
from tabletop.background.threads import can_start_thread

NETWORK_CONTEXT_KEYS = frozenset(("transport", "protocol", "socket", "server"))
"""Keys that asyncio's exception context contains if the error concerns a network connection."""

T = TypeVar("T")
Work = Coroutine[Any, Any, T]


class Tasks:
    """The running tasks of one owner that doesn't await them.

    An `asyncio.TaskGroup` awaits its tasks, and cancels them all after an error. Here, each
    exception is reported while the other tasks continue.
    """

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Work[T], on_error: ErrorHandler | None = None) -> asyncio.Task[T]:
        """Run `work` as a task of the running loop, and return the task.

        `on_error`: called on the loop with an unexpected exception.
        """

        def ended(task: asyncio.Task[T]) -> None:
            self._running.discard(task)
            _report_task(task, _name_of(work), on_error)

        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)  # the loop holds only a weak reference to it
        task.add_done_callback(ended)
        return task

    def start_restarting(
        self, work: Callable[[], Work[T]], pause: float, on_error: ErrorHandler | None = None
    ) -> asyncio.Task[T]:
        """Run `work()` as a task, and run it again after each fault.

        After a fault, `on_error` is called, and the task waits for `pause` seconds.
        """

        async def restarted() -> T:
            while True:
                attempt = work()
                try:
                    return await attempt
                except Exception as error:
                    faults.report(error, _name_of(attempt), on_error)
                await asyncio.sleep(pause)

        return self.start(restarted())

    async def wait(self) -> None:
        """Wait until all tasks have ended."""
        await asyncio.gather(*self._running, return_exceptions=True)

    async def cancel(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        for task in self._running:
            task.cancel()
        await self.wait()


def create_child_task(work: Work[T]) -> asyncio.Task[T]:
    """Run `work` as a task whose owner awaits it and therefore receives its exception.

    Use this for a task that several others await or cancel. For the tasks of a single block, use an
    `asyncio.TaskGroup`.
    """
    return asyncio.get_running_loop().create_task(work)


async def wait_for_first(*works: Work[Any]) -> None:
    """Run all `works` until one of them ends, then cancel the others.

    Raises:
        ExceptionGroup: one or more of them failed.
    """
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work) for work in works]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()


async def run_in_thread(work: Callable[[], T]) -> T:
    """Call `work` on a thread, or directly if no thread can be started, and return its result."""
    return await asyncio.to_thread(work) if can_start_thread() else work()


def run_in_other_loop(work: Work[T], loop: asyncio.AbstractEventLoop, seconds: float) -> T:
    """Run `work` in `loop`, which belongs to another thread, and return its result.

    Exceptions raised by `work` are passed on.

    Raises:
        TimeoutError: `work` takes longer than `seconds`.
    """
    return asyncio.run_coroutine_threadsafe(work, loop).result(seconds)


async def run_reporting_faults(work: Work[T]) -> T:
    """Await `work`, and report exceptions in callbacks of the running loop as faults."""
    report_callback_faults(asyncio.get_running_loop())
    return await work


def report_callback_faults(loop: asyncio.AbstractEventLoop) -> None:
    """Report exceptions of a loop's callbacks and protocols as faults."""
    loop.set_exception_handler(_report_callback)


def _name_of(work: Work[Any]) -> str:
    return str(getattr(work, "__qualname__", type(work).__name__))


def _report_task(task: asyncio.Task[Any], work: str, on_error: ErrorHandler | None) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        faults.report(error, work, on_error)


def _report_callback(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    is_network_error = isinstance(error, OSError) and not NETWORK_CONTEXT_KEYS.isdisjoint(context)
    if isinstance(error, Exception) and not is_network_error:
        faults.report(error, str(context.get("message", "the event loop")))
    else:
        loop.default_exception_handler(context)
