"""Starts this program again in a process of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QProcess, QProcessEnvironment

import tabletop


def start(process: QProcess, arguments: Sequence[str], variables: Mapping[str, str]) -> None:
    """Start this program in `process`, with additional environment `variables`."""
    environment = QProcessEnvironment.systemEnvironment()
    for name, value in variables.items():
        environment.insert(name, value)
    if not getattr(sys, "frozen", False):
        arguments = ["-m", "tabletop", *arguments]
        # also when started from another folder
        home = str(Path(tabletop.__file__).resolve().parents[1])
        paths = filter(None, (home, environment.value("PYTHONPATH")))
        environment.insert("PYTHONPATH", os.pathsep.join(paths))
    process.setProcessEnvironment(environment)
    process.start(sys.executable, list(arguments))
