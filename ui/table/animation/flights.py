"""Animation tracks that move cards and pieces to their positions."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF
from PySide6.QtGui import QTransform

from ui.table.animation.track_player import Track, ease_in_out_cubic, ease_out_cubic, linear
from ui.table.items.card_item import HELD_SCALE, CardItem, CardSide
from ui.table.items.piece_item import PieceItem
from ui.table.items.stage import Stage
from ui.table.layout.placed_table import PlacedPiece
from ui.table.layout.slots import Slot

MIN_FLIGHT_MS, MAX_FLIGHT_MS, MS_PER_PX = 180.0, 420.0, 0.12
"""Minimum and maximum duration of a flight in
milliseconds, and the duration added per pixel of distance.
"""
LANDING_MS = 90.0
"""Duration of a card's landing after its flight, in milliseconds."""
MIN_FLIGHT_PX = 60.0
"""Minimum distance at which a card flies instead of sliding, in pixels."""
ARC_HEIGHT = 0.06
"""Height of a flight's arc, as a share of the distance."""
LANDING_START_HEIGHT = 0.3
"""Height at which the landing starts, as a share of the flight's maximum height."""
FADE_MS = 220.0
TURN_MS = 200
FACES_SHOWN = 9
"""Number of faces that a tumbling die shows before it stops."""


def flight_ms(way: QPointF) -> float:
    """Return the duration in milliseconds of a move
    by the vector `way`, at most `MAX_FLIGHT_MS`.
    """
    return min(MAX_FLIGHT_MS, MIN_FLIGHT_MS + MS_PER_PX * math.hypot(way.x(), way.y()))


def card_tracks(
    stage: Stage,
    item: CardItem,
    slot: Slot | None,
    start: float,
    length: float = 0.0,
    flies: bool = False,
) -> list[Track]:
    """Return the tracks that move `item` to `slot` after `start` milliseconds; empty if it's
    already there.

    `length` is the duration in milliseconds; 0 derives it from the distance. If `flies` is true,
    the card flies in an arc; otherwise it slides.
    """
    if slot is None or not slot.is_visible:
        if not item.isVisible() or item.slot is None:
            stage.put_card(item, slot)
            return []
        return [
            Track(start, length or FADE_MS, _to_hidden_slot(stage, item, slot), ease_in_out_cubic)
        ]
    x, y, width = stage.slot_geometry(slot)
    look = stage.visible_side(item)
    if item.slot is None:
        stage.put_card(item, slot)
        item.setOpacity(0.0)
        return [Track(start, length or FADE_MS, item.setOpacity)]
    item.setVisible(True)
    end = QPointF(x, y)
    here, turned = item.pos(), item.rotation()
    flight = CardFlight(item, here, end, length, flies)
    shown = item.width * item.scale()
    flips = look is not item.side or not item.is_drawn
    still = (here - end).manhattanLength() < 0.5 and abs(shown - width) < 0.5
    if still and not flips and abs(turned - slot.angle) < 0.1:
        stage.put_card(item, slot)
        return []
    large = max(width, shown)
    if not flips:
        item.show_side(item.side, round(large))
        item.setScale(shown / item.width)  # keeps its size until the track starts
    turn = (slot.angle - turned + 180) % 360 - 180
    halfway = [not flips]

    def step(time: float) -> None:
        if time >= 1.0:
            stage.put_card(item, slot)
            return
        item.setRotation(turned + turn * flight.progress_at(time))
        share, rise = flight.move_to(time)
        if flips and share >= 0.5 and not halfway[0]:
            halfway[0] = True
            item.show_side(look, round(large))
        across = max(abs(1 - 2 * share), 0.02) if flips else 1.0
        size = (shown + (width - shown) * share) / item.width
        item.setScale(size * rise)
        item.setTransform(QTransform.fromScale(across, 1.0))

    return [Track(start, flight.duration, step, linear)]


