"""A hang-up (SIGHUP): a server's log is opened anew; one that a terminal started stops in order."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import sleep

import pytest

from tests.net.loopback import HANGS
from tests.server.server_command import ROOT, environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
COMMAND = [sys.executable, "-m", "tabletop", "serve", "--port", "0", "--data"]
Begin = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Begins a server whose errors go to a file or a descriptor; it hears hang-ups from then on."""
    begun: list[subprocess.Popen[bytes]] = []

    def begin(errors: object, ahead: tuple[str, ...] = (), caught: bool = True) -> object:
        server = subprocess.Popen(
            [*ahead, *COMMAND, str(tmp_path / "tables")],
            cwd=ROOT,
            env=environment(tmp_path),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
            preexec_fn=partial(signal.signal, signal.SIGHUP, signal.SIG_DFL),  # ours may be deaf
        )
        begun.append(server)
        of_signal = signal.SIGHUP if caught else signal.SIGTERM
        wait(lambda: catches(server, of_signal))
        return server

    yield begin
    for server in begun:
        server.kill()
        server.wait()


def wait(true: Callable[[], object]) -> None:
    while not true():
        sleep(0.01)


def catches(server: "subprocess.Popen[bytes]", number: signal.Signals) -> bool:
    """Whether a process has a handler for a signal, as the system knows."""
    assert server.poll() is None, "it ended"
    status = Path(f"/proc/{server.pid}/status").read_text("ascii")
    line = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(line.split()[1], 16) >> number - 1 & 1)


def test_a_rotated_log_goes_on_under_its_name(tmp_path: Path, begin: Begin) -> None:
    log, former = tmp_path / "server.log", tmp_path / "server.log.1"
    with log.open("ab") as file:
        server = begin(file)
    log.rename(former)
    server.send_signal(signal.SIGHUP)
    wait(lambda: log.exists() and "log reopened" in log.read_text("utf-8"))
    server.send_signal(signal.SIGTERM)
    assert server.wait(HANGS) == 0
    assert "stopped" in log.read_text("utf-8")
    assert "listening" in former.read_text("utf-8")


def test_a_closed_terminal_stops_a_server_in_order(begin: Begin) -> None:
    near, far = pty.openpty()
    server = begin(far)
    os.close(far)
    server.send_signal(signal.SIGHUP)
    assert server.wait(HANGS) == 0
    assert b"stopped" in os.read(near, 1 << 16)
    os.close(near)


def test_after_nohup_a_hang_up_means_nothing(tmp_path: Path, begin: Begin) -> None:
    with (tmp_path / "server.log").open("ab") as file:
        server = begin(file, ("nohup",), caught=False)
    server.send_signal(signal.SIGHUP)
    server.send_signal(signal.SIGTERM)
    assert server.wait(HANGS) == 0
    assert "log reopened" not in (tmp_path / "server.log").read_text("utf-8")
