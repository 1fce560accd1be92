"""Computes the rectangles of a table from a game's layout, a view and a viewport size. No Qt."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, Sight, State, Value, is_face
from tabletop.engine.teams import numbered, partners, teams_at
from tabletop.games.conditions import condition_values
from tabletop.games.layout import (
    Drawing,
    Label,
    Layout,
    Pair,
    Panel,
    Place,
    Plaque,
    PublicLayout,
    Rect,
    layouts_for,
)
from tabletop.text.phrases import fill_gaps
from ui.table.layout.packing import flow_panels, seat_rects_along, spread_pieces
from ui.table.layout.placed_table import (
    MIN_TEXT_PX,
    CardInDrawing,
    CardOutline,
    PlacedDrawing,
    PlacedMat,
    PlacedPlaque,
    PlacedTable,
    PlacedText,
    PlacedZone,
    TopCard,
)
from ui.table.layout.prompt_band import fit_prompt_band
from ui.table.layout.rising import stretch_to_viewport
from ui.table.layout.scope import ME, NO_SEAT, Gaps, LayoutScope, expand_entries
from ui.table.layout.slots import Slot, card_area, make_slots, mirror_slot, outline_count
from ui.table.layout.standing import add_marker, add_piece, read_values

FOLDED_HEIGHT = 1.15
"""The height of a folded mat, in caption heights."""
CAPTION_SIZE = 0.125
"""The text height of a caption without a mat, in card widths."""
CAPTION_INSET = 0.9 * CAPTION_SIZE
"""Distance of a caption without a mat from the left edge of the mats below it, in card widths."""
MIN_UNIT_SHARE = 0.87
"""Card size, as a share of the largest layout's, from which a layout counts as nearly as large."""


class _Cell(NamedTuple):
    """One zone of a `Place` entry: its name, its rectangle, and the values of the placeholders in
    its name.
    """

    zone: str
    at: Rect
    gaps: Gaps


class _Frame(NamedTuple):
    """The position and scale of a panel on the table."""

    x: float
    y: float
    scale: float

    def place_rect(self, at: Rect) -> Rect:
        """Return the rectangle `at` of the panel in table coordinates."""
        scale = self.scale
        return Rect(self.x + at.x * scale, self.y + at.y * scale, at.w * scale, at.h * scale)


def clear_layout_caches() -> None:
    """Clear all layout caches, because the table is left for good."""
    for kept in (_choose_layout, _zone_cells, _place_in_frame, expand_entries, make_slots):
        kept.cache_clear()


def lay_out_table(
    layouts: Sequence[Layout],
    view: State,
    size: Pair,
    raised: Mapping[str, int] | None = None,
    foreseen: Mapping[str, Value] | None = None,
    fan: float = 1.0,
    min_text_px: int = MIN_TEXT_PX,
) -> PlacedTable:
    """Return the layout of `view` for a viewport of `size` pixels.

    `raised`: the index of the raised card by zone; a fan makes space for it. `foreseen`: the values
    that the current draft move would set. `fan`: the scale of cards in fans, if there is enough
    space. `min_text_px`: the smallest text height in pixels.
    """
    layout = _choose_layout(layouts_for(layouts, view.seats), size)
    unit = _pixels_per_card(layout, size)
    w, h = layout.table.size
    placed = PlacedTable(
        surface=layout.table,
        unit=unit,
        fan_scale=fan,
        min_text_px=min_text_px,
        left=(size[0] - w * unit) / 2,
        top=(size[1] - h * unit) / 2,
        zones={},
        mats=[],
        outlines=[],
        plaques=[],
        pieces=[],
        markers=[],
        drawings=[],
        texts=[],
    )
    me = view.viewer if view.viewer is not None and view.viewer != AUDIENCE else 0
    if isinstance(layout, PublicLayout) and view.seats > 1:
        me = NO_SEAT
    values = condition_values(view, _asked_kind(view))
    turned = layout.table.turned and me == 1
    teams = numbered(teams_at(view))
    scope = LayoutScope(layout, view, values, turned, raised or {}, placed, teams)
    _lay_out_parts(
        scope, scope.with_values(foreseen or {}), {"me": me, "other": (me + 1) % max(view.seats, 1)}
    )
    return placed


