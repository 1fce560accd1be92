"""Nothing that is read out of a table has a sign where a word belongs."""

import pytest
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Player
from tests.net.loopback import LONG
from tests.ui.accessibility.screens import SIGN, TABS, signs
from tests.ui.late_matches import near_its_end
from tests.ui.window_driver import Open, play, settle, until_asked

USUAL = [
    ("sun", "en"),
    ("awss", "en"),
    ("awss", "ja"),
    ("sisters", "ja"),
    ("royale", "en"),
    ("chains", "ja"),
]
ALL = [(kit.id, language) for kit in catalogue.shelf() for language in ("en", "ja")]


@pytest.mark.parametrize(("game", "language"), ALL if LONG else USUAL)
def test_a_table_is_read_in_words(
    opened: Open, qtbot: QtBot, listening: None, game: str, language: str
) -> None:
    window = opened(language=language, bot_pause=0)
    seats = max(2, min(catalogue.load(game).box.seats))
    bots = [Player(f"Bot {seat}", kind="bot", level="easy") for seat in range(1, seats)]
    screen = near_its_end(window, game, (Player("Hinata", "sun"), *bots))
    said, found = list[str](), set[str]()
    screen.spoken.announcer.spoken.connect(said.append)
    while until_asked(qtbot, screen):
        for tab in TABS:
            screen.dock.show_tab(tab)
            settle()
            found |= signs(window)
        window.run_command("tell")
        screen.spoken.report.close()
        play(screen, FastRng("signs"))
    qtbot.waitUntil(screen.ending.sheet.isVisible)
    found |= signs(window)
    assert window.table is screen
    screen.ending.sheet.command_requested.emit("watch")
    settle()
    for step in ("start", "turn_on", "on", "end", "back", "score"):
        window.run_command(step)
        settle()
        found |= signs(window)
    found |= {text for text in said if SIGN.search(text)}
    assert found == set()
