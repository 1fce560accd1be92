"""The table of Sister Royale: the festival plan, twelve sheets, and what is clicked at it."""

from itertools import product

import pytest
from PySide6.QtCore import QRectF

from tabletop.engine.events import Said, Shown, ValueSet, apply
from tabletop.engine.model import AUDIENCE
from tabletop.games.layout import Rect
from tabletop.games.royale.items import item_limit
from tabletop.language.answer_buttons import buttons
from tests.ui.table.layout_fields import assert_apart
from tests.ui.table.royale_driver import KIT, LAYOUTS, asks, at_table, gathered, new_match
from tests.ui.table_driver import Table, asked, assert_settled
from ui.table.animation.lights import LightMarks, make_light
from ui.table.items.card_item import CardSide
from ui.table.layout.geometry import lay_out_table
from ui.table.layout.placed_table import PlacedPiece, PlacedTable

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = [(700, 480), (1024, 600), (964, 766), (1280, 800), (2560, 1440)]
AREAS = 21


def square(stand: PlacedPiece) -> Rect:
    return Rect(stand.x - stand.size / 2, stand.y - stand.size / 2, stand.size, stand.size)


def fields(setting: PlacedTable) -> list[tuple[str, Rect]]:
    """All that must not overlap: places, plaques, and drawings but for the ground of the plan.

    The mixed items lie over the plan for the short while they are chosen from, the stage of a
    battle while that lasts, and the result of dice over the order of play.
    """
    places = [(zone, s.rect) for zone, s in setting.zones.items() if zone != "pool"]
    signs = [(f"plaque {sign.seat}", sign.rect) for sign in setting.plaques]
    ground = "royale/map.svg"
    drawn = [
        (p.name, p.rect) for p in setting.drawings if p.drawing != ground and p.level != "aloft"
    ]
    return places + signs + drawn


# Places


@pytest.mark.parametrize("seats", range(2, 13))
def test_nothing_overlaps_and_all_is_on_the_table(seats: int) -> None:
    for battle, size in product(("", "battle"), SIZES):
        view = apply(new_match(seats).view(0), ValueSet("battle", battle))
        setting = lay_out_table(LAYOUTS, view, size)
        assert_apart(setting, fields(setting))


@pytest.mark.parametrize("seats", [2, 6, 12])
def test_everybody_has_a_sheet_with_everything_on_it(seats: int) -> None:
    setting = lay_out_table(LAYOUTS, new_match(seats).view(seats - 1), (1280, 800))
    assert sorted(sign.seat for sign in setting.plaques) == list(range(seats))
    for seat in range(seats):
        for zone in ("character", "items", "hand"):
            assert f"{zone}/{seat}" in setting.zones
    assert sum(zone.startswith("area/") for zone in setting.zones) == AREAS


@pytest.mark.parametrize("size", [*SIZES, (1080, 1920), (1920, 700)])
@pytest.mark.parametrize("seats", [2, 4, 8, 9, 12])
def test_as_many_item_places_are_outlined_as_items_may_be_kept(
    seats: int, size: tuple[int, int]
) -> None:
    view = new_match(seats).view(0)
    setting = lay_out_table(LAYOUTS, view, size)
    items = setting.zones["items/0"]
    outlined = [o.rect for o in setting.outlines if items.rect.contains(o.rect)]
    assert len(outlined) == item_limit(view)
    assert [slot.bounds for slot in items.slots] == outlined[: len(items.slots)]


def test_the_others_sit_round_the_table_in_turn() -> None:
    """From one's left hand up the left side, then down the right one."""
    setting = lay_out_table(LAYOUTS, new_match(6).view(2), (1280, 800))
    at = {sign.seat: sign.rect for sign in setting.plaques}
    left, right = [at[3], at[4], at[5]], [at[0], at[1]]
    assert [rect.x for rect in left] == [left[0].x] * 3
    assert left[0].y > left[1].y > left[2].y
    assert right[0].y < right[1].y
    assert right[0].x > left[0].right


