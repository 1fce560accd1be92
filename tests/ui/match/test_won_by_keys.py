"""A whole game of each box, won in the window by keys alone: its buttons by digits.

Where time is short, of the one that has lists, digits and dials; law 13 looks at the keys of every
question of all (`test_ways.py`).
"""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidgetItem
from pytestqt.qtbot import QtBot

from tabletop.bots.agent import Agent
from tabletop.bots.decision import Question
from tabletop.bots.worker import make_agent, think
from tabletop.catalogue import catalogue
from tabletop.engine.model import Move
from tabletop.match.match import Player
from tabletop.storage import record
from tests.net.loopback import LONG
from tests.ui.window_driver import Open, key, settle, table, until_asked
from ui.match.actions_panel import HEADING_ROLE, MOVE_ROLE
from ui.match.screen.table_screen import TableScreen
from ui.setup.lineup import MatchSetup

OPTIONS = {"royale": {"length": "4"}}
SEEDS = {"royale": "seed 6", "sun": "seed 3"}
"""Deals that somebody who knows a little wins against chance."""
SEATS = {"awss": 3, "chains": 2, "royale": 2, "sisters": 2, "sun": 2}


def wanted(screen: TableScreen, game: str, agent: Agent) -> Move:
    """Return the answer of a player who knows a little."""
    seat = screen.switch.shown_seat
    ask = next(ask for ask in seat.view.asks if ask.id in seat.offers)
    question = Question(
        game, "normal", seat.view, ask, seat.offers[ask.id], seed=str(seat.view.ply), tries=1
    )  # with a number of tries no clock ends it, however busy the machine is
    return think(agent, question, lambda: False).move


def play_by_keys(screen: TableScreen, move: Move) -> str:
    """Make this move, or one like it; gives how."""
    seat, prompt = screen.switch.shown_seat, screen.prompt
    text = screen.words.move(move, seat.number, seat.view)
    pressed = [n for n, each in enumerate(prompt.buttons) if each.text().split(" · ")[0] == text]
    if pressed and prompt.first_answer is not None:
        screen.view.setFocus()
        key(Qt.Key(Qt.Key.Key_1.value + pressed[0]))
        return "digit"
    hand = [item.card for item in screen.scene.own_cards.main_hand()]
    laid = screen.scene.kit.layout.gesture(move.verb).chooser == "dial"
    if laid and prompt.first_answer is None and move.cards[0] in hand:
        lay_and_turn(screen, hand.index(move.cards[0]), move.target, move.choice)
        return "dial"
    choose_listed(screen, move)
    return "list"


def lay_and_turn(screen: TableScreen, number: int, target: str, choice: str) -> None:
    """The n-th card, arrows to its place, Enter; then a digit for how far the piece turns."""
    screen.view.setFocus()
    key(Qt.Key(Qt.Key.Key_1.value + number))
    for arrow in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up) * 9:
        if screen.scene.selection_view.focus.zone == target:
            break
        key(arrow)
    key(Qt.Key.Key_Return)
    chooser = screen.scene.selection_view.chooser
    if chooser is not None:
        settle()
        assert "how far the ghost turns" in screen.prompt.text
        choices = [each.choice for each in screen.scene.choice.options.moves]
        key(Qt.Key(Qt.Key.Key_1.value + choices.index(choice if choice in choices else choices[0])))


def choose_listed(screen: TableScreen, move: Move) -> None:
    """Its line in the list of actions, or where that has none, as of many cards, the first one."""
    key(Qt.Key.Key_L, ctrl=True)
    shown = screen.dock.moves.action_list
    for heading in [line for line in shown.all_items() if line.data(HEADING_ROLE) is not None]:
        walk(screen, heading)
        key(Qt.Key.Key_Right)  # it opens
    lines = list(shown.all_items())

    def alike(line: QListWidgetItem) -> bool:
        other = line.data(MOVE_ROLE)
        same = other is not None and (other.verb, other.target, other.choice) == (
            move.verb, move.target, move.choice)  # fmt: skip
        return same and sorted(other.cards) == sorted(move.cards)

    action = next(filter(alike, lines), None) or next(
        each for each in lines if each.data(MOVE_ROLE)
    )
    walk(screen, action)
    key(Qt.Key.Key_Return)


def walk(screen: TableScreen, line: QListWidgetItem) -> None:
    """Arrows to a line that is seen."""
    shown = screen.dock.moves.action_list
    for _ in range(shown.count() + 1):
        if shown.currentItem() is line:
            return
        below = shown.row(line) > shown.currentRow()
        key(Qt.Key.Key_Down if below else Qt.Key.Key_Up)
    raise AssertionError(f"no arrow leads to {line.text()!r}")


@pytest.mark.parametrize("game", SEATS if LONG else ["awss"])
def test_a_whole_game_is_won_by_keys(
    opened: Open, game: str, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()
    monkeypatch.setattr(record, "new_seed", lambda: SEEDS.get(game, "seed 0"))
    kit, agent = catalogue.load(game), make_agent(catalogue.load_bot_parts, game)
    bots = [Player(f"Bot {n}", "moon", "bot", "easy") for n in range(1, SEATS[game])]
    options = catalogue.options(kit) | OPTIONS.get(game, {})
    window.matches.start_match(MatchSetup(kit, (Player("Hinata", "sun"), *bots), options))
    settle()
    screen = table(window)
    ways: list[str] = []
    while until_asked(qtbot, screen):
        settle()
        before = len(screen.seated.match.record)
        ways.append(play_by_keys(screen, wanted(screen, game, agent)))
        qtbot.waitUntil(lambda at=before: len(screen.seated.match.record) > at)
    settle()
    assert screen.ending.sheet.isVisible()
    result = screen.seated.match.state.result
    assert 0 in result.winners, result.scores
    assert game == "sisters" or "digit" in ways, "of Planetary Sisters no question has buttons"
