"""Times until the window of the bundle is on the screen, beside the same program run from its
source.

    xvfb-run python3 packaging/start_times.py BUNDLE

Both in turn, each start a process of its own with a warm home; wall time until the X server says
that a window is mapped. The source is run by the Python that runs this.
"""

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROUNDS = 15
MOST = 1.2


class Screen:
    """The X server, as far as needed to see that any window appears."""

    MAPPED = 19
    CHILDREN = 1 << 19

    def __init__(self) -> None:
        self._x = ctypes.CDLL("libX11.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.restype = ctypes.c_ulong
        opened = self._x.XOpenDisplay(None)
        if not opened:
            raise SystemExit("there is no X server: run this with xvfb-run")
        self._display = ctypes.c_void_p(opened)
        root = ctypes.c_ulong(self._x.XDefaultRootWindow(self._display))
        self._x.XSelectInput(self._display, root, ctypes.c_long(self.CHILDREN))
        self._x.XSync(self._display, 1)

    def wait_for_window(self) -> None:
        """Wait until one is mapped that was not when this was asked for last."""
        event = (ctypes.c_int * 64)()  # as large as the largest event; it begins with its type
        while True:
            self._x.XNextEvent(self._display, event)
            if event[0] == self.MAPPED:
                return

    def forget(self) -> None:
        """Ignore earlier events."""
        self._x.XSync(self._display, 1)


def mapped(screen: Screen, command: list[str], environment: dict[str, str]) -> float:
    """Milliseconds from starting the command to its window on the screen."""
    screen.forget()
    started = time.perf_counter()
    program = subprocess.Popen(command, env=environment)
    screen.wait_for_window()
    took = (time.perf_counter() - started) * 1000
    program.kill()
    program.wait()
    return took


def main(bundle: Path) -> int:
    commands = {
        "from source": [sys.executable, "-m", "tabletop"],
        "bundle": [str(bundle.resolve() / "tabletop")],
    }
    screen = Screen()
    taken: dict[str, list[float]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as home:
        environment = {key: value for key, value in os.environ.items() if key != "QT_QPA_PLATFORM"}
        environment["TABLETOP_HOME"] = home
        for number in range(ROUNDS + 1):
            for name, command in commands.items():
                took = mapped(screen, command, environment)
                if number:  # the first start warms the caches
                    taken[name].append(took)
    for name, figures in taken.items():
        low, high = min(figures), max(figures)
        print(f"{name}: {median(figures):.0f} ms ({low:.0f} to {high:.0f})")
    pairs = zip(taken["bundle"], taken["from source"], strict=True)
    ratio = median(ours / source for ours, source in pairs)
    print(f"the bundle takes {ratio:.2f} x the time of the source, at most {MOST}")
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
