"""A table that is as high as its viewport, between two limits; many in two columns or two rows."""

from functools import cache

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.mask import mask
from tabletop.engine.model import State, hidden_card
from tabletop.games.layout import Layout, Rect, StretchableLayout, read_layouts
from tabletop.games.typed_toml import BrokenFile, TomlFile
from ui.table.layout.geometry import lay_out_table
from ui.table.layout.packing import flow_panels, seat_rects_along

RISING = """
[table]
size = [10, 8]

[table.tall]
lowest = ""
size = [10, 10]

[[place]]
zone = "pile"
form = "pile"
at = [0, 0, 2, 2]
card = 1.0
tall = { at = [0, 1, 2, 3], card = 2.0 }

[[label]]
text = "here"
at = [0, 4, 2, 1]
"""


def view() -> State:
    return positions()[0]


@cache
def positions() -> list[State]:
    """The first and the last position of a match."""
    kit = catalogue.load("sun")
    plies = play_random_match(kit, 2, "over", None, {}).plies
    return [mask(plies[at].state, 0) for at in (0, -1)]


def written(text: str) -> tuple[Layout, ...]:
    return read_layouts(TomlFile("table.toml", text))


@pytest.mark.parametrize(
    ("size", "at", "high"),
    [
        ((1000, 700), Rect(0, 0, 2, 2), 8),
        ((1000, 850), Rect(0, 0.25, 2, 2.25), 8.5),
        ((1000, 1000), Rect(0, 1, 2, 3), 10),
        ((1000, 2000), Rect(0, 1, 2, 3), 10),
    ],
)
def test_a_table_is_as_high_as_the_viewport(size: tuple[int, int], at: Rect, high: float) -> None:
    setting = lay_out_table(written(RISING), view(), size)
    assert setting.zones["pile"].rect == pytest.approx(at)
    assert setting.zones["pile"].place.card == pytest.approx(1 + (high - 8) / 2)
    assert setting.surface.size == pytest.approx((10, high))
    assert setting.texts[0].rect == Rect(0, 4, 2, 1), "what does not differ stays"


def test_the_highest_form_builds_on_the_lowest() -> None:
    text = RISING.replace("[table.tall]", "[table.wide]\nsize = [20, 8]\n[table.tall]")
    text = text.replace('lowest = ""\nsize = [10, 10]', 'lowest = "wide"\nsize = [20, 10]')
    text = text.replace("tall = {", "wide = { at = [5, 0, 2, 2] }\ntall = {")
    layouts = written(text.replace("at = [0, 1, 2, 3], card", "card"))
    assert [isinstance(one, StretchableLayout) for one in layouts] == [False, False, True]
    assert layouts[2].place[0].at == Rect(5, 0, 2, 2)
    assert layouts[2].place[0].card == 2.0


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('lowest = ""', 'lowest = "wide"', 'line 6: "wide" is not known'),
        ("size = [10, 10]", "size = [11, 10]", "line 6: this arrangement must be as wide"),
        ("size = [10, 10]", "size = [10, 8]", "line 6: this arrangement must be as wide"),
    ],
)
def test_a_form_that_is_no_higher_one_is_refused(old: str, new: str, problem: str) -> None:
    with pytest.raises(BrokenFile, match=problem):
        written(RISING.replace(old, new))


def test_many_stand_at_the_sides_in_columns() -> None:
    sides = (Rect(0, 0, 4, 9), Rect(10, 1, 4, 8))
    spots = seat_rects_along(sides, 11, 2)
    assert len(spots) == 11
    assert {(spot.w, spot.h) for spot in spots} == {(spots[0].w, spots[0].h)}
    for number, spot in enumerate(spots):
        assert sides[number >= 6].contains(spot)
        assert not any(spot.overlap_area(other) for other in spots[:number])
    assert spots[0].x == 0, "the first is at the outside, at the foot"
    assert spots[0].bottom == 9
    assert spots[6].right == 14
    assert spots[6].y == 1


def test_a_shorter_last_row_is_in_the_middle() -> None:
    region = Rect(0, 0, 10, 2)
    spots = flow_panels(region, (2.0, 1.0), 9)
    first, last = spots[:5], spots[5:]
    assert len({spot.y for spot in first}) == len({spot.y for spot in last}) == 1
    assert last[0].x - region.x == pytest.approx(region.right - last[-1].right)
    assert region.contains(last[0])


def test_formed_squads_come_to_the_place_of_the_hand() -> None:
    """The bed, from which the squads of Children of the Sun are formed, lies there before."""
    kit = catalogue.load("sun")
    formed = replace(positions()[-1], result=None)
    forming = replace(formed, cards=formed.cards | {"bed/1": (hidden_card(0),)})
    tables = [lay_out_table(kit.layouts, state, (1280, 800)) for state in (forming, formed)]
    squads = [table.zones["squad/0/1"] for table in tables]
    assert squads[1].place.card > 1.5 * squads[0].place.card
    assert squads[1].rect.y > squads[0].rect.bottom
    assert ["bed/0" in table.zones for table in tables] == [True, False]
    assert not any(zone.startswith("spare") for zone in tables[1].zones), "nothing is set aside"
