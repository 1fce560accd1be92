"""Where everything on a table lies: a game's layout, a view and a size, to rectangles. No Qt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from tabletop.engine.model import AUDIENCE, Sight, State, Value
from ui.table.band import roomy
from ui.table.crowd import along, flow, side_by_side
from ui.table.layout import (
    Drawing,
    Label,
    Layout,
    Marker,
    Pair,
    Panel,
    Piece,
    Place,
    Plaque,
    Rect,
)
from ui.table.setting import Known, Lying, Mat, Outline, Picture, Setting, Sign, Spread, Stand, Text
from ui.table.slots import capacity, reflected, room_of, slots_of


class _Part(NamedTuple):
    """A place of the arrangement with the gaps of its names filled for one seat."""

    place: Place
    gaps: dict[str, int]


def lay(
    layouts: Sequence[Layout],
    view: State,
    size: Pair,
    raised: Mapping[str, int] | None = None,
    foreseen: Mapping[str, Value] | None = None,
    fan: float = 1.0,
) -> Setting:
    """The table of this view in a viewport of this size, in pixels.

    `raised` names, for zones, the card (by its place) that is held up: a fan makes room for it.
    `foreseen` are the values that what is put together so far would bring. The cards of a fan are
    `fan` times as large as the layout says, as far as they have room.
    """
    layout = max((roomy(one, size) for one in layouts), key=lambda one: _unit(one, size))
    unit = _unit(layout, size)
    w, h = layout.table.size
    setting = Setting(
        surface=layout.table,
        unit=unit,
        fan=fan,
        left=(size[0] - w * unit) / 2,
        top=(size[1] - h * unit) / 2,
        spreads={},
        mats=[],
        outlines=[],
        signs=[],
        pieces=[],
        markers=[],
        pictures=[],
        texts=[],
    )
    me = view.viewer if view.viewer is not None and view.viewer >= 0 else 0
    gaps = {"me": me, "other": (me + 1) % max(view.seats, 1)}
    turned = layout.table.turned and me == 1
    for place in layout.place:
        for part in _repeated(place, view.seats, gaps):
            _add_place(setting, part, view, turned, raised or {})
    for plaque in layout.plaque:
        for entry, seat_gaps in _entries(plaque, view.seats, gaps):
            _add_sign(setting, entry, seat_gaps, view)
    ahead = replace(view, values={**view.values, **(foreseen or {})})
    for number, drawing in enumerate(layout.drawing):
        known = ahead if drawing.foreseen else view
        for entry, seat_gaps in _entries(drawing, view.seats, gaps):
            _add_picture(setting, entry, f"drawing {number}", seat_gaps, known, layout)
    for label in layout.label:
        for entry, seat_gaps in _entries(label, view.seats, gaps):
            _add_words(setting, entry, seat_gaps, view)
    for number, panel in enumerate(layout.panel):
        _add_panel(setting, panel, number, layout, view, gaps, turned, raised or {})
    for piece in layout.piece:
        _add_piece(setting, piece, view, gaps, turned)
    setting.pieces = side_by_side(setting)
    for number, marker in enumerate(layout.marker):
        _add_marker(setting, marker, number, view, gaps, turned, layout)
    return setting


def drop_target(setting: Setting, rect: Rect, zones: Collection[str]) -> str | None:
    """Of these zones the one that a card lying on `rect` covers most; None where it covers none."""
    best, most = None, 0.0
    for zone in zones:
        if zone in setting.spreads:
            overlap = setting.spreads[zone].rect.overlap(rect)
            if overlap > most:
                best, most = zone, overlap
    return best


def play_area(setting: Setting) -> Rect:
    """Where a card is dropped that needs no target."""
    return setting.surface.play or setting.rect


def _unit(layout: Layout, size: Pair) -> float:
    return min(size[0] / layout.table.size[0], size[1] / layout.table.size[1])


def _seats(repeat: str, seats: int, me: int) -> list[int]:
    """The seats an entry is repeated for, in turn order from the viewer's left."""
    around = [(me + ahead) % seats for ahead in range(seats)]
    return around[1:] if repeat == "others" else around


