"""Bots of three levels at the table, and the hint: thought elsewhere, from one view alone."""

from concurrent.futures import Future

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tabletop.bots.bot_pool import BotPool
from tabletop.bots.decision import Decision, Estimate, parse_level
from tabletop.bots.hint import Hint
from tabletop.catalogue import catalogue
from tabletop.engine.model import Remark
from tabletop.engine.scratch import FastRng
from tabletop.language.answer_buttons import MAX_BUTTONS, buttons
from tabletop.language.prompt import prompts
from tabletop.match.match import Match
from tests.ui.random_matches import match_until, some_answer
from tests.ui.window_driver import (
    Open,
    QuickMinds,
    begin,
    click,
    hold,
    pass_on,
    play,
    settle,
    sheet,
    sun_box,
    table,
)
from ui.match.screen.table_screen import TableScreen
from ui.table.input.targets import target_rect


class SlowMinds(QuickMinds):
    """Answers on request."""

    def think(self, *args, **kwargs):
        self.decision = super().think(*args, **kwargs).result()
        self.future: Future[Decision] = Future()
        return self.future

    def go(self) -> None:
        self.future.set_result(self.decision)
        settle()


def told(screen: TableScreen) -> str:
    page = screen.tutor.page
    return page.text if page.isVisible() and screen.tutor.hint is not None else ""


