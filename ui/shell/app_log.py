"""The program's log in memory, whose last lines are added to bug reports."""

import logging
from collections import deque

from PySide6.QtCore import QtMsgType, qInstallMessageHandler

MAX_LINES = 400

log = logging.getLogger("tabletop")


class AppLog(logging.Handler):
    """A log handler that keeps the last lines in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=MAX_LINES)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.extend(self.format(record).splitlines())


def install_app_log() -> AppLog:
    """Install and return a handler for all messages of the program and warnings of Qt."""
    app_log = AppLog()
    log.setLevel(logging.INFO)
    log.addHandler(app_log)

    def on_qt_message(kind: QtMsgType, context: object, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg:
            log.info("Qt: %s", message)

    qInstallMessageHandler(on_qt_message)
    return app_log
