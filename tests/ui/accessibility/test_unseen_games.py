"""Whole games of all boxes by somebody who meets nothing but the interfaces for screen readers.

Where time is short, of three of them: another one is played over the bus (`test_bus.py`).
"""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Player
from tabletop.storage import saved_matches
from tests.games.royale.players import greedy
from tests.net.loopback import LONG
from tests.ui.accessibility.reader import Reader, name, over, press, usable, window_tree
from tests.ui.window_driver import NAMES, Open
from ui.app import Window
from ui.setup.lineup import MatchSetup

SYMBOLS = ("sun", "moon", "leaf")
MOST_STEPS = 3000
"""So many presses end any of these games many times over."""
LAST = {"royale": ({"length": "4"}, 4)}
"""Of games that are long by themselves: options, and the turn from which they are read."""


def players(people: int, bots: int) -> tuple[Player, ...]:
    names = zip(NAMES[: people + bots], SYMBOLS, strict=False)
    return tuple(
        Player(name, symbol, *(("bot", "easy") if seat >= people else ()))
        for seat, (name, symbol) in enumerate(names)
    )


def sit(window: Window, game: str, seats: tuple[Player, ...]) -> None:
    """At a new game; or, where that is long, at its last turn."""
    kit = catalogue.load(game)
    options, turn = LAST.get(game, ({}, 0))
    if not turn:
        window.matches.start_match(MatchSetup(kit, seats, options))
        return
    match = saved_matches.begin(kit, seats, options, "unseen")
    while match.state.values["turn"] < turn:
        ask = match.state.asks[0]
        luck = FastRng(match.state.ply)
        match.submit(ask.seat, greedy(match.state, ask, match.offers(ask.seat)[ask.id], luck))
    window.matches.show_match(match)


@pytest.mark.parametrize(
    ("game", "people", "bots", "curtains"),
    [
        ("sun", 2, 0, True),
        ("awss", 1, 2, False),
        ("royale", 1, 1, False),
        *([("chains", 1, 0, False), ("sisters", 1, 1, False)] if LONG else []),
    ],
)
def test_a_whole_game_unseen(
    opened: Open, qtbot: QtBot, game: str, people: int, bots: int, curtains: bool
) -> None:
    window = opened()
    sit(window, game, players(people, bots))
    reader = Reader(FastRng(f"unseen {game}"))
    tree = window_tree()
    for _ in range(MOST_STEPS):
        if over(tree):
            break
        if not reader.step(tree):
            qtbot.wait(1)  # others move
        tree = window_tree()
    assert over(tree), reader.pressed[-20:]
    assert (reader.curtains > 0) is curtains
    press(next(each for each in tree if name(each) == "Back to the shelf" and usable(each)))
    assert window.table is None
