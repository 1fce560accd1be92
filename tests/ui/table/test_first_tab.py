"""The first Tab on a table lands in the viewer's own hand, and goes round from there."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tabletop.catalogue import catalogue
from tabletop.table.random_match import random_match
from tests.ui.window_driver import Open, settle
from ui.pictures.window_shot import seat_one_person


@pytest.mark.parametrize("game", ["sun", "sisters", "awss"])
def test_the_first_tab_lands_in_the_own_hand(game: str, opened: Open) -> None:
    window = opened((1280, 800))
    kit = catalogue.load(game)
    match = random_match(
        kit, min(n for n in kit.box.seats if n > 1), "1", catalogue.options(kit), 0
    )
    asked = next(ask.seat for ask in match.state.asks if ask.id not in match.state.answers)
    seat_one_person(match, asked, window.context.words)
    window.matches.show_match(match)
    settle()
    screen = window.table
    screen.focus_table()
    QTest.keyClick(screen.view, Qt.Key.Key_Tab)
    card = screen.scene.selection_view.focus.card_item
    hand = screen.scene.keyboard.own_cards.main_hand()
    assert hand
    assert card is hand[0]
    seen = {card.zone if hasattr(card, "zone") else id(card)}
    for _ in range(40):
        QTest.keyClick(screen.view, Qt.Key.Key_Tab)
        if screen.scene.selection_view.focus.is_empty:
            break
        seen.add(id(screen.scene.selection_view.focus.card_item))
    assert len(seen) == len(screen.scene.selection_view.focus.focusable_zones()), (
        "no zone is left out"
    )
