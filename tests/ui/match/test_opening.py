"""A match opens with its box, its table and a deal; on the real window, before each player."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.commands import match_source
from tabletop.engine.scratch import FastRng
from tabletop.match.match import SYMBOLS, Match, Player
from tests.ui.table_driver import assert_settled, seen
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    hold,
    move_pressed,
    play,
    point_on,
    settle,
    sun_box,
)
from ui.app import Window
from ui.match.local_match import trial_table
from ui.match.prompt.prompt_fader import FADED_OPACITY
from ui.match.screen.table_screen import TableScreen
from ui.table.items.card_item import CardItem, CardSide
from ui.table.items.card_pixmaps import CardPixmaps

STILL = [{"animation": "off"}, {"animation": "slow", "reduced_motion": True}]


def played_now(opened: Open, **settings: object) -> tuple[Window, TableScreen]:
    window = opened(**({"animation": "slow", "bot_pause": 10_000} | settings))
    window.matches.start_bot_match(catalogue.load("sun"))
    settle()
    assert window.table is not None
    return window, window.table


def fresh(game: str, seats: int) -> Match:
    """A match of one person among bots, before its first move."""
    kit = catalogue.load(game)
    bots = [Player(f"Bot {n}", SYMBOLS[n], "bot", "easy") for n in range(1, seats)]
    return Match(kit, [Player("Hinata", "sun"), *bots], seed="fresh")


def opening(screen: TableScreen) -> bool:
    return screen.scene.animator.is_opening


def press(screen: TableScreen) -> None:
    port = screen.view.viewport()
    QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=port.rect().topLeft() + QPoint(3, 3))


def type_key(screen: TableScreen) -> None:
    QTest.keyClick(screen.view, Qt.Key.Key_Escape)


@pytest.mark.parametrize("way", [press, type_key])
def test_a_press_or_a_key_lays_the_table_at_once(opened: Open, way) -> None:
    _, screen = played_now(opened)
    assert opening(screen)
    way(screen)
    settle()
    assert not opening(screen)
    assert_settled(screen.scene)


def test_no_card_is_drawn_before_the_box_is_seen(opened: Open, monkeypatch) -> None:
    drawn = []
    draw = CardPixmaps.face_pixmap, CardPixmaps.back_pixmap
    monkeypatch.setattr(
        CardPixmaps, "face_pixmap", lambda *given: drawn.append(given) or draw[0](*given)
    )
    monkeypatch.setattr(
        CardPixmaps, "back_pixmap", lambda *given: drawn.append(given) or draw[1](*given)
    )
    window = opened(animation="slow", bot_pause=10_000)
    window.matches.start_bot_match(catalogue.load("sun"))
    assert opening(window.table)
    assert not drawn
    window.table.scene.skip_animations()
    assert drawn
    assert all(item.is_drawn for item in window.table.scene.stage.items)


@pytest.mark.parametrize("still", STILL)
def test_without_motion_a_table_is_simply_there(opened: Open, still: dict[str, object]) -> None:
    _, screen = played_now(opened, **still)
    assert not screen.scene.animator.is_running
    assert not screen.prompt.graphicsEffect().isEnabled()
    assert_settled(screen.scene)


def test_a_table_that_was_laid_is_as_without_motion(opened: Open) -> None:
    tables = []
    for speed in ("slow", "off"):
        window = opened(animation=speed, bot_pause=10_000)
        window.matches.show_match(fresh("chains", 3))
        settle()
        window.table.scene.skip_animations()
        tables.append(seen(window.table.scene))
    assert tables[0] == tables[1]


def test_the_prompt_takes_no_press_before_the_table_is_laid(opened: Open) -> None:
    _, screen = played_now(opened)
    prompt, effect = screen.prompt, screen.prompt.graphicsEffect()
    assert effect.isEnabled()
    assert effect.opacity() == 0.0
    middle = prompt.mapTo(screen.table_area, prompt.rect().center())
    under = screen.table_area.childAt(middle)
    assert under is not prompt, "a press there is done with the opening"
    assert not prompt.isAncestorOf(under)
    screen.scene.skip_animations()
    fade = screen._prompt_fader._fade
    fade.setCurrentTime(fade.duration())
    assert not effect.isEnabled()
    under = screen.table_area.childAt(middle)
    assert under is prompt or prompt.isAncestorOf(under)


def test_the_box_comes_from_where_it_stood(opened: Open) -> None:
    window = opened(animation="slow")
    box = sun_box(window)
    stood = box.mapTo(window, box.rect().center())
    window._play_now(box.game)
    screen = window.table
    lid = screen.scene.animator._overlays[1]
    screen.scene.animator._player._clock.setCurrentTime(0)
    at = screen.view.viewport().mapTo(window, screen.view.mapFromScene(lid.pos()))
    assert (at - stood).manhattanLength() <= 2


def test_only_the_beginning_of_a_match_is_laid_out(opened: Open) -> None:
    window, kit = opened(animation="slow"), catalogue.load("sun")
    window.matches.show_match(match_source.play_random_match(kit, 2, "later", 6))
    settle()
    assert not opening(window.table)


def test_the_table_of_a_game_in_the_making_is_simply_there(opened: Open) -> None:
    window = opened(animation="slow")
    seating = trial_table(window.context, fresh("sun", 2), bots_play=True)
    window.matches.show_table(seating).start()
    settle()
    assert not opening(window.table)


def test_a_move_by_a_button_counts_at_once(opened: Open) -> None:
    window = opened(animation="slow")
    window.matches.show_match(fresh("chains", 1))
    settle()
    screen = window.table
    assert opening(screen)
    before = screen.seated.view.ply
    screen.play(screen.scene.choice.legal_moves()[0])
    assert screen.seated.view.ply > before
    assert not opening(screen)


# Behind the curtain


def test_each_player_sees_the_deal_alone(opened: Open, qtbot: QtBot) -> None:
    window = opened(animation="slow")
    screen = begin(window)
    assert screen.curtain.is_drawn
    assert not opening(screen), "nothing flies under the curtain"
    assert not [item for item in screen.scene.items() if isinstance(item, CardItem)]
    hold(qtbot, screen)
    assert opening(screen)
    hand = screen.scene.stage.zones["hand/0"]
    assert all(item.side is CardSide.BACK for item in hand), "turned once it lies there"
    assert not any(item.is_known for item in screen.scene.stage.zones["hand/1"])
    screen.scene.skip_animations()
    assert all(item.side is CardSide.FACE for item in hand)
    luck = FastRng(1)
    while not screen.switch.decision.handover_due:
        play(screen, luck)
        screen.scene.skip_animations()
        settle()
    click(button(screen.prompt, "Hand over"))
    assert screen.curtain.is_drawn
    assert not screen.scene.animator.is_running
    hold(qtbot, screen)
    assert not opening(screen), "the table has been laid"


def test_a_curtain_ends_what_still_moves(opened: Open, qtbot: QtBot) -> None:
    window = opened(animation="slow", second_curtain=True)
    screen = begin(window)
    hold(qtbot, screen)
    assert opening(screen)
    screen.switch._cover(0)
    assert not screen.scene.animator.is_running
    assert not list(screen.scene.stage.items)
    hold(qtbot, screen)
    assert not opening(screen), "she has seen it"
    effect = screen.prompt.graphicsEffect()
    assert not effect.isEnabled() or screen._prompt_fader._target_opacity == 1.0


# The prompt makes way for cards


def test_the_prompt_makes_way_for_a_card_that_crosses_it(opened: Open) -> None:
    _, screen = played_now(opened, animation="off")
    prompt, effect, scene = screen.prompt, screen.prompt.graphicsEffect(), screen.scene
    card = next(item for item in scene.stage.items if item.isVisible())
    place = card.pos()
    over = screen.view.mapToScene(prompt.geometry().center() - screen.view.pos())
    for point, opacity in ((over, FADED_OPACITY), (QPointF(5, 5), 1.0), (over, FADED_OPACITY)):
        card.setPos(point)
        card.set_flight_height(0.5)
        scene.animator._player.stepped.emit()
        fade = screen._prompt_fader._fade
        fade.setCurrentTime(fade.duration())
        assert effect.opacity() == pytest.approx(opacity)
    button_under = screen.table_area.childAt(prompt.geometry().center())
    assert button_under is prompt or prompt.isAncestorOf(button_under), (
        "it can be pressed meanwhile"
    )
    card.set_flight_height(0.0)
    card.setPos(place)
    scene.animator._player.stepped.emit()
    fade.setCurrentTime(fade.duration())
    assert not effect.isEnabled()
    QApplication.sendEvent(screen.view, QEvent(QEvent.Type.Leave))


def test_a_dragged_card_fades_the_prompt_that_it_crosses(opened: Open) -> None:
    window = opened()
    screen = begin(window, 1)
    screen.scene.skip_animations()
    fader, port = screen._prompt_fader, screen.view.viewport()
    start = point_on(screen, screen.scene.own_cards.main_hand()[0].card)
    over = screen.prompt.geometry().center() - screen.view.pos()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    move_pressed(port, start - QPoint(0, 2 * QApplication.startDragDistance()))
    for place, opacity in ((over, FADED_OPACITY), (QPoint(over.x(), 20), 1.0)):
        move_pressed(port, place)
        assert fader._target_opacity == opacity
    move_pressed(port, over)
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=over)
    assert fader._target_opacity == 1.0
