"""At a shared table one reads for whom it waits, since when, and what the others have done."""

import pytest
from pytestqt.qtbot import QtBot

from tests.ui.online.session_driver import Friends, answer, playing
from tests.ui.window_driver import Open, settle
from ui.match.prompt import waiting_clock


def test_who_is_waited_for_and_since_when(
    opened: Open, friends: Friends, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(waiting_clock, "monotonic", lambda: now[0])
    _, friend, screen = playing(opened, friends, qtbot)
    story, clock = screen.dock.now.story, screen.speaker.clock
    seat = screen.switch.shown_seat

    def waits() -> bool:
        if seat.offers:
            answer(qtbot, screen, friend.luck)
        return not seat.offers and screen.prompt.text == "Kaname to play…"

    qtbot.waitUntil(waits)
    now[0] += 75
    clock.ticked.emit()
    assert screen.prompt.text == "Kaname to play… (1 min)"
    assert screen.prompt.buttons == (), "people are not hurried"
    heard = seat.view.ply
    qtbot.waitUntil(friend.play)
    qtbot.waitUntil(lambda: seat.view.ply > heard)
    settle()
    assert story.item(0).text().startswith("Kaname")
    assert "1 min" not in screen.prompt.text
