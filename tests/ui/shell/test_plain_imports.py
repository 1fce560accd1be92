"""Modules are imported by Python alone, once Qt is loaded."""

import subprocess
import sys

PROGRAM = """
import builtins
import ui
import inspect
from PySide6.QtWidgets import QWidget

read = []
inspect.getsource = lambda of: read.append(of) or ""
import wave
print(builtins.__import__ is builtins.__orig_import__, read)
"""


def test_pyside_reads_no_source_of_imported_modules() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout.strip() == "True []"
