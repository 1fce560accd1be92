"""The prompt while a move is made."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tabletop.engine.model import Move
from tabletop.engine.scratch import FastRng
from tabletop.match.match import Match
from tests.ui.random_matches import match_until
from tests.ui.window_driver import (
    Open,
    begin,
    button,
    click,
    drag,
    hold,
    key,
    middle,
    move_pressed,
    play,
    settle,
    table,
)
from ui.app import Window
from ui.match.screen.table_screen import TableScreen
from ui.match.table_frame import HANDLE_WIDTH_PX

CALM = {"animation": "off", "bot_pause": 60_000}
"""No bot moves while a test looks."""


def offers(match: Match, verb: str) -> bool:
    return any(offer.verb == verb for each in match.offers(0).values() for offer in each)


def sit(window: Window, match: Match) -> TableScreen:
    window.matches.show_match(match)
    settle()
    return table(window)


# Half-made moves


def analysis(match: Match) -> bool:
    state = match.state
    turning = any(len(offer.choices) > 2 for each in match.offers(0).values() for offer in each)
    return state.values["phase"] == "analysis" and turning and state.asks[0].what == "place"


@pytest.mark.parametrize(
    ("language", "asked"), [("en", "Choose how far the ghost turns"), ("ja", "どこまで回すか")]
)
def test_a_laid_card_asks_for_the_turn(opened: Open, language: str, asked: str) -> None:
    window = opened(language=language, **CALM)
    screen = sit(window, match_until("sun", analysis))
    before = screen.prompt.text
    assert asked not in before
    every = [offer for each in screen.switch.shown_seat.offers.values() for offer in each]
    offer = next(offer for offer in every if len(offer.choices) > 2)
    drag(screen, offer.cards[0], offer.targets[0])
    assert asked in screen.prompt.text
    key(Qt.Key.Key_Escape)
    assert screen.prompt.text == before
    drag(screen, offer.cards[0], offer.targets[0])
    key(Qt.Key.Key_1)
    assert asked not in screen.prompt.text
    assert screen.seated.match.record[-1].seat == 0


# Royale


def test_a_reroll_is_one_click(opened: Open) -> None:
    match = match_until("royale", lambda match: offers(match, "reroll"))
    screen = sit(opened(**CALM), match)
    values = match.state.values
    faces = [values["dice/1"], values["dice/2"]]
    shown = [faces[int(values["die"]) - 1]] if values["die"] else faces
    assert f"You rolled {' and '.join(map(str, shown))}. Reroll?" in screen.prompt.text
    reroll, *_ = [each for each in screen.prompt.buttons if each.text().startswith("Reroll with")]
    click(reroll)
    assert match.record[-1].move.verb == "reroll"


def test_no_orange_button_gives_an_attack_up(opened: Open) -> None:
    window = opened(**CALM)
    for armed in (True, False):
        match = match_until(
            "royale",
            lambda match, armed=armed: offers(match, "forgo") and offers(match, "strike") == armed,
        )
        screen = sit(window, match)
        skip = button(screen.prompt, "Skip the attack")
        assert skip.property("kind") != "primary"


def test_what_is_declared_and_counted_has_a_tool_tip(opened: Open) -> None:
    match = match_until("royale", lambda match: offers(match, "declare"))
    screen = sit(opened(**CALM), match)
    declare = [each for each in screen.prompt.buttons if each.toolTip()]
    assert [each.text() for each in declare] == ["Attack", "Defend", "Change range"]
    assert len({each.toolTip() for each in declare}) == 3
    signs = [item for _, item in screen.scene.stage.background.plaques]
    assert {item.toolTip()[:2] for item in signs} == {"KP"}
    assert all("\nDP" in item.toolTip() for item in signs)


def walking(match: Match) -> bool:
    return offers(match, "walk")


def test_nothing_on_a_lit_area_says_that_it_is_not_yours(opened: Open) -> None:
    match = match_until("royale", walking)
    screen = sit(opened(**CALM), match)
    scene = screen.scene
    lit = [
        zone for zone in scene.selection_view.target_lights.lit_zones if zone.startswith("area/")
    ]
    assert lit
    for zone in lit:
        scene.selection_view.hovered_card = scene.stage.zones[zone][0]
        scene.magnifier.show_card()
        assert scene.magnifier._reason_against(scene.selection_view.hovered_card) == ""
    taken = [zone for zone, items in scene.stage.zones.items() if items]
    lights = scene.selection_view.target_lights.lit_zones
    dark = next(zone for zone in taken if zone.startswith("area/") and zone not in lights)
    assert scene.magnifier._reason_against(scene.stage.zones[dark][0]), "there it still says why"


def test_a_dragged_card_is_drawn_over_the_prompt(opened: Open) -> None:
    screen = sit(opened(**CALM), match_until("sun", lambda match: offers(match, "place")))
    port, prompt = screen.view.viewport(), screen.prompt.geometry()
    held = next(item for item in screen.scene.stage.items if item.is_playable)
    start = screen.view.mapFromScene(held.pos())
    over = prompt.center() - screen.view.pos()
    before = screen.grab(QRect(screen.table_area.mapTo(screen, prompt.topLeft()), prompt.size()))
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 9):
        move_pressed(port, start + (over - start) * step / 8)
    overlay = screen._carried_card_overlay
    assert overlay.isVisible()
    assert prompt.contains(overlay.geometry())
    drawn = overlay.grab().toImage()
    card = screen.view.mapFromScene(held.pos()) + screen.view.pos() - overlay.pos()
    assert drawn.pixelColor(card).alpha() == 255
    after = screen.grab(QRect(screen.table_area.mapTo(screen, prompt.topLeft()), prompt.size()))
    assert after.toImage() != before.toImage()
    assert screen.table_area.childAt(prompt.center()) is not overlay, "it takes no press"
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=over)
    settle()
    assert not overlay.isVisible()


def test_nothing_drawn_at_the_edge_is_repeated_beside_the_table(opened: Open) -> None:
    screen = sit(opened(**CALM), match_until("chains", lambda match: offers(match, "flip")))
    place = QRect(screen.table_area.mapTo(screen, QPoint()), screen.table_area.size())
    drawn = screen.grab().toImage()
    beside = place.right() + 1
    for y in range(place.top() + 1, place.bottom() - 1, 7):
        strip = {drawn.pixelColor(beside + x, y).rgb() for x in range(1, HANDLE_WIDTH_PX - 1)}
        assert len(strip) == 1, y


def test_the_own_piece_is_dragged_to_a_lit_area(opened: Open) -> None:
    match = match_until("royale", walking)
    screen = sit(opened(**CALM), match)
    here = str(match.state.values["at/0"])
    lit = next(
        z
        for z in screen.scene.selection_view.target_lights.lit_zones
        if z.startswith("area/") and z != here
    )
    port = screen.view.viewport()
    start, end = middle(screen, here), middle(screen, lit)
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 9):
        move_pressed(port, start + (end - start) * step / 8)
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=end)
    settle()
    assert screen.prompt.reason == ""
    move = match.record[-1].move
    assert (move.verb, move.target) == ("walk", lit)


# Hot seat


def test_the_curtain_speaks_in_the_directions_of_who_opens_it(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened())
    hold(qtbot, screen)
    ask, each = next(iter(screen.switch.shown_seat.offers.items()))
    offer = each[0]
    move = Move(ask, offer.verb, offer.cards[:1], "grid/0,0", offer.choices[0])
    assert offer.admits(move)
    screen.play(move)
    settle()
    click(button(screen.prompt, "Hand over"))
    assert screen.curtain.is_drawn
    assert "on the near right cell" in screen.curtain.description
    assert "far left cell" not in screen.curtain.description


def test_after_an_agreed_undo_nobody_hears_of_a_move(opened: Open, qtbot: QtBot) -> None:
    screen = begin(opened())
    hold(qtbot, screen)
    play(screen, FastRng(1))
    assert screen.prompt.text.startswith("Your move is made.")
    click(button(screen.prompt, "Hand over"))
    hold(qtbot, screen)
    screen.undo()
    screen.consent.undo()
    settle()
    assert screen.switch.decision.handover_due
    assert "Your move is made" not in screen.prompt.text
    assert "is next" in screen.prompt.text