def _lay_out_parts(scope: LayoutScope, ahead: LayoutScope, gaps: Gaps) -> None:
    """Lay out all entries, cards first, because drawings show cards and pieces stand on them."""
    layout, placed = scope.layout, scope.placed
    for _, place, own in scope.expand(layout.place, gaps):
        _add_place(scope, place, own)
    for _, plaque, own in scope.expand(layout.plaque, gaps):
        _add_plaque(scope, plaque, own)
    for number, drawing, own in scope.expand(layout.drawing, gaps):
        _add_drawing(ahead if drawing.foreseen else scope, drawing, f"drawing {number}", own)
    for _, label, own in scope.expand(layout.label, gaps):
        _add_label(scope, label, own)
    for number, panel in enumerate(layout.panel):
        _add_panel(scope, panel, f"panel {number}", gaps)
    for piece in layout.piece:
        add_piece(scope, piece, gaps)
    placed.pieces = spread_pieces(placed)
    for number, marker in enumerate(layout.marker):
        add_marker(scope, marker, f"marker {number}", gaps)


def table_height(layouts: Sequence[Layout], seats: int, size: Pair) -> float:
    """Return the table's height in pixels for `seats` players in a viewport of `size` pixels."""
    layout = _choose_layout(layouts_for(layouts, seats), size)
    return layout.table.size[1] * _pixels_per_card(layout, size)


def most_covered_zone(placed: PlacedTable, rect: Rect, zones: Collection[str]) -> str | None:
    """Return the zone of `zones` that a card at `rect` covers most, or None if it covers none."""
    best, most = None, 0.0
    for zone in zones:
        if zone in placed.zones:
            overlap = placed.zones[zone].rect.overlap_area(rect)
            if overlap > most:
                best, most = zone, overlap
    return best


def play_area(placed: PlacedTable) -> Rect:
    """Return the rectangle where a card without a target is dropped."""
    return placed.surface.play or placed.surface_rect


@lru_cache(maxsize=16)
def _choose_layout(layouts: tuple[Layout, ...], size: Pair) -> Layout:
    """Return the layout that suits a viewport of `size` best.

    Of the layouts with nearly the largest cards, that is the one whose own cards are largest, and
    then the one that fills most of the viewport.
    """
    seen = [one for one in layouts if not isinstance(one, PublicLayout)] or layouts
    log_room_changed = [_fit_to_viewport(one, size) for one in seen]
    largest = max(_pixels_per_card(one, size) for one in log_room_changed)
    near = [
        one for one in log_room_changed if _pixels_per_card(one, size) >= MIN_UNIT_SHARE * largest
    ]
    return max(
        near,
        key=lambda one: (
            _mean_own_card_width(one) * _pixels_per_card(one, size) ** 3 * math.prod(one.table.size)
        ),
    )


def _mean_own_card_width(layout: Layout) -> float:
    """Return the mean card width in the zones of the viewer's seat."""
    places = (place for place in layout.place if "{me}" in place.zone)
    widths = [make_slots(place, place.at, 1)[0].width for place in places]
    return sum(widths) / len(widths) if widths else 1.0


def _fit_to_viewport(layout: Layout, size: Pair) -> Layout:
    """Return the layout with enough height for the
    prompt line, stretched to the remaining height.
    """
    made = fit_prompt_band(stretch_to_viewport(layout, size), size)
    excess = made.table.size[1] / made.table.size[0] * size[0] - size[1]
    return (
        fit_prompt_band(stretch_to_viewport(layout, (size[0], size[1] - excess)), size)
        if excess > 0
        else made
    )


def _pixels_per_card(layout: Layout, size: Pair) -> float:
    return min(size[0] / layout.table.size[0], size[1] / layout.table.size[1])


def _asked_kind(view: State) -> str:
    """Return the kind of the viewer's open question, or "" if there is none."""
    asks = (ask for ask in view.asks if ask.seat == view.viewer and ask.id not in view.answers)
    return next((ask.what for ask in asks), "")


# Places