def test_the_hint_is_a_lit_move_and_a_sentence(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    QTest.keyClick(screen.view, Qt.Key.Key_H)
    settle()
    seat = screen.switch.shown_seat
    bot_pool = window.context.bot_pool
    game, asked_level, view, ask = bot_pool.asked
    assert (game, asked_level) == ("sun", "hard")
    assert view == seat.view
    assert view.viewer == ask.seat == 0
    assert told(screen).startswith("Place ")
    assert told(screen).endswith("It is legal.")
    play(screen, FastRng(1))
    assert told(screen) == ""


def test_a_hint_that_comes_too_late_is_not_told(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    window.context.bot_pool = slow = SlowMinds(catalogue.load_bot_parts)
    screen = begin(window)
    hold(qtbot, screen)
    window.run_command("hint")
    assert told(screen) == "Thinking…"
    play(screen, FastRng(1))
    assert slow.future.cancelled()
    settle()
    assert told(screen) == ""


def has_a_button(match: Match) -> bool:
    """Whether a button would answer what the person is asked."""
    questions = match.offers(0).items()
    return any(
        len(offers) > 1 and buttons(offers, ask, MAX_BUTTONS).moves for ask, offers in questions
    )


def test_a_hint_that_is_no_card_lights_its_button(opened: Open) -> None:
    window = opened()
    window.context.bot_pool = slow = SlowMinds(catalogue.load_bot_parts)
    match = match_until("royale", has_a_button, 3)
    window.matches.show_match(match)
    settle()
    screen = table(window)
    window.run_command("hint")
    asked = [each for prompt in prompts(screen.status) for each in prompt.choices]
    move, text = next((each.move, each.text) for each in asked if each.move is not None)
    slow.decision = Decision(move, "hard", (Estimate(move, 0.6),))
    slow.go()
    lit = [each for each in screen.prompt.buttons if each.property("kind") == "advised"]
    assert [each.text() for each in lit] == [text]
    screen.clear_transient_messages()
    assert all(each.property("kind") != "advised" for each in screen.prompt.buttons)


def test_a_hint_remembers_what_the_seat_has_decided_on(opened: Open, qtbot: QtBot) -> None:
    """As a bot at its place would; and of each seat at this computer only what that seat saw."""
    window = opened()
    screen = begin(window)
    pass_on(qtbot, screen, FastRng(1), 8)
    if screen.switch.decision.handover_due:
        screen.switch.hand_over()
        hold(qtbot, screen)
    window.run_command("hint")
    bot_pool, seat = window.context.bot_pool, screen.switch.shown_seat
    assert bot_pool.past.heard == tuple(seat.log)
    assert len(bot_pool.past.seen) >= 2
    assert all(seen.viewer == seat.number for seen in bot_pool.past.seen)
    assert [seen.ply for seen in bot_pool.past.seen] == sorted({s.ply for s in bot_pool.past.seen})


def test_a_hint_in_a_resumed_match_remembers_earlier_decisions(opened: Open) -> None:
    window = opened()
    match = match_until("sun", lambda match: len(match.plies) > 8)
    luck = FastRng(1)
    while 0 not in {ask.seat for ask in match.state.asks}:
        match.submit(*some_answer(match, luck))
    window.matches.show_match(match)
    settle()
    window.run_command("hint")
    bot_pool, seat = window.context.bot_pool, table(window).switch.shown_seat
    decided = [ply for ply in match.plies if ply.seat == seat.number]
    assert bot_pool.past.heard == tuple(seat.log)
    assert len(bot_pool.past.seen) == len(decided) > 1
    assert all(seen.viewer == seat.number for seen in bot_pool.past.seen)


def test_no_hint_behind_the_curtain_or_out_of_turn(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    action = window.menus.commands["hint"]
    assert action.isEnabled()
    play(screen, FastRng(1))
    assert screen.switch.decision.handover_due
    assert not action.isEnabled()
    screen.switch.hand_over()
    assert not action.isEnabled()
    window.run_command("hint")
    assert not screen.adviser.is_searching


@pytest.mark.parametrize("chosen", ["easy", "normal", "hard"])
def test_a_bot_plays_at_the_level_that_was_chosen(opened: Open, chosen: str, qtbot: QtBot) -> None:
    window = opened()
    click(sun_box(window))
    card = sheet(window).seats.rows[1]
    click(card.kind.person)
    assert card.kind.level.isHidden()
    click(card.kind.bot)
    assert not card.kind.level.isHidden()
    assert card.kind.kind == "normal"
    card.kind.level.setCurrentText(chosen.capitalize())
    click(sheet(window).start_button)
    screen = table(window)
    assert screen.seated.players[1].level == chosen
    pass_on(qtbot, screen, FastRng(1), 1)
    qtbot.waitUntil(lambda: bool(screen.switch.shown_seat and screen.switch.shown_seat.offers))
    bot_pool = window.context.bot_pool
    _, asked_level, view, ask = bot_pool.asked
    assert asked_level == chosen
    assert view.viewer == ask.seat == 1, "a bot is told its own view alone"


def test_a_bot_of_older_times_plays_the_easy_way(opened: Open) -> None:
    screen = begin(opened(), 1)
    old, *_ = [player for player in screen.seated.players if player.kind == "bot"]
    assert parse_level(old.level) == "normal"
    assert parse_level("random") == "easy"


def test_a_bots_decision_from_before_an_undo_is_dropped(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    window.context.bot_pool = slow = SlowMinds(catalogue.load_bot_parts)
    play(screen, FastRng(1))
    before = slow.future
    assert not before.done()
    screen.undo()
    settle()
    assert before.cancelled()
    match = screen.seated.match
    assert match.asks(0)
    assert not match.asks(1)


def test_a_bot_in_trouble_is_told_of_and_the_game_goes_on(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    window.context.bot_pool = slow = SlowMinds(catalogue.load_bot_parts)
    play(screen, FastRng(1))
    slow.decision = Decision(slow.decision.move, "easy", trouble="WorkerTimeout: too late")
    slow.go()
    qtbot.waitUntil(lambda: "had a problem" in window.banner.text)
    assert len(screen.seated.match.record) == 2


def test_real_minds_play_and_advise_in_processes_of_their_own(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    window.context.bot_pool = BotPool(catalogue.load_bot_parts)
    screen = begin(window, 1)
    play(screen, FastRng(1))
    qtbot.waitUntil(lambda: bool(screen.switch.shown_seat and screen.switch.shown_seat.offers))
    assert len(screen.seated.match.record) >= 2
    window.run_command("hint")
    qtbot.waitUntil(lambda: told(screen) not in ("", "Thinking…"))


def walking(match: Match) -> bool:
    return any(offer.verb == "walk" for each in match.offers(0).values() for offer in each)


@pytest.mark.parametrize("number", range(3))
def test_after_a_hint_any_area_can_be_walked_to(opened: Open, number: int, qtbot: QtBot) -> None:
    """All stay lit as before; a hand shows the one that is advised."""
    match = match_until("royale", walking)
    window = opened(animation="off", bot_pause=60_000)
    window.matches.show_match(match)
    settle()
    screen = table(window)
    scene = screen.scene
    walks = [move for move in scene.choice.legal_moves() if move.verb == "walk"]
    areas = dict.fromkeys(move.target for move in walks)
    before = scene.selection_view.target_lights.lit_zones
    screen.adviser.show_hint(screen.status.asks[0], Hint(walks[0]))
    assert scene.selection_view.target_lights.lit_zones == before
    assert set(areas) <= set(before)
    assert scene.selection_view.ghost_hand is not None
    assert scene.selection_view.ghost_hand.move == walks[0]
    area = [zone for zone in areas if zone != walks[0].target][number]
    click(screen.view.viewport(), screen.view.mapFromScene(target_rect(scene.stage, area).center()))
    assert not screen.prompt.reason.startswith("You can only")
    assert (match.record[-1].move.verb, match.record[-1].move.target) == ("walk", area)


class Compared(QuickMinds):
    """A search whose means err, as of seldom tried moves, and a comparison by equal tries."""

    def __init__(self, searched: Decision, compared: Decision) -> None:
        super().__init__(catalogue.load_bot_parts)
        self.searched, self.compared = searched, compared

    def think(self, *args, **kwargs):
        super().think(*args, **kwargs)
        return done(self.searched)

    def submit(self, question):
        self.question = question
        return done(self.compared)


def done(decision: Decision) -> Future[Decision]:
    future: Future[Decision] = Future()
    future.set_result(decision)
    return future


@pytest.mark.parametrize(
    ("worths", "error", "told"),
    [
        ((0.61, 0.55), 0.02, "Second best: {second}. Chance of winning: 6% less."),
        ((0.61, 0.55), 0.07, "Second best: {second}. About as good."),
        ((0.6, 0.598), 0.0, "Second best: {second}. About as good."),
        ((0.55, 0.57), 0.05, "Second best: {second}. About as good."),
        ((0.55, 0.61), 0.02, "Second best: {best}. Chance of winning: 6% less."),
    ],
)
def test_a_hint_tells_what_equal_tries_say_of_the_second_best(
    opened: Open, worths: tuple[float, float], error: float, told: str
) -> None:
    match = match_until("royale", walking)
    window = opened(animation="off", bot_pause=60_000)
    window.matches.show_match(match)
    settle()
    screen = table(window)
    best, second, *_ = (m for m in screen.scene.choice.legal_moves() if m.verb == "walk")
    near = Remark("It is near.")
    searched = (Estimate(best, 0.7, 900), Estimate(best, 0.6, 30), Estimate(second, 0.2, 3))
    equal = [Estimate(best, worths[0], 90), Estimate(second, worths[1], 90, error)]
    equal.sort(key=lambda estimate: -estimate.worth)
    minds = Compared(
        Decision(best, "hard", searched, near), Decision(equal[0].move, "hard", tuple(equal), near)
    )
    window.context.bot_pool = minds
    window.run_command("hint")
    settle()
    assert minds.question.compared == (best, second)
    assert minds.question.view.viewer == minds.question.ask.seat == 0
    hint = screen.tutor.hint
    assert hint is not None
    assert hint.text.endswith("It is near.")
    moves = {n: screen.words.move(m, 0, screen.scene.seat.view)
             for n, m in (("best", best), ("second", second))}  # fmt: skip
    assert hint.second_best == told.format_map(moves)
    assert moves["second" if "{best}" in told else "best"] in hint.text
    labels = [each.text() for each in screen.tutor.page.findChildren(QLabel) if each.isVisible()]
    assert hint.second_best in labels


def test_the_hand_goes_with_the_hint_and_takes_no_press(opened: Open) -> None:
    match = match_until("royale", walking)
    window = opened(animation="off", bot_pause=60_000)
    window.matches.show_match(match)
    settle()
    screen = table(window)
    scene = screen.scene
    walk = next(move for move in scene.choice.legal_moves() if move.verb == "walk")
    screen.adviser.show_hint(screen.status.asks[0], Hint(walk))
    hand = scene.selection_view.ghost_hand
    assert hand is not None
    middle = target_rect(scene.stage, walk.target).center()
    click(screen.view.viewport(), screen.view.mapFromScene(middle))
    assert (match.record[-1].move.verb, match.record[-1].move.target) == ("walk", walk.target)
    assert hand.scene() is None
    assert screen.tutor.hint is None
