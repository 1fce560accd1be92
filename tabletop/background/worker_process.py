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
"""The maximum number of concurrent processes; further calls wait."""
MAX_MEMORY_BYTES = 1536 * MIB
MAX_TRACE_BYTES = 8_000
START_TIMEOUT_S = 60.0
READY = b"r"
"""The message of a process that is ready for the argument."""
RESULT = b"+"
"""The prefix of a message with the encoded result."""
NO_MEMORY = b"m"
"""The message of a process that ran out of memory."""
FAULT = b"-"
"""The prefix of a message with the stack of an exception."""
TIMEOUT_EXIT_CODES = (-24, 1816)
"""The exit codes of a process that exceeded its CPU time.

These are SIGXCPU, and ERROR_NOT_ENOUGH_QUOTA on Windows.
"""
PROCESS_NAME = "worker"

A = TypeVar("A")
R = TypeVar("R")


class WorkerLimits(Struct, frozen=True):
    """The resource limits of one call."""

    memory: int
    """Bytes of address space, including 50 MiB for the interpreter."""
    cpu: float
    """Seconds of CPU time, rounded up."""
    output: int
    """Bytes of the encoded result."""
    wall: float
    """Seconds after which the process is killed even if it has used little CPU time."""


def limits_for(size: int) -> WorkerLimits:
    """Return the limits for reading an input of `size` bytes.

    A small input gets less than 300 MiB and 4 s. Large inputs need more, because decoded pictures
    are many times larger.
    """
    cpu = 2.5 + size / (2 * MIB)
    memory = min(272 * MIB + 8 * size, MAX_MEMORY_BYTES)
    return WorkerLimits(memory, cpu, 64 * MIB + 2 * size, 60.0 + 10 * cpu)


class FailureCause(Enum):
    """Why a call has no result."""

    OUT_OF_TIME = "out of time"
    OUT_OF_MEMORY = "out of memory"
    TOO_MUCH_OUTPUT = "too much output"
    CRASHED = "crashed"
    """The process died, the function raised an exception, or the result has the wrong type."""
    NOT_STARTED = "not started"
    CANCELLED = "cancelled"


class WorkerFailed(Exception):
    """A call without a result, because of `cause`."""

    def __init__(self, cause: FailureCause) -> None:
        super().__init__(cause.value)
        self.cause = cause


class WorkerCancelled(WorkerFailed):
    """A call that was cancelled before it ended."""

    def __init__(self) -> None:
        super().__init__(FailureCause.CANCELLED)


class WorkerTask(Generic[A, R]):
    """A module-level function with one parameter.

    The types of parameter and result can be encoded by msgspec.

    Create it while its module is imported: in msgspec 0.22, two threads that create a decoder of
    one type at the same time crash.
    """

    def __init__(self, function: Callable[[A], R]) -> None:
        self.function = function
        types = get_type_hints(function)
        self.result: msgspec.msgpack.Decoder[R] = msgspec.msgpack.Decoder(types.pop("return"))
        (kind,) = types.values()
        self.argument: msgspec.msgpack.Decoder[A] = msgspec.msgpack.Decoder(kind)
        self.name = f"{function.__module__}:{function.__qualname__}"


class WorkerCall(Generic[A, R]):
    """One call of a task, which can be cancelled."""

    def __init__(self, task: WorkerTask[A, R], argument: A, limits: WorkerLimits) -> None:
        self._task = task
        self._argument = argument
        self._limits = limits
        self._process: SpawnProcess | None = None
        self._cancelled = False

    def run(self) -> R:
        """Call the function in a new process and return its result. Blocks.

        A child process of the program (a worker, a bot) calls the function directly, because it may
        crash without harm and may not be able to start processes.

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
        """Start the process; return this end of its pipe, and the process. Raises like `run`."""
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
        """Send the argument and return the result. Raises like `run`."""
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
            WorkerFailed: there is no message within `seconds`, or it is too long.
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
"""Guards the set of running calls and their attributes."""
_running_calls: set[object] = set()


def _skip_main_module_import() -> None:
    """Keep worker processes from importing the program's main module.

    No task is defined there, and a script without a main guard would run again.
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
    """Return whether this process was started by the program with multiprocessing."""
    from multiprocessing import parent_process

    return parent_process() is not None


def is_orphaned() -> bool:
    """Return whether the program that started this process has died.

    A task that writes files should delete them then.
    """
    from multiprocessing import parent_process

    program = parent_process()
    return program is not None and not program.is_alive()


def _run_task(pipe: Connection, name: str, limits: WorkerLimits) -> None:
    """Run the task `name` once, under `limits`. Runs in the worker process."""
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
    """Discard the output of crashing libraries, because the program shows its own message."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)
    os.close(null)


def _apply_limits(limits: WorkerLimits) -> None:
    """Make the system kill this process beyond its limits, or refuse it memory."""
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
    """Lower a resource limit; a lower existing limit stays."""
    import resource

    current = resource.getrlimit(kind)[1]
    if current != resource.RLIM_INFINITY:
        soft, hard = min(soft, current), min(hard, current)
    resource.setrlimit(kind, (soft, hard))
