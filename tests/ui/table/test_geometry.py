"""Places on the table: nothing covers anything else or leaves the table, at any size."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.events import Event, ValueSet, apply
from tabletop.engine.mask import mask
from tabletop.engine.model import State, hidden_card
from tabletop.games.layout import Layout, Place, Rect, TableSurface, read_layouts
from tabletop.games.typed_toml import TomlFile
from tabletop.match.match import Match, Player
from tests.ui.table.layout_fields import SIZES, assert_apart, fields
from ui.table.layout import geometry
from ui.table.layout.geometry import lay_out_table
from ui.table.layout.prompt_band import MIN_PROMPT_PX
from ui.table.layout.slots import make_slots

KIT = catalogue.load("sun")
LAYOUTS = KIT.layouts


def view(seat: int = 0, *events: Event) -> State:
    match = Match(KIT, [Player("A"), Player("B")], seed="geometry")
    state = match.view(seat)
    for event in events:
        state = apply(state, event)
    return state


def filled(state: State, **counts: int) -> State:
    """The view with so many cards in these zones, backs or faces as they come."""
    held = {zone.replace("_", "/"): n for zone, n in counts.items()}
    cards = {zone: (hidden_card(0),) * n for zone, n in held.items()}
    return replace(state, cards=state.cards | cards)


@pytest.mark.parametrize("phase", ["siege", "analysis", "extermination"])
def test_nothing_overlaps_and_all_is_on_the_table(phase: str) -> None:
    for seat, size in product((0, 1), SIZES):
        setting = lay_out_table(LAYOUTS, view(seat, ValueSet("phase", phase)), size)
        assert_apart(setting, fields(setting))


@pytest.mark.parametrize("size", [(1280, 800), (1024, 600), (1920, 700), (1080, 1920)])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("bed", [0, 3])
def test_every_squad_has_two_places(seat: int, bed: int, size: tuple[int, int]) -> None:
    shown = filled(view(seat, ValueSet("phase", "extermination")), bed_0=bed, bed_1=bed)
    setting = lay_out_table(LAYOUTS, shown, size)
    assert_apart(setting, fields(setting))
    assert len(setting.outlines) == 2 * 3 * 2


@pytest.mark.parametrize("size", SIZES)
def test_the_surface_fits_the_viewport_and_is_centred(size: tuple[int, int]) -> None:
    setting = lay_out_table(LAYOUTS, view(), size)
    w, h = (side * setting.unit for side in setting.surface.size)
    assert w <= size[0] + 1e-6
    assert h <= size[1] + 1e-6
    assert setting.left == pytest.approx((size[0] - w) / 2)
    assert setting.top == pytest.approx((size[1] - h) / 2)


@given(hand=st.integers(0, 9), bed=st.integers(0, 9), other=st.integers(0, 9))
def test_every_card_lies_in_its_place(hand: int, bed: int, other: int) -> None:
    for phase in ("analysis", "extermination"):
        state = filled(
            view(0, ValueSet("phase", phase)),
            hand_0=hand,
            bed_0=bed,
            bed_1=other,
            squad_0_1=min(bed, 2),
            squad_1_3=min(other, 2),
            spare_0=3,
            shield=6,
        )
        for spread in lay_out_table(LAYOUTS, state, (1280, 800)).zones.values():
            for slot in spread.slots:
                assert spread.rect.contains(slot.bounds, 0.01), spread.zone


@given(count=st.integers(1, 12), raised=st.integers(0, 11))
def test_a_fan_is_a_fan(count: int, raised: int) -> None:
    state = filled(view(), hand_0=count)
    flat = lay_out_table(LAYOUTS, state, (1280, 800)).zones["hand/0"].slots
    angles = [slot.angle for slot in flat]
    assert angles == sorted(angles)
    assert angles[-1] - angles[0] <= 28 + 1e-9
    assert all(b.x - a.x > 0.2 for a, b in pairwise(flat))
    if raised < count:
        up = lay_out_table(LAYOUTS, state, (1280, 800), {"hand/0": raised}).zones["hand/0"].slots
        assert up[raised].z == max(slot.z for slot in up)
        assert up[raised].y < flat[raised].y


@pytest.mark.parametrize(("zone", "opens"), [("hand/{me}", True), ("hand/{other}", False)])
def test_a_hand_opens_where_it_has_room(zone: str, opens: bool) -> None:
    hand = next(place for place in LAYOUTS[0].place if place.zone == zone)
    room = Rect(0, 0, 12 * hand.card, 2 * hand.card)
    few, many = make_slots(hand, room, 4), make_slots(hand, room, 18)
    for slots, lie_apart in ((few, opens), (many, False)):
        apart = [right.x - left.x > 0.99 * left.width for left, right in pairwise(slots)]
        assert set(apart) == {lie_apart}
        assert all(room.contains(slot.bounds, 0.01) for slot in slots)
    widest = max(slot.bounds.right for slot in many) - min(slot.bounds.x for slot in many)
    assert widest == pytest.approx(room.w, rel=0.01), "as far as the room allows"


def test_nine_cards_of_the_bed_can_all_be_told_apart() -> None:
    state = filled(view(), bed_0=9)
    slots = lay_out_table(LAYOUTS, state, (1024, 600)).zones["bed/0"].slots
    tops = [Rect(s.bounds.x, s.bounds.y, s.bounds.w, 0.28) for s in slots]
    for i, top in enumerate(tops):
        assert all(top.overlap_area(later.bounds) < 1e-6 for later in slots[i + 1 :])


@pytest.mark.parametrize("room", [(3.76, 2.06), (5.34, 2.06)])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_cards_that_lie_apart_get_smaller_before_they_overlap(
    room: tuple[float, float], count: int
) -> None:
    hand = next(p for p in catalogue.load("royale").layout.place if p.zone == "hand/{me}")
    slots = make_slots(hand, Rect(0, 0, *room), count)
    assert all(right.x - left.x > 0.85 * left.width for left, right in pairwise(slots))
    assert slots[0].width > 0.45 * hand.card


def test_seat_one_sees_the_board_from_the_other_side() -> None:
    first, second = (
        lay_out_table(LAYOUTS, view(0), (1280, 800)),
        lay_out_table(LAYOUTS, view(1), (1280, 800)),
    )
    assert first.zones["grid/0,0"].rect == second.zones["grid/2,2"].rect
    assert first.zones["grid/0,1"].rect == second.zones["grid/2,1"].rect
    assert first.zones["hand/0"].rect == second.zones["hand/1"].rect
    assert first.zones["shield"].slots[0][:2] == pytest.approx(second.zones["shield"].slots[5][:2])
    assert (first.pieces[0].angle + 180) % 360 == second.pieces[0].angle
    white, black = first.markers[-2], first.markers[-1]
    turned_white = second.markers[-2]
    assert white.x < black.x
    assert white.x > 5
    assert turned_white.x > second.markers[-1].x


def test_the_markers_stand_beside_the_card_they_come_to_next() -> None:
    for seat in (0, 1):
        for done in range(6):
            state = view(seat, ValueSet("marker/0", done), ValueSet("marker/1", done))
            setting = lay_out_table(LAYOUTS, state, (1280, 800))
            slots = setting.zones["shield"].slots
            assert setting.markers[-2].y == pytest.approx(slots[done].y, abs=0.02)
            assert setting.markers[-1].y == pytest.approx(slots[5 - done].y, abs=0.02)


@given(score=st.integers(0, 80))
def test_the_score_goes_round_the_track(score: int) -> None:
    setting = lay_out_table(LAYOUTS[:1], view(0, ValueSet("score/0", score)), (1200, 900))
    points = LAYOUTS[0].points["track"]
    marker = setting.markers[0]
    lap = marker.layers[0][1]["lap"]
    at = score if score < 26 else (score - 1) % 25 + 1
    assert score == at + 25 * lap
    assert (marker.x, marker.y) == pytest.approx(points[at])


def test_a_card_is_dropped_where_it_covers_most() -> None:
    setting = lay_out_table(LAYOUTS, view(), (1280, 800))
    left = setting.zones["grid/0,0"].rect
    zones = ["grid/0,0", "grid/0,1"]
    nearly = Rect(left.x + 0.3, left.y + 0.2, 1.4, 1.96)
    assert geometry.most_covered_zone(setting, nearly, zones) == "grid/0,0"
    more = Rect(left.x + 0.9, left.y, 1.0, 1.4)
    assert geometry.most_covered_zone(setting, more, zones) == "grid/0,1"
    assert geometry.most_covered_zone(setting, Rect(11, 8, 0.5, 0.5), zones) is None
    assert geometry.most_covered_zone(setting, nearly, ["nowhere"]) is None


SMALL = """
[table]
size = [10, 8]
narrow = { size = [5, 12] }

