"""Listeners that fail."""

import pytest


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """The faults that reach `sys.excepthook`."""
    found: list[BaseException] = []
    monkeypatch.setattr("sys.excepthook", lambda kind, fault, trace: found.append(fault))
    return found
