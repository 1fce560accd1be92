"""Highlights on the targets of a move. They make no decisions."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QPointF, QRectF

from tabletop.engine.model import Preview
from ui.table.input.carried_card import CARRIED_Z
from ui.table.input.targets import target_rect
from ui.table.items.light_items import TargetLightItem
from ui.table.items.stage import Stage

LIGHT_Z = 300.0
PROMPT_MARGIN_PX = 14.0
"""Height in pixels below the prompt's band that the prompt or a dot under it may take."""
COVERED_Z = CARRIED_Z + 1
AREA_Z = -20.0


class TargetLights:
    """Highlights all targets, and the aimed one more strongly. The target "" is the whole table."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._lit: dict[str, TargetLightItem] = {}
        self._shown: tuple[object, ...] = ()

    @property
    def lit_zones(self) -> list[str]:
        """The names of the targets that have a highlight."""
        return list(self._lit)

    def show_targets(
        self, zones: Iterable[str], quiet: Collection[str] = (), bare: bool = False
    ) -> None:
        """Highlight `zones` and nothing else. Those in `quiet` are visible only while aimed at.

        `bare`: whether targets are chosen without a card, so that no text invites to put one there.
        """
        stage = self.stage
        rects = {zone: rect for zone in zones if (rect := target_rect(stage, zone)) is not None}
        empty = {zone for zone in rects if zone not in ("", *quiet) and not stage.zones.get(zone)}
        shown = (rects, empty, set(quiet), bare, stage.pixmaps.theme)
        if shown == self._shown:
            return
        self.clear()
        self._shown = shown
        for zone, rect in rects.items():
            invitation = stage.pixmaps.words("Put it here") if zone in empty and not bare else ""
            light = TargetLightItem(
                rect,
                stage.pixmaps.theme,
                zone,
                invitation=invitation,
                framed=zone != "" or self._has_play_area,
                quiet=zone in quiet,
                dot_below=self._has_prompt_above(rect),
            )
            light.setZValue(LIGHT_Z if zone else AREA_Z)
            stage.scene.addItem(light)
            self._lit[zone] = light

    def _has_prompt_above(self, rect: QRectF) -> bool:
        """Return whether the prompt may cover the middle of the top edge of `rect`."""
        prompt = self.stage.placed_table.surface.prompt
        if prompt is None:
            return False
        covered = self.stage.to_pixels(prompt).adjusted(0, 0, 0, PROMPT_MARGIN_PX)
        return covered.contains(QPointF(rect.center().x(), rect.top()))

    @property
    def _has_play_area(self) -> bool:
        """Whether the layout has a play area. Without one, a frame around the whole table would
        help nobody.
        """
        placed = self.stage.placed
        return placed is not None and placed.surface.play is not None

    def hide_crossed_invitations(self, preview: Preview | None) -> None:
        """Hide the invitation in zones that the scoring lines of `preview` cross."""
        crossed = {zone for note in (preview.notes if preview else ()) for zone in note.zones}
        for zone, light in self._lit.items():
            light.set_crossed(zone in crossed)

    def highlight(self, zone: str | None, covered: bool = False) -> None:
        """Emphasise the highlight of `zone`; None emphasises none.

        `covered`: whether a dragged card covers the target, so that its frame lies on the card.
        """
        for name, light in self._lit.items():
            light.set_highlighted(name == zone, covered)
            if name:
                light.setZValue(COVERED_Z if covered and name == zone else LIGHT_Z)

    def clear(self) -> None:
        """Remove all lights."""
        for light in self._lit.values():
            self.stage.scene.removeItem(light)
        self._lit, self._shown = {}, ()