class CardFlight:
    """The path of a moving card: an arc that ends with
    a landing, or a straight slide for short distances.
    """

    def __init__(
        self, item: CardItem, start: QPointF, end: QPointF, length: float = 0.0, flies: bool = True
    ) -> None:
        """`length` is the duration in milliseconds; 0 derives it from the distance."""
        self._item = item
        self._start = start
        self._way = way = end - start
        distance = math.hypot(way.x(), way.y())
        self._flies = flies and distance >= MIN_FLIGHT_PX
        self._length = length or flight_ms(way)
        self.duration = self._length + (LANDING_MS if self._flies else 0.0)
        """The duration including the landing, in milliseconds."""
        self._aside = QPointF()
        if self._flies:  # curve away from the viewer
            normal = QPointF(way.y(), -way.x()) * ARC_HEIGHT
            self._aside = -normal if normal.y() > 0 else normal

    def progress_at(self, time: float) -> float:
        """Return the share of the distance covered when
        the share `time` of the duration has passed.
        """
        return ease_in_out_cubic(min(1.0, time * self.duration / self._length))

    def move_to(self, time: float) -> tuple[float, float]:
        """Move the card to its position when the share `time` of the duration has passed.

        Return the share of the distance covered, and the card's scale, which grows with its height.
        """
        share = self.progress_at(time)
        bend = math.sin(math.pi * share)
        self._item.setPos(self._start + self._way * share + self._aside * bend)
        if not self._flies:
            return share, 1.0
        gone = time * self.duration / self._length
        height = math.sin(math.pi * gone)
        if gone >= 1.0:
            landed = ease_out_cubic((gone - 1.0) * self._length / LANDING_MS)
            height = LANDING_START_HEIGHT * (1.0 - landed) if time < 1.0 else 0.0
        elif gone > 0.5:
            height = max(height, LANDING_START_HEIGHT)
        self._item.set_flight_height(height)
        return share, 1.0 + (HELD_SCALE - 1.0) * height


def _to_hidden_slot(stage: Stage, item: CardItem, slot: Slot | None) -> Callable[[float], None]:
    """Return a track update that moves `item` under
    other cards, or fades it out if `slot` is None.
    """
    here = item.pos()
    end = QPointF(*stage.slot_geometry(slot)[:2]) if slot else here

    def step(share: float) -> None:
        item.setPos(here + (end - here) * share)
        if slot is None:
            item.setOpacity(1.0 - share)
        if share >= 1.0:
            item.setOpacity(1.0)
            stage.put_card(item, slot)

    return step


def riffle_card(stage: Stage, item: CardItem, slot: Slot, aside: float) -> Callable[[float], None]:
    """Return a track update that slides a card of
    a shuffled pile `aside` pixels and back, twice.
    """
    here = item.pos()

    def step(share: float) -> None:
        item.setPos(here + QPointF(aside * abs(math.sin(share * 2 * math.pi)), 0))
        if share >= 1.0:
            stage.put_card(item, slot)

    return step


def tumble_die(stage: Stage, item: CardItem, slot: Slot, number: int) -> Callable[[float], None]:
    """Return a track update in which a die tumbles in place and stops on its face.

    Dice with different `number` tumble differently.
    A die whose face is hidden shakes under its cup.
    """
    kit, last = item.pixmaps.kit, [-1]

    def step(share: float) -> None:
        turned = int(share * FACES_SHOWN)
        if turned != last[0]:
            last[0] = turned
            item.set_card(item.card)
            stage.put_card(item, slot)
            if item.side is CardSide.FACE and share < 1.0:
                faces = [c for c, back in enumerate(kit.backs) if back == kit.backs[item.card]]
                face = faces[(FACES_SHOWN - turned + number) % len(faces)]
                item.setPixmap(item.pixmaps.face_pixmap(face, item.width))
        swing = 70.0 if item.is_known else 14.0
        item.setRotation(slot.angle + swing * (1 - share) * math.sin(share * 5 * math.pi + number))

    return step


def piece_tracks(stage: Stage, item: PieceItem, stand: PlacedPiece) -> list[Track]:
    """Return the tracks that turn a piece, then move it to `stand`.

    On a board whose opposite edges are joined, the
    piece leaves on one side and enters on the other.
    """
    assert stage.placed is not None
    tracks = []
    turn = (stand.angle - item.angle + 180) % 360 - 180
    start = 0.0
    if abs(turn) > 0.5:
        before = item.angle

        def spin(share: float) -> None:
            item.set_angle(before + turn * share)

        tracks.append(Track(0, TURN_MS * max(1.0, abs(turn) / 90), spin))
        start = tracks[0].duration
    end = QPointF(*stage.placed.to_pixels(stand.x, stand.y))
    here = item.pos()
    way = end - here
    if way.manhattanLength() < 0.5:
        return tracks
    heading = math.radians(stand.angle)
    ahead = QPointF(math.sin(heading), -math.cos(heading))
    wraps = stand.is_directional and way.x() * ahead.x() + way.y() * ahead.y() < 0
    stride = ahead * stage.placed.unit * 0.7

    def step(share: float) -> None:
        if share >= 1.0:
            stage.put_piece(item, stand)
        elif not wraps:
            item.setPos(here + way * share)
        elif share < 0.5:
            item.setPos(here + stride * (2 * share))
            item.setOpacity(1 - 2 * share)
        else:
            item.setPos(end - stride * (2 - 2 * share))
            item.setOpacity(2 * share - 1)

    tracks.append(Track(start, flight_ms(way) * (1.6 if wraps else 1.0), step, ease_in_out_cubic))
    return tracks
