"""Checks of received games in the place of the real one, as hostile as a game can make them. Worker
processes import this module."""

import os

from tabletop.background.worker_process import WorkerTask
from tabletop.catalogue.receiving import _CheckArguments


def never_check(_: _CheckArguments) -> str:
    while True:
        pass


def crash_checking(_: _CheckArguments) -> str:
    os.abort()


NEVER_CHECK = WorkerTask(never_check)
CRASH_CHECKING = WorkerTask(crash_checking)
