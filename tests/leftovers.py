"""What belongs to the whole process: restored after each test, so that tests pass in any order."""

import locale
import logging
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class LoggerState:
    """All that a program or a test can change about a logger."""

    logger: logging.Logger
    level: int
    disabled: bool
    propagate: bool
    handlers: tuple[logging.Handler, ...]
    filters: tuple[object, ...]

    def restore(self) -> None:
        if self.logger.level != self.level:
            self.logger.setLevel(self.level)  # it forgets what it has cached, too
        self.logger.disabled, self.logger.propagate = self.disabled, self.propagate
        for kept, present in (
            (self.handlers, self.logger.handlers),
            (self.filters, self.logger.filters),
        ):
            if tuple(present) != kept:
                present[:] = kept


def logger_states() -> list[LoggerState]:
    known = logging.root.manager.loggerDict.values()
    loggers = [logging.root, *(each for each in known if isinstance(each, logging.Logger))]
    return [
        LoggerState(
            each,
            each.level,
            each.disabled,
            each.propagate,
            tuple(each.handlers),
            tuple(each.filters),
        )
        for each in loggers
    ]


@contextmanager
def restored_process() -> Iterator[None]:
    """Restore, at the end, what the body has changed: logging, the environment, the working
    directory, the locale, the umask and the state of `random`."""
    loggers, disabled = logger_states(), logging.root.manager.disable
    environment, folder = dict(os.environ), os.getcwd()
    language, chance = locale.setlocale(locale.LC_ALL), random.getstate()
    umask = os.umask(0o077)
    os.umask(umask)
    try:
        yield
    finally:
        for state in loggers:
            state.restore()
        logging.disable(disabled)
        for name in os.environ.keys() - environment.keys():
            del os.environ[name]
        for name, value in environment.items():
            if os.environ.get(name) != value:
                os.environ[name] = value
        os.chdir(folder)
        if locale.setlocale(locale.LC_ALL) != language:
            locale.setlocale(locale.LC_ALL, language)
        os.umask(umask)
        random.setstate(chance)