@pytest.mark.parametrize("seats", range(2, 13))
@pytest.mark.parametrize("size", [(964, 766), (1280, 800)])
def test_all_characters_may_share_an_area_and_are_seen(size: tuple[int, int], seats: int) -> None:
    view = gathered(new_match(seats).view(0), "area/3,3", seats)
    setting = lay_out_table(LAYOUTS, view, size)
    area = setting.zones["area/3,3"].rect
    squares = [square(stand) for stand in setting.pieces]
    assert len(squares) == seats
    for i, one in enumerate(squares):
        assert area.contains(one)
        assert one.w * setting.unit > 17
        assert all(one.overlap_area(other) < 1e-6 for other in squares[i + 1 :])
    owners = [stand.layers[0][1]["seat"] for stand in setting.pieces]
    assert sorted(owners) == list(range(seats))


# Display


def test_own_items_lie_under_chips_until_they_are_turned_up() -> None:
    match = new_match(3)
    table = Table(match, 0, kit=KIT)
    (item,) = table.scene.stage.zones["items/0"]
    assert item.side is CardSide.CHIP
    (other,) = table.scene.stage.zones["items/1"]
    assert other.side is CardSide.BACK
    everybody = (AUDIENCE, 0, 1, 2)
    table.scene.stage.show_view(apply(match.view(0), Shown("items/0", item.card, 0, everybody)))
    assert item.side is CardSide.FACE


def test_the_discards_are_spread_while_one_is_chosen() -> None:
    match = asks("salvage", 6, "a")
    table = at_table(match)
    items = table.scene.stage.zones["discard/items"]
    table.click(table.grip(items[0]))
    table.click(table.grip(items[0]))
    assert [move.verb for move in table.acted] == ["salvage"]


def test_hovering_an_area_tells_what_walking_there_means() -> None:
    table = at_table(asks("walk"))
    scene = table.scene
    zones = scene.selection_view.target_lights.lit_zones
    assert zones
    table.move(table.middle(zones[-1]))
    assert [move.verb for move in scene.choice.options.moves] == ["walk"]
    assert scene.choice.picked_up is None
    table.move(table.middle("pile/ex"))
    assert scene.selection_view.chooser is None
    table.click(table.middle(zones[0]))
    assert [(move.verb, move.target) for move in table.acted] == [("walk", zones[0])]


def test_what_names_no_place_has_a_button_beside_many_lit_places() -> None:
    match = asks("walk")
    ((number, offers),) = match.offers(asked(match)).items()
    assert len(buttons(offers, number, 99).moves) > 4
    assert [move.verb for move in buttons(offers, number, 4).moves] == ["stay"]
    assert not buttons(offers, number, 0).moves


def test_what_is_enlarged_leaves_the_outlook_free() -> None:
    table = at_table(asks("walk"), (964, 766))
    scene = table.scene
    for zone in scene.selection_view.target_lights.lit_zones:
        table.move(table.middle(zone))
        scene.magnifier.show_card()
        assert not scene.magnifier.enlarged_item.sceneBoundingRect().intersects(
            scene.selection_view.chooser.list_rect
        )


def test_areas_stay_lit_while_the_window_is_resized() -> None:
    scene = at_table(asks("walk", 2)).scene
    lit = scene.selection_view.target_lights.lit_zones
    assert lit
    scene.set_size(1024, 600, rough=True)
    assert scene.selection_view.target_lights.lit_zones == lit
    assert_settled(scene)


def test_no_light_shines_through_the_stage_of_a_battle() -> None:
    match = asks("strike")
    table = at_table(match)
    stage = table.scene.stage
    zone = next(
        zone
        for zone in stage.zones
        if zone.startswith("area/") and stage.is_covered(stage.zone_rect(zone) or QRectF())
    )
    marks = LightMarks(stage)
    said = Said("here", (), {"lit": zone})
    assert make_light(stage, said) is None
    marks.highlight((), (zone,), (0,))
    assert marks.items, "the players instead"
    marks.clear()
    stage.show_view(apply(match.view(asked(match)), ValueSet("battle", "")))
    assert make_light(stage, said) is not None