def _entries(entry: Any, seats: int, gaps: dict[str, int]) -> Iterator[tuple[Any, dict[str, int]]]:
    """The entry once, or moved on for each seat it is repeated for."""
    if not entry.repeat:
        yield entry, gaps
        return
    for number, seat in enumerate(_seats(entry.repeat, seats, gaps["me"])):
        x, y, w, h = entry.at
        at = Rect(x + number * entry.step[0], y + number * entry.step[1], w, h)
        yield replace(entry, at=at), gaps | {"seat": seat}


def _repeated(place: Place, seats: int, gaps: dict[str, int]) -> Iterator[_Part]:
    for entry, seat_gaps in _entries(place, seats, gaps):
        yield _Part(entry, seat_gaps)


def _holds(entry: Any, view: State, gaps: Mapping[str, int]) -> bool:
    """Whether the entry is shown, as the values stand."""
    values = {**view.values, "seats": view.seats, "asked": _asked(view)}

    def are(wanted: Mapping[str, Value | tuple[Value, ...]]) -> bool:
        return all(
            values.get(key.format_map(gaps)) in (value if isinstance(value, tuple) else (value,))
            for key, value in wanted.items()
        )

    return are(entry.when) and not (entry.unless and are(entry.unless))


def _asked(view: State) -> str:
    """What the viewer is asked now; "" for nothing."""
    asks = (ask for ask in view.asks if ask.seat == view.viewer and ask.id not in view.answers)
    return next((ask.what for ask in asks), "")


def _add_place(
    setting: Setting, part: _Part, view: State, turned: bool, raised: Mapping[str, int]
) -> None:
    place, gaps = part
    if not _holds(place, view, gaps):
        return
    turned = turned and place.board
    if place.watched and (view.viewer is None or view.viewer < 0):
        place = replace(place, caption=place.watched)
    caption = setting.caption
    whole = room_of(place, caption)
    cells = list(_cells(place, whole, gaps, turned))
    if all(zone not in view.zones for zone, _, _ in cells):
        return
    for zone, cell, cell_gaps in cells:
        if zone not in view.zones:
            continue
        room, rect = (cell, cell) if place.many else (whole, place.at)
        if place.label and place.many:
            room = Rect(cell.x, cell.y + caption, cell.w, cell.h - caption)
        count = len(view.cards.get(zone, ()))
        shown = replace(place, card=place.card * setting.fan) if place.form == "fan" else place
        slots = slots_of(shown, room, count, raised.get(zone))
        if turned:
            slots = tuple(reflected(slot, room, place.lie == "side") for slot in slots)
        angle = _turned(place.turn.format_map(cell_gaps), view)
        slots = tuple(slot._replace(angle=slot.angle + angle) for slot in slots) if angle else slots
        down = place.face == "down" or bool(view.values.get(place.down.format_map(cell_gaps)))
        setting.spreads[zone] = Spread(zone, rect, slots, place, down)
        if place.label:
            at = Rect(cell.x, cell.y, cell.w, caption)
            size = 0.125
            setting.texts.append(Text(at, place.label, dict(cell_gaps), "centre", size, False))
        if place.mat == "cells":
            setting.mats.append(Mat(rect, "cells", "", (zone,), False, cell_gaps))
        if place.outline:
            most = capacity(place, room)
            for slot in slots_of(place, room, max(count, most), None)[:most]:
                outline = reflected(slot, room, False) if turned else slot
                setting.outlines.append(Outline(outline.bounds))
    if place.mat == "whole" and place.form != "fan":
        zones = tuple(zone for zone, _, _ in cells)
        setting.mats.append(Mat(place.at, "whole", place.caption, zones, place.count, gaps))
    elif place.caption:
        at = Rect(place.at.x, place.at.y, place.at.w, caption)
        setting.texts.append(Text(at, place.caption, dict(gaps), "left", 0.125, False))


def _turned(name: str, view: State) -> float:
    """How far the cards are turned that this value, or this zone, tells of."""
    if name in view.cards:
        seen = [card for card in view.cards[name] if card >= 0]
        return 0.0 if seen == sorted(seen) else 180.0
    value = view.values.get(name, 0)
    if isinstance(value, int) and value not in (0, 1):
        return float(value)
    return 180.0 if value else 0.0


