"""In a low window the prompt line with many buttons is between the table and the own cards."""

import random

import pytest
from PySide6.QtCore import QRect

from tabletop.catalogue import catalogue
from tabletop.match.match import SYMBOLS, Match, Player
from tests.ui.late_matches import whole_match
from tests.ui.random_matches import match_until
from tests.ui.table_driver import asked, some_move
from tests.ui.window_driver import Open, settle, table
from ui.match.screen.table_screen import TableScreen

TOUCH = 4
"""Pixels by which two things may overlap: what surrounds a card is empty."""


def at_the_action(seats: int) -> Match:
    """Sister Royale where the first player, alone here, may attack several others."""
    kit, luck = catalogue.load("royale"), random.Random(3)
    names = [Player(f"Shizuku {n}", SYMBOLS[n % 6], "bot" if n else "person") for n in range(seats)]
    match = Match(kit, names, catalogue.options(kit), "x")
    while not (match.asks(0) and len(match.offers(0)[match.asks(0)[0].id]) > 2):
        seat = asked(match)
        match.submit(seat, some_move(match, seat, luck))
    return match


def on_screen(screen: TableScreen, zone: str) -> QRect:
    rect = screen.scene.stage.zone_rect(zone)
    assert rect is not None
    return screen.view.mapFromScene(rect).boundingRect().translated(screen.view.pos())


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_prompt_covers_no_area_of_the_map(opened: Open, language: str) -> None:
    match = at_the_action(12)
    window = opened(size=(1024, 600), language=language)
    window.matches.show_match(match)
    settle()
    screen = table(window)
    assert len(screen.prompt.buttons) > 3
    areas = [zone for zone in match.state.zones if zone.startswith("area/")]
    prompt = screen.prompt.geometry()
    overlaps = {zone: on_screen(screen, zone).intersected(prompt).height() for zone in areas}
    assert max(overlaps.values()) <= TOUCH
    assert on_screen(screen, "character/0").intersected(prompt).height() <= TOUCH


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440)])
def test_a_hint_takes_no_width_from_the_prompt(
    opened: Open, size: tuple[int, int], language: str
) -> None:
    window = opened(size=size, language=language)
    window.matches.show_match(at_the_action(4))
    settle()
    prompt = table(window).prompt
    before = prompt._text.width()
    moves = [choice.move for choice in prompt._choices if choice.move is not None]
    assert moves
    for move in moves:
        prompt.highlight_answer(move)
        settle()
        assert prompt._text.width() == before
        assert prompt._text.heightForWidth(before) <= prompt._text.height()
        for each in prompt.buttons:
            assert each.width() > each.fontMetrics().horizontalAdvance(each.text()) + 6


def at_the_order() -> Match:
    """AWSSterra where the first player, alone here, fills the board in secret."""
    kit, luck = catalogue.load("awss"), random.Random(3)
    names = [Player(f"Montgomery {n}", SYMBOLS[n], "bot" if n else "person") for n in range(4)]
    match = Match(kit, names, catalogue.options(kit), "x")
    while not any(ask.what == "order" for ask in match.asks(0)):
        seat = asked(match)
        match.submit(seat, some_move(match, seat, luck))
    return match


def own_plaque(screen: TableScreen) -> QRect:
    setting = screen.scene.stage.placed
    (own,) = [sign for sign in setting.plaques if sign.seat == 0]
    rect = screen.view.mapFromScene(screen.scene.stage.to_pixels(own.rect)).boundingRect()
    return rect.translated(screen.view.pos())


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800)])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_prompt_leaves_plaque_and_board_free(
    opened: Open, size: tuple[int, int], language: str
) -> None:
    window = opened(size=size, language=language)
    window.matches.show_match(at_the_order())
    settle()
    screen = table(window)
    boards = [zone for zone in screen.scene.stage.zones if zone.startswith("board/0/")]
    assert len(boards) == 9
    prompt = screen.prompt.geometry()
    assert not own_plaque(screen).intersects(prompt)
    assert not any(on_screen(screen, zone).intersects(prompt) for zone in boards)
    screen.dock.show_tab("actions")  # in a narrow window it comes over the table
    settle()
    assert not own_plaque(screen).intersects(screen.prompt.geometry())


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_result_leaves_the_own_name_free(opened: Open, language: str) -> None:
    window = opened(size=(1024, 600), language=language)
    whole = whole_match("awss", 4)
    whole.players = tuple(Player(f"Montgomery {n}", SYMBOLS[n]) for n in range(4))
    window.matches.show_match(whole)
    settle()
    screen = table(window)
    assert screen.ending.sheet.isVisible()
    assert screen.table_area.covered_width
    assert not own_plaque(screen).intersects(screen.prompt.geometry())
    assert not screen.prompt.buttons, "the sheet is there"
    screen.side_sheet.close_tabs()
    settle()
    assert len(screen.prompt.buttons) == 1


def test_equal_cards_have_one_button(opened: Open) -> None:
    def rerolls(match: Match) -> int:
        offers = [offer for each in match.offers(0).values() for offer in each]
        return sum(len(offer.cards) for offer in offers if offer.verb == "reroll")

    match = match_until("royale", lambda match: rerolls(match) > 1)
    window = opened(language="en", bot_pause=10_000)
    window.matches.show_match(match)
    settle()
    texts = [each.text() for each in table(window).prompt.buttons]
    assert len([text for text in texts if text.startswith("Reroll with Do-Over")]) == 1
    assert len(texts) == len(set(texts))
