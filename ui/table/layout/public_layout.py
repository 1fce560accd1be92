"""The public table: a game's arrangement as everybody in the room may look at it. No Qt.

It is made of the arrangement that a seat sees, so that no game says anything for it: what all share
is in the middle, every player has the same panel round it, and what one seat alone needs, its hand
above all, is left out. Two who sit face to face have the same on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from tabletop.engine.model import State, Value
from tabletop.games.layout import (
    Drawing,
    Layout,
    LayoutElement,
    Marker,
    Pair,
    Panel,
    Place,
    Plaque,
    Rect,
)
from ui.table.layout.panels_around import GAP, Composition, compose, parted
from ui.table.layout.prompt_band import closed
from ui.table.layout.scope import Scope
from ui.table.layout.setting import Setting

ME, OTHER = "{me}", "{other}"
NOBODY = "~"
"""The placeholder for the viewer's seat: no zone and no value has it in its name."""
OWN = 0.8
"""A zone that covers the viewer's own cards by this share is theirs too."""
LETTERS = 0.024
"""The least size of letters, as a share of the table's height: what is read from three metres."""

ROOMY = 0.75
"""Panels made for other numbers of players are taken where they are so large at least, of what the
arrangement has for them: letters do not shrink with them."""

Part = TypeVar("Part", bound=LayoutElement)


def public_layout(layouts: Sequence[Layout], view: State, size: Pair) -> Layout:
    """The public arrangement of this view for a viewport of this size, in pixels.

    Of the arrangements that a game has, the one whose field is shown largest; where panels are
    round it, the one whose field and panels together are.
    """
    sides = [_sides(layout, view) for layout in layouts]
    if view.seats > 1 and not sides[0].facing:
        return _round_table(sides, size)
    made = [_face_to_face(one) if one.facing else closed(one.layout) for one in sides]
    return max(made, key=lambda one: _unit(one.table.size, size))


def _unit(surface: Pair, size: Pair) -> float:
    """Pixels per card width."""
    return min(size[0] / surface[0], size[1] / surface[1])


class _Sides(NamedTuple):
    """An arrangement, and which parts of it belong to which seat now."""

    layout: Layout
    view: State
    scope: Scope

    @property
    def facing(self) -> bool:
        """Whether two sit face to face."""
        return self.view.seats == 2 and any(OTHER in place.zone for place in self.layout.place)

    def holds(self, entry: Any) -> bool:
        """Whether the entry is shown, with the current values."""
        return self.scope.holds(entry, {"me": 0, "other": 1, "seat": 0})

    def panels(self) -> Iterator[tuple[Panel, ...]]:
        """The panels of a seat, as they are at this number of seats and as they are at others."""
        counts: dict[Value, None] = {self.view.seats: None}
        for panel in self.layout.panel:
            wanted = panel.when.get("seats", ())
            counts |= dict.fromkeys(wanted if isinstance(wanted, tuple) else (wanted,))
        for count in counts:
            scope = self.scope._replace(values={**self.scope.values, "seats": count})
            gaps = {"me": 0, "other": 1, "seat": 0}
            held = [one for one in self.layout.panel if not one.of and scope.holds(one, gaps)]
            if held:
                yield tuple(held)

    def shared(self, entry: LayoutElement) -> bool:
        """Whether the entry is on the field and takes room there."""
        return not (self.own(entry) or OTHER in _text(entry) or _aloft(entry))

    def own(self, entry: LayoutElement) -> bool:
        """Whether the entry is the viewer's alone."""
        if _aloft(entry):
            return False
        if isinstance(entry, Place | Plaque):
            return ME in _text(entry)
        return self.below(entry) or self._covers(entry.at)

    def below(self, entry: LayoutElement) -> bool:
        """Whether the entry is on the viewer's side of the table."""
        prompt = self.layout.table.prompt
        return prompt is not None and entry.at.y >= prompt.y

    def without_own(self, at: Rect) -> Rect:
        """The rectangle without the foot on which the viewer's own cards lie."""
        for place in self.layout.place:
            within = at.overlap(place.at) > 0 and place.at.w >= OWN * at.w and place.at.y > at.y
            if ME in place.zone and within and self.holds(place):
                at = at._replace(h=place.at.y - at.y)
        return at

    def _covers(self, at: Rect) -> bool:
        """Whether the viewer's own cards lie there."""
        own = [place for place in self.layout.place if ME in place.zone and self.holds(place)]
        return any(place.at.overlap(at) >= OWN * at.w * at.h for place in own)

    def shown(self) -> Iterator[LayoutElement]:
        """Everything that has a place of its own and is shown now."""
        layout = self.layout
        parts = (*layout.place, *layout.plaque, *layout.drawing, *layout.label)
        return (entry for entry in parts if self.holds(entry))


