"""Questions to other programs over a bus of a Linux desktop. No window waits for an answer: a
desktop may be slow, or hang."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher


class Endpoint(NamedTuple):
    """Who is asked: a program's name on the bus, its object, and the interface."""

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
    """Ask, and have the answer taken once it comes, while the owner lives; None where none comes in
    this many milliseconds, -1 for the usual number."""
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
