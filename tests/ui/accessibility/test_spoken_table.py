"""A table aloud: all that happens and is asked, once, and nothing hidden."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.language.spoken_text import to_spoken_text
from tabletop.language.table_text import winner_text
from tabletop.match.match import Player
from tabletop.match.story import concerns_seat
from tests.ui.accessibility.screens import end
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    hold,
    key,
    play,
    settle,
    table,
    until_asked,
)
from ui.match.screen.table_screen import TableScreen
from ui.setup.lineup import MatchSetup


def listen(screen: TableScreen) -> list[str]:
    heard: list[str] = []
    screen.spoken.announcer.spoken.connect(heard.append)
    return heard


def hand(screen: TableScreen, seat: int) -> list[str]:
    """The names of the cards that only this seat sees."""
    cards = screen.seated.match.state.cards[f"hand/{seat}"]
    return [to_spoken_text(screen.words.card(card), screen.words) for card in cards]


def test_every_line_of_the_log_and_every_question_is_said_once(
    opened: Open, qtbot: QtBot, listening: None
) -> None:
    screen = begin(opened(), 1)
    heard = listen(screen)
    assert until_asked(qtbot, screen)
    before = len(screen.switch.shown_seat.log)
    for seed in range(4):
        play(screen, FastRng(seed))
        assert until_asked(qtbot, screen)
    qtbot.waitUntil(lambda: screen.prompt.text in heard[-1])
    log = screen.switch.shown_seat.log[before:]
    speech = " ".join(heard)
    place = 0
    for line in (to_spoken_text(screen.words.log_line(each, 0), screen.words) for each in log):
        place = speech.index(line, place) + len(line)
    assert len(log) >= 8
    events = [each for each in heard if screen.prompt.text not in each]
    assert all("The ghost looks" in speech for speech in events[-3:]), "every card turns it"
    phase = "The analysis begins: magic counts from now on"
    assert speech.count(phase) == 1
    assert speech.index("The ghost is surrounded") < speech.index(phase), "events first"
    assert sum(screen.prompt.text in each for each in heard) == 4, heard


def test_what_goes_by_without_a_question_is_none(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened(), 1)
    assert until_asked(qtbot, screen)
    screen._update_prompt(screen.status)
    assert screen.speaker.question is not None
    screen._update_prompt(replace(screen.status, offers={}, passing=True))
    assert "Passing for you" in screen.prompt.text
    assert screen.speaker.question is None
    screen._update_prompt(replace(screen.status, offers={}, waiting=(0,)))
    assert screen.prompt.text == "Resolving…"
    assert screen.speaker.question is None
    screen._update_prompt(replace(screen.status, pending=True))
    assert screen.speaker.question is None


def test_under_the_curtain_nothing_is_said_but_whose_it_is(
    opened: Open, qtbot: QtBot, listening: None
) -> None:
    screen = begin(opened())
    heard = listen(screen)
    hold(qtbot, screen)
    mine = set(hand(screen, 0))
    play(screen, FastRng("curtain"))
    click(button(screen.prompt, "Hand over"))
    assert screen.curtain.is_drawn
    assert screen.curtain.hasFocus(), "so that a reader says whose it is"
    assert screen.curtain.description.startswith("Curtain for Kaname. Press Space to open")
    assert not any("Curtain" in each for each in heard), "it would be said twice"
    mine -= {name for name in mine if f" places {name} on " in " ".join(heard)}  # open to all
    theirs = len(heard)
    settle(30)
    assert len(heard) == theirs
    hold(qtbot, screen)
    assert not any(name in " ".join(heard[theirs - 1 :]) for name in mine - set(hand(screen, 1)))
    assert "Kaname's turn: Place a card from your hand on the field. Cards: " in heard[-1]


def test_one_key_describes_the_table_to_its_viewer(
    opened: Open, qtbot: QtBot, listening: None
) -> None:
    screen = begin(opened())
    heard = listen(screen)
    assert not table_told(screen), "the curtain is drawn"
    hold(qtbot, screen)
    key(Qt.Key.Key_F9)
    report = screen.spoken.report
    text = report.plain_text
    assert report.text_edit.toPlainText().split() == text.split()
    assert heard[-1] == screen.words.sentences(text.splitlines()), "a sentence a line"
    for name in hand(screen, 0):
        assert name in text
    for name in set(hand(screen, 1)) - set(hand(screen, 0)):
        assert name not in text
    assert "Kaname's hand: 6 cards" in text
    assert "Hinata: Place a card from your hand on the field" in text
    assert "The ghost looks" in text
    assert "Written on the table: Score" in text, "a word alone tells nothing"
    click(report.copy_button)
    assert QGuiApplication.clipboard().text() == text
    key(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: screen.spoken.report is None)


def table_told(screen: TableScreen) -> bool:
    """Whether the command does anything."""
    screen.window().menus.commands["tell"].trigger()
    return screen.spoken.report is not None


def test_a_report_goes_when_the_curtain_falls(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened())
    hold(qtbot, screen)
    play(screen, FastRng("falls"))
    assert table_told(screen)
    screen.switch.hand_over()
    qtbot.waitUntil(lambda: screen.spoken.report is None)


@pytest.mark.parametrize("game", ["sun", "chains", "sisters", "awss", "royale"])
def test_every_box_can_be_told(opened: Open, qtbot: QtBot, game: str) -> None:
    window = opened()
    kit = catalogue.load(game)
    names = (("Hinata", "sun"), ("Kaname", "moon"), ("Shizuku", "leaf"))[
        : max(2, min(kit.box.seats))
    ]
    seats = tuple(
        Player(name, symbol, *(("bot", "easy") if seat else ()))
        for seat, (name, symbol) in enumerate(names)
    )
    window.matches.start_match(MatchSetup(kit, seats, {}))
    screen = table(window)
    assert until_asked(qtbot, screen)
    zones = [name for name in screen.scene.stage.placed.zones if "/" in name]
    for language in ("en", "ja"):
        window.context.change_settings(language=language)
        assert table_told(screen)
        report = screen.spoken.report
        you = {"en": "You", "ja": "あなた"}[language]
        assert all(name in report.plain_text for name in (you, *dict(names[1:])))
        assert "Hinata" not in report.plain_text
        assert "{" not in report.plain_text
        assert not any(name in report.plain_text for name in zones)
        report.close()
        qtbot.waitUntil(lambda: screen.spoken.report is None)


def test_what_stands_above_the_screen_is_said(opened: Open, listening: None) -> None:
    window = opened()
    heard: list[str] = []
    window.banner.announcer.spoken.connect(heard.append)
    window.show_message("Saved as “game”.", "check")
    assert heard == ["Saved as “game”."]


def test_who_needs_no_reader_hears_nothing(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened(), 1)
    heard = listen(screen)
    assert until_asked(qtbot, screen)
    play(screen, FastRng("quiet"))
    assert heard == []


def test_the_result_is_said_once_the_keys_have_come_to_the_sheet(
    opened: Open, listening: None
) -> None:
    screen = near_its_end(
        opened(reduced_motion=True), players=(Player("Hinata", "sun"), Player("Mugi", kind="bot"))
    )
    heard = listen(screen)
    end(screen)
    result = screen.seated.view.result
    assert screen.ending.sheet.isAncestorOf(QApplication.focusWidget())
    told, *points = heard[-1].split(". ")
    assert told == winner_text(result, 2, screen.words)
    names = ("You", "Mugi")
    totals = [f"{name}: {result.scores[seat]} points" for seat, name in enumerate(names)]
    assert [each for each in points if each in totals] == totals
    assert [each.partition(":")[0] for each in points[-2:]] == list(names), "line by line"
    assert not any(told in each for each in heard[:-1]), "once, and not before it is seen"
    sheet = QAccessible.queryAccessibleInterface(screen.ending.sheet)
    assert sheet.role() is QAccessible.Role.Grouping
    assert told not in sheet.text(QAccessible.Text.Name), "the keys come to it as well"


@pytest.mark.parametrize("speech", ["all", "turns", "mine"])
def test_no_more_is_spoken_than_somebody_wishes(
    opened: Open, qtbot: QtBot, listening: None, speech: str
) -> None:
    screen = begin(opened(speech=speech), 1)
    heard = listen(screen)
    assert until_asked(qtbot, screen)
    before = len(screen.switch.shown_seat.log)
    for seed in range(3):
        play(screen, FastRng(seed))
        assert until_asked(qtbot, screen)
    qtbot.waitUntil(lambda: bool(heard) and screen.prompt.text in heard[-1])
    told = " ".join(heard)
    for line in screen.switch.shown_seat.log[before:]:
        wanted = {"all": True, "turns": concerns_seat(line, 0), "mine": False}[speech]
        text = to_spoken_text(screen.words.log_line(line, 0), screen.words)
        assert (text in told) is wanted, text
    theirs = [each for each in heard if each.endswith(" to play…")]
    assert bool(theirs) is (speech == "turns")


def test_nothing_that_the_log_tells_is_told_again(
    opened: Open, qtbot: QtBot, listening: None
) -> None:
    window = opened()
    players = (Player("Hinata", "sun"), Player("Mugi", "moon", "bot", "easy"))
    window.matches.start_match(MatchSetup(catalogue.load("sisters"), players, {}))
    screen = table(window)
    heard = listen(screen)
    for seed in range(3):
        assert until_asked(qtbot, screen)
        play(screen, FastRng(seed))
    assert until_asked(qtbot, screen)
    speech = " ".join(heard)
    assert "difference" in speech
    assert "The difference of" not in speech


@pytest.mark.parametrize("animation", ["off", "fast"])
def test_no_question_is_said_after_its_answer(
    opened: Open, qtbot: QtBot, listening: None, animation: str
) -> None:
    window = opened(animation=animation)
    players = (Player("Hinata", "sun"), Player("Mugi", "moon", "bot", "easy"))
    window.matches.start_match(MatchSetup(catalogue.load("royale"), players, {}))
    screen = table(window)
    heard = listen(screen)
    for seed in range(6):
        assert until_asked(qtbot, screen)
        question = to_spoken_text(screen.speaker.question.full_text(screen.words), screen.words)
        qtbot.waitUntil(lambda question=question: heard[-1:] == [question])
        assert heard.count(question) == 1, heard
        heard.clear()
        play(screen, FastRng(seed))


@pytest.mark.parametrize("press", ["Space", "Enter", "1", "Tab", "Ctrl+Return"])
def test_the_hand_over_names_its_key_and_many_keys_do_it(
    opened: Open, qtbot: QtBot, listening: None, press: str
) -> None:
    screen = begin(opened())
    hold(qtbot, screen)
    heard = listen(screen)
    play(screen, FastRng("hands"))
    qtbot.waitUntil(lambda: "Your move is made. Kaname is next" in heard[-1])
    assert heard[-1].endswith(". Ctrl+Enter: Hand over")
    screen.view.setFocus()
    key(Qt.Key[f"Key_{press.removeprefix('Ctrl+')}"], ctrl=press.startswith("Ctrl+"))
    if press == "Tab":
        assert QApplication.focusWidget() is button(screen.prompt, "Hand over")
        key(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: screen.curtain.is_drawn)


def test_the_result_is_said_before_a_search_and_again_by_its_key(
    opened: Open, qtbot: QtBot, listening: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = (Player("Hinata", "sun"), Player("Mugi", kind="bot"))
    screen = near_its_end(opened(animation="fast"), players=players)
    heard = listen(screen)
    searched: list[bool] = []
    announcer = screen.spoken.announcer
    monkeypatch.setattr(
        screen.ending, "_start_search", lambda _: searched.append(announcer._has_unread)
    )
    focused: list[object] = []
    QApplication.instance().focusChanged.connect(lambda _, now: focused.append(now))
    end(screen)
    assert screen.ending.victory.is_running, "who sees is told as well"
    result = screen.ending.sheet.spoken_text
    assert heard[-1] == result
    assert screen.ending.victory not in focused, "it would stop the voice"
    key(Qt.Key.Key_F8)
    assert heard[-1].startswith(result)
    assert sum(result in each for each in heard) == 2
    qtbot.waitUntil(lambda: bool(searched))
    assert searched == [False]


def test_a_key_without_effect_says_what_the_table_waits_for(
    opened: Open, qtbot: QtBot, listening: None
) -> None:
    screen = begin(opened(), 1)
    assert until_asked(qtbot, screen)
    assert QAccessible.queryAccessibleInterface(screen.view) is not None
    screen.view.setFocus()
    settle()
    heard = listen(screen)
    key(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [to_spoken_text(screen.speaker.question.full_text(screen.words), screen.words)]


def test_the_key_for_the_question_repeats_the_curtain(
    opened: Open, qtbot: QtBot, listening: None
) -> None:
    screen = begin(opened())
    heard = listen(screen)
    screen.run_command("say_again")
    assert heard == [screen.curtain.description]


def test_a_question_names_the_cards_and_places_that_answer_it(
    opened: Open, qtbot: QtBot, listening: None
) -> None:
    screen = begin(opened(), 1)
    assert until_asked(qtbot, screen)
    heard = listen(screen)
    screen.run_command("say_again")
    named = heard[-1].split("Cards: ")[1]
    assert all(each in named for each in hand(screen, 0))
    move = screen.scene.choice.legal_moves()[0]
    screen.scene.choice.pick_or_toggle(move.cards[0])
    qtbot.waitUntil(lambda: "Places: " in heard[-1])
    assert screen.words.zone(move.target, 0) in heard[-1]
    assert "Cards: " not in heard[-1]
