"""The program as the benchmarks start it: a process of its own, with a home of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

SHELF = 5
"""Seconds after which the shelf is idle."""

BEGIN = """
import os, sys
sys.argv = ["tabletop"]
from tabletop.__main__ import main
import ui.program
from ui import app
"""
"""The first lines of a program that opens the window; `main()` runs it."""


def environment_at(home: str) -> dict[str, str]:
    """The environment of a program that keeps its files and its compiled modules in `home`."""
    environment = os.environ | {"TABLETOP_HOME": home, "PYTHONPYCACHEPREFIX": f"{home}/compiled"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    return environment


@contextmanager
def running(program: str, environment: dict[str, str]) -> Iterator[psutil.Process]:
    """Run a program until the end of the block."""
    process = subprocess.Popen([sys.executable, "-c", program], env=environment)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.kill()
        process.wait()


def memory(process: psutil.Process) -> float:
    """Proportional set size of a process and its children, in MiB."""
    family = [process, *process.children(recursive=True)]
    return sum(float(each.memory_full_info().pss) for each in family) / 2**20


def run_shelf(environment: dict[str, str]) -> float:
    """Open the program, wait until the shelf is idle; return its memory in MiB."""
    with running(f"{BEGIN}\nsys.exit(main())", environment) as process:
        time.sleep(SHELF)
        return memory(process)
