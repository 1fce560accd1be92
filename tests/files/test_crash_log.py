"""A process that crashes leaves its stack; one that ends well, or is killed, leaves nothing."""

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.bots.worker import READY, run_worker
from tabletop.catalogue import catalogue
from tabletop.files import crash_log, folders

PROCESS = """
import faulthandler, sys
from tabletop.files import crash_log
crash_log.enable("odd")
def in_the_game():
    print("ready", flush=True)
    if crash := sys.stdin.readline().strip():
        getattr(faulthandler, crash)()
in_the_game()
crash_log.disable()
"""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PYTHONFAULTHANDLER", raising=False)


def begun() -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, "-c", PROCESS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert child.stdout.readline().strip() == b"ready"
    return child


def ended(crash: str = "", killed: bool = False) -> None:
    """Begin a process and end it by a crash, by force, or well."""
    with begun() as child:
        if killed:
            child.kill()
            child.wait()
        child.communicate(f"{crash}\n".encode())


def files() -> list[Path]:
    return list(folders.crashes().iterdir())


@pytest.mark.parametrize("crash", ["_sigsegv", "_sigabrt"])
def test_a_crash_leaves_its_stack(crash: str) -> None:
    assert crash_log.read_last() == ""
    ended(crash)
    assert "in_the_game" in crash_log.read_last()
    ended()
    assert "in_the_game" in crash_log.read_last(), "a later process takes nothing away"


@pytest.mark.skipif(sys.platform == "win32", reason="a signal there only ends a process")
def test_a_bots_process_leaves_its_stack_too() -> None:
    near, far = multiprocessing.Pipe()
    bot = multiprocessing.get_context("spawn").Process(
        target=run_worker, args=(far, catalogue.load_bot_parts), daemon=True
    )
    bot.start()
    assert near.recv_bytes() == READY
    assert bot.pid is not None
    os.kill(bot.pid, signal.SIGSEGV)
    bot.join()
    assert "bot-" in files()[0].name
    assert "_answer" in crash_log.read_last()


def test_a_running_process_counts_for_no_stack() -> None:
    folders.crashes().mkdir(parents=True)
    (folders.crashes() / "old-1.crash").write_text("a stack")
    running = [begun() for _ in range(crash_log.MAX_LOGS + 1)]
    assert (folders.crashes() / "old-1.crash").exists()
    assert len(files()) == len(running) + 1
    for process in running:
        process.communicate()


def test_a_clean_exit_leaves_nothing() -> None:
    ended()
    assert files() == []


def test_only_a_killed_processs_files_are_deleted() -> None:
    with begun() as running:
        (mine,) = files()
        ended(killed=True)
        assert len(files()) == 2
        ended()
        assert files() == [mine], "its process still runs"
        running.communicate(b"_sigsegv\n")
    assert "in_the_game" in crash_log.read_last()


def test_only_the_last_stacks_are_kept() -> None:
    folders.crashes().mkdir(parents=True)
    for number in range(9):
        (folders.crashes() / f"old-{number}.crash").write_text("a stack")
    ended()
    assert len(files()) == crash_log.MAX_LOGS
