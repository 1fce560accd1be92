"""`tabletop serve` is restarted in mid-game, as systemd does that holds its socket: nobody is
refused, and no move that anybody has seen is lost."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabletop.net.guest.join_attempt import Ticket
from tabletop.server import inherited_socket as module
from tabletop.server.inherited_socket import NOT_LISTENING, inherited_socket
from tests.net.loopback import HANGS, Friend, begin, plan, play_on

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no systemd")


class Manager:
    """Holds the socket of a server, and starts it."""

    def __init__(self, home: Path) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=1000)
        self.port = int(self.listening.getsockname()[1])
        self._home = home
        self._process: subprocess.Popen[str] | None = None

    async def start(self) -> None:
        """Start the server, and wait until it says that it listens."""
        descriptor = str(self.listening.fileno())
        words = ("serve", "--data", str(self._home / "tables"))
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.activated", descriptor, *words],
            cwd=ROOT,
            env=os.environ | {"TABLETOP_HOME": str(self._home)},
            pass_fds=(self.listening.fileno(),),
            stderr=subprocess.PIPE,
            text=True,
        )
        said = process.stderr.readline
        async with asyncio.timeout(HANGS):
            while "listening" not in (line := await asyncio.to_thread(said)):
                assert line, "it ended"
        assert f"port={self.port}" in line

    async def stop(self, number: signal.Signals) -> int:
        """End the server; gives the number that it ended with."""
        self._process.send_signal(number)
        _, _ = await asyncio.to_thread(self._process.communicate)
        return self._process.returncode

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.communicate()
        self.listening.close()


async def callers(port: int, refused: list[OSError], called: Callable[[], None]) -> None:
    """Somebody calls all the time."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            called()
        except ConnectionRefusedError as error:
            refused.append(error)
        await asyncio.sleep(0.02)


async def test_a_server_is_restarted_in_mid_game(tmp_path: Path) -> None:
    manager = Manager(tmp_path)
    refused: list[OSError] = []
    calls = 0

    def called() -> None:
        nonlocal calls
        calls += 1

    friends = [Friend(manager.port)]
    calling = asyncio.create_task(callers(manager.port, refused, called))
    try:
        await manager.start()
        friends[0].guest.open_table(plan("chains", 2), "")
        await friends[0].sit(0)
        friends.append(Friend(manager.port, ticket=Ticket(code=friends[0].code)))
        await friends[1].sit(1)
        await begin(friends)
        play_on(friends)
        for end in (signal.SIGKILL, signal.SIGTERM):
            reached = friends[0].guest.own_seats[0].view.ply
            await friends[0].until(
                lambda reached=reached: friends[0].guest.own_seats[0].view.ply > reached + 4
            )
            ended = await manager.stop(end)
            assert ended == (0 if end is signal.SIGTERM else -signal.SIGKILL)
            before = calls
            while calls < before + 3:  # nobody is there, and nobody is refused
                await asyncio.sleep(0.01)
            told = max(friend.guest.own_seats[n].view.ply for n, friend in enumerate(friends))
            await manager.start()
            for seat, friend in enumerate(friends):
                await friend.until(lambda f=friend: f.guest.connection_state == "inside")
                await friend.until(
                    lambda f=friend, s=seat, told=told: f.guest.own_seats[s].view.ply >= told
                )
        for friend in friends:
            await friend.until(lambda friend=friend: friend.proofs)
            verdict = friend.guest.check_proof(friend.proofs[0])
            assert verdict.fair
        assert not refused
        assert await manager.stop(signal.SIGTERM) == 0
    finally:
        calling.cancel()
        for friend in friends:
            await friend.close()
        manager.close()


def test_a_socket_for_another_process_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_FDS", "1")
    monkeypatch.setenv("LISTEN_PID", str(os.getpid() + 1))
    assert inherited_socket() is None
    assert "LISTEN_FDS" not in os.environ  # nor does a child of this one take it for its own


def test_a_socket_that_does_not_listen_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", "2")
    with pytest.raises(OSError, match="2 sockets"):
        inherited_socket()
    with socket.socket() as deaf:
        monkeypatch.setattr(module, "FIRST_DESCRIPTOR", deaf.detach())
        monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
        monkeypatch.setenv("LISTEN_FDS", "1")
        with pytest.raises(OSError, match=NOT_LISTENING):
            inherited_socket()
