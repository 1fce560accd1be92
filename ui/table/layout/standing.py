"""Places pieces on zones, and markers on points of a track. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.engine.model import State, Value
from tabletop.games.layout import Layer, Marker, Pair, Piece
from tabletop.text.phrases import fill_gaps
from ui.table.layout.placed_table import PlacedPiece
from ui.table.layout.scope import Gaps, LayoutScope
from ui.table.layout.slots import card_area


def read_values(
    values: Mapping[str, str], view: State, gaps: Gaps, blank: Value = 0
) -> dict[str, Value]:
    """Return the value for each word of a drawing
    or text; `blank` if the view has no such value.
    """
    return {word: view.values.get(fill_gaps(key, gaps), blank) for word, key in values.items()}


def add_piece(scope: LayoutScope, piece: Piece, gaps: Gaps) -> None:
    """Add a piece on the zone that its value names, repeated for each seat if the entry says so."""
    view, placed = scope.view, scope.placed
    for own in scope.repeat_gaps(piece.repeat, gaps):
        zone = str(view.values.get(fill_gaps(piece.zone, own), ""))
        if zone not in placed.zones or not scope.is_shown(piece, own):
            continue
        spread = placed.zones[zone]
        x, y = spread.rect.centre
        x, y = x + piece.shift[0] * spread.scale, y + piece.shift[1] * spread.scale
        name = f"{piece.name} {own['seat']}" if "seat" in own else piece.name
        layers = tuple(_make_layer(layer, view, own) for layer in piece.layers)
        size, angle = piece.size * spread.scale, _facing_angle(scope, piece, own) % 360
        placed.pieces.append(PlacedPiece(name, x, y, size, angle, layers, zone))


def _make_layer(layer: Layer, view: State, gaps: Gaps) -> tuple[str, dict[str, Any], bool]:
    seat = {"seat": gaps["seat"]} if "seat" in gaps else {}
    return layer.drawing, layer.fixed | read_values(layer.values, view, gaps) | seat, layer.turns


def _facing_angle(scope: LayoutScope, piece: Piece, gaps: Gaps) -> float:
    """Return a piece's rotation in degrees as the viewer sees it."""
    if piece.turn is None:
        return 0.0
    angle = piece.turn.step * int(scope.view.values.get(fill_gaps(piece.turn.value, gaps), 0))
    return angle + (180.0 if scope.is_opposite and piece.board else 0.0)


def add_marker(scope: LayoutScope, marker: Marker, name: str, gaps: Gaps) -> None:
    """Add a marker at the point that its value gives,
    repeated for each seat if the entry says so.
    """
    view, points = scope.view, marker.points
    along = scope.layout.points[points] if isinstance(points, str) else points
    for order, own in enumerate(scope.repeat_gaps(marker.repeat, gaps)):
        key = fill_gaps(marker.value, own)
        if key not in view.values or not scope.is_shown(marker, own):
            continue
        at, lap = _point_and_lap(int(view.values[key]), len(along), marker.lap)
        x, y = _opposite_point(scope, marker, along[max(0, min(at, len(along) - 1))])
        x += marker.shift[0] * (order + 1)
        y += marker.shift[1] * (order + 1)
        variables = marker.fixed | ({"lap": lap} if marker.lap is not None else {})
        variables |= read_values(marker.values, view, own)
        if marker.repeat:
            variables["seat"] = own["seat"]
        layers = ((marker.drawing, variables, False),)
        scope.placed.markers.append(PlacedPiece(f"{name} {order}", x, y, marker.size, 0.0, layers))


def _point_and_lap(at: int, count: int, start: int | None) -> tuple[int, int]:
    """Return the index of a marker's point and its lap on a track of `count` points.

    After the last point a marker continues at index
    `start`; if that is None, the track has one lap.
    """
    if start is None or at < count:
        return at, 0
    lap, rest = divmod(at - start, count - start)
    return start + rest, lap


def _opposite_point(scope: LayoutScope, marker: Marker, point: Pair) -> Pair:
    """Return `point`, mirrored if the viewer sees the marker's board from the opposite side."""
    spread = scope.placed.zones.get(marker.on)
    if spread is None or not (scope.is_opposite and spread.place.board):
        return point
    middle = card_area(spread.place, scope.placed.caption_height).centre
    return 2 * middle[0] - point[0], 2 * middle[1] - point[1]
