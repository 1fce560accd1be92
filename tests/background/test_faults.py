"""Faults of threads, tasks, futures and callbacks are heard, whoever began the work."""

import asyncio
import logging
import sys
import threading
from concurrent.futures import Future

import pytest

from tabletop.background import faults, tasks, threads
from tabletop.background.futures import add_guarded_callback
from tabletop.background.tasks import Tasks, wait_for_first
from tests.background.planted import PlantedError, fail, fail_later, heard


def test_a_fault_is_logged_with_its_stack_counted_and_told(
    expected_faults: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    before = faults.fault_count()
    faults.run_guarded(fail, "a test")
    (record,) = caplog.records
    assert (record.levelno, record.getMessage()) == (logging.ERROR, "fault work=a test")
    assert record.exc_info is not None
    assert faults.fault_count() == before + 1
    assert heard(expected_faults)


def test_a_listener_that_fails_keeps_no_other_from_hearing(expected_faults: list[str]) -> None:
    stop = faults.add_listener(fail)
    others: list[str] = []
    stop_others = faults.add_listener(others.append)
    faults.run_guarded(fail, "a test")
    stop()
    stop_others()
    faults.run_guarded(fail, "a test")
    assert (len(others), len(expected_faults)) == (1, 2)


def test_what_leaves_an_owner_in_order_may_fail_itself(expected_faults: list[str]) -> None:
    faults.run_guarded(fail, "a test", fail)
    assert len(expected_faults) == 2


def test_a_thread_that_fails_is_heard_in_order(expected_faults: list[str]) -> None:
    failed: list[Exception] = []
    threads.start(fail, "a test", failed.append).join()
    assert heard(expected_faults)
    assert [type(each) for each in failed] == [PlantedError]


async def test_a_task_that_fails_is_heard_and_forgotten(expected_faults: list[str]) -> None:
    owner, failed = Tasks(), asyncio.Event()
    owner.start(fail_later(), lambda _: failed.set())
    await failed.wait()
    assert heard(expected_faults)
    await owner.wait()


async def test_a_cancelled_task_is_no_fault(heard_faults: list[str]) -> None:
    owner = Tasks()
    owner.start(asyncio.sleep(3600), lambda _: pytest.fail("it did not fail"))
    await owner.cancel()
    assert not heard_faults


async def test_work_that_is_kept_going_begins_again(expected_faults: list[str]) -> None:
    owner, again, begun = Tasks(), asyncio.Event(), 0

    async def work() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise PlantedError
        again.set()

    owner.start_restarting(work, 0)
    await again.wait()
    assert len(expected_faults) == 2
    await owner.wait()


async def test_the_first_to_end_hands_on_its_error(heard_faults: list[str]) -> None:
    others = asyncio.get_running_loop().create_future()
    with pytest.raises(ExceptionGroup) as raised:
        await wait_for_first(fail_later(), asyncio.wait_for(others, None))
    assert [type(each) for each in raised.value.exceptions] == [PlantedError]
    assert others.cancelled()
    assert not heard_faults, "its owner has it"


def test_a_callback_of_a_loop_that_fails_is_heard(expected_faults: list[str]) -> None:
    async def work() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(fail)
        loop.call_later(0, fail)
        while len(expected_faults) < 2:
            await asyncio.sleep(0)

    asyncio.run(tasks.run_reporting_faults(work()))
    assert heard(expected_faults)


def test_a_broken_line_is_no_fault(heard_faults: list[str]) -> None:
    loop = asyncio.new_event_loop()
    tasks.report_callback_faults(loop)
    context = {"message": "lost", "exception": ConnectionResetError(), "transport": None}
    loop.call_exception_handler(context)
    loop.close()
    assert not heard_faults


def test_the_result_of_another_threads_loop_or_its_error() -> None:
    loop = asyncio.new_event_loop()
    thread = threads.start(loop.run_forever, "a loop")

    async def answer() -> int:
        return 7

    assert tasks.run_in_other_loop(answer(), loop, 60) == 7
    with pytest.raises(PlantedError):
        tasks.run_in_other_loop(fail_later(), loop, 60)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_a_callback_of_a_future_that_fails_is_heard(expected_faults: list[str]) -> None:
    future: Future[int] = Future()
    add_guarded_callback(future, fail, "a test")
    future.set_result(1)
    assert heard(expected_faults)


def test_errors_that_nobody_catches_are_heard(
    expected_faults: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    faults.install_exception_hooks()
    error = PlantedError()
    sys.excepthook(PlantedError, error, None)
    bare = threading.Thread(target=fail)
    bare.start()
    bare.join()
    assert len(expected_faults) == 2


def test_a_fault_of_another_process_is_told_by_its_stack(expected_faults: list[str]) -> None:
    faults.report_remote_fault("Traceback: PlantedError", "another process")
    assert heard(expected_faults)