def _add_place(scope: LayoutScope, place: Place, gaps: Gaps, scale: float = 1.0) -> None:
    """Add the zones of a `Place` entry and its caption; `scale` is the scale of its panel."""
    if not scope.is_shown(place, gaps):
        return
    if place.watched and scope.is_audience:
        place = replace(place, caption=place.watched)
    turned = scope.is_opposite and place.board
    cells = _zone_cells(place, scope.placed.caption_height, tuple(gaps.items()), turned)
    laid = False
    for cell in cells:
        if cell.zone in scope.view.zones:
            _add_cell(scope, place, cell, turned, scale)
            laid = True
    if laid:
        named = {"seat": gaps["me"]} | gaps if "{me}" in place.zone else gaps
        _add_caption(scope.placed, place, cells, named)


@lru_cache(maxsize=1024)
def _zone_cells(
    place: Place, caption: float, named: tuple[tuple[str, int], ...], turned: bool
) -> tuple[_Cell, ...]:
    """Return the zones of a `Place` entry, each with its rectangle and placeholder values."""
    inner, gaps = card_area(place, caption), dict(named)
    if not place.is_grid:
        return (_Cell(fill_gaps(place.zone, gaps), inner, gaps),)
    cells = []
    shift = 0.5 if place.staggered and place.rows > 1 else 0.0
    w = (inner.w - (place.columns - 1 + shift) * place.gap) / (place.columns + shift)
    h = (inner.h - (place.rows - 1) * place.gap) / place.rows
    for row in range(place.rows):
        for column in range(place.columns):
            down = place.rows - 1 - row if turned else row
            right = place.columns - 1 - column if turned else column
            x = inner.x + (right + shift * (down % 2)) * (w + place.gap)
            at = Rect(x, inner.y + down * (h + place.gap), w, h)
            cell = gaps | {
                "row": place.first + row,
                "column": place.first + column,
                "cell": place.first + row * place.columns + column,
            }
            cells.append(_Cell(fill_gaps(place.zone, cell), at, cell))
    return tuple(cells)


def _add_cell(scope: LayoutScope, place: Place, cell: _Cell, turned: bool, scale: float) -> None:
    """Add one zone of a `Place` entry: its cards, label, mat and outlines."""
    placed, view = scope.placed, scope.view
    rect = cell.at if place.is_grid else place.at
    room, caption = cell.at, placed.caption_height
    if place.label and place.is_grid:
        room = Rect(room.x, room.y + caption, room.w, room.h - caption)
    down = place.face == "down" or bool(view.values.get(fill_gaps(place.down, cell.gaps)))
    most = outline_count(place, room, view.seats)
    slots = _slots_in(scope, place, cell, room, turned, most)
    placed.zones[cell.zone] = PlacedZone(cell.zone, rect, slots, place, down, scale)
    if place.label:
        at = Rect(cell.at.x, cell.at.y, cell.at.w, caption)
        placed.texts.append(PlacedText(at, place.label, dict(cell.gaps), "centre", 0.125, False))
    if place.mat == "cells":
        placed.mats.append(PlacedMat(rect, "cells", "", (cell.zone,), False, cell.gaps))
    for number, slot in enumerate(make_slots(place, room, max(len(slots), most))[:most], 1):
        outline = mirror_slot(slot, room, False) if turned else slot
        printed = cell.gaps["cell"] - place.first + 1 if place.is_grid else number
        placed.outlines.append(CardOutline(outline.bounds, printed))


def _slots_in(
    scope: LayoutScope, place: Place, cell: _Cell, room: Rect, turned: bool, outlined: int
) -> tuple[Slot, ...]:
    """Return the slots of a zone's cards, which lie on its outlines if their number is given."""
    count = len(scope.view.cards.get(cell.zone, ()))
    laid = max(count, outlined) if place.outlines else count
    raised = scope.raised.get(cell.zone)
    slots = make_slots(place, room, laid, raised, scope.placed.fan_scale)[:count]
    if turned:
        slots = tuple(mirror_slot(slot, room, place.lie == "side") for slot in slots)
    if place.card_turn:
        slots = tuple(
            slot._replace(angle=slot.angle + _card_angle(place.card_turn, card, scope.view))
            for slot, card in zip(slots, scope.view.cards.get(cell.zone, ()), strict=False)
        )
    angle = _turn_angle(fill_gaps(place.turn, cell.gaps), scope.view) if place.turn else 0.0
    return tuple(slot._replace(angle=slot.angle + angle) for slot in slots) if angle else slots


