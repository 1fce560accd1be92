"""A designer at another computer, who hosts a game that is not here."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from tabletop.net.guest.reconnect_policy import Destination
from tabletop.protocol.invitation import Address
from tests.net.loopback import plan
from tests.net.playtest.prototypes import at_the_designers
from tests.ui.window_driver import click, settle
from ui.app import Window
from ui.online.network_thread import NetworkThread, QtConnection
from ui.online.remote_table import RemoteTable
from ui.received.take_game_dialog import GameDownloadDialog


class Designer(QObject):
    """Hosts a table of the game in a folder, and sits at its first seat."""

    def __init__(
        self, qtbot: QtBot, folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Their own computer's files are in `home`."""
        super().__init__()
        self.network = NetworkThread(home)
        self.place: Address | None = None
        self.remote = RemoteTable()
        with at_the_designers(folder, monkeypatch) as kit:
            self.kit = kit
            self.network.hosting_started.connect(self._come)
            self.network.start_hosting()
            qtbot.waitUntil(lambda: self.remote.info is not None)
            self.remote.guest.sit(0, "Ann", "moon")
            qtbot.waitUntil(lambda: 0 in self.remote.local_seats)

    def _come(self, place: Address) -> None:
        self.place = place
        self.remote.guest.open_table(plan(self.kit.id, 2), self.network.key)
        call = QtConnection(self.network, Destination(place))
        self.remote.connection = call
        call.event_received.connect(self.remote.handle_event)

    @property
    def code(self) -> str:
        return self.remote.info.code

    @property
    def port(self) -> int:
        return self.place.port

    def close(self) -> None:
        self.remote.close()
        self.network.close()


def come(qtbot: QtBot, window: Window, designer: Designer) -> GameDownloadDialog:
    """Join the designer's table from the shelf; gives what is asked."""
    window.online.show_join_screen()
    join = window.online.join_screen
    join.code.setText(designer.code)
    join.address.setText(f"127.0.0.1:{designer.port}")
    click(join.join_button)
    qtbot.waitUntil(lambda: window.findChild(GameDownloadDialog) is not None)
    dialog = window.findChild(GameDownloadDialog)
    assert dialog is not None
    keep(dialog, "take-game")
    return dialog


def keep(widget: object, name: str) -> None:
    """A picture, where they are wanted."""
    if (pictures := os.environ.get("TABLETOP_PICTURES")) and hasattr(widget, "grab"):
        settle()
        widget.grab().save(str(Path(pictures) / f"{name}.png"))
