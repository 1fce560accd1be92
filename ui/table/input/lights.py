"""The lights that show where something may go."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QPointF, QRectF

from tabletop.engine.model import Preview
from tabletop.games.layout import Rect
from ui.table.items.stage import Stage
from ui.table.items.zone_item import LightItem
from ui.table.layout import geometry

LIGHT_Z = 300.0
AREA_Z = -20.0
MEANT = 0.5
"""A lit place counts if the card covers so much of it, measured by the place it covers most."""


class Lights:
    """All targets light at once; the one under the card stronger. "" is the whole table."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._lit: dict[str, LightItem] = {}

    def __contains__(self, zone: str) -> bool:
        return zone in self._lit

    def __bool__(self) -> bool:
        return bool(self._lit)

    @property
    def zones(self) -> list[str]:
        """The lit places."""
        return list(self._lit)

    def show(self, zones: Iterable[str], quiet: Collection[str] = (), bare: bool = False) -> None:
        """Light just these places; those that are `quiet` show it only while they are near. `bare`:
        they are chosen without a card, and nothing is put there."""
        self.clear()
        for zone in zones:
            rect = self.rect(zone)
            if rect is None:
                continue
            empty = zone not in ("", *quiet) and not self.stage.zones.get(zone)
            invitation = self.stage.prints.words("Put it here") if empty and not bare else ""
            framed = zone != "" or self._has_play_area
            theme = self.stage.prints.theme
            light = LightItem(
                rect, theme, zone, invitation=invitation, framed=framed, quiet=zone in quiet
            )
            light.setZValue(LIGHT_Z if zone else AREA_Z)
            self.stage.scene.addItem(light)
            self._lit[zone] = light

    def is_quiet(self, zone: str) -> bool:
        """Whether this lit place shows it only while it is near."""
        return zone in self._lit and self._lit[zone].quiet

    @property
    def _has_play_area(self) -> bool:
        """Whether the layout says where a card is dropped that needs no target: a frame round the
        whole table would help nobody."""
        setting = self.stage.setting
        return setting is not None and setting.surface.play is not None

    def make_room(self, preview: Preview | None) -> None:
        """Say nothing in the places through which the lines of this preview are drawn."""
        crossed = {zone for note in (preview.notes if preview else ()) for zone in note.zones}
        for zone, light in self._lit.items():
            light.invite(zone not in crossed)

    def rect(self, zone: str) -> QRectF | None:
        """The rectangle of a target in pixels."""
        setting = self.stage.setting
        if zone or setting is None:
            return self.stage.rect(zone)
        return self.stage.pixels(geometry.play_area(setting))

    def near(self, zone: str | None) -> None:
        """Light this one stronger."""
        for name, light in self._lit.items():
            light.near(name == zone)

    def at(self, point: QPointF) -> str | None:
        """The lit place at this point; a zone before the table under it."""
        zones = [zone for zone, light in self._lit.items() if light.rect.contains(point)]
        return next((zone for zone in zones if zone), "" if "" in zones else None)

    def under(self, card: QRectF, home: str) -> str | None:
        """The lit place a card over `card` (in pixels) would be dropped on.

        Largest overlap, unless the card lies far more on a place that is not lit; the table counts
        only where the card has left its own zone.
        """
        setting = self.stage.setting
        if setting is None:
            return None
        x, y = setting.card_units(card.x(), card.y())
        rect = Rect(x, y, card.width() / setting.unit, card.height() / setting.unit)
        zone = geometry.drop_target(setting, rect, [zone for zone in self._lit if zone])
        meant = geometry.drop_target(setting, rect, setting.spreads.keys() - {home})
        if zone is not None and meant is not None:
            spreads = setting.spreads
            if spreads[zone].rect.overlap(rect) < MEANT * spreads[meant].rect.overlap(rect):
                return None
        if zone is None and "" in self._lit:
            own = setting.spreads.get(home)
            left = own is None or own.rect.overlap(rect) < 0.3 * rect.w * rect.h
            if left and geometry.play_area(setting).overlap(rect) > 0:
                return ""
        return zone

    def clear(self) -> None:
        """Put all lights out."""
        for light in self._lit.values():
            self.stage.scene.removeItem(light)
        self._lit = {}
