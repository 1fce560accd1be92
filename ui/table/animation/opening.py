"""The opening of a match: the box comes and is opened, the table is laid out of it, and the hands
are dealt round. Everything is where it belongs from the beginning; this only shows how it came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsPixmapItem

from tabletop.engine.model import back_of, hidden_card, is_face
from tabletop.games.sounds import SoundName
from ui.style.theme import mix
from ui.table.animation.flights import LANDING_MS, CardFlight
from ui.table.animation.track_player import Track, ease_in_out_cubic, ease_out_cubic, linear
from ui.table.items.card_item import CardItem, CardSide
from ui.table.items.lettering import add_shape, round_pen, rounded_path
from ui.table.items.stage import Stage
from ui.table.layout.slots import Slot

RISE_MS, LID_MS, MATS_MS, DECKS_MS, FLIGHT_MS, FLIP_MS = 240.0, 200.0, 160.0, 200.0, 230.0, 180.0
LID_AT, MATS_AT, DECKS_AT, DEAL_AT = 240.0, 360.0, 440.0, 580.0
MAX_DEAL_INTERVAL_MS, DEAL_MS = 60.0, 520.0
"""Between two cards that are dealt; less where all of them would take longer than the second."""
OPENING_MS = DEAL_AT + DEAL_MS + FLIGHT_MS + LANDING_MS + FLIP_MS
BOX_HEIGHT = 0.4
"""Height of the box, in heights of the table."""
LID_LIFT = 0.5
"""How far the lid is lifted, in heights of the box."""
BOX_START_SCALE = 0.7
"""The size from which the box comes nearer."""
PILE_FORMS = ("pile", "stack")
FLYING_Z, BOX_Z = 800.0, 790.0


class DealPile(NamedTuple):
    """A pile that cards are dealt from: its middle, the width of its cards, how many they are."""

    middle: QPointF
    width: float
    size: int = 0


class OpeningAnimation:
    """The items that only the opening shows, and its tracks."""

    def __init__(
        self,
        stage: Stage,
        box: QPixmap,
        sound: Callable[[SoundName], None],
        shelf: QPointF | None = None,
    ) -> None:
        """`box` is its front, and `shelf` where it stood, in the scene, if that is known; `sound`
        plays what goes with it. Cards and everything else are put where they are at the
        beginning."""
        self._stage = stage
        width, height = stage.size
        self._middle = QPointF(width / 2, height / 2)
        self._box = _Box(stage, box, BOX_HEIGHT * height)
        self.items: list[QGraphicsItem] = [self._box.tray, self._box.lid]
        self._slots = [(item, slot) for item, slot in stage.slots() if slot is not None]
        self._slots = [(item, slot) for item, slot in self._slots if slot.seen]
        self._decks = self._find_decks()
        others = [each for each in stage.scene.items() if each.parentItem() is None]
        self.tracks = [
            *self._box.tracks(self._middle, shelf or QPointF(width / 2, (1 + BOX_HEIGHT) * height)),
            *_fade_in([each for each in others if not isinstance(each, CardItem)]),
            self._draw_ahead(),
            *self._lay_out(),
            *self._deal_hands(sound),
        ]

    def _draw_ahead(self) -> Track:
        """The cards are drawn before they are seen: a picture with each step while the box comes
        and is opened."""
        stage, pictures = self._stage, dict[tuple[object, ...], Callable[[], None]]()
        for item, slot in self._slots:
            look, width = stage.visible_side(item), stage.slot_geometry(slot)[2]
            for side in {CardSide.BACK, look} if self._is_dealt(item) else {look}:
                front = item.card if side is CardSide.FACE else None
                picture = front, self._back_number(item), width
                pictures.setdefault(picture, partial(item.predraw, side))
        left = [lambda: None, *pictures.values()]  # the first step comes before the first frame

        def step(share: float) -> None:
            if left and share < 1.0:
                left.pop(0)()

        return Track(1.0, DECKS_AT, step, linear)

    def _lay_out(self) -> Iterator[Track]:
        """What is not dealt slides out of the box."""
        sliding = [(item, slot) for item, slot in self._slots if not self._is_dealt(item)]
        for item, slot in sliding:
            yield Track(DECKS_AT, DECKS_MS, self._slide(item, slot), ease_out_cubic)

    def _slide(self, item: CardItem, slot: Slot) -> Callable[[float], None]:
        end, start = QPointF(*self._stage.slot_geometry(slot)[:2]), self._middle
        item.setPos(start)
        item.setOpacity(0.0)
        look, width = self._stage.visible_side(item), self._stage.slot_geometry(slot)[2]

        def step(share: float) -> None:
            if share >= 1.0:
                self._stage.put_card(item, slot)
                return
            item.show_side(look, width)
            item.setOpacity(min(1.0, 3 * share))
            item.setPos(start + (end - start) * share)

        return step

    def _deal_hands(self, sound: Callable[[SoundName], None]) -> Iterator[Track]:
        """The hands are dealt round, face down; each of the viewer's cards is turned where it
        lies."""
        stage = self._stage
        dealt = [(item, slot) for item, slot in self._slots if self._is_dealt(item)]
        dealt.sort(key=lambda each: (stage.zones[each[0].zone].index(each[0]), each[0].zone))
        apart = min(MAX_DEAL_INTERVAL_MS, DEAL_MS / max(1, len(dealt) - 1))
        yield Track(DECKS_AT, DECKS_MS, _act_once(lambda: sound("shuffle")), linear)
        for number, (item, slot) in enumerate(dealt):
            start = DEAL_AT + number * apart
            yield from self._deal(item, slot, start, FLYING_Z + number)
        if dealt:
            yield Track(DEAL_AT, DEAL_MS, _act_once(lambda: sound("take")), linear)

    def _deal(self, item: CardItem, slot: Slot, start: float, z: float) -> Iterator[Track]:
        stage = self._stage
        x, y, width = stage.slot_geometry(slot)
        look = stage.visible_side(item)
        item.show_blank(CardSide.BACK, width)
        item.setOpacity(0.0)
        deck = self._decks.get(self._back_number(item), DealPile(self._middle, width))
        flight = CardFlight(item, deck.middle, QPointF(x, y), FLIGHT_MS)
        small = deck.width / width

        def fly(time: float) -> None:
            if time < 1.0:
                item.show_side(CardSide.BACK, width)
                item.setOpacity(1.0)
                item.setZValue(z)
                share, rise = flight.go(time)
                item.setScale((small + (1.0 - small) * share) * rise)
                return
            stage.put_card(item, slot)
            if look is not CardSide.BACK:
                item.show_side(CardSide.BACK, width)

        def turn(share: float) -> None:
            if share >= 1.0:
                stage.put_card(item, slot)
                return
            if share >= 0.5:
                item.show_side(look, width)
            item.setTransform(QTransform.fromScale(max(abs(1 - 2 * share), 0.02), 1.0))

        yield Track(start, flight.whole, fly, linear)
        if look is not CardSide.BACK:
            yield Track(start + flight.whole, FLIP_MS, turn, ease_in_out_cubic)

    def _is_dealt(self, item: CardItem) -> bool:
        """Whether it comes into somebody's hand, or lies alone before them."""
        stage = self._stage
        assert stage.view is not None
        assert stage.placed is not None
        owned = stage.view.zones[item.zone].owner is not None
        return owned and stage.placed.spreads[item.zone].place.form not in PILE_FORMS

    def _find_decks(self) -> dict[int, DealPile]:
        """The largest pile of each back."""
        stage = self._stage
        assert stage.placed is not None
        decks: dict[int, DealPile] = {}
        for item, slot in self._slots:
            if stage.placed.spreads[item.zone].place.form not in PILE_FORMS:
                continue
            back, size = self._back_number(item), len(stage.zones[item.zone])
            if back not in decks or size > decks[back].size:
                x, y, width = stage.slot_geometry(slot)
                decks[back] = DealPile(QPointF(x, y), width, size)
        return decks

    def _back_number(self, item: CardItem) -> int:
        card = item.card
        return back_of(hidden_card(self._stage.pixmaps.kit.backs[card]) if is_face(card) else card)


