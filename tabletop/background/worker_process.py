"""Function calls in separate processes, with limits on memory, CPU time and output.

    READ_TASK = WorkerTask(read)                       # while its module is imported
    call = WorkerCall(READ_TASK, path, limits_for(size))
    result = call.run()                                # blocks, so call it on a thread
    call.cancel()                                      # on any thread: kills the process

Functions that decode untrusted data run here, so that a crash, hang or memory leak ends only their
process. Argument and result are encoded with msgspec. The result is validated by the declared type
and never unpickled.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable
from enum import Enum
from importlib import import_module
from threading import Condition
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from tabletop.background.processes import (
    INTERRUPT_SIGNALS,
    is_start_failure,
    start_ignoring_interrupts,
)

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

log = logging.getLogger("tabletop")

MIB = 1 << 20
MAX_WORKERS = 4
"""The maximum number of worker processes at a time; further calls wait."""
MAX_MEMORY_BYTES = 1536 * MIB
"""The maximum memory limit of a worker process."""
MAX_TRACE_BYTES = 8_000
"""The maximum length of a reported traceback."""
START_TIMEOUT_S = 60.0
READY = b"r"
"""The message that a worker process sends when it is ready for the argument."""
RESULT = b"+"
"""The first byte of a message that contains the encoded result."""
NO_MEMORY = b"m"
"""The message that a worker process sends when it has run out of memory."""
FAULT = b"-"
"""The first byte of a message that contains a traceback."""
TIMEOUT_EXIT_CODES = (-24, 1816)
"""The exit codes of a process that exceeded its CPU time limit.

