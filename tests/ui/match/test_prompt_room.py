"""In a low window the prompt line with many buttons lies between the table and the own cards."""

import random

import pytest
from PySide6.QtCore import QRect

from tabletop.catalogue import catalogue
from tabletop.match.match import SYMBOLS, Match, Player
from tests.ui.table_driver import asked, some_move
from tests.ui.window_driver import Open, settle, table
from ui.match.screen.table_screen import TableScreen

TOUCH = 4
"""Pixels by which two things may overlap: what surrounds a card is empty."""


def at_the_action(seats: int) -> Match:
    """Sister Royale where the first player, alone here, may attack several others."""
    kit, luck = catalogue.load("royale"), random.Random(3)
    names = [Player(f"Shizuku {n}", SYMBOLS[n % 6], "bot" if n else "person") for n in range(seats)]
    match = Match(kit.game, kit.backs, names, catalogue.options(kit), "x")
    while not (match.asks(0) and len(match.offers(0)[match.asks(0)[0].id]) > 2):
        seat = asked(match)
        match.submit(seat, some_move(match, seat, luck))
    return match


def on_screen(screen: TableScreen, zone: str) -> QRect:
    rect = screen.scene.stage.rect(zone)
    assert rect is not None
    return screen.view.mapFromScene(rect).boundingRect().translated(screen.view.pos())


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_prompt_covers_no_area_of_the_map(opened: Open, language: str) -> None:
    match = at_the_action(12)
    window = opened(size=(1024, 600), language=language)
    window.matches.sit(catalogue.load("royale"), match)
    settle()
    screen = table(window)
    assert len(screen.prompt.buttons) > 3
    areas = [zone for zone in match.state.zones if zone.startswith("area/")]
    prompt = screen.prompt.geometry()
    overlaps = {zone: on_screen(screen, zone).intersected(prompt).height() for zone in areas}
    assert max(overlaps.values()) <= TOUCH
    assert on_screen(screen, "character/0").intersected(prompt).height() <= TOUCH


def test_the_prompt_leaves_the_plaque_beside_it_free(opened: Open) -> None:
    kit, luck = catalogue.load("awss"), random.Random(3)
    names = [Player(f"Montgomery {n}", SYMBOLS[n], "bot" if n else "person") for n in range(4)]
    match = Match(kit.game, kit.backs, names, catalogue.options(kit), "x")
    while not any(ask.what == "order" for ask in match.asks(0)):
        seat = asked(match)
        match.submit(seat, some_move(match, seat, luck))
    window = opened(size=(1024, 600))
    window.matches.sit(kit, match)
    settle()
    screen = table(window)
    setting = screen.scene.stage.setting
    assert setting is not None
    (own,) = [sign for sign in setting.signs if sign.seat == 0]
    rect = screen.view.mapFromScene(screen.scene.stage.pixels(own.rect)).boundingRect()
    plaque = rect.translated(screen.view.pos())
    assert not plaque.intersects(screen.prompt.geometry())