class _Box:
    """The box, and its lid, which shows its front."""

    def __init__(self, stage: Stage, front: QPixmap, height: float) -> None:
        theme, natural = stage.pixmaps.theme, front.deviceIndependentSize()
        self.size = natural * (height / max(1.0, natural.height()))
        wide, high = self.size.width(), self.size.height()
        place = QRectF(-wide / 2, -high / 2, wide, high)
        self.tray = QGraphicsPathItem(rounded_path(place, wide * 0.02))
        self.tray.setPen(round_pen(mix(theme.table, theme.stock_ink, 0.6), 2))
        self.tray.setBrush(mix(theme.table, theme.table_ink, 0.35))
        edge = wide * 0.05
        inside = place.adjusted(edge, edge, -edge, -edge)
        add_shape(rounded_path(inside, 4), self.tray, fill=mix(theme.table, theme.stock_ink, 0.6))
        floor = inside.adjusted(0, edge, 0, 0)
        add_shape(rounded_path(floor, 4), self.tray, fill=mix(theme.table, theme.stock_ink, 0.45))
        self.lid = QGraphicsPixmapItem(front)
        self.lid.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self.lid.setOffset(-natural.width() / 2, -natural.height() / 2)
        self._scale = wide / max(1.0, natural.width())
        self.tray.setZValue(BOX_Z - 1)
        self.lid.setZValue(BOX_Z + 200)

    def tracks(self, middle: QPointF, shelf: QPointF) -> list[Track]:
        """It comes from the shelf to the middle, its lid is lifted, and it is put away."""
        way, lift = middle - shelf, QPointF(0, -LID_LIFT * self.size.height())

        def rise(share: float) -> None:
            near = BOX_START_SCALE + (1.0 - BOX_START_SCALE) * share
            self.lid.setPos(shelf + way * share)
            self.tray.setPos(shelf + way * share)
            self.lid.setScale(self._scale * near)
            self.tray.setScale(near)

        def open_(share: float) -> None:
            self.lid.setPos(middle + lift * share)
            self.lid.setRotation(-7.0 * share)
            self.lid.setOpacity(1.0 - share)

        rise(0.0)
        return [
            Track(0, RISE_MS, rise, ease_out_cubic),
            Track(LID_AT, LID_MS, open_, ease_in_out_cubic),
            Track(DECKS_AT, DECKS_MS, lambda share: self.tray.setOpacity(1.0 - share)),
        ]


def _fade_in(items: list[QGraphicsItem]) -> Iterator[Track]:
    """Everything but the cards comes up softly, each thing as strong as it is to be."""
    for item in items:
        whole = item.opacity()

        def show(share: float, item: QGraphicsItem = item, whole: float = whole) -> None:
            item.setOpacity(whole * share)

        show(0.0)
        yield Track(MATS_AT, MATS_MS, show)


def _act_once(act: Callable[[], None]) -> Callable[[float], None]:
    """A step that acts when its track begins, and not where it is skipped."""
    left = [act]

    def step(share: float) -> None:
        if left and share < 1.0:
            left.pop()()

    return step
