"""The parts that a layout keeps apart, and the window sizes at which it does so."""

from tabletop.games.layout import Rect
from ui.table.layout.placed_table import PlacedTable

SIZES = [(1024, 600), (700, 480), (964, 766), (1280, 800), (1920, 1080), (2560, 1440), (3840, 2160)]


def assert_apart(setting: PlacedTable, items: list[tuple[str, Rect]]) -> None:
    """All of them are on the table, and none covers another or the prompt line."""
    prompt = setting.surface.prompt
    for i, (name, rect) in enumerate(items):
        assert setting.surface_rect.contains(rect), name
        assert prompt.overlap_area(rect) < 1e-6, name
        for other, there in items[i + 1 :]:
            assert rect.overlap_area(there) < 1e-6, (name, other)


def fields(setting: PlacedTable) -> list[tuple[str, Rect]]:
    """All that must not overlap: mats, hands, plaques, the track."""
    mats = [(f"mat {mat.zones}", mat.rect) for mat in setting.mats if mat.style == "whole"]
    fans = [(s.zone, s.rect) for s in setting.zones.values() if s.place.form == "fan"]
    signs = [(f"plaque {sign.seat}", sign.rect) for sign in setting.plaques]
    return mats + fans + signs + [(p.name, p.rect) for p in setting.drawings]