class _Field(NamedTuple):
    """The shared field, closed up: rows one under the other, each in the middle, and at their right
    what lay on the viewer's side."""

    rows: tuple[Rect, ...]
    aside: Rect | None

    @property
    def whole(self) -> Rect:
        """The rows, as in the arrangement of a seat."""
        return _around(self.rows)

    @property
    def scale(self) -> float:
        """The size of things of the viewer's side, as a share of their size there."""
        return min(1.0, self.whole.h / self.aside.h) if self.aside else 1.0

    @property
    def size(self) -> Pair:
        """All of it, in card widths."""
        more = self.aside.w * self.scale + GAP if self.aside else 0.0
        return self.whole.w + more, self.whole.h

    def smaller(self, sides: _Sides, places: Iterable[Place]) -> tuple[Place, ...]:
        """The places, with cards as large as they have room."""
        return tuple(
            replace(one, card=one.card * self.scale) if sides.below(one) else one for one in places
        )

    def placed(self, at: Rect) -> Rect:
        """Return the place of a rectangle of the arrangement, from the top left of the field."""
        whole = self.whole
        if self.aside is not None and self.aside.overlap(at):
            x, y = at.x - self.aside.x, at.y - self.aside.y
            here = Rect(*(length * self.scale for length in (x, y, at.w, at.h)))
            return here._replace(x=here.x + whole.w + GAP)
        if whole.overlap(at) < at.w * at.h / 2:  # it lay over the viewer's own cards
            scale = min(1.0, whole.w / at.w, whole.h / at.h)
            w, h = at.w * scale, at.h * scale
            return Rect((whole.w - w) / 2, (whole.h - h) / 2, w, h)
        row = next((row for row in self.rows if row.overlap(at)), whole)
        return at._replace(x=at.x - row.x + (whole.w - row.w) / 2, y=at.y - whole.y)


def _field(sides: _Sides) -> _Field:
    shared = [entry for entry in sides.shown() if sides.shared(entry)]
    below = [entry.at for entry in shared if sides.below(entry)]
    rects = sorted(sides.without_own(entry.at) for entry in shared if not sides.below(entry))
    rows: list[Rect] = []
    for rect in sorted(rects, key=lambda at: at.y):
        if rows and rect.y < rows[-1].bottom:
            rows[-1] = _around((rows[-1], rect))
        else:
            rows.append(rect)
    return _Field(tuple(rows), _around(below) if below else None)


def _sides(layout: Layout, view: State) -> _Sides:
    over = int(view.result is not None)
    values = {"over": over, **view.values, "seats": view.seats, "asked": ""}
    setting = Setting(surface=layout.table, unit=1.0, left=0.0, top=0.0)
    return _Sides(layout, view, Scope(layout, view, values, False, {}, setting))


# Two who sit face to face: the one below has what the one above has, as in a mirror


