"""The program's own log: the last lines for a bug report, and faults that nobody caught."""

import logging
import sys
import traceback
from collections import deque
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QtMsgType, qInstallMessageHandler

LINES = 400

log = logging.getLogger("tabletop")


class AppLog(logging.Handler):
    """Keeps the last lines in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=LINES)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.extend(self.format(record).splitlines())


def keep() -> AppLog:
    """Begin a log of everything the program logs, Qt's warnings included."""
    app_log = AppLog()
    log.setLevel(logging.INFO)
    log.addHandler(app_log)

    def qt(kind: QtMsgType, context: object, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg:
            log.info("Qt: %s", message)

    qInstallMessageHandler(qt)
    return app_log


def catch(tell: Callable[[], None]) -> None:
    """Log and report every uncaught error from now on, and let the program go on."""

    def fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        log.error("%s", "".join(traceback.format_exception(kind, error, trace)))
        try:
            tell()
        except Exception:  # there may be no window any more
            log.exception("The error above could not be shown.")

    sys.excepthook = fault
