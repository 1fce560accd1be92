"""Every step of the focus at a table is told to a screen reader."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Player
from tabletop.match.offer_matching import Options
from tests.ui.window_driver import Open, key, play, settle, table, until_asked
from ui.accessibility import interfaces
from ui.accessibility.interfaces import PartInterface
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.setup.lineup import MatchSetup


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what the focus was told to be on."""
    names: list[str] = []

    def note(known: PartInterface, kind: QAccessible.Event) -> None:
        if kind is QAccessible.Event.Focus:
            names.append(known.part.name)

    monkeypatch.setattr(interfaces, "_announce", note)
    return names


def seated(window: Window, qtbot: QtBot, game: str) -> TableScreen:
    players = (Player("Hinata", "sun"), Player("Mugi", "moon", "bot", "easy"))
    window.matches.start_match(MatchSetup(catalogue.load(game), players, {}))
    screen = table(window)
    screen.view.setFocus()
    assert until_asked(qtbot, screen)
    assert QAccessible.queryAccessibleInterface(screen.view) is not None
    return screen


def test_a_pile_and_the_card_beside_it(opened: Open, qtbot: QtBot, told: list[str]) -> None:
    screen = seated(opened(), qtbot, "chains")

    top = screen.scene.stage.zones["pile/0"][-1]
    card = next(
        item for item in screen.scene.selection_view.focus.focusable_cards() if item.is_known
    )
    for item in (card, top, card, top):
        screen.scene.keyboard.focus_card(item)
        screen.scene.selection_view.viewed_card_changed.emit(item.card)
        settle()
    assert len(told) == 4, told
    assert told[1] == told[3]
    assert "pile, 45 cards" in told[1]
    assert told[0] == told[2]


def test_the_uppermost_card_of_a_pile_is_reached(opened: Open, qtbot: QtBot) -> None:
    screen = seated(opened(), qtbot, "chains")
    pile, choice = screen.scene.stage.zones["pile/0"], screen.scene.choice

    def flipped() -> bool:
        return any(move.cards == (pile[-1].card,) for move in choice.legal_moves())

    for seed in range(80):
        if pile[-1].is_known and flipped():
            break
        play(screen, FastRng(seed))
        assert until_asked(qtbot, screen)
    assert pile[-1].is_known
    screen.scene.selection_view.focus.clear()
    key(Qt.Key.Key_Tab)
    assert screen.scene.selection_view.focus.card_item is pile[-1]
    key(Qt.Key.Key_1)
    assert choice.picked_card == pile[-1].card


def test_a_place_is_said_again_with_another_card(
    opened: Open, qtbot: QtBot, told: list[str], listening: None
) -> None:
    screen = seated(opened(), qtbot, "sisters")
    watch = QAccessible.queryAccessibleInterface(screen.view)._watch
    said: list[str] = []
    watch._announcer().spoken.connect(said.append)
    key(Qt.Key.Key_1)
    settle()
    (place,) = told
    key(Qt.Key.Key_Escape)
    settle()
    key(Qt.Key.Key_1)
    settle()
    assert told == [place], "a reader would pass over it"
    assert len(said) == 1
    assert said[0].startswith(place)
    assert re.search(r"\. You have chosen [^.]+(\.|$)", said[0])


def test_the_choices_after_a_choice(opened: Open, qtbot: QtBot, told: list[str]) -> None:
    screen = seated(opened(), qtbot, "sisters")
    choice = screen.scene.choice
    move = choice.legal_moves()[0]
    steps = ("a", "a,c", "a,d", "b", "b,c")
    moves = [type(move)(move.ask, move.verb, choice=each) for each in steps]
    choice.options, choice.listed_verb = Options(moves, 0), move.verb
    choice.undecided = (-1, "")
    choice.changed.notify(None)
    for code in (Qt.Key.Key_Down, Qt.Key.Key_Up):
        key(code)
    before = len(told)
    assert before == 2
    key(Qt.Key.Key_1)
    assert choice.listed_verb
    assert len(told) == before + 1, told
