"""Whether a screen reader hears announcements: on Linux, Orca does from version 45 on."""

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
"""Announcements, or all events of things, among the events that readers listen to."""
PATIENCE = 500
"""Milliseconds after which the bus does not answer any more."""
BUS = "a11y"
"""The name that Qt gives its own connection to the accessibility bus."""
REGISTRY = Endpoint(
    "org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry"
)


def tell_whether_heard(owner: QObject, tell: Callable[[bool], object]) -> None:
    """Tell, now or a little later, whether somebody listens to announcements; while the owner
    lives. Elsewhere than on Linux all readers do."""
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
    """Whether they are among the events that readers listen to. PySide6 can't open structures, but
    the answer as text holds all that is in them."""
    return bool(LISTENED.search(repr(answer)))
