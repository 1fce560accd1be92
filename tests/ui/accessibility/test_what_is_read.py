"""Questions and places as they are read: with the digits that answer, and with who stands there."""

import pytest
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.language.table_text import table_summary
from tabletop.language.words import Words
from tests.ui.accessibility.reader import children, name
from tests.ui.random_matches import begun
from tests.ui.table.royale_driver import asks
from tests.ui.window_driver import Open, hold, table
from ui.accessibility.card_parts import ZonePart
from ui.match.screen.table_screen import TableScreen


@pytest.fixture
def royale(opened: Open, qtbot: QtBot) -> TableScreen:
    window = opened(animation="off")
    window.matches.show_match(asks("strike"))
    screen = table(window)
    hold(qtbot, screen)
    return screen


def test_a_prompt_reads_the_digits_that_answer_it(royale: TableScreen, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: royale.prompt.first_answer is not None)
    read, pressed = royale.prompt.spoken_text, []
    assert read.startswith(f"{royale.prompt.text}. 1: ")
    royale.prompt.chosen.disconnect()
    royale.prompt.chosen.connect(lambda choice: pressed.append(choice.text))
    for digit in range(9):
        before = len(pressed)
        royale.prompt.press_answer(digit)
        assert all(f"{digit + 1}: {text}" in read for text in pressed[before:])
    assert pressed


def test_who_stands_in_an_area_is_in_its_name(royale: TableScreen) -> None:
    pieces = royale.scene.stage.pieces.values()
    assert len(pieces) == 4
    parts = children(QAccessible.queryAccessibleInterface(royale.view))
    areas = {part.part.zone: name(part) for part in parts if isinstance(part.part, ZonePart)}
    for piece in pieces:
        assert f"{royale.words.piece(piece.name)} is here" in areas[piece.zone]


@pytest.mark.parametrize("kit", catalogue.shelf(), ids=lambda kit: kit.id)
def test_a_report_lists_every_piece_once_with_its_place(kit: GameKit) -> None:
    view = begun(kit, 12).view(0)
    words = Words("en", kit)
    lines = table_summary(view, words, kit.meaning, view.cards, (), kit.layout.piece).splitlines()
    for piece in kit.layout.piece:
        for seat in range(view.seats) if piece.repeat else [0]:
            zone = view.values.get(piece.zone.replace("{seat}", str(seat)), "")
            called = words.piece(f"{piece.name} {seat}" if piece.repeat else piece.name).lower()
            place = words.zone(zone, 0)
            told = [line for line in lines if called in line.lower() and place in line]
            assert len(told) == (1 if zone else 0), (called, zone, told)
