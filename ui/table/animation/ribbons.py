"""Announces the phases and rounds that a game declares in `[[ribbons]]` of its words.toml.

A ribbon is shown beside the animations, so it delays no move.
"""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from tabletop.engine.events import Event, ValueSet
from tabletop.engine.model import Value
from tabletop.language.words import is_shown
from ui.table.animation.track_player import Track, TrackPlayer, linear
from ui.table.items.ribbon_item import RibbonItem
from ui.table.items.stage import Stage

SHOWN_MS = 1000
"""How long a ribbon is visible, in milliseconds, at any speed of animations."""
RIBBON_Z = 950.0
FADE_SPEED = 8.0
"""How many times faster than its whole duration a ribbon fades in and out."""


class Ribbons(QObject):
    """Shows a ribbon when a public value changes to a phase or round that the game announces."""

    ribbon_shown = Signal(str)
    """A ribbon appeared. The argument is its text."""

    def __init__(self, stage: Stage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stage = stage
        self._changes: dict[str, Value] = {}
        """The public values that the current batch of events has set so far."""
        self._player = TrackPlayer(self)
        self._player.finished.connect(self.clear)
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self.clear)
        self.item: RibbonItem | None = None
        """The visible ribbon."""

    def follow(self, event: Event, still: bool) -> None:
        """Show the ribbon of `event`, if the game declares one.

        `still`: whether the ribbon appears without motion.
        """
        view = self._stage.view
        if view is None or not isinstance(event, ValueSet):
            return
        values = {**view.values, **self._changes, event.key: event.value}
        changed = event.value != self._changes.get(event.key, view.values.get(event.key))
        self._changes[event.key] = event.value
        after, pixmaps = replace(view, values=values), self._stage.pixmaps
        for ribbon in pixmaps.kit.words.ribbons if changed else ():
            if ribbon.value == event.key and is_shown(ribbon, after):
                self._show(pixmaps.words.with_values(ribbon.text, after), still)
                return

    def end_batch(self) -> None:
        """Note that the table shows all events followed so far."""
        self._changes.clear()

    def clear(self) -> None:
        """Remove the ribbon."""
        self._timer.stop()
        item, self.item = self.item, None
        if item is not None and item.scene() is not None:
            self._stage.scene.removeItem(item)

    def _show(self, text: str, still: bool) -> None:
        self.clear()
        placed = self._stage.placed
        if placed is None:
            return
        item = RibbonItem(text, self._stage.size, placed.unit, self._stage.pixmaps.theme)
        item.setZValue(RIBBON_Z)
        self._stage.scene.addItem(item)
        self.item = item
        if still:
            self._timer.start()
        else:
            item.setOpacity(0.0)
            self._player.run([Track(0, SHOWN_MS, self._fade, linear)], 1.0)
        self.ribbon_shown.emit(text)

    def _fade(self, share: float) -> None:
        if self.item is not None:
            self.item.setOpacity(min(1.0, FADE_SPEED * share, FADE_SPEED * (1 - share)))
