"""The people at a shared table, as a screen reader tells of them."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.ui.online.session_driver import Friends, host, playing
from tests.ui.window_driver import Open, key
from ui.widgets.announcer import ScreenReaderAnnouncer

pytestmark = pytest.mark.usefixtures("listening", "nobody_near")


def heard_of(announcer: ScreenReaderAnnouncer) -> list[str]:
    heard: list[str] = []
    announcer.spoken.connect(heard.append)
    return heard


def test_a_lobby_tells_who_sits_down_is_ready_and_leaves(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window = opened()
    heard = heard_of(host(qtbot, window).announcer)
    friend = friends.come(window)
    qtbot.waitUntil(lambda: "Kaname is ready." in heard)
    assert heard.index("Kaname sits down at seat 2.") < heard.index("Kaname is ready.")
    friend.remote.guest.leave_seat(1)
    qtbot.waitUntil(lambda: "Kaname leaves seat 2." in heard)
    qtbot.waitUntil(lambda: heard[-1].startswith("A seat is still free."))


def test_a_lost_guest_is_told_with_the_choices_and_the_time_left(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    _, friend, screen = playing(opened, friends, qtbot)
    bar = screen.other_players.notice_bar
    heard = heard_of(bar.announcer)
    friend.remote.close()
    qtbot.waitUntil(lambda: any("The table waits for Kaname" in each for each in heard))
    assert "Kaname is away." in heard
    notice = next(each for each in heard if "The table waits for Kaname" in each)
    assert " minutes " in notice or " seconds left" in notice
    assert notice.endswith("1: Wait on, 2: Let a bot play, 3: End the match")
    again = heard_of(screen.spoken.announcer)
    screen.run_command("say_again")
    assert "1: Wait on, 2: Let a bot play, 3: End the match" in again[-1]
    screen.view.setFocus()
    key(Qt.Key.Key_2)
    qtbot.waitUntil(lambda: "A bot plays for Kaname." in heard)
