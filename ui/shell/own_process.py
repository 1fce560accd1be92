"""This very program, started once more as a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QProcess, QProcessEnvironment

import tabletop


def start(process: QProcess, words: Sequence[str], surroundings: Mapping[str, str]) -> None:
    """Start the program with these words of its command line, in these surroundings beside those of
    this process."""
    known = QProcessEnvironment.systemEnvironment()
    for name, value in surroundings.items():
        known.insert(name, value)
    program, arguments = _command()
    if arguments:
        known.insert("PYTHONPATH", _paths(known.value("PYTHONPATH")))
    process.setProcessEnvironment(known)
    process.start(program, [*arguments, *words])


def _command() -> tuple[str, list[str]]:
    if getattr(sys, "frozen", False):
        return sys.executable, []
    return sys.executable, ["-m", "tabletop"]


def _paths(known: str) -> str:
    """The module path of the process, also if the window was started from elsewhere."""
    home = str(Path(tabletop.__file__).resolve().parents[1])
    separator = ";" if sys.platform == "win32" else ":"
    return separator.join(filter(None, (home, known)))