[[place]]
zone = "pile"
form = "pile"
at = [0, 0, 2, 2]
narrow = { at = [3, 9, 2, 2] }
"""


def small(more: str = "") -> tuple[Layout, ...]:
    return read_layouts(TomlFile("table.toml", SMALL + more))


def test_a_narrow_viewport_prefers_larger_cards() -> None:
    wide, tall = (
        lay_out_table(small(), view(), (1000, 700)),
        lay_out_table(small(), view(), (400, 960)),
    )
    assert wide.surface.size == (10, 8)
    assert tall.surface.size == (5, 12)
    assert tall.zones["pile"].rect == Rect(3, 9, 2, 2)


def test_nearly_equal_arrangements_prefer_the_fuller() -> None:
    layouts = read_layouts(TomlFile("table.toml", SMALL.replace("[5, 12]", "[16, 8.2]")))
    assert lay_out_table(layouts, view(), (1600, 800)).surface.size == (16, 8.2)
    assert lay_out_table(layouts, view(), (1100, 800)).surface.size == (10, 8)


@pytest.mark.parametrize("over", [False, True])
def test_parts_beside_the_prompt_line_end_with_those_below_it(over: bool) -> None:
    """AWSSterra in a small window: the hand, or the scores, at the left of the prompt line."""
    kit = catalogue.load("awss")
    plies = play_random_match(kit, 4, "beside").plies
    setting = lay_out_table(kit.layouts, mask(plies[-1 if over else 0].state, 0), (971, 543))
    if over:
        (left,) = (one.rect for one in setting.drawings if one.rect.w > 5 and one.rect.x < 1)
        right = next(mat.rect for mat in setting.mats if "older/0" in mat.zones)
    else:
        left, right = setting.zones["hand/0"].rect, setting.zones["picks/0"].rect
    assert left.bottom == pytest.approx(right.bottom, abs=0.05)


def test_the_arrangement_with_larger_own_cards_is_taken() -> None:
    """Sister Royale below a low menu bar: the arrangement for wide windows leaves no side bare."""
    layouts = catalogue.load("royale").layouts
    setting = lay_out_table(layouts, view(), (1571, 1045))
    assert setting.surface.size[0] == 16
    assert setting.surface.size[0] * setting.unit > 0.99 * 1571


@pytest.mark.parametrize("seats", range(2, 13))
def test_panels_hold_every_other_player(seats: int) -> None:
    layouts = small(
        """
        [[panel]]
        at = [0, 2, 10, 3]
        size = [3, 1.5]
        place = [{ zone = "hand/{seat}", at = [0, 0, 2, 1.5], card = 0.5 }]
        plaque = [{ seat = "{seat}", at = [2, 0, 1, 0.5] }]
        """
    )
    many = replace(view(), seats=seats)
    zones = {f"hand/{seat}": many.zones["hand/1"] for seat in range(seats)}
    cards = {zone: (hidden_card(0),) * 4 for zone in zones}
    many = replace(many, zones=many.zones | zones, cards=many.cards | cards)
    setting = lay_out_table(layouts, many, (1280, 800))
    hands = [setting.zones[f"hand/{seat}"] for seat in range(1, seats)]
    assert [sign.seat for sign in setting.plaques] == list(range(1, seats))
    for i, hand in enumerate(hands):
        assert Rect(0, 2, 10, 3).contains(hand.rect)
        assert all(hand.rect.overlap_area(other.rect) < 1e-6 for other in hands[i + 1 :])


@pytest.mark.parametrize("form", ["row", "column", "grid", "cascade", "stack", "pile", "cell"])
@pytest.mark.parametrize("lie", ["upright", "side", "square"])
@given(count=st.integers(1, 15))
def test_every_form_keeps_its_cards_inside(form: str, lie: str, count: int) -> None:
    place = Place(zone="pile", form=form, lie=lie, at=Rect(1, 1, 3, 2.4), card=0.8)
    layouts = (Layout(table=TableSurface(size=(10, 8)), place=(place,)),)
    spread = lay_out_table(layouts, filled(view(), pile=count), (1000, 800)).zones["pile"]
    assert len(spread.slots) == count
    for slot in spread.slots:
        assert spread.rect.contains(slot.bounds, 0.05)


@pytest.mark.parametrize("name", [kit.id for kit in catalogue.shelf()])
@pytest.mark.parametrize("size", [(776, 570), (700, 480), (960, 770), (1024, 600), (2560, 1400)])
def test_the_prompt_line_fits_its_band(name: str, size: tuple[int, int]) -> None:
    kit = catalogue.load(name)
    for seats in (min(kit.box.seats), max(kit.box.seats)):
        match = Match(kit, [Player("")] * seats, catalogue.options(kit), seed="b")
        setting = lay_out_table(kit.layouts, match.view(0), size)
        prompt = setting.surface.prompt
        if prompt is None:
            continue
        assert prompt.h * setting.unit >= MIN_PROMPT_PX - 1e-6
        assert setting.surface_rect.contains(prompt)
        for spread in setting.zones.values():
            assert spread.rect.overlap_area(prompt) < 1e-6, spread.zone
            assert setting.surface_rect.contains(spread.rect), spread.zone


def test_what_lies_below_the_prompt_line_moves_down_together() -> None:
    large, low = (
        lay_out_table(LAYOUTS, view(), (1900, 1400)),
        lay_out_table(LAYOUTS, view(), (776, 570)),
    )
    moved = low.surface.size[1] - large.surface.size[1]
    assert moved > 0
    for zone in ("hand/0", "bed/0"):
        assert low.zones[zone].rect.y == pytest.approx(large.zones[zone].rect.y + moved)
    for zone in ("hand/1", "grid/2,2", "shield"):
        assert low.zones[zone].rect == large.zones[zone].rect
    assert low.plaques[1].rect.y == pytest.approx(large.plaques[1].rect.y + moved)
