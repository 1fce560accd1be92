"""Whether a screen reader hears announcements: on Linux, Orca does from version 45 on."""

import re
import sys

LISTENED = re.compile(r'"Object:(Announcement)?:"')
"""Announcements, or all events of things, among the events that readers listen to."""
PATIENCE = 500
"""Milliseconds after which the bus does not answer any more."""


def hears_announcements() -> bool:
    """Whether somebody listens to announcements; elsewhere than on Linux all readers do."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(LISTENED.search(_registered_events()))


def _registered_events() -> str:
    """The events that readers listen to, as the accessibility bus has them; "" without one."""
    from PySide6.QtDBus import QDBus, QDBusConnection, QDBusMessage

    def ask(bus: QDBusConnection, name: str, path: str, what: str) -> QDBusMessage:
        question = QDBusMessage.createMethodCall(name, path, name, what)
        return bus.call(question, QDBus.CallMode.Block, PATIENCE)

    session = QDBusConnection.sessionBus()
    answer = ask(session, "org.a11y.Bus", "/org/a11y/bus", "GetAddress")
    if answer.type() is not QDBusMessage.MessageType.ReplyMessage:
        return ""
    bus = QDBusConnection.connectToBus(answer.arguments()[0], "accessibility")
    registry, path = "org.a11y.atspi.Registry", "/org/a11y/atspi/registry"
    # PySide6 opens no structures; the answer in words has all that is in them
    return repr(ask(bus, registry, path, "GetRegisteredEvents"))
