"""The prompt of a player who waits: why, for whom, since when; letting bots finish."""

from concurrent.futures import Future
from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui.match.prompt.last_turn import last_turn

from tabletop.bots.decision import Decision
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import Kit
from tabletop.engine.events import Said
from tabletop.engine.model import Ask, Reason, State
from tabletop.engine.scratch import Luck
from tabletop.language.table_status import TableStatus
from tabletop.language.waiting import rounded_wait, waiting_text
from tabletop.language.words import Words
from tabletop.match.match import Match, Player
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
from ui.match.hot_seat import waiting
from ui.match.prompt import waiting_clock
from ui.match.screen.table_screen import TableScreen
from ui.widgets.prompt_line import Dot

CHAINS = catalogue.load("chains")
PEOPLE = (Player("Hinata", "sun"), Player("Kaname", "moon"))


class SlowMinds(QuickMinds):
    """Bots that think until they are let answer."""

    def __init__(self) -> None:
        super().__init__(catalogue.bring)
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


def left_alone(seats: int, kit: Kit = CHAINS, person: int = 0) -> Match:
    """A match in which nothing will be asked of the only person any more, but of bots."""
    players = [
        Player(f"Player {n}") if n == person else Player(f"Bot {n}", kind="bot", level="easy")
        for n in range(seats)
    ]
    for number in range(200):
        luck = Luck(f"left {number}")
        match = Match(kit.game, kit.backs, players, seed=f"left {number}")
        while match.state.result is None:
            idle = kit.meaning.idle_of(match.state, person)
            if idle is not None and idle.for_good:
                return match
            match.submit(*some_answer(match, luck))
    raise AssertionError("nobody is ever left alone")


def play_out(screen: TableScreen, luck: Luck) -> None:
    """Answer the viewer's questions, until another must answer."""
    while (link := screen.seats_here.link) is not None and link.offers:
        play(screen, luck)


def sit(window: Window, match: Match, kit: Kit = CHAINS) -> TableScreen:
    window.matches.sit(kit, match)
    settle()
    assert window.table is not None
    return window.table


def waits(view: State, **changes: object) -> TableStatus:
    """Have the viewer of this table of two only wait."""
    status = TableStatus(
        words=Words("en", CHAINS, PEOPLE),
        kit=CHAINS,
        people=(0,),
        view=view,
        looking=0,
        waiting=waiting(view),
    )
    return replace(status, **changes)


# Why, for whom, since when


def fresh() -> State:
    match = Match(CHAINS.game, CHAINS.backs, PEOPLE, seed="waits")
    luck = Luck("waits")
    while waiting(match.state) != (1,):
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
    assert waiting_text(waits(fresh(), waited=seconds)) == told
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
    assert waiting_text(waits(view)) == f"{why} · Kaname to play…"


def test_many_awaited_players_are_counted() -> None:
    players = tuple(Player(name) for name in "ABCDEF")
    words = Words("en", CHAINS, players)
    status = waits(fresh(), words=words, waiting=(0, 1, 2, 3, 4, 5))
    expected = "Sending your answer… · B, C, D and 2 more to play…"
    assert waiting_text(status) == expected
    assert waiting_text(replace(status, waiting=(0,))) == "Sending your answer…"


def test_who_has_answered_in_secret_reads_so() -> None:
    ask = Ask(7, 0, "act", sealed=True)
    view = fresh()
    view = replace(view, asks=(*view.asks, ask), answers={7: None})
    assert waiting_text(waits(view)) == "You have answered · Kaname to play…"


