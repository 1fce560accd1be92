"""Calls in worker processes: what goes wrong there is one named cause here, and ends there."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tabletop.background import threads, worker_process
from tabletop.background.worker_process import (
    MIB,
    FailureCause,
    WorkerCall,
    WorkerFailed,
    WorkerLimits,
    WorkerTask,
    in_child_process,
    limits_for,
)

LIMITS = replace(limits_for(0), wall=300.0)
PATIENCE_S = 300


class Pond(Struct, frozen=True):
    """Something that a task returns."""

    fish: dict[str, bytes]
    process: int


def count_fish(names: list[str]) -> Pond:
    return Pond({name: name.encode() for name in names}, os.getpid())


def fill_memory(step: int) -> int:
    held = []
    while True:
        held.append(bytes(step))


def loop(_: int) -> int:
    while True:
        pass


def hold_interpreter(_: int) -> int:
    """Loop in C without releasing the interpreter's lock."""
    return sum(range(10**12))


def abort(_: int) -> int:
    os.abort()


def read_nowhere(_: int) -> int:
    return ctypes.string_at(0)[0]


def print_and_abort(_: int) -> int:
    os.write(1, b"said on the way out\n")
    os.write(2, b"memory allocation of 17179869184 bytes failed\n")
    os.abort()


def make_much(size: int) -> bytes:
    return bytes(size)


def fail(text: str) -> int:
    raise KeyError(text)


def panic(_: int) -> int:
    raise BaseException("as Rust does")


def return_other(_: int) -> list[str]:
    return [1, 2]  # type: ignore[list-item]


def sleep_for_ever(started: str) -> int:
    Path(started).touch()
    while True:
        time.sleep(60)


def call_inside(names: list[str]) -> Pond:
    return WorkerCall(COUNT, names, LIMITS).run()


COUNT = WorkerTask(count_fish)
INSIDE = WorkerTask(call_inside)
SLEEP = WorkerTask(sleep_for_ever)


def cause(
    task: WorkerTask[Any, Any], argument: object, limits: WorkerLimits = LIMITS
) -> FailureCause:
    with pytest.raises(WorkerFailed) as failed:
        WorkerCall(task, argument, limits).run()
    return failed.value.cause


def started(call: WorkerCall[Any, Any]) -> Future[object]:
    """The call, running in a thread; the future holds its error."""
    future: Future[object] = Future()

    def run() -> None:
        try:
            future.set_result(call.run())
        except WorkerFailed as error:
            future.set_result(error.cause)

    threads.start(run, "a worker's caller")
    return future


def wait_for(path: Path) -> None:
    until = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_result_comes_from_another_process_as_its_type() -> None:
    pond = WorkerCall(COUNT, ["carp", "鯉"], LIMITS).run()
    assert pond.fish == {"carp": b"carp", "鯉": "鯉".encode()}
    assert pond.process != os.getpid()


def test_a_call_in_a_worker_stays_in_it() -> None:
    assert not in_child_process()
    pond = WorkerCall(INSIDE, ["carp"], LIMITS).run()
    assert pond.fish == {"carp": b"carp"}


@pytest.mark.skipif(sys.platform == "darwin", reason="it limits no memory")
@pytest.mark.parametrize("step", [100, 10 * MIB, 4_000 * MIB])
def test_a_memory_bomb_is_refused(step: int) -> None:
    assert cause(WorkerTask(fill_memory), step) is FailureCause.OUT_OF_MEMORY


@pytest.mark.parametrize("task", [loop, hold_interpreter])
def test_an_endless_loop_is_ended(task: Any) -> None:
    assert cause(WorkerTask(task), 1, replace(LIMITS, cpu=0.1)) is FailureCause.OUT_OF_TIME


def test_a_process_that_waits_for_ever_is_ended(tmp_path: Path) -> None:
    limits = replace(LIMITS, wall=0.1)
    assert cause(SLEEP, str(tmp_path / "started"), limits) is FailureCause.OUT_OF_TIME


@pytest.mark.parametrize("task", [abort, read_nowhere, panic, return_other])
def test_a_crash_ends_the_worker_alone(task: Any) -> None:
    assert cause(WorkerTask(task), 1) is FailureCause.CRASHED


