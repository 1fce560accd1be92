"""The prompt of a player who waits: why, for whom, since when; letting bots finish."""

from concurrent.futures import Future
from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tabletop.bots.answer_time import DELIVERY_TIME_S, AnswerClock
from tabletop.bots.decision import LEVELS, TIME_LIMITS_S, Decision, Level
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import Ask, Reason, State
from tabletop.engine.refusals import NOT_ASKED
from tabletop.engine.scratch import FastRng
from tabletop.language.table_status import TablePeople, TableStatus
from tabletop.language.waiting import rounded_wait, waiting_text
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
from tabletop.match.open_asks import awaited_seats
from tabletop.table import bot_driver
from tests.language.waiting_tables import changed
from tests.ui.random_matches import some_answer
from tests.ui.window_driver import (
    Open,
    QuickMinds,
    begin,
    button,
    click,
    hold,
    play,
    settle,
    timer,
    until_asked,
)
from ui.app import Window
from ui.match.prompt import waiting_clock
from ui.match.screen.table_screen import TableScreen
from ui.widgets.prompt_line import Dot

CHAINS = catalogue.load("chains")
PEOPLE = (Player("Hinata", "sun"), Player("Kaname", "moon"))


class SlowMinds(QuickMinds):
    """Bots that think until they are let answer."""

    def __init__(self) -> None:
        super().__init__(catalogue.load_bot_parts)
        self.open: list[Future[Decision]] = []

    def think(self, *asked, **more):
        ready = super().think(*asked, **more)
        future: Future[Decision] = Future()
        future.decision = ready.result()
        self.open.append(future)
        return future

    def answer(self) -> None:
        """Let what is thought about now come."""
        future = self.open.pop()
        future.set_result(future.decision)


def left_alone(seats: int, kit: GameKit = CHAINS, person: int = 0) -> Match:
    """A match in which nothing will be asked of the only person any more, but of bots."""
    players = [
        Player(f"Player {n}") if n == person else Player(f"Bot {n}", kind="bot", level="easy")
        for n in range(seats)
    ]
    for number in range(200):
        luck = FastRng(f"left {number}")
        match = Match(kit, players, seed=f"left {number}")
        while match.state.result is None:
            idle = kit.meaning.idle_reason(match.state, person)
            if idle is not None and idle.for_good:
                return match
            match.submit(*some_answer(match, luck))
    raise AssertionError("nobody is ever left alone")


def play_out(screen: TableScreen, luck: FastRng) -> None:
    """Answer the viewer's questions, until another must answer."""
    while (seat := screen.switch.shown_seat) is not None and seat.offers:
        play(screen, luck)


def sit(window: Window, match: Match, kit: GameKit = CHAINS) -> TableScreen:
    window.matches.show_match(match)
    settle()
    assert window.table is not None
    return window.table


def waiting_status(view: State, **changes: object) -> TableStatus:
    """Have the viewer of this table of two only wait."""
    status = TableStatus(
        words=Words("en", CHAINS, PEOPLE),
        kit=CHAINS,
        people=TablePeople(own=(0,)),
        view=view,
        looking=0,
        waiting=awaited_seats(view),
    )
    return replace(status, **changes)


# Why, for whom, since when


def fresh() -> State:
    match = Match(CHAINS, PEOPLE, seed="waits")
    luck = FastRng("waits")
    while awaited_seats(match.state) != (1,):
        match.submit(*some_answer(match, luck))
    return match.view(0)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "Kaname to play…"),
        (9, "Kaname to play…"),
        (10, "Kaname to play… (10 s)"),
        (29, "Kaname to play… (20 s)"),
        (59, "Kaname to play… (50 s)"),
        (60, "Kaname to play… (1 min)"),
        (179, "Kaname to play… (2 min)"),
    ],
)
def test_it_is_told_quietly_since_when(seconds: int, told: str) -> None:
    assert waiting_text(waiting_status(fresh()), seconds) == told
    assert rounded_wait(seconds) <= seconds


@pytest.mark.parametrize(
    ("reason", "cards", "why"),
    [
        ("stuck", (), "Your pile is empty and nothing fits any more. The others play to the end"),
        ("stuck", (1,), "You can't do anything more. The others play to the end"),
        ("spent", (1,), "You can't score any more. The others play to the end"),
        ("perfect", (), "You have completed all ten chains. The others play to the end"),
    ],
)
def test_who_is_out_reads_why(reason: str, cards: tuple[int, ...], why: str) -> None:
    view = fresh()
    view = replace(
        view, values=view.values | {"out/0": reason}, cards=view.cards | {"pile/0": cards}
    )
    assert waiting_text(waiting_status(view)) == f"{why} · Kaname to play…"


