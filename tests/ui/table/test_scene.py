"""A person at the table: with the mouse, with the keys, and what moves."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tabletop.catalogue import catalogue
from tabletop.engine.events import Event, Rolled, Said
from tabletop.engine.model import AUDIENCE, Preview, Reason, Remark, hidden_card
from tabletop.language.words import Words
from tabletop.match import offer_matching as offered
from tabletop.match.match import Match, Player
from tabletop.match.seat import Seat
from tests.match.far_match import FarMatch
from tests.ui.table_driver import (
    KIT,
    RIGHT,
    Table,
    asked,
    assert_settled,
    forming,
    in_analysis,
    new_match,
    play_on,
    play_one,
    some_move,
    spot_of,
)
from ui.pictures.shot import shot
from ui.style.art import Art
from ui.style.theme import load_theme
from ui.table.input.preview_item import PreviewItem
from ui.table.items.card_item import CardItem, CardSide
from ui.table.items.dice_item import DieItem
from ui.table.items.light_items import TargetLightItem
from ui.table.items.slip_item import SlipItem
from ui.table.layout import geometry

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def siege() -> Table:
    match = new_match()
    return Table(match, asked(match))


@pytest.fixture
def analysis() -> Table:
    match = play_on(new_match(), in_analysis)
    return Table(match, asked(match))


@pytest.fixture
def squads() -> Table:
    match = play_on(new_match("full"), forming, seed=5)
    return Table(match, asked(match))


def tool_tips(table: Table) -> list[str]:
    return sorted(item.toolTip() for item in table.scene.items())


def playable(table: Table) -> CardItem:
    return next(item for item in table.hand if item.is_playable)


def still(table: Table) -> CardItem:
    """A card that cannot be placed in the siege; the match is chosen so that there is one."""
    for number in range(200):
        match = new_match(f"still {number}")
        table.match = match
        table.sit(asked(match))
        for item in table.hand:
            if not item.is_playable:
                return item
    raise AssertionError("no such card")


def test_the_next_seat_finds_the_table_laid_out(
    siege: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, stretch_to_viewport = list[tuple[float, float]](), geometry.stretch_to_viewport
    monkeypatch.setattr(
        geometry, "stretch_to_viewport", lambda *of: tried.append(of[1]) or stretch_to_viewport(*of)
    )
    siege.sit(1 - siege.seat.number)
    assert tried == []
    assert_settled(siege.scene)
    siege.scene.clear_seat()
    siege.sit(0)
    assert tried, "nothing is kept of a table that is left"


# Looking


def test_the_table_lies_as_the_view_tells(siege: Table) -> None:
    assert_settled(siege.scene)
    assert {item.side for item in siege.hand} == {CardSide.FACE}
    assert all(item.side is CardSide.BACK for item in siege.scene.stage.zones["pile"])
    assert any(item.is_playable for item in siege.hand)


def test_a_card_only_its_owner_knows_lies_under_a_chip() -> None:
    match = play_on(new_match(), lambda m: bool(m.state.cards["bed/0"]))
    table = Table(match, 0)
    assert {item.side for item in table.scene.stage.zones["bed/0"]} == {CardSide.CHIP}
    table.sit(1)
    assert {item.side for item in table.scene.stage.zones["bed/0"]} == {CardSide.BACK}


def test_hovering_lifts_a_card_and_enlarges_it_beside_itself(siege: Table, qtbot: QtBot) -> None:
    item = siege.hand[2]
    before = item.pos().y()
    siege.move(siege.grip(item))
    qtbot.waitUntil(lambda: bool(siege.scene.magnifier.enlarged_item and item.pos().y() < before))
    large = siege.scene.magnifier.enlarged_item
    assert not large.sceneBoundingRect().intersects(item.mapToScene(item.card_rect).boundingRect())
    assert siege.scene.sceneRect().contains(large.rect)
    siege.move(QPointF(640, 500))
    assert siege.scene.magnifier.enlarged_item is None


def test_a_card_that_rises_under_the_pointer_stays_up(siege: Table) -> None:
    siege.scene.set_speed("normal")
    item = siege.hand[0]
    foot = item.mapToScene(QPointF(-item.width * 0.3, item.card_rect.bottom() - 3))
    seen = []
    for number in range(12):
        siege.move(foot + QPointF(number % 2, 0))
        QTest.qWait(30)
        seen.append(siege.scene.selection_view.hovered_card)
    assert seen == [item] * 12


def test_the_info_panel_is_told_of_the_card_looked_at(siege: Table) -> None:
    seen: list[object] = []
    siege.scene.selection_view.viewed_card_changed.connect(seen.append)
    siege.click(siege.grip(siege.hand[0]))
    assert siege.hand[0].card in seen


def test_a_picture_is_what_the_seat_sees(tmp_path: Path) -> None:
    out = tmp_path / "table.png"
    shot(Seat.at_table(new_match(), 0), KIT, (640, 400), 2.0, "ja", "dark", out)
    picture = QImage(str(out))
    assert (picture.width(), picture.height()) == (1280, 800)
    assert len({picture.pixel(x, 700) for x in range(0, 1280, 16)}) > 10
    with pytest.raises(OSError, match=r"(No such file or directory|Path not found)"):
        shot(Seat.at_table(new_match(), 0), KIT, (64, 40), out=tmp_path / "nowhere" / "table.png")


# Dragging


def test_a_drag_to_a_lit_place_plays(siege: Table) -> None:
    item = playable(siege)
    grip = siege.lift(item)
    lit = siege.scene.selection_view.target_lights.lit_zones
    assert len(lit) == 8
    assert item.is_held
    to = siege.middle(lit[3]) + grip - item.pos() + QPointF(0, -30)
    siege.move(to)
    siege.release(to)
    assert siege.acted[0].target == lit[3]
    assert siege.match.state.cards[lit[3]] == siege.acted[0].cards
    assert not siege.scene.selection_view.target_lights.lit_zones
    assert_settled(siege.scene)


@pytest.mark.parametrize("speed", ["off", "normal"])
def test_a_dragged_card_takes_the_size_of_the_lit_place_below_it(
    siege: Table, qtbot: QtBot, speed: str
) -> None:
    siege.scene.set_speed(speed)
    item = playable(siege)
    grip = siege.lift(item)
    lights = {one.zone: one for one in siege.scene.items() if isinstance(one, TargetLightItem)}
    zone = siege.scene.selection_view.target_lights.lit_zones[3]
    to = siege.middle(zone) + grip - item.pos() + QPointF(0, -30)
    siege.move(to)
    placed, light = siege.scene.stage.placed, lights[zone]
    wanted = placed.zones[zone].place.card * placed.unit
    assert light.zValue() > item.zValue(), "the frame lies on the card"
    assert light.brush().color().alpha() == 0
    assert not any(one.is_inviting for one in lights.values())
    if speed == "off":
        assert item.width * item.scale() == pytest.approx(wanted)
    qtbot.waitUntil(lambda: item.width * item.scale() == pytest.approx(wanted))
    assert item.sceneBoundingRect().contains(to), "the pointer still holds it"
    siege.move(grip + QPointF(0, -30))
    qtbot.waitUntil(lambda: item.width * item.scale() == pytest.approx(item.width))
    assert light.zValue() < item.zValue()
    siege.release(grip)
    assert_settled(siege.scene)


def test_an_illegal_drop_glides_home_and_says_why(siege: Table, qtbot: QtBot) -> None:
    siege.scene.set_speed("normal")
    item = playable(siege)
    home = item.pos()
    siege.carry(item, siege.middle("grid/1,1"))
    assert [reason.paragraph for reason in siege.refused] == ["5.1"]
    assert item.pos() != home
    qtbot.waitUntil(lambda: item.pos() == home)
    assert not siege.acted
    assert_settled(siege.scene)


def test_a_card_that_cannot_be_played_tilts_and_says_why(siege: Table) -> None:
    item = still(siege)
    home = item.pos()
    siege.carry(item, siege.middle("grid/0,0"))
    assert "still card" in siege.refused[0].text
    assert item.pos() == home
    assert not siege.acted


@pytest.mark.parametrize("how", ["escape", "right button"])
def test_a_drag_can_be_called_off(siege: Table, how: str) -> None:
    item = playable(siege)
    home = item.pos()
    grip = siege.lift(item)
    siege.move(siege.middle("grid/0,0"))
    if how == "escape":
        siege.key(Qt.Key.Key_Escape)
    else:
        siege.press(siege.middle("grid/0,0"), RIGHT)
    assert not siege.scene.selection_view.target_lights.lit_zones
    siege.release(grip)
    assert item.pos() == home
    assert not item.is_held
    assert not siege.acted
    assert not siege.refused
    assert_settled(siege.scene)


def test_a_small_tremble_is_no_drag(siege: Table) -> None:
    item = playable(siege)
    grip = siege.grip(item)
    siege.press(grip)
    siege.move(grip + QPointF(2, 2))
    siege.release(grip + QPointF(2, 2))
    assert item.is_selected
    assert not item.is_held


def test_out_of_turn_the_own_hand_is_sorted(siege: Table) -> None:
    siege.sit(1 - siege.seat.number)
    first, last = siege.hand[0], siege.hand[-1]
    siege.carry(first, last.pos() + QPointF(30, 0))
    assert siege.hand[-1] is first
    assert not siege.refused
    assert_settled(siege.scene)
    seat = asked(siege.match)
    siege.match.submit(
        seat, next(siege.match.offers(seat).values().__iter__())[0].moves(0).__next__()
    )
    assert siege.hand[-1] is first


def unplayable(table: Table) -> CardItem:
    """A card of the hand that cannot be played now, once there is one."""
    luck = random.Random(3)
    for _ in range(400):
        table.sit(asked(table.match))
        idle = [item for item in table.hand if not item.is_playable]
        if idle and len(table.hand) > 2:
            return idle[0]
        table.match.submit(table.seat.number, some_move(table.match, table.seat.number, luck))
    raise AssertionError("every card could always be played")


def test_a_card_that_cannot_be_played_is_sorted_too(siege: Table) -> None:
    item = unplayable(siege)
    other = siege.hand[-1] if siege.hand[-1] is not item else siege.hand[0]
    wanted = siege.hand.index(other)
    siege.carry(item, QPointF(other.pos().x(), siege.middle(item.zone).y()))
    assert siege.hand.index(item) == wanted
    assert not siege.refused
    assert_settled(siege.scene)
    siege.carry(item, siege.middle("pile"))
    assert siege.refused, "elsewhere it is told why it cannot be"
    assert siege.hand.index(item) == wanted


def test_cards_are_sorted_by_keys_at_any_time(siege: Table) -> None:
    for seat in (siege.seat.number, 1 - siege.seat.number):
        siege.sit(seat)
        first, second, third = siege.hand[:3]
        siege.scene.keyboard.focus_card(first)
        siege.key(Qt.Key.Key_Right, ctrl=True)
        siege.key(Qt.Key.Key_Right, ctrl=True)
        assert siege.hand[:3] == [second, third, first]
        siege.key(Qt.Key.Key_Left, ctrl=True)
        assert siege.hand[:3] == [second, first, third]
        assert siege.scene.selection_view.focus.card_item is first
        assert not siege.acted
        assert_settled(siege.scene)


def test_the_order_is_there_again_when_one_looks_again(siege: Table) -> None:
    me = siege.seat.number
    first = siege.hand[0].card
    siege.scene.keyboard.focus_card(siege.hand[0])
    siege.key(Qt.Key.Key_Right, ctrl=True)
    siege.sit(1 - me)
    assert first not in [card for cards in siege.scene.stage.card_order.values() for card in cards]
    siege.sit(me)
    assert siege.hand[1].card == first


def test_a_card_carried_while_others_play_can_be_dropped(siege: Table) -> None:
    mover = siege.seat.number
    siege.sit(1 - mover)
    item, last = siege.hand[0], siege.hand[-1]
    siege.press(siege.grip(item))
    siege.move(last.pos() - QPointF(40, 0))
    siege.move(last.pos())
    assert item.is_held
    siege.match.submit(mover, some_move(siege.match, mover, random.Random(1)))
    assert not item.is_held
    assert siege.hand[-1] is item


# Clicking


def test_click_lights_the_targets_and_a_click_on_one_plays(siege: Table) -> None:
    item = playable(siege)
    siege.click(siege.grip(item))
    assert item.is_selected
    zone = siege.scene.selection_view.target_lights.lit_zones[0]
    siege.click(siege.middle(zone))
    assert siege.acted[0].target == zone
    assert siege.acted[0].cards == (item.card,)


def test_a_click_elsewhere_unselects(siege: Table) -> None:
    item = playable(siege)
    siege.click(siege.grip(item))
    siege.click(QPointF(640, 545))
    assert not item.is_selected
    assert not siege.scene.selection_view.target_lights.lit_zones


def test_double_click_does_the_one_obvious_thing_or_asks(analysis: Table) -> None:
    scene = analysis.scene
    item = next(i for i in analysis.hand if i.is_playable)
    analysis.double_click(analysis.grip(item))
    if scene.selection_view.chooser is not None:
        assert scene.choice.undecided is not None
        analysis.key(Qt.Key.Key_Return)
    assert len(analysis.acted) == 1


def test_the_dial_shows_what_would_come_and_takes_a_click(analysis: Table) -> None:
    scene = analysis.scene
    item = max(
        analysis.hand, key=lambda i: len(offered.single_card_moves(scene.choice.offers, i.card))
    )
    moves = offered.single_card_moves(scene.choice.offers, item.card)
    assert len(moves) > 1
    analysis.carry(item, analysis.middle(moves[0].target))
    assert scene.selection_view.chooser.is_dial
    assert not analysis.acted
    at = spot_of(scene, len(moves) - 1)
    analysis.move(at)
    assert scene.selection_view.chooser.highlighted == len(moves) - 1
    assert any(isinstance(one, PreviewItem) for one in scene.items())
    analysis.click(at)
    assert analysis.acted == moves[-1:]
    assert scene.selection_view.chooser is None
    assert_settled(scene)


def test_nothing_is_written_under_a_line_that_would_count(analysis: Table) -> None:
    scene = analysis.scene
    scene.stage.view = replace(scene.stage.view, cards=scene.stage.view.cards | {"grid/0,0": ()})
    lights = scene.selection_view.target_lights
    scene.stage.show_view(scene.stage.view)
    lights.show_targets(["grid/0,0"])
    (light,) = (one for one in scene.items() if isinstance(one, TargetLightItem))
    assert not light.is_inviting, "only where the pointer is"
    lights.highlight("grid/0,0")
    assert light.is_inviting
    lights.hide_crossed_invitations(
        Preview({}, (Remark("Direct magic.", {}, ("grid/0,0", "grid/0,1")),))
    )
    assert not light.is_inviting
    lights.hide_crossed_invitations(None)
    assert light.is_inviting


def test_escape_from_the_dial_brings_the_card_home(analysis: Table) -> None:
    scene = analysis.scene
    item = max(
        analysis.hand, key=lambda i: len(offered.single_card_moves(scene.choice.offers, i.card))
    )
    home = item.pos()
    analysis.carry(
        item, analysis.middle(offered.single_card_moves(scene.choice.offers, item.card)[0].target)
    )
    assert item.pos() != home
    analysis.key(Qt.Key.Key_Escape)
    assert item.pos() == home
    assert scene.selection_view.chooser is None
    assert_settled(scene)


def test_the_menu_tells_what_can_be_done_and_what_cannot(siege: Table) -> None:
    menu = siege.scene.make_card_menu(playable(siege))
    enabled = [action.text() for action in menu.actions() if action.isEnabled() and action.text()]
    assert sum(text.startswith("Place") for text in enabled) == 8
    assert enabled[-2:] == ["About this card", "Rules"]
    menu = siege.scene.make_card_menu(still(siege))
    greyed = [action for action in menu.actions() if not action.isEnabled() and action.text()]
    assert "still card" in greyed[0].text()


# Keys


def keys_to(table: Table, item: CardItem) -> None:
    for _ in range(40):
        if table.scene.selection_view.focus.card_item is item:
            return
        at = table.scene.selection_view.focus.card_item
        if at is None or at not in table.hand:
            table.key(Qt.Key.Key_Tab)
            continue
        right = table.hand.index(item) > table.hand.index(at)
        table.key(Qt.Key.Key_Right if right else Qt.Key.Key_Left)
    raise AssertionError("the focus does not get there")


def test_digits_choose_the_nth_card_and_the_nth_choice(analysis: Table) -> None:
    scene = analysis.scene
    item = max(
        analysis.hand, key=lambda i: len(offered.single_card_moves(scene.choice.offers, i.card))
    )
    number = analysis.hand.index(item)
    moves = offered.single_card_moves(scene.choice.offers, item.card)
    QTest.keyClick(analysis.view, Qt.Key(Qt.Key.Key_1.value + number))
    assert item.is_selected
    analysis.key(Qt.Key.Key_Return)
    analysis.key(Qt.Key.Key_2)
    assert analysis.acted == [moves[1]]


def test_a_french_keyboards_digits_choose_too(
    analysis: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")
    bare, pressed = Qt.KeyboardModifier.NoModifier, QEvent.Type.KeyPress
    event = QKeyEvent(pressed, Qt.Key.Key_Ampersand, bare, 10, 38, 0, "&")
    QApplication.sendEvent(analysis.view, event)
    assert analysis.hand[0].is_selected


def test_the_focus_stays_with_no_card_that_is_shuffled(siege: Table) -> None:
    item, focus = siege.hand[0], siege.scene.selection_view.focus
    siege.scene.keyboard.focus_card(item)
    siege.scene.selection_view.redraw()
    assert focus.card_item is item
    item.set_card(hidden_card(siege.scene.kit.backs[item.card]))
    siege.scene.selection_view.redraw()
    assert focus.card_item is None


def test_tab_goes_from_zone_to_zone_and_then_on(siege: Table) -> None:
    zones = []
    while siege.scene.keyboard.focus_next_zone(True):
        zones.append(siege.scene.selection_view.focus.card_item.zone)
    assert len(zones) == len(set(zones))
    assert f"hand/{siege.seat.number}" in zones
    assert "shield" in zones


def test_shift_enlarges_the_focused_card(siege: Table) -> None:
    keys_to(siege, siege.hand[0])
    QTest.keyPress(siege.view, Qt.Key.Key_Shift)
    assert siege.scene.magnifier.enlarged_item is not None
    QTest.keyRelease(siege.view, Qt.Key.Key_Shift)
    assert siege.scene.magnifier.enlarged_item is None


# Squads


def test_squads_are_put_together_by_dragging_and_sent_when_ready(squads: Table) -> None:
    scene, seat = squads.scene, squads.seat.number
    bed = f"bed/{seat}"
    wanted = len(scene.choice.multi_selection.draft.placed)
    assert wanted >= 3
    for number in range(wanted):
        squads.carry(scene.stage.zones[bed][0], squads.middle(f"squad/{seat}/{number // 2 + 1}"))
        assert not squads.acted
    assert squads.ready[-1] is True
    back = scene.stage.zones[f"squad/{seat}/1"][0]
    if scene.stage.zones[bed]:
        squads.carry(back, squads.middle(bed))
    else:
        squads.carry(back, QPointF(640, 700))
    assert squads.ready[-1] is False
    squads.carry(back, squads.middle(f"squad/{seat}/1"))
    assert squads.ready[-1] is True
    cards = scene.choice.multi_selection.draft.cards
    scene.choice.send_selection()
    assert squads.acted[0].cards == cards
    assert not squads.refused


def test_squads_by_click_and_by_double_click(squads: Table) -> None:
    scene, seat = squads.scene, squads.seat.number
    bed = scene.stage.zones[f"bed/{seat}"]
    first, second = bed[0], bed[1]
    squads.click(squads.grip(first))
    squads.click(squads.middle(f"squad/{seat}/2"))
    assert scene.stage.zones[f"squad/{seat}/2"] == [first]
    squads.double_click(squads.grip(second))
    assert scene.stage.zones[f"squad/{seat}/1"] == [second]
    squads.double_click(squads.grip(first))
    assert first in scene.stage.zones[f"bed/{seat}"]
    assert not squads.acted


# Animation


@pytest.mark.parametrize("speed", ["off", "fast"])
def test_films_end_at_the_geometry_of_the_view(speed: str, qtbot: QtBot) -> None:
    match = new_match("films")
    table = Table(match, 0, speed=speed)
    settled: list[bool] = []
    table.scene.settled.connect(lambda: settled.append(True))
    luck = random.Random(5)
    for turn in range(60):
        if match.state.result is not None:
            break
        seen = len(settled)
        play_one(match, turn)
        if speed != "off":
            if luck.random() < 0.9:
                QTest.qWait(luck.randrange(1, 30))
                table.scene.skip_animations()
            else:
                qtbot.waitUntil(lambda: not table.scene.animator.is_running)
        assert not table.scene.animator.is_running
        assert len(settled) > seen
        assert_settled(table.scene)
    assert match.state.result is not None


def test_input_while_something_moves_skips_it_and_counts() -> None:
    match = new_match()
    table = Table(match, asked(match), speed="slow")
    item = playable(table)
    table.click(table.grip(item))
    table.click(table.middle(table.scene.selection_view.target_lights.lit_zones[0]))
    assert table.scene.animator.is_running
    table.press(QPointF(640, 545))
    assert not table.scene.animator.is_running
    assert_settled(table.scene)


def test_taking_back_lays_everything_back(siege: Table) -> None:
    item = playable(siege)
    seat = siege.seat.number
    siege.click(siege.grip(item))
    siege.click(siege.middle(siege.scene.selection_view.target_lights.lit_zones[0]))
    siege.match.undo(None)
    assert item.card in siege.match.state.cards[f"hand/{seat}"]
    assert_settled(siege.scene)


@pytest.mark.parametrize("name", catalogue.names())
def test_every_game_can_be_watched_and_clicked(name: str) -> None:
    kit = catalogue.load(name)
    luck = random.Random(name)
    seats = luck.choice(kit.box.seats)
    players = [Player(f"P{seat}") for seat in range(seats)]
    match = Match(kit, players, catalogue.options(kit), seed=name)
    table = Table(match, 0, speed="fast", kit=kit)
    for turn in range(60):
        if match.state.result is not None:
            break
        if turn % 7 == 0:
            table.sit(asked(match))
            for _ in range(4):
                table.click(QPointF(luck.randrange(1280), luck.randrange(800)))
                table.scene.skip_animations()
            table.scene.cancel()
        if match.state.result is None:
            play_one(match, turn)
        table.scene.skip_animations()
        assert_settled(table.scene)


# Visibility


def test_nothing_of_the_former_seat_is_left(analysis: Table, qtbot: QtBot) -> None:
    scene = analysis.scene
    item = analysis.hand[0]
    hidden = {item.card for item in analysis.hand}
    analysis.click(analysis.grip(item))
    analysis.move(analysis.grip(analysis.hand[1]))
    qtbot.waitUntil(lambda: bool(scene.magnifier.enlarged_item))
    scene._menu = scene.make_card_menu(item)
    former = set(scene.items())
    heard: list[object] = []
    scene.selection_view.viewed_card_changed.connect(heard.append)
    analysis.sit(1 - analysis.seat.number)
    assert not former & set(scene.items())
    shown = {one.card for one in scene.items() if isinstance(one, CardItem)}
    assert not shown & hidden
    assert scene.magnifier.enlarged_item is None
    assert scene.selection_view.chooser is None
    assert scene._menu is None
    assert scene.choice.picked_up is None
    assert scene.selection_view.focus.card_item is None
    assert heard[0] is None
    fresh = Table(analysis.match, analysis.seat.number)
    assert tool_tips(analysis) == tool_tips(fresh)
    scene.clear_seat()
    assert not scene.items()


def test_the_audience_sees_no_hand() -> None:
    table = Table(new_match(), AUDIENCE)
    assert all(item.card < 0 for item in table.scene.stage.zones["hand/0"])
    assert not table.scene.choice.legal_moves()
    table.click(table.grip(table.scene.stage.zones["hand/0"][0]))
    assert not table.acted


# Sizes, zoom, speech


def test_the_view_follows_its_size_and_keeps_sharp(siege: Table, qtbot: QtBot) -> None:
    for size in ((1024, 600), (1600, 1000), (2560, 1440)):
        siege.view.resize(*size)
        qtbot.waitUntil(
            lambda size=size: siege.scene.width() == size[0] and not siege.scene.stage.is_resizing
        )
        assert_settled(siege.scene)
        assert all(item.scale() == 1 for item in siege.scene.stage.items)
        bounds = siege.scene.sceneRect()
        for item in siege.scene.stage.items:
            if item.isVisible():
                assert bounds.contains(item.mapToScene(item.card_rect).boundingRect())


def test_zoom_renders_afresh_and_goes_back(siege: Table, qtbot: QtBot) -> None:
    ratio = siege.scene.stage.pixmaps.ratio
    siege.view.zoom_in()
    siege.view.zoom_in()
    qtbot.waitUntil(lambda: siege.scene.stage.pixmaps.ratio > ratio)
    assert siege.view.transform().m11() == pytest.approx(siege.view.zoom)
    siege.view.reset_zoom()
    qtbot.waitUntil(lambda: siege.scene.stage.pixmaps.ratio == ratio)
    assert siege.view.transform().isIdentity()


def test_the_table_speaks_the_language_it_is_given(siege: Table) -> None:
    prints = siege.scene.stage.pixmaps
    siege.scene.set_appearance(Words("ja", KIT, siege.match.players), prints.theme, prints.art)
    assert_settled(siege.scene)
    assert siege.view.accessibleName() == siege.scene.accessible_name()


@pytest.mark.parametrize("game", catalogue.names())
def test_every_single_event_leaves_the_cards_that_the_view_has(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = catalogue.load(game)
    players = [Player(f"P{seat}", "sun") for seat in range(kit.box.seats[0])]
    match = Match(kit, players, catalogue.options(kit), seed="films")
    table = Table(match, AUDIENCE, kit=kit)
    stage, fold = table.scene.stage, table.scene.stage.apply_event

    def watched(event: Event) -> list[CardItem]:
        touched = fold(event)
        for zone, items in stage.zones.items():
            assert sorted(one.card for one in items) == sorted(stage.view.cards[zone]), event
        return touched

    monkeypatch.setattr(stage, "apply_event", watched)
    for number in range(400):
        if match.state.result is None:
            play_one(match, number)


def test_a_card_laid_down_goes_home_when_all_is_drawn_anew(analysis: Table) -> None:
    scene = analysis.scene
    prints, japanese = scene.stage.pixmaps, Words("ja", KIT, analysis.match.players)
    changes = (
        lambda: scene.set_appearance(japanese, prints.theme, prints.art),
        lambda: scene.set_appearance(japanese, load_theme("dark"), Art(load_theme("dark"))),
        lambda: scene.set_size(1024, 600),
    )
    for change in changes:
        item = max(
            analysis.hand, key=lambda i: len(offered.single_card_moves(scene.choice.offers, i.card))
        )
        analysis.carry(
            item,
            analysis.middle(offered.single_card_moves(scene.choice.offers, item.card)[0].target),
        )
        assert scene.selection_view.chooser is not None
        change()
        assert scene.selection_view.chooser is None
        assert_settled(scene)


def test_a_hint_is_shown_and_not_played(siege: Table) -> None:
    move = siege.scene.choice.legal_moves()[3]
    siege.scene.choice.show_advice(move)
    assert move.target in siege.scene.selection_view.target_lights.lit_zones
    assert any(item.is_selected and item.card in move.cards for item in siege.hand)
    assert not siege.acted


def test_a_refusal_that_comes_later_brings_the_card_back(siege: Table, qtbot: QtBot) -> None:
    item = playable(siege)
    home = item.pos()
    siege.seat.authority = far = FarMatch(siege.match)
    siege.click(siege.grip(item))
    siege.click(siege.middle(siege.scene.selection_view.target_lights.lit_zones[0]))
    assert len(far.kept) == 1
    qtbot.waitUntil(lambda: siege.scene.selection_view.shows_pending)
    assert item.pos() != home
    assert item.opacity() < 1
    siege.seat.refuse(Reason("Not now."))
    assert siege.refused[0].text == "Not now."
    assert item.pos() == home
    assert item.opacity() == 1


def test_items_do_not_pile_up_over_many_updates() -> None:
    match = new_match("many")
    table = Table(match, 0)
    counts = []
    for turn in range(120):
        if match.state.result is not None or turn % 40 == 39:
            match = new_match(f"many {turn}")
            table.match = match
            table.sit(0)
        play_one(match, turn)
        QApplication.processEvents()
        counts.append(len(table.scene.items()))
    assert max(counts[60:]) <= max(counts[:60]) + 5


def test_a_click_beside_everything_does_nothing(siege: Table) -> None:
    siege.click(QPointF(640, 545))
    assert not siege.refused
    QTest.mouseClick(siege.view.viewport(), RIGHT, pos=QPoint(640, 545))
    assert siege.scene._menu is None


@pytest.mark.parametrize("row", [0, 1, 2])
@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (2560, 1440)])
def test_what_is_told_of_a_line_is_not_hidden_by_the_prompt(
    row: int, size: tuple[int, int]
) -> None:
    match = play_on(new_match(), in_analysis)
    table = Table(match, asked(match), speed="fast")
    scene = table.scene
    scene.set_size(*size)
    lit = " ".join(f"grid/{row},{column}" for column in range(3))
    magic = {"seat": 0, "word_colour": "red", "count": 3, "lit": lit}
    scene.animator.play([Said("Radiating magic: {word_colour} {count}.", (), magic)])
    (slip,) = (item for item in scene.items() if isinstance(item, SlipItem))
    assert not scene.prompt_rect().intersects(slip.sceneBoundingRect())
    assert scene.sceneRect().contains(slip.sceneBoundingRect())


@pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (1080, 1400), (2560, 1440)])
def test_the_score_of_an_attack_covers_no_card(size: tuple[int, int]) -> None:
    match = play_on(new_match("full"), forming, seed=5)
    table = Table(match, asked(match), speed="slow")
    scene = table.scene
    scene.set_size(*size)
    play_on(match, lambda m: m.state.result is not None, seed=5)
    attacks = []
    while scene.animator.is_running and len(attacks) < 3:
        for slip in [item for item in scene.items() if isinstance(item, SlipItem)]:
            attacks.append(slip.sentence)
            cards = [item for item in scene.items() if isinstance(item, CardItem)]
            assert not any(item.collidesWithItem(slip) for item in cards if item.isVisible())
            squad = scene.stage.zones[f"squad/{table.seat.number}/1"]
            assert squad[0].width > 1.1 * scene.stage.placed.unit
        table.click(QPointF(4, 4))
    assert len(attacks) == 3


def test_dice_tumble_and_stop_on_their_result(qtbot: QtBot) -> None:
    table = Table(new_match(), 0, speed="fast")
    table.scene.animator.play([Rolled("search", (6, 12), (4, 11))])
    dice = [item for item in table.scene.items() if isinstance(item, DieItem)]
    assert len(dice) == 2
    qtbot.waitUntil(lambda: {(die.face, die.rotation()) for die in dice} == {(4, 0), (11, 0)})
    qtbot.waitUntil(lambda: not any(isinstance(item, DieItem) for item in table.scene.items()))
    assert_settled(table.scene)