def test_a_crash_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert cause(WorkerTask(print_and_abort), 1) is FailureCause.CRASHED
    assert capfd.readouterr() == ("", "")


def test_an_output_beyond_its_limit_is_refused() -> None:
    task, limits = WorkerTask(make_much), replace(LIMITS, output=MIB)
    assert cause(task, 2 * MIB, limits) is FailureCause.TOO_MUCH_OUTPUT
    assert len(WorkerCall(task, MIB - 9, limits).run()) == MIB - 9


def test_an_unforeseen_error_is_logged_and_printed_nowhere(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level("INFO", logger="tabletop"):
        assert cause(WorkerTask(fail), "no such carp") is FailureCause.CRASHED
    assert "KeyError: 'no such carp'" in caplog.text
    assert capfd.readouterr() == ("", "")


def test_a_cancelled_call_ends_its_process(tmp_path: Path) -> None:
    call = WorkerCall(SLEEP, str(tmp_path / "started"), LIMITS)
    future = started(call)
    wait_for(tmp_path / "started")
    call.cancel()
    assert future.result(PATIENCE_S) is FailureCause.CANCELLED


def test_a_call_cancelled_before_it_runs_starts_nothing(tmp_path: Path) -> None:
    call = WorkerCall(SLEEP, str(tmp_path / "started"), LIMITS)
    call.cancel()
    with pytest.raises(WorkerFailed, match="cancelled"):
        call.run()
    assert not (tmp_path / "started").exists()


def test_a_waiting_call_can_be_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "MAX_WORKERS", 1)
    first = WorkerCall(SLEEP, str(tmp_path / "first"), LIMITS)
    second = WorkerCall(SLEEP, str(tmp_path / "second"), LIMITS)
    running = started(first)
    wait_for(tmp_path / "first")
    waiting = started(second)
    second.cancel()
    assert waiting.result(PATIENCE_S) is FailureCause.CANCELLED
    assert not (tmp_path / "second").exists()
    first.cancel()
    assert running.result(PATIENCE_S) is FailureCause.CANCELLED


@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGKILL")
def test_a_killed_process_is_a_crash(tmp_path: Path) -> None:
    call = WorkerCall(SLEEP, str(tmp_path / "started"), LIMITS)
    future = started(call)
    wait_for(tmp_path / "started")
    assert call._process is not None
    assert call._process.pid is not None
    os.kill(call._process.pid, signal.SIGKILL)
    assert future.result(PATIENCE_S) is FailureCause.CRASHED


def test_a_loop_that_holds_its_interpreter_stops_no_other_thread() -> None:
    call = WorkerCall(WorkerTask(hold_interpreter), 1, replace(LIMITS, cpu=1.0))
    future = started(call)
    rounds = 0
    while not future.done():  # a loop in this process would end after years
        rounds += 1
        time.sleep(0.01)
    assert future.result() is FailureCause.OUT_OF_TIME
    assert rounds > 10


def test_twenty_calls_share_the_workers() -> None:
    futures = [started(WorkerCall(COUNT, [str(n)], LIMITS)) for n in range(20)]
    found = [future.result(PATIENCE_S) for future in futures]
    assert [[*each.fish] for each in found] == [[str(n)] for n in range(20)]  # type: ignore[attr-defined]
    assert len({each.process for each in found}) == 20  # type: ignore[attr-defined]
    assert threading.active_count() < 20


def test_a_system_without_processes_is_one_named_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    from multiprocessing.context import SpawnProcess

    def refuse(_: object) -> None:
        raise BlockingIOError("no process left")

    monkeypatch.setattr(SpawnProcess, "start", refuse)
    assert cause(COUNT, []) is FailureCause.NOT_STARTED


def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path) -> None:
    """As multiprocessing imports the main module in each process that it starts."""
    script = tmp_path / "script.py"
    script.write_text(
        "from tests.background.test_worker_process import COUNT, LIMITS, WorkerCall\n"
        "print(*WorkerCall(COUNT, ['carp'], LIMITS).run().fish)\n"
    )
    root = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": str(root)}
    ran = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("carp\n", "")
