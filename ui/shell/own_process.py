"""Starts this program again in a process of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QProcess, QProcessEnvironment

import tabletop


def start(process: QProcess, words: Sequence[str], surroundings: Mapping[str, str]) -> None:
    """Start the program with the command line `words` and additional environment variables."""
    known = QProcessEnvironment.systemEnvironment()
    for name, value in surroundings.items():
        known.insert(name, value)
    if not getattr(sys, "frozen", False):
        words = ["-m", "tabletop", *words]
        # also when started from another folder
        home = str(Path(tabletop.__file__).resolve().parents[1])
        paths = filter(None, (home, known.value("PYTHONPATH")))
        known.insert("PYTHONPATH", os.pathsep.join(paths))
    process.setProcessEnvironment(known)
    process.start(sys.executable, list(words))
