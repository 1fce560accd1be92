"""Detection of screen readers that support announcements, as Orca does since version 45."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ui.shell.desktop_bus import Endpoint, call_async

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusMessage

ANNOUNCEMENT_EVENTS = re.compile(r'"Object:(Announcement)?:"')
"""Matches announcements, or all object events, in a list of the events that readers listen to."""
BUS_TIMEOUT_MS = 500
"""The time in milliseconds within which the accessibility bus must answer."""
BUS_NAME = "a11y"
"""The name that Qt gives its own connection to the accessibility bus."""
REGISTRY = Endpoint(
    "org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry"
)


def detect_announcement_listeners(owner: QObject, on_answer: Callable[[bool], object]) -> None:
    """Call `on_answer` with whether any screen reader listens to announcements.

    The call may be made at once or later, but not after `owner` has been deleted. Outside Linux,
    all screen readers listen.
    """
    if not sys.platform.startswith("linux"):
        on_answer(True)
        return
    from PySide6.QtDBus import QDBusConnection

    bus = QDBusConnection(BUS_NAME)
    if not bus.isConnected():
        on_answer(False)
        return
    call_async(
        owner,
        bus,
        REGISTRY,
        "GetRegisteredEvents",
        (),
        lambda answer: on_answer(_lists_announcements(answer)),
        BUS_TIMEOUT_MS,
    )


def _lists_announcements(answer: QDBusMessage | None) -> bool:
    """Return whether the list of events in `answer` contains announcements.

    PySide6 can't decode structures, so their text form is searched.
    """
    return bool(ANNOUNCEMENT_EVENTS.search(repr(answer)))
