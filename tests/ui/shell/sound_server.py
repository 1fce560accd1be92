"""A PulseAudio server of a test's own, whose only sink plays nothing."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

START_TIMEOUT_S = 60


class SoundServer:
    """A server that starts and ends as a test wants, always at the same socket."""

    def __init__(self, folder: Path) -> None:
        if not (shutil.which("pulseaudio") and shutil.which("pactl")):
            missing = "needs PulseAudio and pactl"
            (pytest.fail if os.environ.get("TABLETOP_PULSEAUDIO") else pytest.skip)(missing)
        self.place = f"unix:{folder / 'native'}"
        self._environment = os.environ | {
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_SERVER": self.place,
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Return when the server accepts clients."""
        accept = f"module-native-protocol-unix socket={self.place[5:]} auth-anonymous=1"
        command = ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1"]
        self._process = subprocess.Popen(
            [*command, "-L", accept, "-L", "module-null-sink"],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stuck = time.monotonic() + START_TIMEOUT_S
        while self._ask("info").returncode:
            assert self._process.poll() is None, "the sound server has ended"
            assert time.monotonic() < stuck, "the sound server doesn't start"

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def clients(self) -> int:
        """Return the number of clients, without the one that asks."""
        return len(self._ask("list", "short", "clients").stdout.splitlines()) - 1

    def streams(self) -> int:
        """Return the number of streams that are being played."""
        return len(self._ask("list", "short", "sink-inputs").stdout.splitlines())

    def _ask(self, *question: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["pactl", *question],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=START_TIMEOUT_S,
        )
