"""The enlarged card: it can be read for a card in any place."""

from collections.abc import Iterator
from itertools import groupby

import pytest
from PySide6.QtCore import QRectF
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.model import Reason
from tabletop.match.match import Match, Player
from tests.net.loopback import LONG
from tests.ui.window_driver import Open, settle, table
from ui.match.screen.table_screen import TableScreen
from ui.table.input.targets import target_rect
from ui.table.items.card_item import CardItem
from ui.table.scene import TableScene

SMALL, LARGE = (1024, 600), (2560, 1440)
TABLES = [(game, SMALL) for game in catalogue.names()]
TABLES += [(game, LARGE) for game in (catalogue.names() if LONG else ("chains", "awss"))]
HIGH = Reason("It takes until the others have answered, and then it is told what came of it. " * 2)


def sit(opened: Open, game: str, size: tuple[int, int]) -> TableScreen:
    kit = catalogue.load(game)
    seats = kit.box.seats[-1]
    players = [Player(f"Player {n}", "", "person" if n == 0 else "bot") for n in range(seats)]
    window = opened(size)
    window.matches.show_match(Match(kit, players, catalogue.options(kit), "enlarged"))
    settle()
    table(window).dock.hide()  # which would show the card instead
    settle()
    return table(window)


def prompt_rect(screen: TableScreen) -> QRectF:
    """Return the place of the prompt line, in pixels of the scene."""
    view = screen.view
    assert screen.prompt.isVisible()
    return view.mapToScene(screen.prompt.geometry().translated(-view.pos())).boundingRect()


def looked_at(scene: TableScene) -> Iterator[CardItem]:
    """The known cards that are seen; the ends of each row where time is short."""
    seen = [item for item in scene.stage.items if item.is_known and item.isVisible()]
    for _, row in groupby(sorted(seen, key=lambda item: item.zone), lambda item: item.zone):
        cards = sorted(row, key=lambda item: (item.x(), item.y()))
        yield from cards if LONG else dict.fromkeys((cards[0], cards[-1]))


@pytest.mark.parametrize(("game", "size"), TABLES)
def test_it_lies_inside_the_table_and_clear_of_the_prompt_line(
    opened: Open, game: str, size: tuple[int, int]
) -> None:
    screen = sit(opened, game, size)
    scene = screen.scene
    looked = 0
    for explained in (False, True):
        if explained:  # a line as high as it becomes
            scene.choice.refused.notify(HIGH)
            settle()
        prompt = prompt_rect(screen)
        for item in looked_at(scene):
            scene.selection_view.hovered_card = item
            scene.magnifier.show_card()
            shown = scene.magnifier.enlarged_item
            assert scene.sceneRect().contains(shown.rect)
            assert not shown.rect.intersects(prompt), (item.zone, shown.rect, prompt)
            looked += 1
    assert looked


def test_it_goes_when_something_is_refused(opened: Open) -> None:
    screen = sit(opened, "sun", (1280, 800))
    scene = screen.scene
    scene.selection_view.hovered_card = next(one for one in scene.stage.items if one.is_known)
    scene.magnifier.show_card()
    assert scene.magnifier.enlarged_item is not None
    scene.choice.refused.notify(HIGH)
    assert scene.magnifier.enlarged_item is None


def test_it_leaves_the_places_free_where_a_card_may_go(opened: Open) -> None:
    screen = sit(opened, "sun", (1280, 800))
    scene = screen.scene
    first, second = [one for one in scene.stage.zones["hand/0"] if one.is_playable][:2]
    scene.choice.pick_or_toggle(first.card)
    targets = [
        target_rect(scene.stage, zone)
        for zone in scene.selection_view.target_lights.lit_zones
        if zone
    ]
    assert targets
    scene.selection_view.hovered_card = second
    scene.magnifier.show_card()
    shown = scene.magnifier.enlarged_item
    assert not any(rect is not None and shown.rect.intersects(rect) for rect in targets)


def test_the_pointer_brings_none_while_the_sidebar_shows_it(opened: Open, qtbot: QtBot) -> None:
    screen = sit(opened, "sun", (1280, 800))
    scene = screen.scene
    item = next(one for one in scene.stage.zones["hand/0"] if one.is_playable)
    for shown in (False, True):
        screen.dock.setVisible(not shown)
        settle()
        with qtbot.waitSignal(scene.selection_view.viewed_card_changed):
            scene.gesture.hover(item)
        assert (scene.magnifier.enlarged_item is not None) is shown
        scene.gesture.hover(None)