def test_the_tables_clock_runs_only_while_waiting(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    now = [1000.0]
    monkeypatch.setattr(waiting_clock, "monotonic", lambda: now[0])
    window = opened()
    agents = window.context.bot_pool = SlowMinds()
    screen = begin(window, 1)
    clock = screen.speaker.clock
    assert not clock.running, "a person is asked"
    play(screen, Luck(1))
    bot = screen.seats_here.players[1].name
    assert screen.prompt.text == f"{bot} to play…"
    assert clock.running
    now[0] += 23
    clock.ticked.emit()
    assert screen.prompt.text == f"{bot} to play… (20 s)"
    window.context.change(language="ja")
    assert screen.prompt.text.endswith("の番です…（20秒）")
    window.context.change(language="en")
    while not screen.seats_here.link.offers:
        agents.answer()
        settle()
    assert not clock.running
    play_out(screen, Luck(2))
    assert screen.prompt.text == f"{bot} to play…", "it begins anew with each question"
    click_leave(window)
    assert not clock.running


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
        match = Match(kit.game, kit.backs, players, seed="plaques")
        screen = sit(window, match, kit)
        luck = Luck("plaques")
        for _ in range(60):
            if match.state.result is not None:
                break
            match.submit(*some_answer(match, luck))
            settle()
            status = screen.status
            asked = {sign.sign.seat for sign, _ in screen.scene.stage.ground.signs if sign.asked}
            ready = {sign.sign.seat for sign, _ in screen.scene.stage.ground.signs if sign.ready}
            text = waiting_text(replace(status, waiting=waiting(status.view)))
            named = {seat for seat in range(seats) if f"P{seat} " in text}
            assert named == asked - {status.looking}, (kit.id, text)
            assert not named & ready
            if "You have answered" in text:
                assert status.looking in ready
        window.show_shelf()


# Finish quickly


def test_who_is_out_lets_the_bots_finish_by_one_press(opened: Open, qtbot: QtBot) -> None:
    window = opened(bot_pause=10_000, animation="normal")
    screen = sit(window, left_alone(3))
    assert screen.prompt.text.startswith(("Your pile", "You can"))
    click(button(screen.prompt, "Finish quickly"))
    qtbot.waitUntil(lambda: screen.seats_here.over)
    qtbot.waitUntil(screen.sheet.isVisible)
    assert not screen.seats_here.seating.hurried
    assert screen.scene.animator.speed == "normal"


def test_it_can_be_stopped_and_gone_on_with(opened: Open) -> None:
    window = opened(bot_pause=10_000, animation="normal")
    agents = window.context.bot_pool = SlowMinds()
    screen = sit(window, left_alone(3))
    click(button(screen.prompt, "Finish quickly"))
    ply = screen.seats_here.view.ply
    agents.answer()
    settle()
    assert screen.seats_here.view.ply == ply + 1
    assert screen.prompt.text == "Bots are playing…"
    click(button(screen.prompt, "Stop"))
    agents.answer()
    settle()
    assert screen.seats_here.view.ply == ply + 1, "again after the usual pause"
    assert button(screen.prompt, "Finish quickly").isVisible()


def test_with_a_person_to_come_they_play_on_to_her_question(
    opened: Open, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    now = [1000.0]
    monkeypatch.setattr(waiting_clock, "monotonic", lambda: now[0])
    window = opened(bot_pause=10_000, animation="normal")
    screen = begin(window, 1)
    play(screen, Luck(1))
    screen.scene.skip()
    settle()
    assert [each.text() for each in screen.prompt.buttons] in ([], ["Undo"]), "nobody has waited"
    now[0] += 12
    screen.speaker.clock.ticked.emit()
    click(button(screen.prompt, "Next question"))
    assert until_asked(qtbot, screen)
    settle()
    assert not screen.seats_here.seating.hurried
    assert screen.scene.animator.speed == "normal"


def test_nobody_may_hurry_people(opened: Open) -> None:
    screen = begin(opened())
    assert not any("quickly" in each.text() for each in screen.prompt.buttons)


# Moves of others


def said(text: str, seat: int | None = None) -> Said:
    return Said(text, args={} if seat is None else {"seat": seat})


def test_the_last_turn_of_another_is_told_whole() -> None:
    a, b, c, end = said("a", 1), said("b"), said("c", 1), said("end")
    mine, other = said("mine", 0), said("other", 2)
    assert last_turn((), 0) == ()
    assert last_turn((mine, end), 0) == ()
    assert last_turn((mine, a, b, c, end), 0) == (a, b, c, end)
    assert last_turn((a, b, c, mine, end), 0) == (a, b, c)
    assert last_turn((a, other, c), 0) == (c,)
    assert last_turn((end, a), -1) == (a,), "the audience hears of everybody"
    assert len(last_turn((a,) * 30, 0)) == 8


def test_a_bots_turn_stays_on_the_prompt_until_the_next(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window, 1)
    luck = Luck(3)
    assert screen.prompt.turn_line.isHidden(), "nobody has done anything yet"
    play(screen, luck)
    assert until_asked(qtbot, screen)
    settle()
    line = screen.prompt.turn_line
    bot = screen.seats_here.players[1].name
    assert line.isVisible()
    assert line.whole.startswith(bot)
    assert line.whole in " ".join(screen.words.said(each, 0) for each in screen.seats_here.link.log)
    before = line.whole
    screen.prompt.forget_reason()
    screen.refresh()
    assert line.whole == before, "it stays"
    timer(screen.recap).setInterval(1)
    click(line)
    qtbot.waitUntil(lambda: not screen.recap.playing)
    assert screen.scene.animator.marks.items
    window.context.change(language="ja")
    assert line.whole != before
    assert (bot, line.whole[:2]) == ("Mugi", "むぎ")


def test_it_is_reached_and_pressed_by_keys_and_fits_any_width(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened(), 1)
    play(screen, Luck(3))
    assert until_asked(qtbot, screen)
    settle()
    line = screen.prompt.turn_line
    line.setFocus(Qt.FocusReason.TabFocusReason)
    timer(screen.recap).setInterval(1)
    assert QTest.keyClick(line, Qt.Key.Key_Space) is None
    qtbot.waitUntil(lambda: not screen.recap.playing)
    assert screen.scene.animator.marks.items
    line.tell(["First this.", "Then that.", "At last a third thing."])
    wide = line.wide()
    assert line.fitting(wide) == "First this. Then that. At last a third thing."
    assert line.fitting(wide - 20) == "… Then that. At last a third thing."
    assert line.fitting(60) == "… At last a third thing."
    sentences = ["First this.", "Then that.", "At last a third thing."]
    assert line.toolTip().splitlines() == ["Since your last turn", *sentences]


def test_nothing_that_was_told_is_left_behind_the_curtain(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened())
    hold(qtbot, screen)
    luck = Luck(2)
    first = screen.seats_here.name
    play_out(screen, luck)
    click(button(screen.prompt, "Hand over"))
    hold(qtbot, screen)
    line = screen.prompt.turn_line
    assert line.whole.startswith(first)
    play_out(screen, luck)
    click(button(screen.prompt, "Hand over"))
    assert screen.curtain.drawn
    assert (line.whole, line.toolTip(), line.accessibleName()) == ("", "", "")


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
        screen.scene.refused.emit(refused)
        assert refused.text in prompt.reason
        QTest.keyClick(screen.view, Qt.Key.Key_Left)
        assert refused.text in prompt.reason, "looking about is no grip"
        grip()
        assert refused.text not in prompt.reason
    screen.hint()
    qtbot.waitUntil(lambda: bool(prompt.reason) and "Thinking" not in prompt.reason)
    reason = prompt.reason
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=nowhere)
    assert prompt.reason == reason


# After what moves


def test_no_question_is_put_while_what_led_to_it_still_moves(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    screen = begin(window)
    hold(qtbot, screen)
    window.context.change(animation="slow")
    play(screen, Luck(1))
    assert screen.scene.animator.running
    assert screen.prompt.text == "Under way…"
    assert not screen.prompt.findChild(Dot).active
    pressed = [each.text() for each in screen.prompt.buttons]
    assert "Hand over" not in pressed
    screen.scene.skip()
    settle()
    assert screen.prompt.text.startswith("Your move is made. ")
    assert screen.prompt.findChild(Dot).active


def test_others_actions_do_not_hide_an_open_question(opened: Open) -> None:
    window = opened(animation="slow", bot_pause=10_000)
    window.context.bot_pool = SlowMinds()
    kit = catalogue.load("awss")
    players = [Player(f"P{n}", kind="bot" if n else "person") for n in range(3)]
    match = Match(kit.game, kit.backs, players, seed="meanwhile")
    screen = sit(window, match, kit)
    screen.scene.skip()
    settle()
    before = screen.prompt.text
    assert screen.prompt.findChild(Dot).active
    for seat in (1, 2):
        number, offers = next(iter(match.offers(seat).items()))
        match.submit(seat, offers[0].sample(number, Luck("meanwhile")))
        settle()
        moving = replace(screen.status, moving=True)
        screen.speaker.speak(moving, screen.seats_here.link.log)
        assert screen.prompt.text == before
        assert screen.prompt.findChild(Dot).active
    screen.speaker.speak(replace(moving, offers={}), ())
    assert screen.prompt.text == "Under way…", "her question is gone, the next is still to come"


def test_a_button_of_a_question_that_is_over_does_nothing(opened: Open) -> None:
    window = opened()
    screen = sit(window, Match(CHAINS.game, CHAINS.backs, PEOPLE[:1], seed="over"))
    window.context.change(animation="slow")
    flip = button(screen.prompt, "Flip the top card of your pile")
    click(flip)
    assert screen.scene.animator.running
    ply = screen.seats_here.view.ply
    click(flip)
    assert screen.seats_here.view.ply == ply


def test_a_refusal_speaks_the_language_of_its_game(opened: Open, qtbot: QtBot) -> None:
    window = opened(language="ja")
    window.matches.play_now(catalogue.load("sun"))
    screen = window.table
    of_the_game = Reason("You can only place a card from your own hand.")
    with qtbot.waitSignal(screen.prompt.explained) as explained:
        screen.scene.refused.emit(of_the_game)
    assert explained.args == [screen.words.reason(of_the_game)]
    assert explained.args != [window.context.words.reason(of_the_game)], "the window can't say it"
    assert explained.args[0].endswith("。")
