"""Concessions and absences at a shared table: nobody ends the match for others by one press."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.protocol.messages import SeatConfig
from tests.ui.online.session_driver import Friends, host, playing, remote, start
from tests.ui.window_driver import Open, answering, button, click, hold


def test_a_bot_plays_on_for_a_friend_who_concedes(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window = opened((1280, 800))
    host(qtbot, window, seats=3)
    ben, cem = friends.come(window), friends.come(window, 2, "Tsubasa")
    screen = start(qtbot, window)
    bar = screen.other_players.notice_bar
    qtbot.waitUntil(lambda: ben.remote.guest.own_seats.get(1) is not None)
    ben.remote.guest.own_seats[1].concede()
    qtbot.waitUntil(lambda: bar.text.startswith("Kaname has conceded, and a bot plays on."))
    assert not screen.seated.is_over
    qtbot.waitUntil(lambda: screen.scene.stage.marks.get(1) == "bot")
    click(button(bar, "End the match"))
    qtbot.waitUntil(lambda: remote(window).info.ending.waiting == (2,))
    assert bar.isHidden(), "it is the other's to say now"
    cem.remote.guest.answer_wish(2, True, "end")
    qtbot.waitUntil(lambda: screen.seated.is_over)
    assert screen.seated.view.result.winners == (0, 2)


def test_who_concedes_here_reads_what_it_does_and_may_come_back(
    opened: Open, friends: Friends, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answering(monkeypatch, "Concede")
    window = opened((1280, 800))
    host(qtbot, window, seats=3)
    friends.come(window)
    cem = friends.come(window, 2, "Tsubasa")
    screen = start(qtbot, window)
    qtbot.waitUntil(lambda: window.menus.commands["concede"].isEnabled())
    window.menus.commands["concede"].trigger()
    assert "A bot plays on for you" in asked[0]
    bar = screen.other_players.notice_bar
    qtbot.waitUntil(lambda: bar.text == "A bot plays for Hinata.")
    cem.remote.guest.answer_wish(2, False, "end")
    qtbot.waitUntil(lambda: remote(window).info.ending is None)
    click(button(bar, "Take the seat back"))
    qtbot.waitUntil(lambda: screen.seated.people == (0,))


def test_the_others_at_the_same_window_are_asked_as_well(
    opened: Open, friends: Friends, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answering(monkeypatch, "Concede")
    window = opened((1280, 800))
    host(qtbot, window, seats=4, here=2)
    others = friends.come(window, 2), friends.come(window, 3, "Tsubasa")
    screen = start(qtbot, window)

    def is_asked_here() -> bool:
        for friend in others:
            friend.play()
        return screen.curtain.is_drawn

    qtbot.waitUntil(is_asked_here)
    hold(qtbot, screen)
    seat = screen.switch.active_viewer
    qtbot.waitUntil(lambda: window.menus.commands["concede"].isEnabled())
    window.menus.commands["concede"].trigger()
    assert "A bot plays on for you" in asked[0]
    qtbot.waitUntil(lambda: remote(window).info.ending is not None)
    assert remote(window).info.ending.seat == seat
    assert remote(window).info.ending.waiting == (1 - seat, 2, 3)


@pytest.mark.parametrize("sure", ["Cancel", "End the match"])
def test_the_match_of_an_absent_player_ends_only_when_sure(
    sure: str, opened: Open, friends: Friends, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = answering(monkeypatch, sure)
    window, friend, screen = playing(opened, friends, qtbot)
    bar = screen.other_players.notice_bar
    friend.remote.guest.set_absent(1)
    qtbot.waitUntil(lambda: "The table waits for Kaname: " in bar.text)
    click(button(bar, "End the match"))
    assert asked == ["End the match for everyone? Nobody wins it."]
    if sure == "Cancel":
        friend.remote.guest.set_absent(1, False)
        qtbot.waitUntil(bar.isHidden)
    else:
        qtbot.waitUntil(lambda: remote(window).info.phase == "over")
    assert (remote(window).info.ended is not None) == (sure != "Cancel")


@pytest.mark.parametrize("ends", [False, True])
def test_people_at_the_hosts_computer_are_asked_as_in_a_hot_seat(
    ends: bool, opened: Open, qtbot: QtBot
) -> None:
    window = opened((1280, 800))
    host(qtbot, window, seats=4, here=3)
    remote(window).guest.configure_seat(3, SeatConfig("bot", "easy"))
    screen = start(qtbot, window)
    qtbot.waitUntil(lambda: screen.curtain.is_drawn)
    hold(qtbot, screen)
    looking = screen.switch.active_viewer
    qtbot.waitUntil(lambda: window.menus.commands["concede"].isEnabled())
    window.menus.commands["concede"].trigger()
    assert "concedes: a bot plays on, unless all agree" in screen.prompt.text
    others = [n for n in range(3) if n != looking]
    agree = f"{screen.words.seats(others)} agree to end"
    click(button(screen.prompt, agree if ends else "A bot plays on"))
    if ends:
        qtbot.waitUntil(lambda: screen.seated.is_over)
        assert looking not in screen.seated.view.result.winners
    else:
        bar = screen.other_players.notice_bar
        qtbot.waitUntil(lambda: bar.text.startswith("A bot plays for "))
        assert not screen.seated.is_over
        assert looking not in screen.seated.people