They are SIGXCPU on POSIX and ERROR_NOT_ENOUGH_QUOTA on Windows.
"""
PROCESS_NAME = "worker"

A = TypeVar("A")
R = TypeVar("R")


class WorkerLimits(Struct, frozen=True):
    """The resource limits of one call."""

    memory: int
    """The address space in bytes, including 50 MiB for the interpreter."""
    cpu: float
    """The CPU time in seconds, rounded up."""
    output: int
    """The size of the encoded result in bytes."""
    wall: float
    """The time in seconds after which the process is killed even if it has used little CPU time."""


def limits_for(size: int) -> WorkerLimits:
    """Return the limits for reading an input of `size` bytes.

    A small input gets less than 300 MiB of memory and 4 s of CPU time. Large inputs get more,
    because decoded pictures are many times larger.
    """
    cpu = 2.5 + size / (2 * MIB)
    memory = min(272 * MIB + 8 * size, MAX_MEMORY_BYTES)
    return WorkerLimits(memory, cpu, 64 * MIB + 2 * size, 60.0 + 10 * cpu)


class FailureCause(Enum):
    """Why a call to a worker process has no result."""

    OUT_OF_TIME = "out of time"
    OUT_OF_MEMORY = "out of memory"
    TOO_MUCH_OUTPUT = "too much output"
    CRASHED = "crashed"
    """The process died, the function raised an exception, or the result has the wrong type."""
    NOT_STARTED = "not started"
    CANCELLED = "cancelled"


class WorkerFailed(Exception):
    """A call to a worker process has no result, because of `cause`."""

    def __init__(self, cause: FailureCause) -> None:
        super().__init__(cause.value)
        self.cause = cause


class WorkerCancelled(WorkerFailed):
    """A call to a worker process was cancelled before it ended."""

    def __init__(self) -> None:
        super().__init__(FailureCause.CANCELLED)


class WorkerTask(Generic[A, R]):
    """A module-level function that can be called in a worker process.

    It has one parameter. msgspec must be able to encode the types of the parameter and the result.

    Create tasks while their module is imported: msgspec 0.22 crashes if two threads create a
    decoder of the same type at once.
    """

    def __init__(self, function: Callable[[A], R]) -> None:
        self.function = function
        types = get_type_hints(function)
        self.result: msgspec.msgpack.Decoder[R] = msgspec.msgpack.Decoder(types.pop("return"))
        (kind,) = types.values()
        self.argument: msgspec.msgpack.Decoder[A] = msgspec.msgpack.Decoder(kind)
        self.name = f"{function.__module__}:{function.__qualname__}"


class WorkerCall(Generic[A, R]):
    """One call of a task in a worker process, which can be cancelled."""

    def __init__(self, task: WorkerTask[A, R], argument: A, limits: WorkerLimits) -> None:
        self._task = task
        self._argument = argument
        self._limits = limits
        self._process: SpawnProcess | None = None
        self._cancelled = False

    def run(self) -> R:
        """Call the function in a new process and return its result. Blocks.

        If this process is itself a child of the program (a worker or a bot), the function is called
        directly. Such a process may crash without harm, and may be unable to start processes.

        Raises:
            WorkerFailed: the call has no result.
        """
        if in_child_process():
            return self._task.function(self._argument)
        with _calls_changed:
            _calls_changed.wait_for(lambda: self._cancelled or len(_running_calls) < MAX_WORKERS)
            if self._cancelled:
                raise WorkerCancelled
            _running_calls.add(self)
        try:
            return self._run_in_process()
        finally:
            with _calls_changed:
                _running_calls.discard(self)
                _calls_changed.notify_all()

    def cancel(self) -> None:
        """Kill the process, so that `run` raises `WorkerCancelled`. May be called on any thread."""
        with _calls_changed:
            self._cancelled = True
            if self._process is not None:
                self._process.kill()
            _calls_changed.notify_all()

    def _run_in_process(self) -> R:
        pipe, process = self._start()
        try:
            with _calls_changed:
                self._process = process
                if self._cancelled:
                    raise WorkerCancelled
            return self._result(pipe, process)
        finally:
            with _calls_changed:
                self._process = None
            pipe.close()
            process.kill()
            process.join()

    def _start(self) -> tuple[Connection, SpawnProcess]:
        """Start the process; return this side's end of the pipe, and the process.

        Raises like `run`.
        """
        from multiprocessing import get_context

        _skip_main_module_import()
        spawn = get_context("spawn")
        near, far = None, None
        try:
            near, far = spawn.Pipe()
            arguments = far, self._task.name, self._limits
            process = spawn.Process(
                target=_run_task, args=arguments, name=PROCESS_NAME, daemon=True
            )
            with start_ignoring_interrupts():
                process.start()
        except (OSError, RuntimeError) as error:
            if near is not None:
                near.close()
            if not is_start_failure(error):
                raise
            log.warning("worker not started task=%s: %s", self._task.name, error)
            raise WorkerFailed(FailureCause.NOT_STARTED) from error
        finally:
            if far is not None:
                far.close()  # so that this end notices when the process ends
        return near, process

    def _result(self, pipe: Connection, process: SpawnProcess) -> R:
        """Send the argument to the process, and return the result. Raises like `run`."""
        started = False
        try:
            started = self._next_message(pipe, START_TIMEOUT_S) == READY
            pipe.send_bytes(msgspec.msgpack.encode(self._argument))
            message = self._next_message(pipe, self._limits.wall)
        except (EOFError, OSError) as error:
            if self._cancelled:
                raise WorkerCancelled from error
            cause = self._cause_of_end(process) if started else FailureCause.NOT_STARTED
            raise WorkerFailed(cause) from error
        kind, content = message[:1], memoryview(message)[1:]
        if kind == NO_MEMORY:
            raise WorkerFailed(FailureCause.OUT_OF_MEMORY)
        if kind != RESULT:
            # no warning, because the caller shows its own message
            trace = str(content[:MAX_TRACE_BYTES], "utf-8", "replace")
            log.info("worker fault task=%s trace=%s", self._task.name, trace)
            raise WorkerFailed(FailureCause.CRASHED)
        try:
            return self._task.result.decode(content)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            log.info("worker result refused task=%s: %s", self._task.name, error)
            raise WorkerFailed(FailureCause.CRASHED) from error

    def _next_message(self, pipe: Connection, seconds: float) -> bytes:
        """Return the next message from the process.

        Raises:
            EOFError, OSError: the process has ended.
            WorkerFailed: no message arrives within `seconds`, or the message is too long.
        """
        if not pipe.poll(seconds):
            raise WorkerFailed(FailureCause.OUT_OF_TIME)
        try:
            return pipe.recv_bytes(self._limits.output + 1)
        except OSError as error:
            if error.errno is None:  # the message is too long; system errors have a number
                raise WorkerFailed(FailureCause.TOO_MUCH_OUTPUT) from error
            raise

    def _cause_of_end(self, process: SpawnProcess) -> FailureCause:
        """Return why the process closed its pipe."""
        until = monotonic() + START_TIMEOUT_S
        process.join(START_TIMEOUT_S)
        # another thread that starts a process may collect the exit code and store it a bit later
        while (code := process.exitcode) is None and monotonic() < until:
            sleep(0.01)
        log.info("worker ended task=%s exit=%s", self._task.name, code)
        return FailureCause.OUT_OF_TIME if code in TIMEOUT_EXIT_CODES else FailureCause.CRASHED


_calls_changed = Condition()
"""Guards `_running_calls` and the attributes of each call."""
_running_calls: set[object] = set()


def _skip_main_module_import() -> None:
    """Keep worker processes from importing the program's main module.

    Tasks are never defined there, and a script without a main guard would run again.
    """
    from multiprocessing import spawn

    prepare = spawn.get_preparation_data
    if prepare.__module__ == __name__:
        return

    def without_main(name: str) -> dict[str, Any]:
        data = prepare(name)
        if name == PROCESS_NAME:
            data.pop("init_main_from_name", None)
            data.pop("init_main_from_path", None)
        return data

    spawn.get_preparation_data = without_main


def in_child_process() -> bool:
    """Return whether the program has started this process with multiprocessing."""
    from multiprocessing import parent_process

    return parent_process() is not None


def is_orphaned() -> bool:
    """Return whether the program that started this process has died.

    A task that writes files should then delete them.
    """
    from multiprocessing import parent_process

    program = parent_process()
    return program is not None and not program.is_alive()


def _run_task(pipe: Connection, name: str, limits: WorkerLimits) -> None:
    """Run the task `name` once within `limits`. Runs in the worker process."""
    # these signals are for the program, which then ends this process
    for number in INTERRUPT_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    _discard_output()
    _apply_limits(limits)
    pipe.send_bytes(READY)
    try:
        module, _, function = name.partition(":")
        task: WorkerTask[object, object] = WorkerTask(getattr(import_module(module), function))
        found = task.function(task.argument.decode(pipe.recv_bytes()))
        message = RESULT + msgspec.msgpack.encode(found)
    except MemoryError:
        message = NO_MEMORY
    except BaseException as error:  # a panic in Rust isn't an Exception
        trace = "".join(traceback.format_exception(error)).encode("utf-8", "replace")
        message = FAULT + trace[-MAX_TRACE_BYTES:]
    pipe.send_bytes(message)


def _discard_output() -> None:
    """Discard the output of libraries that crash, because the program shows its own message."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)
    os.close(null)


def _apply_limits(limits: WorkerLimits) -> None:
    """Make the system enforce `limits`, by killing this process or refusing to allocate memory."""
    if sys.platform == "win32":
        from tabletop.background.windows_job import limit_process

        limit_process(limits.memory, limits.cpu)
        return
    import resource

    cpu = int(limits.cpu + sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) + 1
    _lower_limit(resource.RLIMIT_CORE, 0, 0)
    # the signal at the soft limit can be caught, that at the hard limit can't
    _lower_limit(resource.RLIMIT_CPU, cpu, cpu + 1)
    if sys.platform != "darwin":  # macOS doesn't support this limit
        _lower_limit(resource.RLIMIT_AS, limits.memory, limits.memory)


def _lower_limit(kind: int, soft: int, hard: int) -> None:
    """Lower a resource limit, unless the current limit is lower already."""
    import resource

    current = resource.getrlimit(kind)[1]
    if current != resource.RLIM_INFINITY:
        soft, hard = min(soft, current), min(hard, current)
    resource.setrlimit(kind, (soft, hard))
