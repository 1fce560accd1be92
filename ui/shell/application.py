"""Creation of the QApplication, with a readable error if no window can be shown."""

import logging
import os
import re
from collections.abc import Sequence

from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

log = logging.getLogger("tabletop")

NO_PLATFORM = re.compile(r'Could not find the Qt platform plugin "(.*?)"')
NO_DISPLAY = re.compile(r"could not connect to display ?(.*)|Failed to create wl_display")


def create_application(arguments: Sequence[str] = ()) -> QApplication:
    """Create the QApplication, or exit with an error message if Qt can't show windows.

    Qt itself would abort the process.
    """
    messages: list[str] = []

    def on_message(kind: QtMsgType, context: object, message: str) -> None:
        messages.append(message)
        if kind is QtMsgType.QtFatalMsg:  # Qt aborts as soon as this returns
            from tabletop.commands.usage import refuse

            os._exit(refuse(f"No window can be shown here: {_reason_of_failure(messages)}."))

    previous = qInstallMessageHandler(on_message)
    try:
        program = QApplication([*arguments])
    finally:
        qInstallMessageHandler(previous)
    for message in messages:
        log.info("Qt: %s", message)
    return program


def _reason_of_failure(messages: Sequence[str]) -> str:
    """Return the reason for the failure, taken from Qt's `messages`."""
    text = "\n".join(messages)
    if found := NO_PLATFORM.search(text):
        return f'QT_QPA_PLATFORM is "{found[1]}", which Qt doesn\'t have'
    if found := NO_DISPLAY.search(text):
        name = (found[1] or "").strip()
        return f'the display "{name}" doesn\'t answer' if name else "there is no display"
    return messages[0].strip().rstrip(".")
