"""The layout of the public table, the screen that everyone in the room sees. No Qt.

Shared zones are in the middle, surrounded by equal panels for the players. Private parts of a seat,
such as its hand, are left out: the viewer is `NO_SEAT`, so no name with {me} matches. In a game for
two opponents, both sides look the same. A game whose seat layout isn't suitable defines a public
layout under `[table.public]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from tabletop.engine.model import State, Value
from tabletop.games.conditions import condition_values
from tabletop.games.layout import (
    Drawing,
    Label,
    Layout,
    LayoutElement,
    Marker,
    Pair,
    Panel,
    Place,
    Plaque,
    PublicLayout,
    Rect,
    UprightPublicLayout,
    layouts_for,
)
from ui.table.layout.panels_around import PANEL_GAP, PanelArrangement, arrange_panels, split_spots
from ui.table.layout.placed_table import PlacedTable
from ui.table.layout.prompt_band import remove_prompt_band
from ui.table.layout.scope import ME, NO_SEAT, OTHER, LayoutScope

MIN_TEXT_SHARE = 0.024
"""The smallest text height, as a share of the table's reading height; readable from three metres.
"""
MIN_PANEL_SCALE = 0.75
"""Smallest scale of panels designed for another
number of players, because their text doesn't shrink.
"""

Part = TypeVar("Part", bound=LayoutElement)


def make_public_layout(layouts: Sequence[Layout], view: State, size: Pair) -> PublicLayout:
    """Return the public layout of `view` for a viewport of `size` pixels.

    It is made from the game's public layouts for screens of this shape, or from all its layouts if
    it has none, and is the one that shows the field (and the panels) largest.
    """
    held = layouts_for(layouts, view.seats)
    own = [one for one in held if isinstance(one, PublicLayout)]
    upright = [one for one in own if isinstance(one, UprightPublicLayout)]
    is_upright = size[1] > size[0]
    own = [one for one in own if (one in upright) == (is_upright and bool(upright))]
    tables = [_make_source(layout, view) for layout in own or held]
    if view.seats > 1 and not tables[0].is_facing:
        return _arrange_round_table(tables, size)
    made = [
        _arrange_facing(one) if one.is_facing else _make_public(remove_prompt_band(one.layout))
        for one in tables
    ]
    return max(made, key=lambda one: _pixels_per_card(one.table.size, size))


def _pixels_per_card(surface: Pair, size: Pair) -> float:
    """Return the number of pixels per card width."""
    return min(size[0] / surface[0], size[1] / surface[1])


def _make_public(layout: Layout, **changes: Any) -> PublicLayout:
    """Return `layout` with `changes` as a public layout."""
    entries = {name: getattr(layout, name) for name in Layout.__struct_fields__}
    return PublicLayout(**(entries | changes))


class _PublicSource(NamedTuple):
    """A seat's layout, and methods that tell which of its parts are shared in the current view."""

    layout: Layout
    view: State
    scope: LayoutScope

    @property
    def is_facing(self) -> bool:
        """Whether two players sit face to face."""
        return self.view.seats == 2 and any(OTHER in place.zone for place in self.layout.place)

    def is_shown(self, entry: Any) -> bool:
        """Return whether the conditions of `entry` hold for the current values."""
        return self.scope.is_shown(entry, {"me": NO_SEAT, "other": 0, "seat": 0})

    def panel_sets(self) -> Iterator[tuple[Panel, ...]]:
        """Yield the panels of a seat: those for this
        number of players, then those for other numbers.

        A game's own public layout has only the former.
        """
        counts: dict[Value, None] = {self.view.seats: None}
        for panel in () if isinstance(self.layout, PublicLayout) else self.layout.panel:
            wanted = panel.when.get("seats", ())
            counts |= dict.fromkeys(wanted if isinstance(wanted, tuple) else (wanted,))
        for count in counts:
            scope = self.scope._replace(values={**self.scope.values, "seats": count})
            gaps = {"me": NO_SEAT, "other": 0, "seat": 0}
            held = [
                panel
                for panel in self.layout.panel
                if isinstance(panel.repeat, str) and scope.is_shown(panel, gaps)
            ]
            if held:
                yield tuple(held)

    def is_shared(self, entry: LayoutElement) -> bool:
        """Return whether `entry` is part of the shared field.

        The field consists of cards and plaques that belong to no player, and of drawings and labels
        above the prompt.
        """
        if _is_aloft(entry) or _is_about(entry, ME) or _is_about(entry, OTHER):
            return False
        if self.is_spare(entry):
            return False
        prompt = self.layout.table.prompt
        return isinstance(entry, Place | Plaque) or prompt is None or entry.at.y < prompt.y

    def is_spare(self, entry: LayoutElement) -> bool:
        """Return whether `entry` is a drawing for the
        position left free by an odd number of players.
        """
        odd = self.view.seats > 1 and self.view.seats % 2 == 1
        return odd and isinstance(entry, Drawing) and entry.spare

    def shown_elements(self) -> Iterator[LayoutElement]:
        """Yield all entries with a rectangle whose conditions hold."""
        layout = self.layout
        parts = (*layout.place, *layout.plaque, *layout.drawing, *layout.label)
        return (entry for entry in parts if self.is_shown(entry))

    def keep_on_field(self, parts: tuple[Part, ...]) -> Iterator[Part]:
        """Yield the `parts` that are on the field or overlay it."""
        for part in parts:
            if (self.is_shared(part) or _is_aloft(part)) and not self.is_spare(part):
                yield part


