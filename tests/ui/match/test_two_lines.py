"""The prompt has two lines at most, and a bubble covers nothing that its reader needs: in all five
games, both languages, in the smallest usual window."""

from itertools import cycle, product

import pytest
from PySide6.QtCore import QRectF
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import Reason
from tabletop.engine.scratch import FastRng
from tabletop.match.match import SYMBOLS, Match, Player
from tests.net.loopback import LONG
from tests.ui.window_driver import Open, play, settle, table, until_asked
from ui.match.screen.table_screen import TableScreen
from ui.table.input.targets import target_rect

GAMES = [kit.id for kit in catalogue.shelf() if not kit.is_draft]
ANSWERS = 200 if LONG else 12
LONG_REASON = Reason(
    "This reason is as long as any can be, so that it would need more than two lines of its own "
    "beside the question that it stands below, if there were room for it."
)


def seated(opened: Open, game: str, language: str, seats: int) -> TableScreen:
    """A match of one person and bots in the smallest usual window."""
    kit = catalogue.load(game)
    least, most = kit.box.seats[0], kit.box.seats[-1]
    count = max(least, min(seats, most))
    players = [
        Player(f"Shizuku {n}", SYMBOLS[n], "bot" if n else "person", "easy") for n in range(count)
    ]
    match = Match(kit, players, catalogue.options(kit), "two lines")
    window = opened((1024, 600), language=language)
    window.matches.show_match(match)
    settle()
    return table(window)


def lines_of(screen: TableScreen) -> int:
    """The lines of text that are seen in the prompt."""
    prompt = screen.prompt
    labels = [each for each in (prompt._text, prompt._reason) if each.isVisible()]
    return sum(
        round(each.heightForWidth(each.width()) / each.fontMetrics().lineSpacing())
        for each in labels
    )


def look_at_prompt(screen: TableScreen) -> None:
    prompt = screen.prompt
    settle()
    assert lines_of(screen) <= 2, prompt.text
    assert len(prompt._lying) <= 2, [each.text() for each in prompt.buttons]
    for each in (prompt._text, prompt._reason):
        if each.isVisible():
            assert each.height() + 1 >= each.heightForWidth(each.width()), each.text()
    place = QRectF(prompt.geometry().translated(-screen.view.pos()))
    for sign in screen.scene.stage.placed.plaques:
        if sign.seat == 0:
            own = screen.view.mapFromScene(screen.scene.stage.to_pixels(sign.rect)).boundingRect()
            assert QRectF(own).intersected(place).height() <= 4, prompt.text


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", GAMES)
def test_a_prompt_has_two_lines_at_most(
    opened: Open, qtbot: QtBot, game: str, language: str
) -> None:
    screen = seated(opened, game, language, 4)
    luck = FastRng(game)
    for _ in range(ANSWERS):
        if not until_asked(qtbot, screen):
            break
        look_at_prompt(screen)
        screen.scene.choice.refused.notify(LONG_REASON)
        look_at_prompt(screen)
        assert screen.prompt.reason
        play(screen, luck)


@pytest.mark.parametrize(
    ("game", "language"),
    [*(product(GAMES, ("en", "ja")) if LONG else zip(GAMES, cycle(("en", "ja"))))],
)
def test_a_bubble_covers_nothing_one_needs(
    opened: Open, qtbot: QtBot, game: str, language: str
) -> None:
    """A hint as a bubble, at every question: the sidebar is closed in so narrow a window."""
    screen = seated(opened, game, language, 4)
    luck, shown = FastRng(game), 0
    for _ in range(ANSWERS):
        if not until_asked(qtbot, screen):
            break
        screen.request_hint()
        settle()
        tutor = screen.tutor
        assert tutor.hint is not None
        if tutor.bubble.isVisible():
            shown += 1
            look_at_bubble(screen)
        else:
            assert tutor.crowded
        play(screen, luck)
        assert not tutor.bubble.isVisible()
    assert shown, "there is room for it somewhere"


def look_at_bubble(screen: TableScreen) -> None:
    """See that it covers no legal target, no card that may be played or is held, and no prompt."""
    view, scene = screen.view, screen.scene
    bubble = QRectF(screen.tutor.bubble.geometry().translated(-view.pos()))
    assert not bubble.intersects(QRectF(screen.prompt.geometry().translated(-view.pos())))
    assert QRectF(view.rect()).contains(bubble)
    offers = [offer for each in scene.seat.offers.values() for offer in each]
    zones = {zone for offer in offers for zone in (*offer.targets, *offer.spots) if zone}
    needed = {zone: rect for zone in zones if (rect := target_rect(scene.stage, zone)) is not None}
    cards = {card for offer in offers for card in offer.cards}
    needed |= {
        item.card: item.sceneBoundingRect()
        for item in scene.stage.items
        if item.isVisible() and (item.card in cards or item.zone == "hand/0")
    }
    for name, rect in needed.items():
        here = QRectF(view.mapFromScene(rect).boundingRect())
        assert not bubble.intersects(here), name