def test_many_awaited_players_are_counted() -> None:
    players = tuple(Player(name) for name in "ABCDEF")
    words = Words("en", CHAINS, players)
    status = waiting_status(fresh(), words=words, waiting=(0, 1, 2, 3, 4, 5))
    assert waiting_text(status) == "Resolving… · B, C, D and 2 more to play…"
    assert waiting_text(replace(status, waiting=(0,))) == "Resolving…"


def test_only_a_move_that_goes_to_another_computer_is_being_sent() -> None:
    status = replace(waiting_status(fresh()), waiting=(0,))
    shared = replace(status, people=replace(status.people, shared=True))
    assert waiting_text(status) == "Resolving…"
    assert waiting_text(shared) == "Sending…"
    assert waiting_text(replace(shared, people=replace(shared.people, hosts=True))) == "Resolving…"


def test_an_answer_that_is_animated_is_no_longer_being_sent(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened(), 1)
    assert until_asked(qtbot, screen)
    shared = replace(screen.status.people, shared=True, hosts=False)
    sent = replace(screen.status, people=shared, offers={}, waiting=(0,))
    screen.speaker._show_prompt(sent)
    assert screen.prompt.text == "Sending…"
    screen.speaker._show_prompt(replace(sent, viewing=replace(sent.viewing, moving=True)))
    assert screen.prompt.text == "Resolving…"


def test_who_has_answered_in_secret_reads_so() -> None:
    ask = Ask(7, 0, "act", sealed=True)
    view = fresh()
    view = replace(view, asks=(*view.asks, ask), answers={7: None})
    assert waiting_text(waiting_status(view)) == "You have answered · Kaname to play…"


