"""The host of a table in the window: sends people away, mutes them, lets them in by hand."""

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.invitation import parse_link
from tests.ui.online.session_driver import Friends, host, lobby, remote, start
from tests.ui.window_driver import Open, answering, button, click
from ui.online.network_thread import Reachability
from ui.online.reach_help import host_paragraphs
from ui.widgets.help_page import HelpPage


def entry(menu: QMenu, text: str) -> QAction:
    """The entry of a menu that says this."""
    menu.aboutToShow.emit()
    matching = [action for action in menu.actions() if action.text() == text]
    assert matching, [action.text() for action in menu.actions()]
    return matching[0]


def test_the_seat_menu_mutes_and_removes_in_the_lobby(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window)
    friend = friends.come(window)
    row = lobby(window).rows[1]
    qtbot.waitUntil(lambda: "Kaname" in row.text)
    entry(row.more_button.menu(), "Mute").trigger()
    qtbot.waitUntil(lambda: friend.remote.info.muted == (1,))
    qtbot.waitUntil(lambda: "muted" in row.state)
    assert entry(row.more_button.menu(), "Mute").isChecked()
    entry(row.more_button.menu(), "Remove Kaname").trigger()
    qtbot.waitUntil(lambda: row.text == "Free")
    qtbot.waitUntil(lambda: friend.remote.guest.ticket == Ticket())


def test_a_seat_is_freed_and_somebody_else_plays_on_there(
    opened: Open, friends: Friends, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    host(qtbot, window)
    friend = friends.come(window)
    row = lobby(window).rows[1]
    qtbot.waitUntil(lambda: "Kaname" in row.text)
    entry(row.more_button.menu(), "Free the seat for another phone or computer").trigger()
    qtbot.waitUntil(lambda: row.text == "Free")
    qtbot.waitUntil(lambda: friend.remote.guest.seats == ())
    friend.remote.guest.sit(1, "Kaname")
    qtbot.waitUntil(lambda: friend.remote.guest.seats == (1,))
    friend.remote.guest.set_ready(1)
    start(qtbot, window)
    one = entry(window.menus.submenus["guests"], "Kaname").menu()
    assert isinstance(one, QMenu)
    answering(monkeypatch, "Free the seat")
    freeing = "Free the seat for another phone or computer…"
    entry(one, freeing).trigger()
    qtbot.waitUntil(lambda: remote(window).info.sitters[1].vacant)
    one = entry(window.menus.submenus["guests"], "Kaname").menu()
    assert freeing not in [action.text() for action in one.actions()]
    code = remote(window).info.code
    other = friends.remote(window, Ticket(code=code))
    qtbot.waitUntil(lambda: other.guest.connection_state == "inside")
    other.guest.take_over(1)
    qtbot.waitUntil(lambda: 1 in other.guest.own_seats)
    qtbot.waitUntil(lambda: not remote(window).info.sitters[1].vacant)


def test_a_ban_is_asked_about_first(
    opened: Open, friends: Friends, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    host(qtbot, window)
    friends.come(window)
    row = lobby(window).rows[1]
    qtbot.waitUntil(lambda: "Kaname" in row.text)
    answering(monkeypatch, "Cancel")
    entry(row.more_button.menu(), "Remove and block…").trigger()
    assert "Kaname" in row.text
    answering(monkeypatch, "Remove player")
    entry(row.more_button.menu(), "Remove and block…").trigger()
    qtbot.waitUntil(lambda: row.text == "Free")
    again = friends.remote(window, Ticket(code=lobby(window).invitation.code.text()))
    reasons: list[object] = []
    again.connection_ended.connect(reasons.append)
    qtbot.waitUntil(lambda: bool(reasons))


def test_removing_a_guest_lets_a_bot_play_on(
    opened: Open, friends: Friends, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    menu = window.menus.submenus["guests"]
    assert not menu.isEnabled()
    host(qtbot, window)
    friends.come(window)
    screen = start(qtbot, window)
    assert menu.isEnabled()
    one = entry(menu, "Kaname").menu()
    assert isinstance(one, QMenu)
    answering(monkeypatch, "Remove player")
    entry(one, "Remove…").trigger()
    qtbot.waitUntil(lambda: screen.scene.stage.marks.get(1) == "bot")


def test_a_new_code_is_shown_and_the_door_is_shut_and_answered(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window)
    card = lobby(window).invitation
    before, link = card.code.text(), card.link
    assert card.more_button.isVisible()
    entry(card.more_button.menu(), "Make a new code").trigger()
    qtbot.waitUntil(lambda: card.code.text() != before)
    qtbot.waitUntil(lambda: card.link != link)
    entry(card.more_button.menu(), "Approve everyone who joins with the code").trigger()
    qtbot.waitUntil(lambda: remote(window).info.plan.knock)
    assert entry(card.more_button.menu(), "Approve everyone who joins with the code").isChecked()
    friend = friends.remote(window, Ticket())
    friend.guest.knock_name = "Kaname"
    friend.guest.join(Ticket(code=card.code.text()))
    bar = lobby(window).notice_bar
    qtbot.waitUntil(lambda: "“Kaname” has the code" in bar.text)
    click(button(bar, "Let in"))
    qtbot.waitUntil(lambda: friend.guest.connection_state == "inside")
    qtbot.waitUntil(lambda: bar.text == "")


def test_who_knocks_reads_that_the_host_lets_in_by_hand(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = opened()
    link = parse_link(host(qtbot, window, knock=True).invitation.link)
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "other"))
    other = opened()
    other.online.join_by_link(f"tabletop://127.0.0.1:{link.port}/{link.table}?code={link.code}")
    join = other.online.join_screen
    qtbot.waitUntil(lambda: "Waiting for the host" in join.status)
    bar = lobby(window).notice_bar
    qtbot.waitUntil(lambda: bar.text != "")
    click(button(bar, "Decline"))
    qtbot.waitUntil(lambda: "did not let you in" in join.error_label.text())


def test_the_host_is_told_why_others_may_not_see_the_table(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    host(qtbot, window)
    entry(lobby(window).invitation.more_button.menu(), "Why can't they see me?").trigger()
    qtbot.waitUntil(lambda: bool(window.findChildren(HelpPage)))
    (page,) = window.findChildren(HelpPage)
    assert window.stack.page is page, "over the lobby, which goes on"
    assert f"port {remote(window).guest.invitation.port}" in page.text.text()
    click(button(page, "Done"))
    assert window.stack.currentWidget() is lobby(window)


def test_what_is_told_of_the_way_to_a_table(opened: Open) -> None:
    context = opened().context
    fine = host_paragraphs(context, Reachability(("192.168.1.20", "fe80::2"), 18920, True))
    assert "192.168.1.20, fe80::2" in fine[0]
    assert "only work" not in fine[0]
    assert "is announced" in fine[1]
    assert "18920" in fine[2]
    cable = host_paragraphs(context, Reachability(("169.254.7.8", "fe80::3"), 18920, False))
    assert "only work on the same cable" in cable[0]
    assert "no seat is free" in cable[1]
    lost = host_paragraphs(context, Reachability((), 18920, True, "Network is unreachable"))
    assert "isn't on a network" in lost[0]
    assert "Network is unreachable" in lost[1]