class _SharedField(NamedTuple):
    """The shared field without empty space: rows below each other, each centred."""

    rows: tuple[Rect, ...]

    @property
    def bounds(self) -> Rect:
        """The bounding rectangle of the rows, in coordinates of the seat's layout."""
        return _bounds(self.rows)

    @property
    def size(self) -> Pair:
        """The size of the field without empty space, in card widths."""
        return max(row.w for row in self.rows), sum(
            row.h + PANEL_GAP for row in self.rows
        ) - PANEL_GAP

    def map_rect(self, at: Rect) -> Rect:
        """Convert `at` from coordinates of the seat's layout to coordinates relative to the field's
        top left corner.
        """
        width, height = self.size
        top = 0.0
        for row in self.rows:
            if row.contains(at, ROW_TOLERANCE):
                return at._replace(x=at.x - row.x + (width - row.w) / 2, y=at.y - row.y + top)
            top += row.h + PANEL_GAP
        scale = min(1.0, width / at.w, height / at.h)  # an entry over the viewer's own cards
        w, h = at.w * scale, at.h * scale
        return Rect((width - w) / 2, (height - h) / 2, w, h)


ROW_TOLERANCE = 0.3
"""Distance in card widths by which a part of a row may extend beyond the row."""


def _make_field(sides: _PublicSource) -> _SharedField:
    shared = sorted(
        (entry.at for entry in sides.shown_elements() if sides.is_shared(entry)),
        key=lambda at: at.y,
    )
    rows: list[Rect] = []
    for rect in shared:
        if rows and rect.y < rows[-1].bottom:
            rows[-1] = _bounds((rows[-1], rect))
        else:
            rows.append(rect)
    return _SharedField(tuple(rows))


def _make_source(layout: Layout, view: State) -> _PublicSource:
    values = condition_values(view, "")
    placed = PlacedTable(surface=layout.table, unit=1.0, left=0.0, top=0.0)
    return _PublicSource(layout, view, LayoutScope(layout, view, values, False, {}, placed, ()))


# Two players face to face: both have the opponent's panel


def _arrange_facing(sides: _PublicSource) -> PublicLayout:
    layout, field = sides.layout, _make_field(sides)
    box = _bounds(
        one.at for one in sides.shown_elements() if _is_about(one, OTHER) and not _is_fan(one)
    )
    width, height = field.size
    left = min(box.x, field.bounds.x) - PANEL_GAP
    right = max(box.right, field.bounds.right) + PANEL_GAP
    begins = field.bounds.x + (field.bounds.w - width) / 2 - left

    def opposite_parts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        named = (part for part in parts if _is_about(part, OTHER) and not _is_fan(part))
        return tuple(
            replace(part, at=part.at._replace(x=part.at.x - box.x, y=part.at.y - box.y))
            for part in named
        )

    x, top = box.x - left, box.h + 2 * PANEL_GAP
    spots = (Rect(x, top + height + PANEL_GAP, box.w, box.h), Rect(x, PANEL_GAP, box.w, box.h))
    panel = Panel(
        size=(box.w, box.h),
        spots=spots,
        repeat="seats",
        place=opposite_parts(layout.place),
        plaque=opposite_parts(layout.plaque),
        drawing=opposite_parts(layout.drawing),
        label=opposite_parts(layout.label),
    )
    size = (right - left, top + height + PANEL_GAP + box.h + PANEL_GAP)
    return _make_public(_keep_shared(sides, field, size, (begins, top)), panel=(panel,))


# Many players: equal panels around the field