def test_the_tables_clock_runs_only_while_waiting(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    now = [1000.0]
    monkeypatch.setattr(waiting_clock, "monotonic", lambda: now[0])
    window = opened()
    agents = window.context.bot_pool = SlowMinds()
    screen = begin(window, 1)
    clock = screen.speaker.clock
    assert not timer(clock).isActive(), "a person is asked"
    play(screen, FastRng(1))
    bot = screen.seated.players[1].name
    assert screen.prompt.text == f"{bot} to play…"
    assert timer(clock).isActive()
    now[0] += 23
    clock.ticked.emit()
    assert screen.prompt.text == f"{bot} to play… (20 s)"
    window.context.change_settings(language="ja")
    assert screen.prompt.text.endswith("の番です…（20秒）")
    window.context.change_settings(language="en")
    while not screen.switch.shown_seat.offers:
        agents.answer()
        settle()
    assert not timer(clock).isActive()
    play_out(screen, FastRng(2))
    assert screen.prompt.text == f"{bot} to play…", "it begins anew with each question"
    click_leave(window)
    assert not timer(clock).isActive()


def click_leave(window: Window) -> None:
    window.show_shelf()
    settle()


def test_plaques_and_prompt_tell_of_the_same_players(opened: Open) -> None:
    """Random matches of every game, with one person at the screen and bots that take their time."""
    window = opened()
    window.context.bot_pool = SlowMinds()
    for kit in catalogue.shelf():
        seats = kit.box.seats[0]
        if seats == 1:
            continue
        players = [Player(f"P{n}", kind="bot" if n else "person") for n in range(seats)]
        match = Match(kit, players, seed="plaques")
        screen = sit(window, match, kit)
        luck = FastRng("plaques")
        for _ in range(60):
            if match.state.result is not None:
                break
            match.submit(*some_answer(match, luck))
            settle()
            status = screen.status
            asked = {
                sign.plaque.seat
                for sign, _ in screen.scene.stage.background.plaques
                if sign.is_asked
            }
            ready = {
                sign.plaque.seat
                for sign, _ in screen.scene.stage.background.plaques
                if sign.is_ready
            }
            text = waiting_text(replace(status, waiting=awaited_seats(status.view)))
            named = {seat for seat in range(seats) if f"P{seat} " in text}
            assert named == asked - {status.looking}, (kit.id, text)
            assert not named & ready
            if "You have answered" in text:
                assert status.looking in ready
        window.show_shelf()


# Bots' pauses


@pytest.mark.parametrize("level", LEVELS)
def test_an_early_answer_waits_as_long_as_a_slow_one(
    opened: Open, monkeypatch: pytest.MonkeyPatch, level: Level
) -> None:
    """The bot is ready at once; its answer goes out when one that took all its time would."""
    waits: list[int] = []

    class Pause(QTimer):
        def start(pause, milliseconds: int) -> None:
            waits.append(milliseconds)

    monkeypatch.setattr("ui.shell.call_later.QTimer", Pause)
    monkeypatch.setattr(bot_driver, "AnswerClock", partial(AnswerClock, lambda: 0.0))
    window = opened(bot_pause=100, animation="normal")
    players = [Player("Ann"), Player("Bot", kind="bot", level=level)]
    match = Match(CHAINS, players, seed="early")
    screen = sit(window, match)
    while not waits:
        play_out(screen, FastRng("early"))
        screen.scene.skip_animations()
        settle()
    assert min(waits) == round(1000 * (TIME_LIMITS_S[level] + DELIVERY_TIME_S))


# Finish quickly


def test_who_is_out_lets_the_bots_finish_by_one_press(opened: Open, qtbot: QtBot) -> None:
    window = opened(bot_pause=10_000, animation="normal")
    screen = sit(window, left_alone(3))
    assert screen.prompt.text.startswith(("Your pile", "You can"))
    click(button(screen.prompt, "Finish quickly"))
    qtbot.waitUntil(lambda: screen.seated.is_over)
    qtbot.waitUntil(screen.ending.sheet.isVisible)
    assert not screen.seated.record.hurried
    assert screen.scene.animator.speed == "normal"


def test_one_press_is_enough_while_a_bots_move_is_animated(opened: Open) -> None:
    window = opened(bot_pause=10_000, animation="normal")
    window.context.bot_pool = SlowMinds()
    screen = sit(window, left_alone(3))
    finish = button(screen.prompt, "Finish quickly")
    screen.prompt.show_idle("Resolving…")
    click(finish)
    assert screen.seated.record.hurried


def test_it_can_be_stopped_and_gone_on_with(opened: Open) -> None:
    window = opened(bot_pause=10_000, animation="normal")
    agents = window.context.bot_pool = SlowMinds()
    screen = sit(window, left_alone(3))
    click(button(screen.prompt, "Finish quickly"))
    ply = screen.seated.view.ply
    agents.answer()
    settle()
    assert screen.seated.view.ply == ply + 1
    assert screen.prompt.text == "Bots are playing…"
    click(button(screen.prompt, "Stop"))
    agents.answer()
    settle()
    assert screen.seated.view.ply == ply + 1, "again after the usual pause"
    assert button(screen.prompt, "Finish quickly").isVisible()


def test_with_a_person_to_come_they_play_on_to_her_question(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    now = [1000.0]
    monkeypatch.setattr(waiting_clock, "monotonic", lambda: now[0])
    window = opened(bot_pause=10_000, animation="normal")
    screen = begin(window, 1)
    play(screen, FastRng(1))
    screen.scene.skip_animations()
    settle()
    assert [each.text() for each in screen.prompt.buttons] in ([], ["Undo"]), "nobody has waited"
    now[0] += 12
    screen.speaker.clock.ticked.emit()
    click(button(screen.prompt, "Next question"))
    assert until_asked(qtbot, screen)
    settle()
    assert not screen.seated.record.hurried
    assert screen.scene.animator.speed == "normal"


def test_nobody_may_hurry_people(opened: Open) -> None:
    screen = begin(opened())
    assert not any("quickly" in each.text() for each in screen.prompt.buttons)


# Refusals


def test_a_refusal_goes_with_the_next_grip_and_a_hint_stays(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    prompt, port = screen.prompt, screen.view.viewport()
    nowhere = screen.view.rect().topLeft() + QPoint(3, 3)
    refused = Reason("The rules do not allow this now.")
    for grip in (
        partial(QTest.mouseClick, port, Qt.MouseButton.LeftButton, pos=nowhere),
        partial(QTest.keyClick, screen.view, Qt.Key.Key_9),
    ):
        screen.scene.choice.refused.notify(refused)
        assert refused.text in prompt.reason
        QTest.keyClick(screen.view, Qt.Key.Key_Left)
        assert refused.text in prompt.reason, "looking about is no grip"
        grip()
        assert refused.text not in prompt.reason
    screen.request_hint()
    page = screen.tutor.page
    qtbot.waitUntil(lambda: bool(page.text) and "Thinking" not in page.text)
    hint = page.text
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=nowhere)
    assert page.isVisible()
    assert page.text == hint


def test_a_refusal_goes_with_the_question_it_was_about(opened: Open) -> None:
    """At once, not only when what led to the next one has been seen."""
    window = opened(animation="slow", bot_pause=10_000)
    window.context.bot_pool = SlowMinds()
    kit = catalogue.load("sun")
    match = Match(kit, [PEOPLE[0], Player("Bot", kind="bot")], seed="refused")
    screen, luck = sit(window, match, kit), FastRng("refused")
    screen.scene.skip_animations()
    settle()
    play_out(screen, luck)
    screen.scene.skip_animations()
    settle()
    assert not screen.status.asks
    screen.scene.choice.refused.notify(NOT_ASKED)
    screen.refresh()
    assert screen.prompt.reason, "nothing is different"
    while not match.asks(0):
        assert screen.prompt.reason, "it is still the same player's turn"
        match.submit(*some_answer(match, luck))
        settle()
    assert screen.scene.animator.is_running
    assert not screen.prompt.reason, "it is the viewer's turn"
    screen.scene.choice.refused.notify(NOT_ASKED)
    screen.scene.skip_animations()
    settle()
    assert screen.status.asks
    assert screen.prompt.reason, "what comes later is about the present question"
    play(screen, luck)
    assert not screen.prompt.reason


def test_another_players_turn_takes_a_refusal_along(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    status = replace(screen.status, view=replace(screen.status.view, asks=()), offers={})
    screen.speaker.show_status(replace(status, waiting=(1, 2)))
    for waiting, stays in (((1, 2), True), ((2,), True), ((1,), False), ((1, 2), False)):
        screen.prompt.explain(NOT_ASKED, screen.words, 0)
        screen.speaker.show_status(replace(status, waiting=waiting))
        assert bool(screen.prompt.reason) == stays, waiting


# After what moves


def test_no_question_is_put_while_what_led_to_it_still_moves(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    window.context.change_settings(animation="slow")
    play(screen, FastRng(1))
    assert screen.scene.animator.is_running
    assert screen.prompt.text == "Resolving…"
    assert not screen.prompt.findChild(Dot).active
    pressed = [each.text() for each in screen.prompt.buttons]
    assert "Hand over" not in pressed
    screen.scene.skip_animations()
    settle()
    assert screen.prompt.text.startswith("Your move is made. ")
    assert screen.prompt.findChild(Dot).active


def test_others_actions_do_not_hide_an_open_question(opened: Open) -> None:
    window = opened(animation="slow", bot_pause=10_000)
    window.context.bot_pool = SlowMinds()
    kit = catalogue.load("awss")
    players = [Player(f"P{n}", kind="bot" if n else "person") for n in range(3)]
    match = Match(kit, players, seed="meanwhile")
    screen = sit(window, match, kit)
    screen.scene.skip_animations()
    settle()
    before = screen.prompt.text
    assert screen.prompt.findChild(Dot).active
    for seat in (1, 2):
        number, offers = next(iter(match.offers(seat).items()))
        match.submit(seat, offers[0].sample(number, FastRng("meanwhile")))
        settle()
        moving = changed(screen.status, moving=True)
        screen.speaker.show_status(moving)
        assert screen.prompt.text == before
        assert screen.prompt.findChild(Dot).active
    screen.speaker.show_status(replace(moving, offers={}))
    assert screen.prompt.text == "Resolving…", "her question is gone, the next is still to come"


def test_a_button_of_a_question_that_is_over_does_nothing(opened: Open) -> None:
    window = opened()
    screen = sit(window, Match(CHAINS, PEOPLE[:1], seed="over"))
    window.context.change_settings(animation="slow")
    flip = button(screen.prompt, "Flip the top card of your pile")
    click(flip)
    assert screen.scene.animator.is_running
    ply = screen.seated.view.ply
    click(flip)
    assert screen.seated.view.ply == ply


def test_a_refusal_speaks_the_language_of_its_game(opened: Open, qtbot: QtBot) -> None:
    window = opened(language="ja")
    window.matches.start_bot_match(catalogue.load("sun"))
    screen = window.table
    of_the_game = Reason("You can only place a card from your own hand.")
    with qtbot.waitSignal(screen.prompt.reason_shown) as explained:
        screen.scene.choice.refused.notify(of_the_game)
    assert explained.args == [screen.words.reason(of_the_game)]
    assert explained.args != [window.context.words.reason(of_the_game)], "the window can't say it"
    assert explained.args[0].endswith("。")
