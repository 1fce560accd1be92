"""Asynchronous D-Bus calls on Linux desktops, so that windows never wait for an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher


class Endpoint(NamedTuple):
    """A D-Bus object, given by its service's name, its path and its interface."""

    name: str
    path: str
    interface: str


def call_async(
    owner: QObject,
    bus: QDBusConnection,
    endpoint: Endpoint,
    method: str,
    arguments: Sequence[object],
    on_answer: Callable[[QDBusMessage | None], object],
    timeout_ms: int = -1,
) -> None:
    """Call `method` of the D-Bus object `endpoint` asynchronously.

    `on_answer` is called in the GUI thread with the answer, or with None if the call fails or times
    out. It isn't called after `owner` has been deleted. `timeout_ms`: the timeout in milliseconds;
    -1 for the default.
    """
    from PySide6.QtDBus import QDBusMessage, QDBusPendingCallWatcher

    question = QDBusMessage.createMethodCall(*endpoint, method)
    question.setArguments(list(arguments))
    watcher = QDBusPendingCallWatcher(bus.asyncCall(question, timeout_ms), owner)
    watcher.finished.connect(lambda *_: _finish(watcher, on_answer))


def _finish(
    watcher: QDBusPendingCallWatcher, on_answer: Callable[[QDBusMessage | None], object]
) -> None:
    from PySide6.QtDBus import QDBusMessage

    answer = watcher.reply()
    watcher.deleteLater()
    on_answer(answer if answer.type() is QDBusMessage.MessageType.ReplyMessage else None)
