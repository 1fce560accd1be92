"""What is large and what is small on the table of every game, at every number of seats, in windows
of all usual sizes: the own things are the largest, and the height of the window is used."""

from functools import cache
from itertools import combinations, product

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands.match_source import play_random_match
from tabletop.engine.mask import mask
from tabletop.engine.model import State, is_face
from tabletop.games.layout import Rect
from ui.table.layout.geometry import lay_out_table
from ui.table.layout.placed_table import PlacedTable, PlacedZone
from ui.table.layout.slots import make_slots

TABLES = [(kit.id, seats) for kit in catalogue.shelf() for seats in kit.box.seats if seats > 1]
WINDOWS = {
    "1024x600": [(971, 543)],
    "1280x800": [(972, 763), (972, 743), (1280, 743)],
    "1280x840": [(972, 780)],
    "1366x768": [(1045, 731)],
    "1920x1080": [(1571, 1019), (1571, 1045), (1920, 1019)],
    "2560x1440": [(2123, 1358), (2122, 1387), (2560, 1358)],
    "2560x1080": [(2184, 1041)],
    "3840x2160": [(3183, 2040), (3180, 2080), (3840, 2040)],
}
"""The room for the table in windows of these sizes: beside the sidebar, below a menu bar that grows
with the letters and one that does not, and without a sidebar."""
UPRIGHT = [(900, 1075), (1080, 1350)]
"""The most room for it above the sidebar of an upright window, which takes what is left of it."""
SIZES = [size for sizes in WINDOWS.values() for size in sizes] + UPRIGHT
NEARLY = 1e-6
CLOSED = 0.955
"""The share of the height that the surface takes at least: where it is as wide as the window, a
little may be left."""
FILLED = 0.77
"""The share of a low and wide window that the surface takes at least."""
ON_OTHERS = {"pool", "discard/items", "used", "gained"}
"""Zones that lie on others on purpose: cards chosen from, over the plan, and two of a pair."""


