"""The event loop of a host without a window."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`; on uvloop where it is installed (the extra `server`), which takes about a
    tenth less of the processor for a move."""
    try:
        from uvloop import run as run_quickly
    except ImportError:
        return asyncio.run(work)
    return run_quickly(work)