def _face_to_face(sides: _Sides) -> Layout:
    layout, field = sides.layout, _field(sides)
    whole = field.whole
    theirs = (one for one in sides.shown() if OTHER in _text(one) and not _is_fan(one))
    mats = [one.at for one in theirs]

    def place(at: Rect) -> Rect:
        placed = field.placed(at)
        return placed._replace(x=placed.x + whole.x, y=placed.y + whole.y)

    def opposite(at: Rect) -> Rect:
        """Keep the place of things on a mat: the caption is above them on both sides."""
        on = max((mat for mat in (at, *mats) if mat.around(at)), key=lambda mat: mat.w * mat.h)
        return at._replace(y=_mirrored(on, whole).y + at.y - on.y)

    def both(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        shared = (part for part in parts if sides.shared(part) or _aloft(part))
        above = tuple(part for part in parts if OTHER in _text(part) and not _is_fan(part))
        return (
            *(replace(part, at=place(part.at)) for part in shared),
            *above,
            *(_renamed(replace(part, at=opposite(part.at)), OTHER, ME) for part in above),
        )

    arranged = replace(
        layout,
        place=both(field.smaller(sides, layout.place)),
        plaque=both(layout.plaque),
        drawing=both(layout.drawing),
        label=both(layout.label),
    )
    shown = [*arranged.place, *arranged.plaque, *arranged.drawing, *arranged.label]
    held = _around(part.at for part in shown if sides.holds(part))
    to = (GAP - held.x, GAP - held.y)
    size = (held.w + 2 * GAP, held.h + 2 * GAP)
    return _moved(arranged, size, lambda at: at._replace(x=at.x + to[0], y=at.y + to[1]), to)


def _mirrored(at: Rect, field: Rect) -> Rect:
    return at._replace(y=field.y + field.bottom - at.bottom)


# Many round the table: the same panel for each, and the field between them


def _round_table(tables: Sequence[_Sides], size: Pair) -> Layout:
    """Of all panels that a game has, those for other numbers of players too, the ones that are
    shown largest together with the field: without a hand there is room for more."""
    aspect = size[0] / size[1]
    best, made = 0.0, tables[0].layout
    for sides in tables:
        field = _field(sides)
        for panels in sides.panels():
            shape = _shape(panels)
            signs = [sign.at.h for panel in panels for sign in panel.plaque]
            plaque = min(signs, default=0.0)
            composed = compose(field.size, shape, sides.view.seats, aspect, plaque)
            scale = composed.spots[0].w / shape[0]
            if best and scale < ROOMY:
                continue
            unit = 1 / max(composed.size[0], composed.size[1] * aspect)
            cards = [place.card for panel in panels for place in panel.place] or [1.0]
            shown = scale * sum(cards) / len(cards) * unit**2
            if shown > best:
                best, made = shown, _composed(sides, field, panels, composed)
    return made


def _shape(panels: Sequence[Panel]) -> Pair:
    """The room of one seat's panels side by side, in card widths."""
    wide = sum(panel.size[0] + GAP for panel in panels) - GAP
    return wide, max(panel.size[1] for panel in panels)


def _composed(
    sides: _Sides, field: _Field, panels: Sequence[Panel], composed: Composition
) -> Layout:
    layout = sides.layout
    left, top = composed.field

    def place(at: Rect) -> Rect:
        placed = field.placed(at)
        return placed._replace(x=placed.x + left, y=placed.y + top)

    def kept(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        stay = (part for part in parts if OTHER not in _text(part) and not sides.own(part))
        return tuple(_of_nobody(sides, part) for part in stay)

    arranged = replace(
        layout,
        place=field.smaller(sides, kept(layout.place)),
        plaque=kept(layout.plaque),
        drawing=kept(layout.drawing),
        label=kept(layout.label),
        panel=tuple(panel for panel in layout.panel if panel.of),
    )
    to = (left - field.whole.x, top - field.whole.y)
    arranged = _moved(arranged, composed.size, place, to)
    rooms = zip(panels, parted(panels, _shape(panels), composed.spots), strict=True)
    round_it = tuple(
        replace(panel, repeat="seats", at=None, sides=None, spots=spots, when={}, unless={})
        for panel, spots in rooms
    )
    return replace(arranged, panel=(*round_it, *arranged.panel))  # those show cards


def _of_nobody(sides: _Sides, part: Part) -> Part:
    """Return the things on the field, without the viewer's values and their room on it."""
    if isinstance(part, Drawing):
        shared = {word: key for word, key in part.values.items() if ME not in key}
        values = sides.view.values
        blank = {
            word: "" if isinstance(values.get(key.replace(ME, "0")), str) else 0
            for word, key in part.values.items()
            if word not in shared
        }
        part = replace(part, values=shared, fixed=part.fixed | blank, at=sides.without_own(part.at))
    return _renamed(part, ME, NOBODY)


# Shared helpers


def _moved(layout: Layout, size: Pair, place: Callable[[Rect], Rect], to: Pair) -> Layout:
    """The arrangement on a surface of this size, each entry and each point moved."""

    def parts(written: tuple[Part, ...]) -> tuple[Part, ...]:
        return tuple(replace(part, at=place(part.at)) for part in written)

    def along(points: tuple[Pair, ...]) -> tuple[Pair, ...]:
        return tuple((x + to[0], y + to[1]) for x, y in points)

    def marker(entry: Marker) -> Marker:
        points = entry.points
        return entry if isinstance(points, str) else replace(entry, points=along(points))

    table = layout.table
    regions: dict[str, Any] = {"prompt": None, "outlook": None, "play": None}
    return replace(
        layout,
        table=replace(table, size=size, dice=table.dice and place(table.dice), **regions),
        points={name: along(points) for name, points in layout.points.items()},
        place=parts(layout.place),
        plaque=parts(layout.plaque),
        drawing=parts(layout.drawing),
        label=parts(layout.label),
        panel=tuple(
            replace(panel, spots=tuple(place(spot) for spot in panel.spots))
            for panel in layout.panel
        ),
        marker=tuple(marker(entry) for entry in layout.marker),
    )


def _around(rects: Iterable[Rect]) -> Rect:
    held = list(rects)
    x, y = min(at.x for at in held), min(at.y for at in held)
    return Rect(x, y, max(at.right for at in held) - x, max(at.bottom for at in held) - y)


def _aloft(part: LayoutElement) -> bool:
    return isinstance(part, Drawing) and part.aloft


def _is_fan(part: LayoutElement) -> bool:
    return isinstance(part, Place) and part.form == "fan"


def _text(part: LayoutElement) -> str:
    """All that is written of it."""
    return msgspec.json.encode(part).decode()


def _renamed(part: Part, old: str, new: str) -> Part:
    """The same for another seat."""
    return msgspec.json.decode(_text(part).replace(old, new), type=type(part))