def _cells(
    place: Place, inner: Rect, gaps: dict[str, int], turned: bool
) -> Iterator[tuple[str, Rect, dict[str, int]]]:
    """The zones of a place, each with its rectangle and the gaps of its name."""
    if not place.many:
        yield place.zone.format_map(gaps), inner, gaps
        return
    w = (inner.w - (place.columns - 1) * place.gap) / place.columns
    h = (inner.h - (place.rows - 1) * place.gap) / place.rows
    for row in range(place.rows):
        for column in range(place.columns):
            down = place.rows - 1 - row if turned else row
            right = place.columns - 1 - column if turned else column
            at = Rect(inner.x + right * (w + place.gap), inner.y + down * (h + place.gap), w, h)
            cell = gaps | {
                "row": place.first + row,
                "column": place.first + column,
                "cell": place.first + row * place.columns + column,
            }
            yield place.zone.format_map(cell), at, cell


def _add_sign(setting: Setting, plaque: Plaque, gaps: dict[str, int], view: State) -> None:
    seat = int(plaque.seat.format_map(gaps))
    own = gaps | {"seat": seat}
    if not _holds(plaque, view, own) or seat >= view.seats:
        return
    figures: list[tuple[str, Value]] = []
    for figure in plaque.figures:
        zone, value = figure.zone.format_map(own), figure.value.format_map(own)
        if zone in view.cards:
            figures.append((figure.text, len(view.cards[zone])))
        elif value in view.values:
            figures.append((figure.text, view.values[value]))
    note = plaque.notes[seat] if seat < len(plaque.notes) else ""
    setting.signs.append(Sign(seat, plaque.at, note, tuple(figures)))


def _add_picture(
    setting: Setting,
    drawing: Drawing,
    name: str,
    gaps: dict[str, int],
    view: State,
    layout: Layout,
) -> None:
    if not _holds(drawing, view, gaps):
        return
    variables = dict(drawing.fixed)
    for word, key in drawing.values.items():
        variables[word] = view.values.get(key.format_map(gaps), drawing.blank)
    variables |= {"w": drawing.at.w * 100, "h": drawing.at.h * 100, "me": gaps["me"]}
    if drawing.points:
        variables["points"] = [
            ((x - drawing.at.x) * 100, (y - drawing.at.y) * 100)
            for x, y in layout.points[drawing.points]
        ]
    if "seat" in gaps:
        name = f"{name} {gaps['seat']}"
        variables["seat"] = gaps["seat"]
    setting.pictures.append(
        Picture(
            name,
            drawing.at,
            drawing.drawing,
            variables,
            tuple(_uppermost(setting, zone.format_map(gaps), view) for zone in drawing.cards),
            drawing.over,
            drawing.aloft,
            tuple(_held(zone.format_map(gaps), view) for zone in drawing.held),
            tuple((word, int(view.values.get(key, -1))) for word, key in drawing.named.items()),
        )
    )


def _held(zone: str, view: State) -> tuple[Known, ...]:
    """All cards of a zone, as far as the viewer knows them."""
    if zone not in view.zones:
        return ()
    all_see = view.zones[zone].sight is Sight.ALL
    return tuple(
        Known(card, all_see or AUDIENCE in view.shown.get(card, ())) for card in view.cards[zone]
    )


def _uppermost(setting: Setting, zone: str, view: State) -> Lying:
    """The card that lies uppermost in a zone, if it is seen face-up."""
    spread, held = setting.spreads.get(zone), view.cards.get(zone)
    if spread is None or spread.down or not held or held[-1] < 0:
        return Lying(None, 0.0)
    return Lying(held[-1], spread.slots[-1].angle)


def _add_words(setting: Setting, label: Label, gaps: dict[str, int], view: State) -> None:
    if not _holds(label, view, gaps):
        return
    filled: dict[str, Value] = gaps | label.fixed
    for word, key in label.values.items():
        filled[word] = view.values.get(key.format_map(gaps), "")
    for word, zone in label.counts.items():
        filled[word] = len(view.cards.get(zone.format_map(gaps), ()))
    text = Text(label.at, label.text, filled, label.align, label.size, label.bold)
    setting.texts.append(text)


