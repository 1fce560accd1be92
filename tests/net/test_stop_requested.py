"""Ends of a host without a window: keys, the system's wish, and on Windows a closed console."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.net import event_loop
from tabletop.net.event_loop import handle_console_event, wait_for_stop
from tests.net.loopback import HANGS

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def handlers() -> object:
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield None
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_wait(
    number: signal.Signals, windows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise NotImplementedError

    async def waits() -> None:
        loop = asyncio.get_running_loop()
        if windows:  # its event loop has no such method
            monkeypatch.setattr(loop, "add_signal_handler", refuses, raising=False)
        waiting = asyncio.create_task(wait_for_stop())
        await asyncio.sleep(0)
        signal.raise_signal(number)
        await asyncio.wait_for(waiting, HANGS)

    asyncio.run(waits())


def test_a_closed_console_waits_until_the_program_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    monkeypatch.setattr(event_loop.time, "sleep", lambda _: done.append("waited"))
    assert not handle_console_event(0, lambda: done.append("Ctrl+C"))
    assert not handle_console_event(1, lambda: done.append("Ctrl+Break"))
    assert done == []
    for event in event_loop.CLOSE_EVENTS:
        assert handle_console_event(event, lambda: done.append("stopped"))
    assert done == ["stopped", "waited"] * 3
    event_loop._closing.clear()


@pytest.mark.skipif(sys.platform != "win32", reason="only Windows has Ctrl+Break")
def test_ctrl_break_stops_a_server_in_order(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tabletop", "serve", "--port", "0", "--data", str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
    )
    try:
        while "operator socket" not in (line := process.stderr.readline()):
            assert line
        process.send_signal(signal.CTRL_BREAK_EVENT)
        _, error = process.communicate(timeout=HANGS)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0
    assert "stopped" in error
