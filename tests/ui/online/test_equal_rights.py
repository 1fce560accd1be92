"""A guest at a window has the rights of one at a phone."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.protocol.messages import SeatConfig
from tests.ui.online.session_driver import Friends, come, host, lobby, playing, remote, start
from tests.ui.window_driver import Open, button, click
from ui.app import Window

pytestmark = pytest.mark.usefixtures("nobody_near")


def seated(opened: Open, qtbot: QtBot) -> tuple[Window, Window]:
    """A window that hosts a table, and another one that has come and sat down there."""
    window = opened()
    host(qtbot, window)
    other = opened()
    row = come(qtbot, window, other)
    qtbot.waitUntil(row.buttons["sit"].isVisible)
    click(row.buttons["sit"])
    row.field.setText("Kaname")
    click(row.buttons["sit"])
    qtbot.waitUntil(row.buttons["ready"].isVisible)
    click(row.buttons["ready"])
    return window, other


def test_a_guest_wishes_another_match_and_is_ready_then(opened: Open, qtbot: QtBot) -> None:
    window, other = seated(opened, qtbot)
    start(qtbot, window)
    qtbot.waitUntil(lambda: other.table is not None)
    remote(window).guest.own_seats[0].concede()
    qtbot.waitUntil(lambda: bool(other.table.seated.is_over and other.table.ending.is_shown))
    qtbot.waitUntil(lambda: bool(window.table.seated.is_over))
    assert "Rematch" not in [each.text() for each in window.table.prompt.buttons]
    again = button(other.table.prompt, "Rematch")
    click(again)
    qtbot.waitUntil(lambda: [line.quick for line in remote(window).guest.chat] == ["again"])
    qtbot.waitUntil(lambda: "Rematch" not in [b.text() for b in other.table.prompt.buttons])
    window.run_command("rematch")
    qtbot.waitUntil(lambda: remote(window).info.phase == "gathering")
    qtbot.waitUntil(lambda: remote(window).info.sitters[1].state == "ready")


def test_a_guest_reads_the_code_of_the_own_seat(opened: Open, qtbot: QtBot) -> None:
    window, other = seated(opened, qtbot)
    code = remote(other).guest.codes[1]
    sentence = f"Your seat's code: {code}. Use it to move your seat to another device."
    assert sentence in [
        each.text() for each in lobby(other).findChildren(type(lobby(other).error_label))
    ]
    start(qtbot, window)
    qtbot.waitUntil(lambda: other.table is not None)
    other.menus.commands["seat_code"].trigger()
    assert other.banner.text == sentence


@pytest.mark.parametrize("among_people", [True, False])
def test_a_hint_is_given_against_bots_alone(
    among_people: bool, opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    if among_people:
        window, friend, screen = playing(opened, friends, qtbot)
        while not screen.switch.shown_seat.offers:
            qtbot.waitUntil(lambda: friend.play() or bool(screen.switch.shown_seat.offers))
    else:
        window = opened()
        host(qtbot, window)
        remote(window).request(remote(window).guest.configure_seat, 1, SeatConfig("bot", "easy"))
        screen = start(qtbot, window)
        qtbot.waitUntil(lambda: bool(screen.switch.shown_seat.offers))
    qtbot.waitUntil(lambda: bool(screen.status.asks))
    screen.refresh()
    assert window.menus.commands["hint"].isEnabled() != among_people


def test_who_is_away_for_a_moment_comes_back_by_the_prompt(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, friend, screen = playing(opened, friends, qtbot)
    window.menus.commands["away"].trigger()
    qtbot.waitUntil(lambda: friend.remote.info.sitters[0].state == "away")
    qtbot.waitUntil(lambda: not window.menus.commands["away"].isEnabled())
    notice = screen.other_players.notice_bar
    qtbot.waitUntil(lambda: "I am back" in [each.text() for each in notice.buttons])
    click(button(notice, "I am back"))
    qtbot.waitUntil(lambda: friend.remote.info.sitters[0].state == "here")
    qtbot.waitUntil(window.menus.commands["away"].isEnabled)
