"""Errors that nobody foresaw, planted where work is done."""

from collections.abc import Callable
from typing import Any

import pytest


class PlantedError(Exception):
    """An error that no part of the program knows."""


def fail(*_: object, **__: object) -> Any:
    """Fail where a function is called."""
    raise PlantedError


async def fail_later(*_: object, **__: object) -> Any:
    """Fail where a coroutine is awaited."""
    raise PlantedError


class FailsOnce:
    """A method or function that fails at its first call, and then does what it always did."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self.calls = 0
        real: Callable[..., Any] = getattr(owner, name)

        def instead(*args: Any, **more: Any) -> Any:
            self.calls += 1
            if self.calls == 1:
                raise PlantedError
            return real(*args, **more)

        monkeypatch.setattr(owner, name, instead)


def heard(faults: list[str]) -> bool:
    """Whether a planted error was heard, with its stack."""
    return any("PlantedError" in each and "Traceback" in each for each in faults)
