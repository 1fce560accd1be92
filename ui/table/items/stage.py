"""The graphics items of a table: one for each card, mat, plaque, piece and drawing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.events import (
    Event,
    Moved,
    Placed,
    Shown,
    Shuffled,
    Thrown,
    apply,
    throw_as_moves,
)
from tabletop.engine.model import AUDIENCE, Sight, State, Value, hidden_card, is_face
from tabletop.games.layout import CARD_HEIGHT, DrawingLevel, Layout, Place, Rect
from tabletop.language.words import Words
from ui.style.art import Art
from ui.style.theme import Theme
from ui.table.items.card_item import CardItem, CardSide
from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.items.piece_item import PictureItem, PieceItem
from ui.table.items.table_background import PICTURE_Z, UNDER_Z, TableBackground
from ui.table.layout.geometry import lay_out_table
from ui.table.layout.panels_around import reading_height
from ui.table.layout.placed_table import MIN_TEXT_PX, PlacedPiece, PlacedTable
from ui.table.layout.public_layout import MIN_TEXT_SHARE, make_public_layout
from ui.table.layout.slots import Slot

CARD_Z = 10.0
HAND_Z = 100.0
HELD_Z = 290.0
OVER_Z = 295.0
"""The z value of drawings above the cards, below the highlights."""
PIECE_Z = 400.0
MARKER_Z = 420.0
_CARD = attrgetter("card")
ALOFT_Z = 440.0
"""The z value of overlay drawings, below previews and moving items."""
LEVEL_Z: dict[DrawingLevel, float] = {
    "under": UNDER_Z,
    "table": PICTURE_Z,
    "over": OVER_Z,
    "aloft": ALOFT_Z,
}
"""The z value of drawings by `DrawingLevel`."""


class Stage:
    """Keeps the graphics items of a table: `show_view` syncs them with a view, `apply_event`
    updates them for one event.
    """

    def __init__(
        self,
        scene: QGraphicsScene,
        layouts: Sequence[Layout],
        kit: GameKit,
        art: Art,
        words: Words,
        theme: Theme,
    ) -> None:
        self.scene = scene
        self.layouts = layouts
        self.pixmaps = CardPixmaps(kit, art, words, theme)
        self.badges = layouts[0].badge
        self.movement_prefixes = layouts[0].movement_prefixes
        self.view: State | None = None
        self.size = (0.0, 0.0)
        """The size of the viewport, in pixels."""
        self.is_public = False
        """Whether this is the public table, which shows no hands."""
        self.is_resizing = False
        """Whether the size is still changing, so that pixmaps are only scaled."""
        self.is_boxed = False
        """Whether the opening animation hasn't started yet, so that no card is drawn."""
        self.placed: PlacedTable | None = None
        self.zones: dict[str, list[CardItem]] = {}
        """The card items of each zone, in display order."""
        self.card_order: dict[str, list[int]] = {}
        """The user's card order in each of their zones that can be reordered."""
        self.raised: dict[str, int] = {}
        self.turned: Mapping[int, float] = {}
        """The additional rotation in degrees of cards in a draft move, by card number."""
        self._turned_from: dict[int, float] = {}
        """The angle in degrees of each turned card's slot before the card was turned."""
        self.foreseen: Mapping[str, Value] = {}
        """The values that the current draft move would set."""
        self.marks: Mapping[int, str] = {}
        """The state of each remote player, by seat; keys of `plaque_item.MARKS`."""
        self.pieces: dict[str, PieceItem] = {}
        self.markers: dict[str, PieceItem] = {}
        self._drawings: dict[str, PictureItem] = {}
        self.appearing: list[PictureItem] = []
        """Overlay drawings that are fading in."""
        self.disappearing: list[PictureItem] = []
        self.background = TableBackground(scene, self.pixmaps, self.to_pixels)

    # Positions

    @property
    def items(self) -> Iterator[CardItem]:
        """All card items."""
        return chain.from_iterable(self.zones.values())

    def item_of(self, card: int) -> CardItem | None:
        """Return the item of `card`, or None if no item is known to be that card."""
        return next((item for item in self.items if item.card == card), None)

    def zone_rect(self, zone: str) -> QRectF | None:
        """Return the rectangle of `zone` in pixels, or None if the zone isn't laid out."""
        if self.placed is None or zone not in self.placed.zones:
            return None
        return self.to_pixels(self.placed.zones[zone].rect)

    def drawing_centre(self) -> QPointF | None:
        """Return the scene point around which the table's drawing is arranged, or None for the
        centre of the table.
        """
        look = self.pixmaps.kit.layout.look
        rects = [rect for zone in (look.centre if look else ()) if (rect := self.zone_rect(zone))]
        if not rects:
            return None
        whole = rects[0]
        for rect in rects[1:]:
            whole = whole | rect
        return whole.center()

    def remove_item(self, item: QGraphicsItem | None) -> None:
        """Remove `item` from the scene, if it is still there."""
        if item is not None and item.scene() is not None:
            self.scene.removeItem(item)

    def to_pixels(self, rect: Rect) -> QRectF:
        """Convert `rect` from card widths to whole scene pixels."""
        assert self.placed is not None
        x, y = self.placed.to_pixels(rect.x, rect.y)
        right, bottom = self.placed.to_pixels(rect.right, rect.bottom)
        return QRectF(round(x), round(y), round(right) - round(x), round(bottom) - round(y))

    def is_covered(self, rect: QRectF) -> bool:
        """Return whether an overlay drawing covers the centre of `rect` (in pixels)."""
        pictures = self.placed.drawings if self.placed is not None else []
        over = (self.to_pixels(picture.rect) for picture in pictures if picture.level == "aloft")
        return any(place.contains(rect.center()) for place in over)

    def zone_place(self, zone: str) -> Place | None:
        """Return the `Place` entry of `zone` in the layout, or None if the zone isn't laid out."""
        spread = self.placed.zones.get(zone) if self.placed else None
        return spread.place if spread else None

    @property
    def placed_table(self) -> PlacedTable:
        """The current layout; only valid while a table is shown."""
        assert self.placed is not None
        return self.placed

    @property
    def unit(self) -> float:
        """The number of pixels per card width; 0 if nothing is laid out."""
        return self.placed.unit if self.placed is not None else 0.0

    def find_overlay(self, cards: Collection[int]) -> PictureItem | None:
        """Return the first overlay drawing that shows one of `cards`, or None."""
        pictures = self.placed.drawings if self.placed is not None else ()
        aloft = [picture for picture in pictures if picture.level == "aloft"]
        seen = (p.name for p in aloft if any(lying.top_card in cards for lying in p.cards))
        return self._drawings.get(next(seen, ""))

    def zone_form(self, zone: str) -> str:
        """Return the form of `zone`, such as "fan" or "pile"; empty if the zone isn't laid out."""
        spread = self.placed.zones.get(zone) if self.placed else None
        return spread.place.form if spread else ""

    def plaques(self) -> list[tuple[int, QRectF]]:
        """Return (seat, rectangle in pixels) of each plaque."""
        signs = self.placed.plaques if self.placed is not None else ()
        return [(sign.seat, self.to_pixels(sign.rect)) for sign in signs]

    # Syncing with a view

    def show_view(self, view: State, shown: State | None = None) -> None:
        """Sync all items with `view` without animation.

        `shown` is the same view with the cards of a draft move at their tentative positions.
        """
        self.view = view
        self._turned_from = {}
        self.sync_cards(shown or view)
        self.arrange()

    def arrange(self) -> None:
        """Lay out the table and move every item to its position without animation."""
        self.lay_out()
        for item, slot in self.slots():
            self.put_card(item, slot)
        assert self.placed is not None
        for stand in self.placed.pieces:
            self.put_piece(self.pieces[stand.name], stand)
        for stand in self.placed.markers:
            self.put_piece(self.markers[stand.name], stand)
        self.fade_drawings(1.0)
        self.background.number_changes.clear()

    def fade_drawings(self, share: float) -> None:
        """Set the opacity of appearing overlay drawings to
        `share` and of disappearing ones to `1 - share`.

        At 1, the disappearing drawings are removed.
        """
        for item in self.appearing:
            item.setOpacity(share)
        for item in self.disappearing:
            item.setOpacity(1.0 - share)
        if share >= 1.0:
            for item in self.disappearing:
                self.scene.removeItem(item)
            self.appearing, self.disappearing = [], []

    def lay_out(self, blank: Collection[str] = ()) -> PlacedTable:
        """Compute the layout of the current items, and redraw everything except the cards, which
        stay in place.

        Values whose keys are in `blank` are shown as empty.
        """
        view = self.current_view()
        if blank:
            view = replace(view, values={**view.values, **dict.fromkeys(blank, "")})
        layouts, min_text_px = self.layouts, MIN_TEXT_PX
        if self.is_public:
            layouts = (make_public_layout(layouts, view, self.size),)
            min_text_px = max(min_text_px, round(reading_height(self.size) * MIN_TEXT_SHARE))
        self.pixmaps.viewing_distance, fan = (
            min_text_px / MIN_TEXT_PX,
            self.pixmaps.art.card_style.fan_scale,
        )
        self.placed = lay_out_table(
            layouts, view, self.size, self.raised, self.foreseen, fan, min_text_px
        )
        self.background.draw(self.placed, view, self.marks)
        self._draw_pictures(self.placed)
        self._draw_pieces(self.placed, self.placed.pieces, self.pieces, PIECE_Z)
        self._draw_pieces(self.placed, self.placed.markers, self.markers, MARKER_Z)
        return self.placed

    def set_marks(self, marks: Mapping[int, str]) -> None:
        """Show the states of remote players on their plaques; `marks` has them by seat."""
        if self.marks != marks:
            self.marks = dict(marks)
            if self.placed is not None:
                self.background.draw(self.placed, self.current_view(), self.marks)

    def current_view(self) -> State:
        """Return the view, with the cards of each zone as given by the card items."""
        assert self.view is not None
        cards = {zone: tuple(map(_CARD, items)) for zone, items in self.zones.items()}
        return replace(self.view, cards=cards)

    def slots(self) -> Iterator[tuple[CardItem, Slot | None]]:
        """Yield each card item with its slot, or with None if its zone isn't laid out."""
        assert self.placed is not None
        for zone, items in self.zones.items():
            spread = self.placed.zones.get(zone)
            for number, item in enumerate(items):
                slot = spread.slots[number] if spread else None
                if slot is not None and item.card in self.turned:
                    before = self._turned_from.get(item.card, slot.angle)
                    more = self.turned[item.card] if before == slot.angle else 0.0
                    slot = slot._replace(angle=slot.angle + more)
                yield item, slot

    def record_turned_angles(self) -> None:
        """Remember the slot angles of cards turned in a draft move, before an update may make the
        turn permanent.

        If the slot's angle has changed afterwards, the card isn't turned a second time.
        """
        assert self.placed is not None
        for zone in {item.zone for item in self.items if item.card in self.turned}:
            spread = self.placed.zones.get(zone)
            for item, slot in zip(self.zones[zone], spread.slots if spread else (), strict=False):
                self._turned_from.setdefault(item.card, slot.angle)

    def put_card(self, item: CardItem, slot: Slot | None) -> None:
        """Move `item` into `slot` at once, without animation."""
        item.slot = slot
        item.set_flight_height(0.0)
        item.setVisible(slot is not None and slot.is_visible)
        if slot is None:
            return
        x, y, width = self.slot_geometry(slot)
        item.setOpacity(item.resting_opacity)
        item.setRotation(slot.angle)
        item.setScale(1.0)
        item.resetTransform()
        item.setPos(x, y)
        item.setZValue(self.card_z(item, slot))
        if self.is_boxed:
            item.show_blank(self.visible_side(item), width)
            return
        if self.is_resizing and item.is_drawn and item.side is self.visible_side(item):
            item.setScale(width / item.width)
            return
        item.show_side(self.visible_side(item), width)
        item.align_chip()

    def slot_geometry(self, slot: Slot) -> tuple[float, float, float]:
        """Return the centre (x, y) and the width of `slot` in pixels; upright cards are aligned to
        whole pixels.
        """
        assert self.placed is not None
        x, y = self.placed.to_pixels(slot.x, slot.y)
        width = float(max(1, round(slot.width * self.placed.unit)))
        if slot.angle % 90 == 0:
            w, h = width, width * CARD_HEIGHT
            if slot.angle % 180:
                w, h = h, w
            x, y = round(x - w / 2) + w / 2, round(y - h / 2) + h / 2
        return x, y, width

    def lay_flat(self, item: CardItem) -> None:
        """Reset the scale of a dropped card where it lies, and keep it above its neighbours."""
        item.setScale(1.0)
        if item.slot is not None:
            item.setZValue(HELD_Z)

    def card_z(self, item: CardItem, slot: Slot) -> float:
        """Return the z value of a card in its slot."""
        assert self.placed is not None
        fan = self.placed.zones[item.zone].place.form == "fan"
        return (HAND_Z if fan else CARD_Z) + slot.z

    def visible_side(self, item: CardItem) -> CardSide:
        """Return the side of the card that is visible on the table."""
        spread = self.placed.zones.get(item.zone) if self.placed else None
        view = self.view
        if not item.is_known or view is None:
            return CardSide.BACK
        over = view.result is not None
        if spread is not None and spread.is_face_down and not (spread.place.bare and over):
            return CardSide.BACK
        if spread is None or spread.place.face == "up" or over:
            return CardSide.FACE
        open_to_all = AUDIENCE in view.shown.get(item.card, ())
        return (
            CardSide.FACE
            if open_to_all or view.zones[item.zone].sight is Sight.ALL
            else CardSide.CHIP
        )

    def put_piece(self, item: PieceItem, stand: PlacedPiece) -> None:
        """Move a piece or marker to `stand` without animation."""
        assert self.placed is not None
        item.setPos(QPointF(*self.placed.to_pixels(stand.x, stand.y)))
        item.setOpacity(1.0)
        item.set_angle(stand.angle)

    def redraw(self) -> None:
        """Redraw all items after a change of theme, language or pixel ratio."""
        for item in self.items:
            item.redraw()
        self.background.invalidate()
        if self.view is not None:
            self.arrange()

    def clear(self) -> None:
        """Remove all items from the table."""
        pieces = (*self.pieces.values(), *self.markers.values())
        everything: list[QGraphicsItem] = [*self.items, *pieces, *self._drawings.values()]
        for item in (*everything, *self.disappearing):
            self.scene.removeItem(item)
        self.zones, self.card_order, self.raised, self.turned, self.foreseen = {}, {}, {}, {}, {}
        self._turned_from = {}
        self.pieces, self.markers, self._drawings = {}, {}, {}
        self.appearing, self.disappearing = [], []
        self.background.clear()
        self.view, self.placed = None, None

    def sync_cards(self, view: State) -> None:
        """Create, move and remove card items until there is exactly one for each card of `view`."""
        wanted = {zone: self.display_order(view, zone) for zone in view.cards}
        if wanted == {zone: list(map(_CARD, items)) for zone, items in self.zones.items()}:
            return
        known = {item.card: item for item in self.items if item.is_known}
        hidden_cards = {
            zone: [item for item in items if not item.is_known]
            for zone, items in self.zones.items()
        }
        spare = set(self.items)
        zones: dict[str, list[CardItem]] = {}
        for zone, cards in wanted.items():
            items = []
            for card in cards:
                item = known.get(card) if is_face(card) else None
                if item is None or item not in spare:
                    item = self._hidden_item(card, hidden_cards.get(zone, []), spare)
                spare.discard(item)
                if item.card != card:
                    item.set_card(card)
                item.zone = zone
                items.append(item)
            zones[zone] = items
        for item in spare:
            self.scene.removeItem(item)
        self.zones = zones

    def _hidden_item(
        self, card: int, hidden_cards: list[CardItem], spare: set[CardItem]
    ) -> CardItem:
        while hidden_cards:
            item = hidden_cards.pop(0)
            if item in spare and self._back_of(item.card) == self._back_of(card):
                return item
        return self._make_item(card)

    def _back_of(self, card: int) -> int:
        return hidden_card(self.pixmaps.kit.backs[card]) if is_face(card) else card

    def _make_item(self, card: int) -> CardItem:
        item = CardItem(self.pixmaps, card)
        self.scene.addItem(item)
        return item

    def display_order(self, view: State, zone: str) -> list[int]:
        """Return the cards of `zone` in the user's order, new cards last."""
        cards = list(view.cards[zone])
        order = self.card_order.get(zone)
        if order and view.zones[zone].loose:
            cards.sort(key=lambda card: order.index(card) if card in order else len(order))
        return cards

    # Applying events

    def apply_event(self, event: Event) -> list[CardItem]:
        """Apply `event` to the view and to the lists of
        items. Return the items of the affected cards.

        No item moves on the screen yet.
        """
        assert self.view is not None
        before = self.view
        touched: list[CardItem] = []
        match event:
            case Placed(zone, cards):
                self.view = apply(before, event)
                items = [self._make_item(card) for card in self.display_order(self.view, zone.name)]
                for item in items:
                    item.zone = zone.name
                self.zones[zone.name] = items
                touched = items if cards else []
            case Moved():
                touched = [self._move_card(event)]
            case Shuffled(zone=name):
                self.view = apply(before, event)
                touched = self.zones[name]
                for item, card in zip(touched, self.view.cards[name], strict=False):
                    item.set_card(card)
            case Shown(zone=name, card=card, at=at):
                self.view = apply(before, event)
                if is_face(card):
                    item = self._find_item(name, card, at)
                    seen = card in self.view.cards[name]
                    item.set_card(card if seen else hidden_card(before.backs[card]))
                    self._sort_loose_zone(name)
                    touched = [item]
            case Thrown():
                for move in throw_as_moves(before, event):
                    touched.append(self._move_card(move))
                touched = touched[1::2]
            case _:
                self.view = apply(before, event)
        return touched

    def _move_card(self, event: Moved) -> CardItem:
        assert self.view is not None
        item = self._find_item(event.source, event.card, event.at)
        self.zones[item.zone].remove(item)
        self.view = apply(self.view, event)
        items = self.zones[event.target]
        loose = self.view.zones[event.target].loose
        # The index may exceed the list, because cards of a draft move are missing from it.
        items.insert(len(items) if loose or event.to < 0 else event.to, item)
        card = event.card
        if card not in self.view.cards[event.target]:
            card = hidden_card(self.view.backs[card])
        if item.card != card:
            item.set_card(card)
        item.zone = event.target
        self._sort_loose_zone(event.target)
        return item

    def _sort_loose_zone(self, zone: str) -> None:
        """Sort the items of `zone` by `display_order` if the zone can be reordered."""
        assert self.view is not None
        if self.view.zones[zone].loose:
            wanted = self.display_order(self.view, zone)
            places = {card: place for place, card in reversed(list(enumerate(wanted)))}
            self.zones[zone].sort(key=lambda one: places.get(one.card, len(wanted)))

    def _find_item(self, zone: str, card: int, at: int) -> CardItem:
        """Return the item an event refers to: the item of `card` if its face is known, otherwise
        the item at index `at`.
        """
        item = self.item_of(card) if is_face(card) else None
        if item is not None:
            return item
        items = self.zones[zone]
        if 0 <= at < len(items):
            return items[at]
        back = self._back_of(card)
        unseen = (one for one in reversed(items) if not one.is_known)
        return next(one for one in unseen if self._back_of(one.card) == back)

    # Drawings and pieces

    def _draw_pictures(self, placed: PlacedTable) -> None:
        wanted = {picture.name: picture for picture in placed.drawings}
        for name in [name for name in self._drawings if name not in wanted]:
            item = self._drawings.pop(name)
            if item.is_overlay:
                self.disappearing.append(item)
            else:
                self.scene.removeItem(item)
        for order, (name, picture) in enumerate(wanted.items()):
            if name not in self._drawings:
                item = self._drawings[name] = PictureItem(name, picture.level == "aloft")
                item.setZValue(LEVEL_Z[picture.level] + order * 0.01)
                self.scene.addItem(item)
                if item.is_overlay:
                    self.appearing.append(item)
            self._drawings[name].show_drawing(picture, placed, self.pixmaps, self.turned)

    def _draw_pieces(
        self,
        placed: PlacedTable,
        placements: list[PlacedPiece],
        items: dict[str, PieceItem],
        z: float,
    ) -> None:
        """Create, update and remove piece items until they match `placements`."""
        wanted = {stand.name for stand in placements}
        for name in [name for name in items if name not in wanted]:
            self.scene.removeItem(items.pop(name))
        for stand in placements:
            size = float(round(stand.size * placed.unit))
            new = stand.name not in items
            if new:
                items[stand.name] = PieceItem(stand.name)
                items[stand.name].setZValue(z)
                self.scene.addItem(items[stand.name])
            items[stand.name].show_piece(stand, size, self.pixmaps)
            if new:
                self.put_piece(items[stand.name], stand)
