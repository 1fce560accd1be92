"""A player alone among bots is not asked where only a pass is possible, and waits for no pause."""

from collections.abc import Sequence

import pytest
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match, Player
from tabletop.match.reactions import PASS
from tests.ui.window_driver import Open, settle, until_asked
from ui.match.screen.table_screen import TableScreen

ROYALE = catalogue.load("royale")
HINATA = Player("Hinata", "sun")
ENOUGH = 4
"""Chances to react, of which some leave nothing but a pass."""


def sit(opened: Open, players: Sequence[Player], **changes: object) -> TableScreen:
    window = opened(**changes)
    match = Match(ROYALE, players, seed="alone")
    window.matches.show_match(match)
    settle()
    assert window.table is not None
    return window.table


def chances(screen: TableScreen, qtbot: QtBot) -> list[bool]:
    """Of each chance to react that came up to the person: whether it was more than a pass."""
    luck, chances_seen = FastRng("alone"), []
    for _ in range(400):
        if len(chances_seen) >= ENOUGH or not until_asked(qtbot, screen):
            break
        seat = screen.switch.shown_seat
        ask = next(ask for ask in seat.view.asks if ask.id in seat.offers)
        moves = [move for offer in seat.offers[ask.id] for move in offer.moves(ask.id)]
        if ask.what in ROYALE.meaning.reactions:
            chances_seen.append(any(move.verb != PASS for move in moves))
        screen.scene.choice.play(moves[luck.below(len(moves))])
        settle()
    return chances_seen


def passes(screen: TableScreen) -> int:
    """Return the number of the person's passes in the match."""
    record = screen.seated.match.record
    return sum(e.seat == 0 and e.move is not None and e.move.verb == PASS for e in record)


BOT = Player("", "moon", "bot", "easy")


def test_only_who_could_answer_is_asked(opened: Open, qtbot: QtBot) -> None:
    # so long a pause that no chance would come up if it were kept
    screen = sit(opened, [HINATA, BOT], reaction_pause=20_000)
    assert screen.switch.is_single_human
    asked = chances(screen, qtbot)
    assert asked
    assert all(asked)
    assert passes(screen) > 0, "what left no choice was passed for her"


@pytest.mark.parametrize("wish", [{"reactions": {"Hinata": "ask"}}, {"reaction": "ask"}])
def test_who_wishes_it_is_always_asked(opened: Open, qtbot: QtBot, wish: dict[str, object]) -> None:
    screen = sit(opened, [HINATA, BOT], **wish)
    assert screen.switch.policy_of(0) == "ask"
    assert not all(chances(screen, qtbot))


def test_with_another_person_everyone_is_asked_with_pauses(opened: Open) -> None:
    screen = sit(opened, [HINATA, Player("Kaname", "bell"), BOT], reaction_pause=3000)
    assert not screen.switch.is_single_human
    assert [screen.switch.policy_of(seat) for seat in (0, 1)] == ["ask", "ask"]
    assert screen.switch.reaction_pause_ms == 3000


def test_the_menu_and_the_settings_say_what_holds(opened: Open) -> None:
    screen = sit(opened, [HINATA, BOT])
    assert screen.context.settings.reaction == "usual"
    screen.open_reactions_menu()
    settle()
    menu = screen.findChildren(type(screen.window().menuBar().addMenu("")))[-1]
    checked = [action.text() for action in menu.actions() if action.isChecked()]
    assert checked == ["Only ask me when I could answer"]
    menu.close()