def _card_angle(pattern: str, card: int, view: State) -> float:
    """Return the angle of `card` in degrees, or 0 if its face is hidden."""
    value = view.values.get(fill_gaps(pattern, {"card": card}), 0) if is_face(card) else 0
    return float(value) if isinstance(value, int) else 0.0


def _turn_angle(name: str, view: State) -> float:
    if name in view.cards:
        seen = [card for card in view.cards[name] if is_face(card)]
        return 0.0 if seen == sorted(seen) else 180.0
    value = view.values.get(name, 0)
    if isinstance(value, int) and value not in (0, 1):
        return float(value)
    return 180.0 if value else 0.0


def _add_caption(placed: PlacedTable, place: Place, cells: tuple[_Cell, ...], gaps: Gaps) -> None:
    """Add the mat of a `Place` entry with its caption, or the caption alone if it has no mat."""
    if place.mat == "whole" and place.form != "fan":
        zones = tuple([cell.zone for cell in cells])
        at = place.at
        if place.folds and not any(placed.zones[zone].slots for zone in zones):
            at = Rect(at.x, at.y, at.w, min(at.h, placed.caption_height * FOLDED_HEIGHT))
        placed.mats.append(PlacedMat(at, "whole", place.caption, zones, place.count, gaps))
    elif place.caption:
        left = place.at.x
        if place.mat == "cells":  # above the first cell, indented as on a mat
            left = min(cell.at.x for cell in cells) + CAPTION_INSET
        at = Rect(left, place.at.y, place.at.x + place.at.w - left, placed.caption_height)
        placed.texts.append(PlacedText(at, place.caption, dict(gaps), "left", CAPTION_SIZE, False))


# Drawings beside the cards


def _add_plaque(scope: LayoutScope, plaque: Plaque, gaps: Gaps) -> None:
    view = scope.view
    seat = int(fill_gaps(plaque.seat, gaps))
    own = gaps | {"seat": seat}
    if not scope.is_shown(plaque, own) or not 0 <= seat < view.seats:
        return
    figures: list[tuple[str, Value]] = []
    hints: list[str] = []
    for figure in plaque.figures:
        if (number := figure.number_in(view, own)) is not None:
            figures.append((figure.text, number))
        if figure.hint:
            hints.append(figure.hint)
    note = plaque.notes[seat] if seat < len(plaque.notes) else ""
    team = scope.teams[seat]
    partner = team is not None and view.viewer in partners(view, seat)
    sign = PlacedPlaque(seat, plaque.at, note, tuple(figures), team, partner, tuple(hints))
    scope.placed.plaques.append(sign)


def _add_drawing(scope: LayoutScope, drawing: Drawing, name: str, gaps: Gaps) -> None:
    view = scope.view
    if not scope.is_shown(drawing, gaps):
        return
    variables = drawing.fixed | read_values(drawing.values, view, gaps, drawing.blank)
    variables |= _blank_values(drawing, view, gaps)
    at = drawing.at
    if drawing.below_caption:
        caption = scope.placed.caption_height
        at = Rect(at.x, at.y + caption, at.w, max(at.h - caption, 0.0))
    variables |= {"w": at.w * 100, "h": at.h * 100, "me": gaps["me"]}
    if drawing.points:
        variables["points"] = [
            ((x - at.x) * 100, (y - at.y) * 100) for x, y in scope.layout.points[drawing.points]
        ]
    if "seat" in gaps:
        name = f"{name} {gaps['seat']}"
        variables["seat"] = gaps["seat"]
    scope.placed.drawings.append(
        PlacedDrawing(
            name,
            at,
            drawing.drawing,
            variables,
            tuple(_top_card(scope.placed, fill_gaps(zone, gaps), view) for zone in drawing.cards),
            drawing.level,
            tuple(_cards_in(fill_gaps(zone, gaps), view) for zone in drawing.held),
            tuple((word, int(view.values.get(key, -1))) for word, key in drawing.named.items()),
        )
    )


def _blank_values(drawing: Drawing, view: State, gaps: Gaps) -> dict[str, Value]:
    """Return an empty value of the right type for each value of a player's seat, for a viewer
    without a seat.
    """
    if gaps["me"] != NO_SEAT:
        return {}
    own = {word: key for word, key in drawing.values.items() if ME in key}
    first = read_values(own, view, gaps | {"me": 0}, drawing.blank)
    return {word: type(value)() for word, value in first.items()}


