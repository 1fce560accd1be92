"""The public arrangement of every game at every number of seats: all alike, nobody's hand, larger
than what a seat sees, and nothing cut or covered."""

import re
from functools import cache
from itertools import combinations

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.mask import mask
from tabletop.engine.model import AUDIENCE, State, Value
from tabletop.games.layout import Layout, PublicLayout, Rect, read_layouts
from tabletop.games.typed_toml import BrokenFile, TomlFile
from ui.table.layout.geometry import lay_out_table, table_height
from ui.table.layout.panels_around import arrange_panels
from ui.table.layout.placed_table import PlacedTable
from ui.table.layout.public_layout import make_public_layout

GAMES = ("sun", "sisters", "chains", "awss", "royale")
TABLES = [(name, seats) for name in GAMES for seats in catalogue.load(name).box.seats]
PLAYERS = re.compile(r"{(me|other|seat)}")
SIZES = ((1280, 620), (1920, 930), (3840, 1860))
"""Of a screen's middle, between the two lines."""


def public(view: State, layouts: tuple[Layout, ...], size: tuple[int, int]) -> PlacedTable:
    return lay_out_table((make_public_layout(layouts, view, size),), view, size)


@cache
def positions(name: str, seats: int) -> list[State]:
    """The deal, the end, and a position between."""
    kit = catalogue.load(name)
    options = catalogue.options(kit, {"length": "4"} if name == "royale" else {})
    plies = play_random_match(kit, seats, "5", None, options).plies
    return [mask(plies[at].state, AUDIENCE) for at in (-1, 0, (len(plies) - 1) // 2)]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_all_players_are_alike_round_the_field(name: str, seats: int) -> None:
    kit = catalogue.load(name)
    for view in positions(name, seats):
        for size in SIZES:
            setting = public(view, kit.layouts, size)
            assert sorted({sign.seat for sign in setting.plaques}) == list(range(seats))
            sizes = {(round(s.rect.w, 6), round(s.rect.h, 6)) for s in setting.plaques}
            assert len(sizes) == 1
            for zone, spread in setting.zones.items():
                own = [zone.replace("/0", f"/{seat}", 1) for seat in range(seats)]
                if "/0" in zone and all(other in setting.zones for other in own):
                    rects = [setting.zones[other].rect for other in own]
                    assert {round(rect.w, 6) for rect in rects} == {round(spread.rect.w, 6)}, zone


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_nothing_leaves_the_surface_and_no_two_players_meet(name: str, seats: int) -> None:
    kit = catalogue.load(name)
    for view in positions(name, seats):
        for size in SIZES:
            setting = public(view, kit.layouts, size)
            rects = [spread.rect for spread in setting.zones.values()]
            rects += [sign.rect for sign in setting.plaques] + [mat.rect for mat in setting.mats]
            rects += [drawn.rect for drawn in setting.drawings]
            for rect in rects:
                assert setting.surface_rect.contains(rect), rect
            for first, second in combinations([sign.rect for sign in setting.plaques], 2):
                assert first.overlap_area(second) == 0


def largest_shared(setting: PlacedTable) -> float:
    """The width of the largest card that is no player's, in pixels; of a game without any, of what
    is as large as a card."""
    shared = [one for one in setting.zones.values() if not PLAYERS.search(one.place.zone)]
    return setting.unit * max((one.slots[0].width for one in shared if one.slots), default=1.0)


@pytest.mark.parametrize(("name", "seats"), [table for table in TABLES if table[1] > 1])
def test_the_hands_leave_their_room_to_what_all_share(name: str, seats: int) -> None:
    kit = catalogue.load(name)
    for view in positions(name, seats):
        usual, setting = (
            lay_out_table(kit.layouts, view, SIZES[1]),
            public(view, kit.layouts, SIZES[1]),
        )
        assert largest_shared(setting) >= largest_shared(usual)
        assert not any(
            spread.place.form == "fan" and spread.place.zone.startswith("hand/{me}")
            for spread in setting.zones.values()
        )


def test_panels_of_fewer_players_are_taken_where_they_have_room() -> None:
    """Chains for ten: without a hand there is height for panels of two rows."""
    kit = catalogue.load("chains")
    for view in positions("chains", 10):
        setting = public(view, kit.layouts, SIZES[1])
        usual = lay_out_table(kit.layouts, view, SIZES[1])
        for seat in range(1, 10):
            work, slots = setting.zones[f"work/{seat}"], setting.zones[f"slot/{seat}/1"]
            assert slots.rect.y > work.rect.bottom
            assert slots.rect.w * setting.unit > usual.zones[f"slot/{seat}/1"].rect.w * usual.unit


def test_the_field_is_in_the_middle_of_two() -> None:
    layouts = catalogue.load("sun").layouts
    for view in positions("sun", 2):
        setting = public(view, layouts, SIZES[1])
        shield = setting.zones["shield"].rect
        field = setting.zones["grid/1,1"].rect if "grid/1,1" in setting.zones else shield
        assert abs(field.centre[0] - setting.surface_rect.centre[0]) < 0.25
        assert setting.surface.size[0] * setting.unit > 0.8 * SIZES[1][0], "no side is bare"


@pytest.mark.parametrize(("count", "aspect"), [(3, 0.6), (3, 1.7), (5, 1.7)])
def test_who_is_alone_on_a_side_sits_in_its_middle(count: int, aspect: float) -> None:
    made = arrange_panels((4.0, 3.0), (2.0, 1.2), count, aspect)
    middles = [spot.centre for spot in made.spots]
    along = 0 if len({round(y, 6) for _, y in middles}) == 2 else 1  # rows, or columns
    sides: dict[float, list[float]] = {}
    for point in middles:
        sides.setdefault(round(point[1 - along], 6), []).append(point[along])
    assert sorted(map(len, sides.values())) == [count // 2, count - count // 2]
    for side in sides.values():
        assert sum(side) / len(side) == pytest.approx(made.size[along] / 2)


@pytest.mark.parametrize("seats", catalogue.load("awss").box.seats)
@pytest.mark.parametrize("told", [{"call": "draft"}, {"contest": "0,1", "prize": 0}])
def test_a_scene_over_ones_board_is_shown_over_the_field(
    seats: int, told: dict[str, Value]
) -> None:
    kit = catalogue.load("awss")
    (scene,) = {
        one.drawing: one for one in kit.layouts[0].drawing if told.keys() & one.unless
    }.values()
    for view in positions("awss", seats):
        setting = public(replace(view, values=view.values | told), kit.layouts, SIZES[1])
        (rect,) = (one.rect for one in setting.drawings if one.drawing == scene.drawing)
        assert setting.surface_rect.contains(rect)
        assert rect.h > 0
        assert rect.w / rect.h == pytest.approx(scene.at.w / scene.at.h)


def test_who_plays_alone_has_no_room_for_a_prompt() -> None:
    kit = catalogue.load("chains")
    for view in positions("chains", 1):
        setting = public(view, kit.layouts, SIZES[1])
        shown = [mat.rect for mat in setting.mats]
        shown += [spread.rect for spread in setting.zones.values()]
        below = min(rect.y for rect in shown) + 1
        for rect in sorted(shown, key=lambda rect: rect.y):
            assert rect.y - below < 0.5, "no band is left empty"
            below = max(below, rect.bottom)
        assert setting.unit > lay_out_table(kit.layouts, view, SIZES[1]).unit


WRITTEN = """
[table]
size = [10, 9]
prompt = [0, 5, 10, 0.5]

[table.public]
size = [10, 9]

[[panel]]
at = [0, 0, 10, 2]
size = [2, 2]
plaque = [{ seat = "{seat}", at = [0, 0, 2, 2] }]

[[place]]
zone = "pile"
form = "pile"
at = [0, 2, 2, 3]
public = { at = [8, 2, 2, 3] }

[[place]]
zone = "hand/{me}"
at = [4, 6, 2, 3]

[[label]]
text = "for a seat alone"
at = [0, 2.5, 2, 1]
public = false

[[label]]
text = "for all"
at = [6, 2, 2, 1]
"""


def test_a_game_says_what_is_otherwise_at_the_public_table() -> None:
    layouts = read_layouts(TomlFile("table.toml", WRITTEN))
    assert [isinstance(one, PublicLayout) for one in layouts] == [False, True]
    view = positions("sun", 2)[0]
    seat, everybody = lay_out_table(layouts, view, (1280, 800)), public(view, layouts, (1280, 800))
    assert seat.zones["pile"].rect == Rect(0, 2, 2, 3)
    assert {text.text for text in seat.texts} == {"for a seat alone", "for all"}
    assert {text.text for text in everybody.texts} == {"for all"}
    assert set(everybody.zones) == {"pile"}
    (told,) = everybody.texts
    assert everybody.zones["pile"].rect.x - told.rect.x == pytest.approx(2)
    assert sorted(sign.seat for sign in everybody.plaques) == [0, 1]


FEW = """
[table.few]
size = [8, 9]
seats = [2]

[[label]]
only = ["few"]
text = "for two"
at = [0, 0, 2, 1]
"""


def test_an_arrangement_is_for_its_numbers_of_players() -> None:
    layouts = read_layouts(
        TomlFile("table.toml", WRITTEN.replace("[[panel]]", f"{FEW}[[panel]]", 1))
    )
    two, four = positions("sun", 2)[0], positions("sisters", 4)[0]
    assert "for two" in {text.text for text in lay_out_table(layouts, two, (800, 900)).texts}
    assert "for two" not in {text.text for text in lay_out_table(layouts, four, (800, 900)).texts}
    assert "for two" not in {text.text for text in public(two, layouts, (800, 900)).texts}
    assert table_height(layouts, 2, (800, 900)) != table_height(layouts, 4, (800, 900))


@pytest.mark.parametrize("only", ['["fwe"]', '"fwe"', '["few", "fwe"]'])
def test_an_entry_for_no_arrangement_is_refused(only: str) -> None:
    few = FEW.replace('["few"]', only)
    with pytest.raises(BrokenFile, match=r'line [0-9]+: "fwe" is not known; did you mean "few"'):
        read_layouts(TomlFile("table.toml", WRITTEN.replace("[[panel]]", f"{few}[[panel]]", 1)))


@pytest.mark.parametrize("seats", [3, 5, 7, 9, 11])
def test_the_order_of_play_has_the_place_that_is_free_among_them(seats: int) -> None:
    kit = catalogue.load("royale")
    for view in positions("royale", seats):
        for size in SIZES:
            setting = public(view, kit.layouts, size)
            order = next(one.rect for one in setting.drawings if one.drawing.endswith("order.svg"))
            signs = [sign.rect for sign in setting.plaques]
            beside = [rect for rect in signs if abs(rect.right - order.right) < 1e-6]
            assert len(beside) == seats // 2, "below the players on the right"
            assert all(rect.bottom < order.y for rect in beside)
            plan = setting.zones["area/3,3"].rect.centre
            assert plan == pytest.approx(setting.surface_rect.centre), "nothing is below the plan"


def test_what_the_viewer_has_is_nobodys_at_the_public_table() -> None:
    """A drawing of the field is given empty values for the viewer's, of the same kind."""
    kit = catalogue.load("chains")
    view = positions("chains", 3)[2]
    assert view.values["took/0"], "the first player took a terminal card"
    setting = public(view, kit.layouts, SIZES[0])
    (field,) = (one for one in setting.drawings if one.drawing == "chains/field.svg")
    assert field.variables["mine"] == ""
    assert field.variables["s0"] == view.values["took/0"]
