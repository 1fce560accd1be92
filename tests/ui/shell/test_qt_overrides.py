"""An error in a method that Qt calls is reported, and goes no further."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import isclass, isfunction
from pkgutil import walk_packages

import pytest
from shiboken6 import Object

import ui

FAILS = """
import sys
import ui
from PySide6.QtWidgets import QApplication, QWidget

class Sizeless(QWidget):
    def sizeHint(self):
        int("no number")

program = QApplication([])
sys.excepthook = lambda kind, error, trace: print("heard:", error)
Sizeless().adjustSize()
print("went on")
"""


def test_the_program_outlives_an_error_in_an_override() -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FAILS], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == [
        "heard: invalid literal for int() with base 10: 'no number'",
        "went on",
    ]


def overrides() -> Iterator[tuple[str, object]]:
    """Every method of the window's classes that has the name of one of Qt's."""
    for module in walk_packages(ui.__path__, "ui."):
        if module.name.endswith("__main__"):
            continue
        for named in vars(import_module(module.name)).values():
            if isclass(named) and issubclass(named, Object) and named.__module__ == module.name:
                bases = [base for base in named.__mro__ if base.__module__.startswith("PySide6")]
                for name, method in vars(named).items():
                    inherited = any(name in vars(base) for base in bases)
                    if isfunction(method) and inherited and not name.startswith("__"):
                        yield f"{module.name}.{named.__name__}.{name}", method


@pytest.mark.usefixtures("qapp")
def test_every_override_of_the_window_contains_its_errors() -> None:
    found = dict(overrides())
    assert "ui.accessibility.interfaces.PartInterface.isValid" in found
    assert [name for name, method in found.items() if not hasattr(method, "__wrapped__")] == []