@cache
def positions(name: str, seats: int) -> list[State]:
    """Begin, middle and end of a match, and a position of each phase, as the first player sees
    them."""
    kit = catalogue.load(name)
    options = catalogue.options(kit, {"length": "4"} if name == "royale" else {})
    plies = play_random_match(kit, seats, "sizes", None, options).plies
    by_phase = {ply.state.values.get("phase"): ply.state for ply in plies}
    chosen = [plies[0].state, plies[len(plies) // 2].state, plies[-1].state, *by_phase.values()]
    return [mask(state, 0) for state in chosen]


@cache
def settings(name: str, seats: int) -> list[tuple[PlacedTable, State, tuple[int, int]]]:
    layouts = catalogue.load(name).layouts
    shown = product(positions(name, seats), SIZES)
    return [(lay_out_table(layouts, view, size), view, size) for view, size in shown]


def width(spread: PlacedZone) -> float:
    """The width of a single card that lies there."""
    return make_slots(spread.place, spread.rect, 1)[0].width


def theirs(spread: PlacedZone) -> bool:
    return "{seat}" in spread.place.zone or "{other}" in spread.place.zone


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_own_cards_are_the_largest(name: str, seats: int) -> None:
    for setting, _, size in settings(name, seats):
        own = [s for s in setting.zones.values() if "{me}" in s.place.zone]
        largest = max(map(width, own))
        for spread in setting.zones.values():
            assert width(spread) <= largest + NEARLY, (spread.zone, size)
        for spread in filter(theirs, setting.zones.values()):
            kind = spread.zone.partition("/")[0]
            same = [width(one) for one in own if one.zone.partition("/")[0] == kind]
            assert width(spread) <= max(same, default=largest) + NEARLY, (spread.zone, size)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_hidden_cards_of_others_are_half_as_large_at_most(name: str, seats: int) -> None:
    for setting, view, size in settings(name, seats):
        own = max(width(s) for s in setting.zones.values() if "{me}" in s.place.zone)
        for spread in filter(theirs, setting.zones.values()):
            if not all(is_face(card) for card in view.cards[spread.zone]):
                assert max(slot.width for slot in spread.slots) <= own / 2 + NEARLY, (
                    spread.zone,
                    size,
                )


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_height_of_the_window_is_used(name: str, seats: int) -> None:
    for setting, _, size in settings(name, seats):
        high, wide = (share * setting.unit for share in setting.surface.size[::-1])
        assert high >= CLOSED * size[1] or (size in UPRIGHT and wide >= CLOSED * size[0]), size
        rects = [spread.rect for spread in setting.zones.values()]
        rects += [sign.rect for sign in setting.plaques]
        low, high = (
            setting.surface_rect.bottom - max(r.bottom for r in rects),
            min(r.y for r in rects),
        )
        assert max(low, high) < 0.25, size


@pytest.mark.parametrize("name", sorted({name for name, _ in TABLES}))
def test_the_width_of_a_large_window_is_used(name: str) -> None:
    kit = catalogue.load(name)
    for seats in (each for each in kit.box.seats if each > 1):
        for size in WINDOWS["2560x1440"][:2]:
            setting = lay_out_table(kit.layouts, positions(name, seats)[0], size)
            assert setting.surface.size[0] * setting.unit >= CLOSED * size[0], seats


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_low_and_wide_window_is_filled(name: str, seats: int) -> None:
    for window in ("1024x600", "1366x768", "2560x1080"):
        for size in WINDOWS[window]:
            setting = lay_out_table(catalogue.load(name).layouts, positions(name, seats)[0], size)
            w, h = setting.surface.size
            assert w * h * setting.unit**2 >= FILLED * size[0] * size[1], size


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_nothing_covers_anything_or_leaves_the_table(name: str, seats: int) -> None:
    for setting, _, size in settings(name, seats):
        kept = {
            zone: spread.rect
            for zone, spread in setting.zones.items()
            if zone not in ON_OTHERS and zone.partition("/")[0] not in ON_OTHERS
        }
        kept |= {f"plaque {sign.seat}": sign.rect for sign in setting.plaques}
        everything: list[Rect] = [*kept.values(), *(one.rect for one in setting.drawings)]
        for rect in (*everything, *(mat.rect for mat in setting.mats)):
            assert setting.surface_rect.contains(rect), (rect, size)
        for (one, at), (other, there) in combinations(kept.items(), 2):
            assert at.overlap_area(there) < NEARLY, (one, other, size)
        prompt = setting.surface.prompt
        if prompt is not None:
            assert not any(at.overlap_area(prompt) > NEARLY for at in kept.values()), size


@pytest.mark.parametrize("seats", [6, 10])
def test_the_slots_of_others_show_whole_cards_in_a_large_window(seats: int) -> None:
    layouts = catalogue.load("chains").layouts
    for size in WINDOWS["2560x1440"][:2]:
        setting = lay_out_table(layouts, positions("chains", seats)[0], size)
        slot, plaque = setting.zones["slot/1/1"], next(s for s in setting.plaques if s.seat == 1)
        assert width(slot) * setting.unit >= (53 if seats == 10 else 70), size
        assert slot.rect.h >= 1.55 * width(slot), "those below are to be seen"
        assert abs(slot.rect.x - plaque.rect.x) < 0.11, "they are below the plaque"


@pytest.mark.parametrize(("name", "seats"), [("royale", n) for n in (2, 3, 5, 7, 8, 9, 12)])
def test_portraits_of_many_are_as_large_as_there_is_room(name: str, seats: int) -> None:
    """In a large window the portraits of eleven opponents are seen, beside plaques that fit."""
    for size in WINDOWS["2560x1440"][:2]:
        setting = lay_out_table(catalogue.load(name).layouts, positions(name, seats)[0], size)
        look_at_portrait(setting, {8: 185, 9: 170}.get(seats, 138))


@pytest.mark.parametrize("seats", range(8, 13))
def test_portraits_of_many_are_seen_in_a_usual_window(seats: int) -> None:
    for size in WINDOWS["1280x800"][:2]:
        setting = lay_out_table(
            catalogue.load("royale").layouts, positions("royale", seats)[0], size
        )
        look_at_portrait(setting, {8: 96, 9: 92}.get(seats, 77))


@pytest.mark.parametrize("seats", [2, 3])
def test_few_are_nearly_as_large_as_the_viewer(seats: int) -> None:
    for size in (*WINDOWS["2560x1440"][:2], *WINDOWS["2560x1080"]):
        setting = lay_out_table(
            catalogue.load("royale").layouts, positions("royale", seats)[0], size
        )
        own, other = setting.zones["character/0"], setting.zones["character/1"]
        assert 0.95 * width(own) < width(other) < width(own)
        assert width(own) > 1.15 * width(setting.zones["area/3,3"])


def look_at_portrait(setting: PlacedTable, least: int) -> None:
    portrait = setting.zones["character/1"]
    (plaque,) = (sign for sign in setting.plaques if sign.seat == 1)
    assert width(portrait) * setting.unit >= least
    assert plaque.rect.w <= 3.2 * width(portrait)