def _cards_in(zone: str, view: State) -> tuple[CardInDrawing, ...]:
    """Return all cards of `zone`, each with whether everyone sees its face."""
    if zone not in view.zones:
        return ()
    all_see = view.zones[zone].sight is Sight.ALL
    return tuple(
        CardInDrawing(card, all_see or AUDIENCE in view.shown.get(card, ()))
        for card in view.cards[zone]
    )


def _top_card(placed: PlacedTable, zone: str, view: State) -> TopCard:
    """Return the top card of `zone` and its angle; the card is None unless it is face up."""
    spread, held = placed.zones.get(zone), view.cards.get(zone)
    if spread is None or spread.is_face_down or not held or not is_face(held[-1]):
        return TopCard(None, 0.0)
    return TopCard(held[-1], spread.slots[-1].angle)


def _add_label(scope: LayoutScope, label: Label, gaps: Gaps) -> None:
    view = scope.view
    if not scope.is_shown(label, gaps):
        return
    values: dict[str, Value] = gaps | label.fixed | read_values(label.values, view, gaps, "")
    for word, zone in label.counts.items():
        values[word] = len(view.cards.get(fill_gaps(zone, gaps), ()))
    text = PlacedText(label.at, label.text, values, label.align, label.size, label.bold)
    scope.placed.texts.append(text)


# Panels


def _add_panel(scope: LayoutScope, panel: Panel, name: str, gaps: Gaps) -> None:
    if isinstance(panel.repeat, str):
        seats = scope.seats(panel.repeat, gaps["me"])
    else:
        seats = [int(scope.view.values.get(key, 0)) for key in panel.repeat]
    if not seats or not scope.is_shown(panel, gaps):
        return
    for seat, spot in zip(seats, _panel_rects(panel, scope.placed, len(seats)), strict=False):
        own = gaps | {"seat": seat}
        if gaps["me"] == NO_SEAT:  # players face to face have the same panel
            own["other"] = seat
        _fill_panel(scope, panel, name, _fit_frame(panel, spot), own)


def _panel_rects(panel: Panel, placed: PlacedTable, count: int) -> Sequence[Rect]:
    if panel.sides is not None:
        return seat_rects_along(panel.sides, count, panel.columns)
    return panel.spots or flow_panels(panel.at or placed.surface_rect, panel.size, count)


def _fit_frame(panel: Panel, spot: Rect) -> _Frame:
    """Return the largest frame for the panel that fits into `spot`, centred."""
    w, h = panel.size
    scale = min(spot.w / w, spot.h / h)
    return _Frame(spot.x + (spot.w - w * scale) / 2, spot.y + (spot.h - h * scale) / 2, scale)


def _fill_panel(scope: LayoutScope, panel: Panel, name: str, frame: _Frame, gaps: Gaps) -> None:
    framed = _place_in_frame(panel, frame)
    for place in framed.place:
        _add_place(scope, place, gaps, frame.scale)
    for plaque in framed.plaque:
        _add_plaque(scope, plaque, gaps)
    for label in framed.label:
        _add_label(scope, label, gaps)
    for order, drawing in enumerate(framed.drawing):
        _add_drawing(scope, drawing, f"{name} {order}", gaps)


@lru_cache(maxsize=256)
def _place_in_frame(panel: Panel, frame: _Frame) -> Panel:
    """Return the panel with all parts in table coordinates."""
    scale = frame.scale
    places = [
        replace(
            place,
            at=frame.place_rect(place.at),
            card=place.card * scale,
            gap=place.gap * scale,
            points=tuple((x * scale, y * scale) for x, y in place.points),
        )
        for place in panel.place
    ]
    plaques = [replace(plaque, at=frame.place_rect(plaque.at)) for plaque in panel.plaque]
    labels = [
        replace(label, at=frame.place_rect(label.at), size=label.size * scale)
        for label in panel.label
    ]
    drawings = [replace(drawing, at=frame.place_rect(drawing.at)) for drawing in panel.drawing]
    return replace(
        panel,
        place=tuple(places),
        plaque=tuple(plaques),
        label=tuple(labels),
        drawing=tuple(drawings),
    )
