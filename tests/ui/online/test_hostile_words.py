"""What others have written stands in lobbies, chats and lists of tables letter by letter, and opens
no file: names, titles, chat, as markup."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.lan.discovery import DiscoveredTable
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import ListedTable
from tests.ui.hostile_words import SAID, times_said
from tests.ui.online.session_driver import Friends, host, lobby, remote, start
from tests.ui.window_driver import Open
from tests.watched_files import linux_only
from ui.online.chat import ChatPanel

pytestmark = [linux_only, pytest.mark.usefixtures("shut_file", "nobody_near")]


def test_a_lobby_and_its_table(opened: Open, friends: Friends, qtbot: QtBot) -> None:
    window = opened(players=(SAID,))
    host(qtbot, window)
    friend = friends.come(window, name=SAID)
    qtbot.waitUntil(lambda: any(each.name == SAID for each in remote(window).info.sitters))
    friend.remote.guest.send_chat(SAID, 1)
    qtbot.waitUntil(lambda: bool(remote(window).guest.chat))
    assert times_said(window) >= 2  # the seat and the chat
    assert any(SAID in panel.text for panel in lobby(window).findChildren(ChatPanel))
    screen = start(qtbot, window)
    assert times_said(window) >= 2
    friend.remote.guest.send_chat(SAID, 1)
    qtbot.waitUntil(lambda: len(remote(window).guest.chat) > 1)
    screen.dock.show_tab("chat")
    assert times_said(window) >= 2
    assert any(SAID in panel.text for panel in screen.findChildren(ChatPanel))


def test_tables_that_are_found(opened: Open) -> None:
    window = opened()
    window.run_command("join")
    listed = ListedTable("t", SAID, "sun", 2, 1)
    found = DiscoveredTable(listed, Address(("127.0.0.1",), 1, "00"), SAID, SAID, True)
    window.online.join_screen.show_found([found])
    assert times_said(window)
