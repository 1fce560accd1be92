"""The status of a table on its screen: made once for all its readers, and again after a change."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.engine.model import Reason
from tabletop.engine.scratch import FastRng
from tabletop.protocol.messages import Notice
from tests.ui.window_driver import Open, begin, hold, play, settle
from ui.match.screen import table_screen


class Made:
    """Counts how often a status is made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times, make = 0, table_screen.status_at

        def counted(*args: object, **parts: object) -> object:
            self.times += 1
            return make(*args, **parts)

        monkeypatch.setattr(table_screen, "status_at", counted)


def test_all_readers_of_a_refresh_read_one_status(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    screen = begin(opened())
    hold(qtbot, screen)
    made = Made(monkeypatch)
    screen.refresh()
    assert made.times == 1
    assert screen.status is screen.status
    assert made.times == 1


def test_what_a_person_does_makes_a_new_status(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    first = screen.status
    card = next(offer.cards[0] for each in first.offers.values() for offer in each if offer.cards)
    screen.scene.choice.pick_or_toggle(card)
    settle()
    assert screen.status.half_made.held == card
    screen.scene.choice.cancel()
    settle()
    assert screen.status.half_made == first.half_made
    before = screen.status
    screen.consent.ask("take back")
    assert screen.status.screen.asks_undo
    screen.clear_transient_messages()
    assert screen.status == before
    play(screen, FastRng(1))
    qtbot.waitUntil(lambda: screen.status.view is not before.view)


def test_news_makes_a_new_status_before_it_is_shown(opened: Open, qtbot: QtBot) -> None:
    """A command may come between."""
    screen = begin(opened())
    hold(qtbot, screen)
    before = screen.status
    assert screen.status is before
    screen.seated.client.receive(Notice(Reason("The table was renamed.")))
    assert screen.status is not before
    assert screen.status == before
