"""Draws a small map of related zones and highlights some of them."""

from collections.abc import Collection, Iterator
from functools import reduce

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform

from ui.style.theme import Theme, mix
from ui.table.layout.placed_table import PlacedTable

MIN_PLACES = 3
"""The least number of related zones for which a map is drawn."""
GAP_SHARE = 0.12
"""The gap between two zones, as a share of a zone's size."""


def place_groups(setting: PlacedTable, zones: Collection[str]) -> Iterator[list[str]]:
    """Yield the names of each group of related zones that contains one of `zones`.

    Zones are related if their names share a prefix: "grid/0,1" and "grid/2,0" belong to "grid".
    """
    stems = dict.fromkeys(_stem(zone) for zone in zones if zone in setting.zones)
    for stem in stems:
        family = [zone for zone in setting.zones if _stem(zone) == stem]
        if len(family) >= MIN_PLACES:
            yield family


def draw_places(
    painter: QPainter,
    room: QRectF,
    setting: PlacedTable,
    family: Collection[str],
    meant: Collection[str],
    theme: Theme,
) -> None:
    """Draw a map of the zones in `family` within `room`. Fill those that are also in `meant`."""
    rects = {zone: QRectF(*setting.zones[zone].rect) for zone in family}
    whole = reduce(QRectF.united, rects.values())
    scale = min(room.width() / whole.width(), room.height() / whole.height())
    shrink = QTransform.fromTranslate(room.center().x(), room.center().y())
    shrink.scale(scale, scale).translate(-whole.center().x(), -whole.center().y())
    for zone, rect in rects.items():
        inset = GAP_SHARE / 2 * min(rect.width(), rect.height())
        small = shrink.mapRect(rect.adjusted(inset, inset, -inset, -inset))
        here = zone in meant
        painter.setPen(QPen(QColor(theme.accent), 1.5) if here else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent) if here else mix(theme.mat, theme.ink_soft, 0.25))
        painter.drawRoundedRect(small, 2, 2)


def _stem(zone: str) -> str:
    return zone.rpartition("/")[0] or zone
