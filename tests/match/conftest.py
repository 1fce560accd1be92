"""Listeners that fail."""

import pytest


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """The faults that are reported."""
    found: list[BaseException] = []
    monkeypatch.setattr(
        "tabletop.background.faults.report", lambda fault, work: found.append(fault)
    )
    return found
