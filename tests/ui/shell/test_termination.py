"""Ctrl+C closes the window as its own button does: nothing on the outputs, and all is put away."""

import os
import signal
import subprocess
import sys

import pytest

from tests.net.loopback import HANGS

SCRIPT = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
program = QApplication([])
number = getattr(signal, sys.argv[1])
signal.signal(number, signal.SIG_DFL)  # whoever started the tests may be deaf to it
import ui.program
if sys.argv[2] == "early":  # before anything is in the window
    QTimer.singleShot(0, lambda: signal.raise_signal(number))
else:
    QTimer.singleShot(300, lambda: os.write(1, b"ready"))
sys.exit(ui.program.run())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no signal to send")
@pytest.mark.parametrize(
    ("name", "moment"),
    [("SIGINT", "early"), ("SIGINT", "waiting"), ("SIGTERM", "waiting"), ("SIGHUP", "early")],
)
def test_a_signal_closes_the_window_properly(tmp_path, name, moment):
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, name, moment],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TABLETOP_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
    )
    try:
        if moment == "waiting":
            assert child.stdout.read(5) == b"ready"
            child.send_signal(getattr(signal, name))
        out, err = child.communicate(timeout=HANGS)
    finally:
        child.kill()
    assert (child.returncode, out, err) == (0, b"", b"")
    assert list((tmp_path / "log").iterdir()) == []
    assert (tmp_path / "settings.json").is_file()  # written by the window as it closes


@pytest.mark.skipif(sys.platform == "win32", reason="there is no signal to send")
def test_a_crash_of_the_window_leaves_its_stack(tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "SIGINT", "waiting"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"TABLETOP_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
    )
    try:
        assert child.stdout.read(5) == b"ready"
        child.send_signal(signal.SIGSEGV)
        child.communicate(timeout=HANGS)
    finally:
        child.kill()
    (file,) = (tmp_path / "log").iterdir()
    assert "in run" in file.read_text()
