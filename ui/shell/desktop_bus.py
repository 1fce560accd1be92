"""Asynchronous D-Bus calls on Linux desktops, so that no window waits for an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher


class Endpoint(NamedTuple):
    """A D-Bus object: the service's name, the object's path and the interface."""

    name: str
    path: str
    interface: str


def ask(
    owner: QObject,
    bus: QDBusConnection,
    asked: Endpoint,
    what: str,
    arguments: Sequence[object],
    take: Callable[[QDBusMessage | None], object],
    patience: int = -1,
) -> None:
    """Call the method `what` of the D-Bus object `asked` asynchronously.

    `take` is called in the GUI thread with the answer, or None if the call fails or times out; not
    after
    `owner` has been deleted. `patience`: the timeout in milliseconds, -1 for the default.
    """
    from PySide6.QtDBus import QDBusMessage, QDBusPendingCallWatcher

    question = QDBusMessage.createMethodCall(*asked, what)
    question.setArguments(list(arguments))
    watcher = QDBusPendingCallWatcher(bus.asyncCall(question, patience), owner)
    watcher.finished.connect(lambda *_: _end(watcher, take))


def _end(watcher: QDBusPendingCallWatcher, take: Callable[[QDBusMessage | None], object]) -> None:
    from PySide6.QtDBus import QDBusMessage

    answer = watcher.reply()
    watcher.deleteLater()
    take(answer if answer.type() is QDBusMessage.MessageType.ReplyMessage else None)
