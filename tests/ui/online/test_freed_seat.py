"""A seat of a match that goes on, taken by a second window: freed by the host, or by its code."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.engine.scratch import FastRng
from tabletop.protocol.seat_codes import FreeSeat
from tests.ui.online.session_driver import (
    Friends,
    answer,
    come,
    host,
    lobby,
    playing,
    remote,
    start,
)
from tests.ui.window_driver import Open, click
from ui.app import Window

pytestmark = pytest.mark.usefixtures("nobody_near")


def play_on(qtbot: QtBot, window: Window, other: Window) -> None:
    """Both windows play, until the other one has answered."""
    qtbot.waitUntil(lambda: other.table is not None)
    screen, taken = window.table, other.table
    assert taken.seated.people == (1,)
    tables = (taken, screen)
    for number in range(40):
        qtbot.waitUntil(
            lambda: any(t.switch.shown_seat and t.switch.shown_seat.offers for t in tables)
        )
        mover = next(t for t in tables if t.switch.shown_seat.offers)
        answer(qtbot, mover, FastRng(number))
        if mover is taken:
            return
    raise AssertionError("the taken seat is never asked")


def test_a_freed_seat_is_taken_and_played_on_at(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window, _, _ = playing(opened, friends, qtbot)
    other = opened()
    row = come(qtbot, window, other)
    assert row.text == "Kaname"
    qtbot.waitUntil(lambda: row.buttons["sit"].text() == "Enter its code…")
    remote(window).guest.say(FreeSeat(1))
    qtbot.waitUntil(lambda: row.text == "Kaname's seat, free")
    assert row.buttons["sit"].text() == "Sit down"
    assert lobby(other).rows[0].buttons["sit"].text() == "Enter its code…"
    click(row.buttons["sit"])
    play_on(qtbot, window, other)
    assert not remote(window).info.sitters[1].vacant


def test_a_seat_is_taken_over_by_its_code(opened: Open, friends: Friends, qtbot: QtBot) -> None:
    window, friend, _ = playing(opened, friends, qtbot)
    other = opened()
    row = come(qtbot, window, other)
    qtbot.waitUntil(row.buttons["sit"].isVisible)
    click(row.buttons["sit"])
    row.field.setText("WRONG1")
    click(row.buttons["sit"])
    qtbot.waitUntil(lambda: "not the code" in lobby(other).error_label.text())
    assert other.table is None
    row.field.setText(friend.remote.guest.codes[1])
    click(row.buttons["sit"])
    play_on(qtbot, window, other)
    qtbot.waitUntil(lambda: friend.remote.is_displaced)


def test_a_seat_is_taken_over_by_its_code_before_a_match(
    opened: Open, friends: Friends, qtbot: QtBot
) -> None:
    window = opened()
    host(qtbot, window)
    friend = friends.come(window)
    other = opened()
    row = come(qtbot, window, other)
    qtbot.waitUntil(lambda: row.text == "Kaname")
    qtbot.waitUntil(row.buttons["sit"].isVisible)
    hidden = [each.buttons["sit"].isHidden() for each in lobby(window).rows]
    assert all(hidden), "who sits here has a seat"
    click(row.buttons["sit"])
    row.field.setText(friend.remote.guest.codes[1])
    click(row.buttons["sit"])
    qtbot.waitUntil(lambda: remote(other).local_seats == (1,))
    qtbot.waitUntil(lambda: friend.remote.is_displaced)
    qtbot.waitUntil(lambda: remote(other).info.sitters[1].state == "ready")
    start(qtbot, window)
    play_on(qtbot, window, other)
