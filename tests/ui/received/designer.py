"""A designer at another computer, at whose table lies a game that is not here."""

from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from tabletop.net.invitation import Address
from tests.net.loopback import plan
from tests.net.playtest.prototypes import at_the_designers
from ui.online.network_thread import NetworkThread
from ui.online.remote_table import RemoteTable


class Designer(QObject):
    """Hosts a table of the game in a folder, and sits at its first seat."""

    def __init__(
        self, qtbot: QtBot, folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Her own computer's files lie in `home`."""
        super().__init__()
        self.network = NetworkThread(home)
        self.place: Address | None = None
        self.remote = RemoteTable()
        with at_the_designers(folder, monkeypatch) as kit:
            self.kit = kit
            self.network.hosting.connect(self._come)
            self.network.host()
            qtbot.waitUntil(lambda: self.remote.info is not None)
            self.remote.guest.sit(0, "Ann", "moon")
            qtbot.waitUntil(lambda: 0 in self.remote.own)

    def _come(self, place: Address) -> None:
        self.place = place
        self.remote.guest.open(plan(self.kit.id, 2), self.network.key)
        call = self.network.call(place)
        self.remote.line = call
        call.heard.connect(self.remote.take)

    @property
    def code(self) -> str:
        assert self.remote.info is not None
        return self.remote.info.code

    @property
    def port(self) -> int:
        assert self.place is not None
        return self.place.port

    def close(self) -> None:
        self.remote.close()
        self.network.close()
