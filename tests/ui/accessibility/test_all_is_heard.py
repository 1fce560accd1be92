"""Everything that the table shows to all can be heard: by walking over it, or in the report."""

import pytest
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.scratch import FastRng
from tabletop.language.spoken_text import to_spoken_text
from tabletop.match.match import Player
from tests.ui.accessibility.reader import described, inside, name
from tests.ui.window_driver import NAMES, Open, play, table, until_asked
from ui.match.screen.table_screen import TableScreen
from ui.setup.lineup import MatchSetup

MOVES = 4


def report(screen: TableScreen) -> str:
    screen.run_command("tell")
    text = screen.spoken.report.plain_text
    screen.spoken.report.close()
    return text


@pytest.mark.parametrize("kit", catalogue.shelf(), ids=lambda kit: kit.id)
def test_what_all_see_can_be_heard(opened: Open, qtbot: QtBot, kit: GameKit) -> None:
    window = opened(animation="off", bot_pause=0)
    seats = max(2, min(kit.box.seats))
    players = [Player(each, kind="bot", level="easy") for each in NAMES[1:seats]]
    window.matches.start_match(MatchSetup(kit, (Player(NAMES[0]), *players), {}))
    screen = table(window)
    for seed in range(MOVES):
        assert until_asked(qtbot, screen)
        play(screen, FastRng(f"heard {seed}"))
    assert until_asked(qtbot, screen)
    stage, words, told = screen.scene.stage, screen.words, report(screen)
    root = QAccessible.queryAccessibleInterface(screen.view)
    walked = "\n".join(f"{name(part)}\n{described(part)}" for part in inside(root))
    figures = [
        text for sign in stage.placed.plaques for text in stage.background.plaque_texts(sign)
    ]
    written = [stage.background.fill_text(each.text, each.gaps) for each in stage.placed.texts]
    cards = [words.card(item.card) for item in stage.items if item.isVisible() and item.is_known]
    places = [
        words.zone(piece.zone, screen.scene.seat.number).lower() for piece in stage.pieces.values()
    ]
    for text in (*figures, *written, *cards, *words.describe(stage.view)):
        assert to_spoken_text(text, words) in told, text
    for text in (*figures, *written, *cards):
        assert to_spoken_text(text, words) in walked, text
    for piece, place in zip(stage.pieces.values(), places, strict=True):
        called = words.piece(piece.name).lower()
        lines = [line.lower() for line in (*walked.splitlines(), *told.splitlines())]
        assert sum(called in line and place in line for line in lines) >= 2, piece.name
