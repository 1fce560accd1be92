"""Bots of three levels at the table, and the hint: thought elsewhere, from one view alone."""

import html
import re
from concurrent.futures import Future

import pytest
from at_window import (
    Open,
    QuickMinds,
    begin,
    click,
    hold,
    home,
    opened,
    pass_on,
    play,
    settle,
    sheet,
    sun_box,
    table,
)
from patience import until
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tabletop.bots.minds import Minds
from tabletop.bots.thought import Thought
from tabletop.engine.scratch import Luck
from tabletop.games import catalogue
from ui.screens.here import level
from ui.screens.table import TableScreen

__all__ = ["home", "opened"]


class SlowMinds(QuickMinds):
    """Answers when it is told to."""

    def think(self, *args, **kwargs):
        self.thought = super().think(*args, **kwargs).result()
        self.future: Future[Thought] = Future()
        return self.future

    def go(self) -> None:
        self.future.set_result(self.thought)
        settle()


def told(screen: TableScreen) -> str:
    return html.unescape(re.sub("<[^>]*>", "", screen.prompt.reason))


def test_the_hint_is_a_lit_move_and_a_sentence(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    QTest.keyClick(screen.view, Qt.Key.Key_H)
    settle()
    link = screen.sitting.link
    assert link is not None
    minds = window.room.minds
    assert isinstance(minds, QuickMinds)
    game, asked_level, view, ask = minds.asked
    assert (game, asked_level) == ("sun", "hard")
    assert view == link.view
    assert view.viewer == ask.seat == 0
    assert told(screen).startswith("Hint: Place ")
    assert told(screen).endswith("It is legal.")
    play(screen, Luck(1))
    assert not screen.prompt.reason


def test_a_hint_that_comes_too_late_is_not_told(opened: Open) -> None:
    window = opened()
    window.room.minds = slow = SlowMinds(catalogue.bring)
    screen = begin(window)
    hold(screen)
    window.do("hint")
    assert told(screen) == "Thinking…"
    play(screen, Luck(1))
    assert slow.future.cancelled()
    settle()
    assert not screen.prompt.reason


def test_a_hint_remembers_what_the_seat_has_decided_on(opened: Open) -> None:
    """As a bot at its place would; and of each seat at this computer only what that seat saw."""
    window = opened()
    screen = begin(window)
    pass_on(screen, Luck(1), 8)
    if screen.hand_over.due:
        screen.hand_over.begin()
        hold(screen)
    window.do("hint")
    minds, link = window.room.minds, screen.sitting.link
    assert isinstance(minds, QuickMinds)
    assert link is not None
    assert minds.past.heard == tuple(link.log)
    assert len(minds.past.seen) >= 2
    assert all(seen.viewer == link.seat for seen in minds.past.seen)
    assert [seen.ply for seen in minds.past.seen] == sorted({s.ply for s in minds.past.seen})


def test_there_is_no_hint_behind_the_curtain_or_for_who_is_not_asked(opened: Open) -> None:
    window = opened()
    screen = begin(window)
    hold(screen)
    action = window.menus.commands["hint"]
    assert action.isEnabled()
    play(screen, Luck(1))
    assert screen.hand_over.due
    assert not action.isEnabled()
    screen.hand_over.begin()
    assert not action.isEnabled()
    window.do("hint")
    assert not screen.adviser.busy


@pytest.mark.parametrize("chosen", ["easy", "normal", "hard"])
def test_a_bot_plays_at_the_level_that_was_chosen(opened: Open, chosen: str) -> None:
    window = opened()
    click(sun_box(window))
    card = sheet(window).places.cards[1]
    assert card.level.isHidden()
    click(card.bot)
    assert not card.level.isHidden()
    assert card.player.level == "normal"
    card.level.setCurrentText(chosen.capitalize())
    click(sheet(window).start)
    screen = table(window)
    assert screen.sitting.players[1].level == chosen
    pass_on(screen, Luck(1), 1)
    until(lambda: screen.sitting.link and screen.sitting.link.offers, "the bot's move")
    minds = window.room.minds
    assert isinstance(minds, QuickMinds)
    _, asked_level, view, ask = minds.asked
    assert asked_level == chosen
    assert view.viewer == ask.seat == 1, "a bot is told its own view alone"


def test_a_bot_of_older_times_plays_the_easy_way(opened: Open) -> None:
    screen = begin(opened(), 1)
    old, *_ = [player for player in screen.sitting.players if player.kind == "bot"]
    assert level(old) == "normal"
    assert level(type(old)("Kuro", kind="bot", level="random")) == "easy"


def test_what_a_bot_thought_before_a_move_was_taken_back_is_not_played(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    window.room.minds = slow = SlowMinds(catalogue.bring)
    play(screen, Luck(1))
    before = slow.future
    assert not before.done()
    screen.undo()
    settle()
    assert before.cancelled()
    match = screen.sitting.match
    assert match is not None
    assert match.asks(0)
    assert not match.asks(1)


def test_a_bot_in_trouble_is_told_of_and_the_game_goes_on(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    window.room.minds = slow = SlowMinds(catalogue.bring)
    play(screen, Luck(1))
    slow.thought = Thought(slow.thought.move, "easy", trouble="Overrun: too late")
    slow.go()
    until(lambda: "could not think" in window.banner.text, "the banner")
    assert screen.sitting.match is not None
    assert len(screen.sitting.match.record) == 2


def test_real_minds_play_and_advise_in_processes_of_their_own(opened: Open) -> None:
    window = opened()
    window.room.minds = Minds(catalogue.bring)
    screen = begin(window, 1)
    play(screen, Luck(1))
    until(lambda: screen.sitting.link and screen.sitting.link.offers, "the bot's move")
    assert screen.sitting.match is not None
    assert len(screen.sitting.match.record) >= 2
    window.do("hint")
    until(lambda: told(screen).startswith("Hint: "), "the hint")