def _arrange_round_table(tables: Sequence[_PublicSource], size: Pair) -> PublicLayout:
    """Return the layout with panels around the field, using the panels that can be shown largest.

    Panels for other numbers of players are tried too, because there is more space without a hand.
    """
    aspect = size[0] / size[1]
    best, made = 0.0, _make_public(tables[0].layout)
    for sides in tables:
        field = _make_field(sides)
        for panels in sides.panel_sets():
            shape = _panels_size(panels)
            signs = [sign.at.h for panel in panels for sign in panel.plaque]
            plaque = min(signs, default=0.0)
            count = sides.view.seats
            if any(map(sides.is_spare, sides.shown_elements())):
                count += 1
            composed = arrange_panels(field.size, shape, count, aspect, plaque)
            scale = composed.spots[0].w / shape[0]
            if best and scale < MIN_PANEL_SCALE:
                continue
            unit = 1 / max(composed.size[0], composed.size[1] * aspect)
            cards = [place.card for panel in panels for place in panel.place] or [1.0]
            shown = scale * sum(cards) / len(cards) * unit**2
            if shown > best:
                best, made = shown, _compose_public(sides, field, panels, composed)
    return made


def _panels_size(panels: Sequence[Panel]) -> Pair:
    """Return the size of one seat's panels side by side, in card widths."""
    width = sum(panel.size[0] + PANEL_GAP for panel in panels) - PANEL_GAP
    return width, max(panel.size[1] for panel in panels)


def _compose_public(
    sides: _PublicSource, field: _SharedField, panels: Sequence[Panel], composed: PanelArrangement
) -> PublicLayout:
    arranged = _keep_shared(sides, field, composed.size, composed.field_corner)
    free = composed.spots[-1]
    drawn = [replace(one, at=free) for one in sides.layout.drawing if sides.is_spare(one)]
    seated = composed.spots[: sides.view.seats]
    rooms = zip(panels, split_spots(panels, _panels_size(panels), seated), strict=True)
    round_it = tuple(
        replace(panel, repeat="seats", at=None, sides=None, spots=spots, when={}, unless={})
        for panel, spots in rooms
    )
    # panels on the field, which show cards, stay
    drawing = (*arranged.drawing, *drawn)
    return _make_public(arranged, panel=(*round_it, *arranged.panel), drawing=drawing)


# Shared helpers


def _keep_shared(sides: _PublicSource, field: _SharedField, size: Pair, corner: Pair) -> Layout:
    """Return the shared parts on a table of size `size`,
    with the field's top left corner at `corner`.
    """
    layout = sides.layout
    to = (corner[0] - field.bounds.x, corner[1] - field.bounds.y)

    def place(at: Rect) -> Rect:
        placed = field.map_rect(at)
        return placed._replace(x=placed.x + corner[0], y=placed.y + corner[1])

    def parts(written: tuple[Part, ...]) -> tuple[Part, ...]:
        return tuple(replace(part, at=place(part.at)) for part in sides.keep_on_field(written))

    def place_points(points: tuple[Pair, ...]) -> tuple[Pair, ...]:
        return tuple((x + to[0], y + to[1]) for x, y in points)

    def marker(entry: Marker) -> Marker:
        points = entry.points
        return entry if isinstance(points, str) else replace(entry, points=place_points(points))

    table = layout.table
    regions: dict[str, Any] = {"prompt": None, "outlook": None, "play": None}
    return replace(
        layout,
        table=replace(table, size=size, dice=table.dice and place(table.dice), **regions),
        points={name: place_points(points) for name, points in layout.points.items()},
        place=parts(layout.place),
        plaque=parts(layout.plaque),
        drawing=parts(layout.drawing),
        label=parts(layout.label),
        panel=tuple(
            replace(panel, spots=tuple(place(spot) for spot in panel.spots))
            for panel in layout.panel
            if not isinstance(panel.repeat, str)
        ),
        marker=tuple(marker(entry) for entry in layout.marker),
    )


def _bounds(rects: Iterable[Rect]) -> Rect:
    held = list(rects)
    x, y = min(at.x for at in held), min(at.y for at in held)
    return Rect(x, y, max(at.right for at in held) - x, max(at.bottom for at in held) - y)


def _is_aloft(part: LayoutElement) -> bool:
    return isinstance(part, Drawing) and part.level == "aloft"


def _is_fan(part: LayoutElement) -> bool:
    return isinstance(part, Place) and part.form == "fan"


def _is_about(part: LayoutElement, seat: str) -> bool:
    """Return whether `part` consists of cards, a plaque or labels of the seat that the placeholder
    `seat` stands for.
    """
    match part:
        case Place(zone=zone):
            return seat in zone
        case Plaque(seat=whose):
            return whose == seat
        case Drawing(cards=cards, held=held):
            return any(seat in zone for zone in (*cards, *held))
        case Label(values=values, counts=counts, when=when, unless=unless):
            named = (*values.values(), *counts.values(), *when, *unless)
            return any(seat in each for each in named)
        case _:
            return False
