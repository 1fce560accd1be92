"""Detection of screen readers that support announcements; Orca does from version 45."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ui.shell.desktop_bus import Endpoint, ask

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusMessage

LISTENED = re.compile(r'"Object:(Announcement)?:"')
"""Matches announcements, or all object events, in the list of events that readers listen to."""
PATIENCE = 500
"""How long the accessibility bus may take to answer."""
BUS = "a11y"
"""The name of Qt's own connection to the accessibility bus."""
REGISTRY = Endpoint(
    "org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry"
)


def tell_whether_heard(owner: QObject, tell: Callable[[bool], object]) -> None:
    """Call `tell` with whether a screen reader listens to announcements, now or later.

    Not called after `owner` has been deleted. Outside Linux all screen readers listen.
    """
    if not sys.platform.startswith("linux"):
        tell(True)
        return
    from PySide6.QtDBus import QDBusConnection

    bus = QDBusConnection(BUS)
    if not bus.isConnected():
        tell(False)
        return
    ask(
        owner,
        bus,
        REGISTRY,
        "GetRegisteredEvents",
        (),
        lambda answer: tell(_announcements_are_in(answer)),
        PATIENCE,
    )


def _announcements_are_in(answer: QDBusMessage | None) -> bool:
    """Return whether the answer lists announcements.

    PySide6 can't decode structures, so their text form is searched.
    """
    return bool(LISTENED.search(repr(answer)))
