"""The opening animation: the box opens, the table is set up from it, and the hands are dealt.

All items are in their final state from the start; the animation only shows how they got there.
"""

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
"""Maximum interval between two dealt cards, and the duration of the whole deal, in milliseconds.
With many cards the interval is shorter.
"""
OPENING_MS = DEAL_AT + DEAL_MS + FLIGHT_MS + LANDING_MS + FLIP_MS
BOX_HEIGHT = 0.4
"""Height of the box, as a share of the table's height."""
LID_LIFT = 0.5
"""Distance by which the lid rises, as a share of the box's height."""
BOX_START_SCALE = 0.7
"""The scale of the box when it appears."""
PILE_FORMS = ("pile", "stack")
FLYING_Z, BOX_Z = 800.0, 790.0


class DealPile(NamedTuple):
    """A pile that cards are dealt from: its centre, card width and number of cards."""

    middle: QPointF
    width: float
    size: int = 0


class OpeningAnimation:
    """Creates the additional items and the tracks of the opening animation."""

    def __init__(
        self,
        stage: Stage,
        box: QPixmap,
        sound: Callable[[SoundName], None],
        shelf: QPointF | None = None,
    ) -> None:
        """Set all items to their initial state.

        `box`: the picture of the box. `sound`: plays a sound by name. `shelf`: the position of the
        box on the shelf, in scene coordinates.
        """
        self._stage = stage
        width, height = stage.size
        self._middle = QPointF(width / 2, height / 2)
        self._box = _Box(stage, box, BOX_HEIGHT * height)
        self.items: list[QGraphicsItem] = [self._box.tray, self._box.lid]
        self._slots = [(item, slot) for item, slot in stage.slots() if slot is not None]
        self._slots = [(item, slot) for item, slot in self._slots if slot.is_visible]
        self._decks = self._find_decks()
        others = [each for each in stage.scene.items() if each.parentItem() is None]
        self.tracks = [
            *self._box.tracks(self._middle, shelf or QPointF(width / 2, (1 + BOX_HEIGHT) * height)),
            *_fade_in([each for each in others if not isinstance(each, CardItem)]),
            self._predraw_track(),
            *self._slide_tracks(),
            *self._deal_tracks(sound),
        ]

    def _predraw_track(self) -> Track:
        """Return a track that renders one card pixmap per frame before the cards become visible."""
        stage, pictures = self._stage, dict[tuple[object, ...], Callable[[], None]]()
        for item, slot in self._slots:
            look, width = stage.visible_side(item), stage.slot_geometry(slot)[2]
            for side in {CardSide.BACK, look} if self._is_dealt(item) else {look}:
                front = item.card if side is CardSide.FACE else None
                picture = front, self._back_number(item), width
                pictures.setdefault(picture, partial(item.predraw, side))
        left = [lambda: None, *pictures.values()]  # skip the step before the first frame

        def step(share: float) -> None:
            if left and share < 1.0:
                left.pop(0)()

        return Track(1.0, DECKS_AT, step, linear)

    def _slide_tracks(self) -> Iterator[Track]:
        """Yield tracks in which the cards that aren't dealt to players slide out of the box."""
        sliding = [(item, slot) for item, slot in self._slots if not self._is_dealt(item)]
        for item, slot in sliding:
            yield Track(DECKS_AT, DECKS_MS, self._slide_step(item, slot), ease_out_cubic)

    def _slide_step(self, item: CardItem, slot: Slot) -> Callable[[float], None]:
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

    def _deal_tracks(self, sound: Callable[[SoundName], None]) -> Iterator[Track]:
        """Yield tracks in which the hands are dealt face down in turn; then the viewer's cards are
        turned over.
        """
        stage = self._stage
        dealt = [(item, slot) for item, slot in self._slots if self._is_dealt(item)]
        dealt.sort(key=lambda each: (stage.zones[each[0].zone].index(each[0]), each[0].zone))
        apart = min(MAX_DEAL_INTERVAL_MS, DEAL_MS / max(1, len(dealt) - 1))
        yield Track(DECKS_AT, DECKS_MS, _act_once(lambda: sound("shuffle")), linear)
        for number, (item, slot) in enumerate(dealt):
            start = DEAL_AT + number * apart
            yield from self._deal_card(item, slot, start, FLYING_Z + number)
        if dealt:
            yield Track(DEAL_AT, DEAL_MS, _act_once(lambda: sound("take")), linear)

    def _deal_card(self, item: CardItem, slot: Slot, start: float, z: float) -> Iterator[Track]:
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
                share, rise = flight.move_to(time)
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

        yield Track(start, flight.duration, fly, linear)
        if look is not CardSide.BACK:
            yield Track(start + flight.duration, FLIP_MS, turn, ease_in_out_cubic)

    def _is_dealt(self, item: CardItem) -> bool:
        """Return whether the card is dealt to a player: into a hand, or as a single card in front
        of the player.
        """
        stage = self._stage
        assert stage.view is not None
        assert stage.placed is not None
        owned = stage.view.zones[item.zone].owner is not None
        return owned and stage.placed.zones[item.zone].place.form not in PILE_FORMS

    def _find_decks(self) -> dict[int, DealPile]:
        """Return the largest pile for each card back, by number of the back."""
        stage = self._stage
        assert stage.placed is not None
        decks: dict[int, DealPile] = {}
        for item, slot in self._slots:
            if stage.placed.zones[item.zone].place.form not in PILE_FORMS:
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
    """The items of the box: the tray, and the lid with the cover picture."""

    def __init__(self, stage: Stage, front: QPixmap, height: float) -> None:
        theme, natural = stage.pixmaps.theme, front.deviceIndependentSize()
        self.size = natural * (height / max(1.0, natural.height()))
        width, box_height = self.size.width(), self.size.height()
        place = QRectF(-width / 2, -box_height / 2, width, box_height)
        self.tray = QGraphicsPathItem(rounded_path(place, width * 0.02))
        self.tray.setPen(round_pen(mix(theme.table, theme.stock_ink, 0.6), 2))
        self.tray.setBrush(mix(theme.table, theme.table_ink, 0.35))
        edge = width * 0.05
        inside = place.adjusted(edge, edge, -edge, -edge)
        add_shape(rounded_path(inside, 4), self.tray, fill=mix(theme.table, theme.stock_ink, 0.6))
        floor = inside.adjusted(0, edge, 0, 0)
        add_shape(rounded_path(floor, 4), self.tray, fill=mix(theme.table, theme.stock_ink, 0.45))
        self.lid = QGraphicsPixmapItem(front)
        self.lid.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        self.lid.setOffset(-natural.width() / 2, -natural.height() / 2)
        self._scale = width / max(1.0, natural.width())
        self.tray.setZValue(BOX_Z - 1)
        self.lid.setZValue(BOX_Z + 200)

    def tracks(self, middle: QPointF, shelf: QPointF) -> list[Track]:
        """Return tracks in which the box moves from `shelf` to `middle`, opens and fades out."""
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
    """Yield tracks that fade `items` in to the opacity they have now."""
    for item in items:
        whole = item.opacity()

        def show(share: float, item: QGraphicsItem = item, whole: float = whole) -> None:
            item.setOpacity(whole * share)

        show(0.0)
        yield Track(MATS_AT, MATS_MS, show)


def _act_once(act: Callable[[], None]) -> Callable[[float], None]:
    """Return a track update that calls `act` once when
    the track starts, but not if the track is skipped.
    """
    left = [act]

    def step(share: float) -> None:
        if left and share < 1.0:
            left.pop()()

    return step
