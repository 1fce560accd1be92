"""Flights of cards and pieces to where they belong, as tracks of a film."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF
from PySide6.QtGui import QTransform

from ui.table.animation.track_player import Track, ease_in_out_cubic, ease_out_cubic, linear
from ui.table.items.card_item import HELD_SCALE, CardItem, CardSide
from ui.table.items.piece_item import PieceItem
from ui.table.items.stage import Stage
from ui.table.layout.placed_table import Stand
from ui.table.layout.slots import Slot

MIN_FLIGHT_MS, MAX_FLIGHT_MS, MS_PER_PX = 180.0, 420.0, 0.12
"""Of a way on the table: its least and its greatest length, and what each pixel of it adds."""
LANDING_MS = 90.0
"""A card that flew is set down in this time."""
MIN_FLIGHT_PX = 60.0
"""A way of fewer pixels is no flight: the card slides."""
ARC_HEIGHT = 0.06
"""The height of a flight's arc over its straight way, in lengths of the way."""
LANDING_START_HEIGHT = 0.3
"""The share of its height that a card still has where its landing begins."""
FADE_MS = 220.0
TURN_MS = 200
FACES_SHOWN = 9
"""The faces that a die shows until it lies still."""


def flight_ms(way: QPointF) -> float:
    """The time that a way on the table takes, in milliseconds: a far one more, no one much."""
    return min(MAX_FLIGHT_MS, MIN_FLIGHT_MS + MS_PER_PX * math.hypot(way.x(), way.y()))


def card_tracks(
    stage: Stage,
    item: CardItem,
    slot: Slot | None,
    start: float,
    length: float = 0.0,
    flies: bool = False,
) -> list[Track]:
    """A card's way to its slot after `start`; nothing where it lies there already. It is `duration`
    milliseconds long; 0 where the way decides. One that `flies` is carried over the table and set
    down; others slide."""
    if slot is None or not slot.seen:
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
        item.setScale(shown / item.width)  # it may wait for its turn
    turn = (slot.angle - turned + 180) % 360 - 180
    halfway = [not flips]

    def step(time: float) -> None:
        if time >= 1.0:
            stage.put_card(item, slot)
            return
        item.setRotation(turned + turn * flight.share(time))
        share, rise = flight.go(time)
        if flips and share >= 0.5 and not halfway[0]:
            halfway[0] = True
            item.show_side(look, round(large))
        across = max(abs(1 - 2 * share), 0.02) if flips else 1.0
        size = (shown + (width - shown) * share) / item.width
        item.setScale(size * rise)
        item.setTransform(QTransform.fromScale(across, 1.0))

    return [Track(start, flight.whole, step, linear)]


class CardFlight:
    """A card's way over the table in an arc, higher in its middle, with a landing at its end; or
    along the table, where it doesn't fly or has only a little to go."""

    def __init__(
        self, item: CardItem, start: QPointF, end: QPointF, length: float = 0.0, flies: bool = True
    ) -> None:
        """`duration` in milliseconds; 0 where the way decides."""
        self._item = item
        self._start = start
        self._way = way = end - start
        distance = math.hypot(way.x(), way.y())
        self._flies = flies and distance >= MIN_FLIGHT_PX
        self._length = length or flight_ms(way)
        self.whole = self._length + (LANDING_MS if self._flies else 0.0)
        """Its length with the landing, in milliseconds."""
        self._aside = QPointF()
        if self._flies:  # away from the viewer, as a hand would
            normal = QPointF(way.y(), -way.x()) * ARC_HEIGHT
            self._aside = -normal if normal.y() > 0 else normal

    def share(self, time: float) -> float:
        """The share of the way that is behind it at this share of its whole time."""
        return ease_in_out_cubic(min(1.0, time * self.whole / self._length))

    def go(self, time: float) -> tuple[float, float]:
        """Bring the card to where it is at this share of its whole time; return the share of the
        way that is behind it, and how much larger it is for being nearer."""
        share = self.share(time)
        bend = math.sin(math.pi * share)
        self._item.setPos(self._start + self._way * share + self._aside * bend)
        if not self._flies:
            return share, 1.0
        gone = time * self.whole / self._length
        height = math.sin(math.pi * gone)
        if gone >= 1.0:
            landed = ease_out_cubic((gone - 1.0) * self._length / LANDING_MS)
            height = LANDING_START_HEIGHT * (1.0 - landed) if time < 1.0 else 0.0
        elif gone > 0.5:
            height = max(height, LANDING_START_HEIGHT)
        self._item.set_flight_height(height)
        return share, 1.0 + (HELD_SCALE - 1.0) * height


def _to_hidden_slot(stage: Stage, item: CardItem, slot: Slot | None) -> Callable[[float], None]:
    """A card goes to where it is not seen: under others, or off the table."""
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
    """A card of a pile that is shuffled slides `aside` pixels to the side and back, twice."""
    here = item.pos()

    def step(share: float) -> None:
        item.setPos(here + QPointF(aside * abs(math.sin(share * 2 * math.pi)), 0))
        if share >= 1.0:
            stage.put_card(item, slot)

    return step


def tumble_die(stage: Stage, item: CardItem, slot: Slot, number: int) -> Callable[[float], None]:
    """A die tumbles where it lies, and stops on what came up; those beside each other, of another
    `number`, tumble differently. One that is not seen is shaken under its cup."""
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


def piece_tracks(stage: Stage, item: PieceItem, stand: Stand) -> list[Track]:
    """A piece turns, then steps; over the edge of a joined field, in on the far side."""
    assert stage.placed is not None
    tracks = []
    turn = (stand.angle - item.angle + 180) % 360 - 180
    start = 0.0
    if abs(turn) > 0.5:
        before = item.angle

        def spin(share: float) -> None:
            item.face(before + turn * share)

        tracks.append(Track(0, TURN_MS * max(1.0, abs(turn) / 90), spin))
        start = tracks[0].duration
    end = QPointF(*stage.placed.point(stand.x, stand.y))
    here = item.pos()
    way = end - here
    if way.manhattanLength() < 0.5:
        return tracks
    heading = math.radians(stand.angle)
    ahead = QPointF(math.sin(heading), -math.cos(heading))
    wraps = stand.turns and way.x() * ahead.x() + way.y() * ahead.y() < 0
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
