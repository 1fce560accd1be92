"""Readers in the place of the real one, as hostile as a file can make them. Worker processes import
this module."""

from pathlib import Path

from tabletop.background.worker_process import WorkerTask
from tabletop.catalogue.receiving import _CheckArguments
from tabletop.exchange.game_file import GameFile
from tabletop.exchange.guarded_reading import ReadingRefusal

STARTED = "started"
"""The suffix of an empty file beside the one that is being read."""


def never_end(path: str) -> GameFile | ReadingRefusal:
    """Loop in C, so that the interpreter's lock is never released."""
    Path(path).with_suffix(f".{STARTED}").touch()
    sum(range(10**15))
    raise AssertionError


NEVER_END = WorkerTask(never_end)


def never_end_keeping(arrival: _CheckArguments) -> str:
    """Loop as `never_end` does, while a game is being kept."""
    sum(range(10**15))
    raise AssertionError


NEVER_END_KEEPING = WorkerTask(never_end_keeping)
