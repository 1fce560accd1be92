"""The prompt in the window follows the card that is picked up, until it is put down again."""

from itertools import chain

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.table.random_match import random_answers
from tests.ui.window_driver import Open, PatientBot, settle, table
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.pictures.window_shot import seat_one_person


def at_a_choice(window: Window, game: str, seats: int, ask: str) -> tuple[TableScreen, int]:
    """Sit down where this is asked, and give a card that can go somewhere."""
    kit = catalogue.load(game)
    match = play_random_match(kit, seats, "follow", 0)
    for _ in chain([()], random_answers(match, "follow")):
        for seat in range(seats):
            for asked in match.asks(seat):
                offers = match.offers(seat)[asked.id]
                cards = [o.cards[0] for o in offers if o.targets and o.cards and not o.spots]
                if asked.what == ask and cards:
                    seat_one_person(match, seat, window.context.words)
                    window.matches.show_match(match)
                    settle()
                    return table(window), cards[0]
    raise LookupError(ask)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("game", "seats", "ask"),
    [("sun", 2, "place"), ("sisters", 3, "trade"), ("chains", 2, "place"), ("awss", 3, "pick")],
)
def test_it_names_the_card_and_what_is_left(
    opened: Open, qtbot: PatientBot, game: str, seats: int, ask: str, language: str
) -> None:
    window = opened(language=language)
    screen, card = at_a_choice(window, game, seats, ask)
    before, name = screen.prompt.text, screen.words.card(card)
    item = screen.scene.stage.item_of(card)
    assert item is not None
    at = screen.view.mapFromScene(item.mapToScene(item.boundingRect().center() * 0.3))
    QTest.mouseClick(screen.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: screen.prompt.text != before)
    assert name in screen.prompt.text
    QTest.keyClick(screen.view, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: screen.prompt.text == before)