def _add_panel(
    setting: Setting,
    panel: Panel,
    number: int,
    layout: Layout,
    view: State,
    gaps: dict[str, int],
    turned: bool,
    raised: Mapping[str, int],
) -> None:
    seats = _seats(panel.repeat, view.seats, gaps["me"])
    if panel.of:
        seats = [int(view.values.get(key, 0)) for key in panel.of]
    if not seats or not _holds(panel, view, gaps):
        return
    spots: Sequence[Rect] = panel.spots
    if panel.sides is not None:
        spots = along(panel.sides, len(seats))
    elif not spots:
        spots = flow(panel.at or setting.rect, panel.size, len(seats))
    for seat, spot in zip(seats, spots, strict=False):
        scale = min(spot.w / panel.size[0], spot.h / panel.size[1])
        own = gaps | {"seat": seat}
        left = spot.x + (spot.w - panel.size[0] * scale) / 2
        top = spot.y + (spot.h - panel.size[1] * scale) / 2

        def moved(at: Rect, x: float = left, y: float = top, scale: float = scale) -> Rect:
            return Rect(x + at.x * scale, y + at.y * scale, at.w * scale, at.h * scale)

        for place in panel.place:
            points = tuple((x * scale, y * scale) for x, y in place.points)
            smaller = replace(
                place,
                at=moved(place.at),
                card=place.card * scale,
                gap=place.gap * scale,
                points=points,
            )
            _add_place(setting, _Part(smaller, own), view, turned, raised)
        for plaque in panel.plaque:
            _add_sign(setting, replace(plaque, at=moved(plaque.at)), own, view)
        for label in panel.label:
            smaller_label = replace(label, at=moved(label.at), size=label.size * scale)
            _add_words(setting, smaller_label, own, view)
        for order, drawing in enumerate(panel.drawing):
            name = f"panel {number} {order}"
            _add_picture(setting, replace(drawing, at=moved(drawing.at)), name, own, view, layout)


def _add_piece(
    setting: Setting, piece: Piece, view: State, gaps: dict[str, int], turned: bool
) -> None:
    for seat in _seats(piece.repeat, view.seats, gaps["me"]) if piece.repeat else [None]:
        own = gaps if seat is None else gaps | {"seat": seat}
        zone = str(view.values.get(piece.zone.format_map(own), ""))
        if zone not in setting.spreads or not _holds(piece, view, own):
            continue
        angle = 0.0
        if piece.turn is not None:
            angle = piece.turn.step * int(view.values.get(piece.turn.value.format_map(own), 0))
            angle += 180.0 if turned and piece.board else 0.0
        layers = tuple(
            (
                layer.drawing,
                layer.fixed
                | {
                    word: view.values.get(key.format_map(own), 0)
                    for word, key in layer.values.items()
                }
                | ({"seat": seat} if seat is not None else {}),
                layer.turns,
            )
            for layer in piece.layers
        )
        x, y = setting.spreads[zone].rect.middle
        x, y = x + piece.shift[0], y + piece.shift[1]
        name = piece.name if seat is None else f"{piece.name} {seat}"
        setting.pieces.append(Stand(name, x, y, piece.size, angle % 360, layers, zone))


def _add_marker(
    setting: Setting,
    marker: Marker,
    number: int,
    view: State,
    gaps: dict[str, int],
    turned: bool,
    layout: Layout,
) -> None:
    points = layout.points[marker.points] if isinstance(marker.points, str) else marker.points
    for order, seat in enumerate(
        _seats(marker.repeat, view.seats, gaps["me"]) if marker.repeat else [None]
    ):
        own = gaps if seat is None else gaps | {"seat": seat}
        key = marker.value.format_map(own)
        if key not in view.values or not _holds(marker, view, own):
            continue
        at, lap = int(view.values[key]), 0
        if marker.lap is not None and at >= len(points):
            length = len(points) - marker.lap
            lap = (at - marker.lap) // length
            at = marker.lap + (at - marker.lap) % length
        x, y = points[max(0, min(at, len(points) - 1))]
        if marker.on in setting.spreads:
            middle = room_of(setting.spreads[marker.on].place, setting.caption).middle
            if turned and marker.board:
                x, y = 2 * middle[0] - x, 2 * middle[1] - y
        x += marker.shift[0] * (order + 1 if marker.repeat else 1)
        y += marker.shift[1] * (order + 1 if marker.repeat else 1)
        variables = marker.fixed | ({"lap": lap} if marker.lap is not None else {})
        for word, name in marker.values.items():
            variables[word] = view.values.get(name.format_map(own), 0)
        if seat is not None:
            variables["seat"] = seat
        layers = ((marker.drawing, variables, False),)
        setting.markers.append(Stand(f"marker {number} {order}", x, y, marker.size, 0.0, layers))
