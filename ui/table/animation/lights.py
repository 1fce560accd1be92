"""Zones or cards that light up together, with a sentence beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsItem

from tabletop.engine.events import Event, Said
from tabletop.engine.model import Value
from ui.table.animation.final_count import CountPage, FinalPause, format_page
from ui.table.items.card_item import CardItem
from ui.table.items.light_items import CardGlintItem, ZoneFlashItem
from ui.table.items.slip_item import SlipItem
from ui.table.items.stage import Stage

Animated = Event | CountPage | FinalPause
"""Things that are played one after the other."""

MARK_Z = 880.0
PROMPT_MARGIN_PX = 14.0
"""The pixels by which the prompt line may exceed its room."""
MAX_SENTENCES = 8
MAX_HEIGHT_SHARE = 0.36
"""Of sentences that rest on the table: how many at most, and their share of its height."""


class Light(NamedTuple):
    """A light, and the rectangles of what it lights."""

    item: QGraphicsItem
    rects: list[QRectF]


def is_scoring_page(event: Animated) -> bool:
    """Whether it shows what counts, as the pages of a scoring do."""
    match event:
        case CountPage():
            return True
        case Said(cards=cards, args=args):
            return bool(cards) and "bright" in args
    return False


def make_light(stage: Stage, event: Said | CountPage) -> Light | None:
    """Return the light of a sentence: cards, the first `bright` of them brightly, or the zones in
    `lit`; a page of the final count its zones, or else its players. None where it lights nothing on
    the table."""
    if isinstance(event, CountPage):
        rects = _visible_rects(stage, event.zones) or _plaques(stage, event.lit)
        return _make_flash(stage, rects, stage.pixmaps.theme.accent_2, joined=False)
    if is_scoring_page(event):
        return make_card_light(stage, event, int(event.args["bright"]))
    zones = str(event.args.get("lit", "")).split()
    return _make_flash(stage, _visible_rects(stage, zones), _ink_colour(stage, event))


def _visible_rects(stage: Stage, zones: Iterable[str]) -> list[QRectF]:
    """The zones that are seen: a light on what is covered would shine through the cover."""
    rects = [stage.zone_rect(zone) for zone in zones]
    return [rect for rect in rects if rect is not None and not stage.is_covered(rect)]


def _plaques(stage: Stage, seats: Collection[Value]) -> list[QRectF]:
    return [rect for seat, rect in stage.plaques() if seat in seats]


def _make_flash(
    stage: Stage, rects: list[QRectF], colour: str, joined: bool = True
) -> Light | None:
    return (
        Light(ZoneFlashItem(rects, colour, stage.pixmaps.theme, joined), rects) if rects else None
    )


def make_card_light(stage: Stage, said: Said, bright: int) -> Light | None:
    """The cards a sentence names, as far as they are seen; the first `bright` of them brightly."""
    items = [stage.item_of(card) for card in said.cards]
    shown = [item for item in items if item is not None and item.isVisible()]
    seen = [item for item in shown if not stage.is_covered(item.sceneBoundingRect())]
    if not seen:
        return None
    first = {stage.item_of(card) for card in said.cards[:bright]}
    glints = [(_uncovered_part(stage, item), item in first) for item in seen]
    glint = CardGlintItem(glints, _ink_colour(stage, said), stage.pixmaps.theme)
    return Light(glint, [item.sceneBoundingRect() for item in seen])


def _make_player_light(stage: Stage, said: Said) -> Light | None:
    """The plaques of the players a sentence names."""
    named = [value for name, value in said.args.items() if name.startswith("seat")]
    return _make_flash(stage, _plaques(stage, named), stage.pixmaps.theme.accent_2, joined=False)


def make_slip(stage: Stage, sentence: str, rects: Sequence[QRectF] = ()) -> SlipItem:
    """The sentence on paper beside its subject; without one, where outcomes are listed."""
    assert stage.placed is not None
    room = QRectF(0, 0, *stage.size).adjusted(8, 8, -8, -8)
    about = rects[0] if rects else room
    for rect in rects:
        about = about.united(rect)
    size = max(13.0, 0.16 * stage.placed.unit)
    place = stage.placed.surface.outlook
    spare = stage.to_pixels(place) if place is not None else room
    line = stage.placed.surface.prompt
    kept = (
        stage.to_pixels(line).adjusted(0, -PROMPT_MARGIN_PX, 0, PROMPT_MARGIN_PX)
        if line
        else QRectF()
    )
    return SlipItem(sentence, about, size, stage.pixmaps.theme, room, spare, kept)


def format_sentence(stage: Stage, event: Said | CountPage) -> str:
    """A sentence as the viewer hears it."""
    if isinstance(event, CountPage):
        return format_page(event, stage.pixmaps.words)
    viewer = stage.view.viewer if stage.view is not None else None
    return stage.pixmaps.words.log_line(event, viewer)


def find_ink(inks: dict[str, str], words: Iterable[object]) -> str:
    """The first ink among these words; nothing where there is none."""
    return next((inks[word] for word in words if isinstance(word, str) and word in inks), "")


def _ink_colour(stage: Stage, said: Said) -> str:
    """The game's ink that a sentence names; the second accent where it names none."""
    return find_ink(stage.pixmaps.inks, said.args.values()) or stage.pixmaps.theme.accent_2


def _uncovered_part(stage: Stage, item: CardItem) -> QPainterPath:
    path = item.mapToScene(item.outline)
    lying = stage.zones[item.zone]
    for other in lying[lying.index(item) + 1 :]:
        path = path.subtracted(other.mapToScene(other.outline))
    return path


class LightMarks:
    """Lights that rest on the table, with their sentences, until something else is done."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._items: list[QGraphicsItem] = []
        self._events: tuple[Animated, ...] = ()
        self.silent = False
        """Whether there are lights alone, as something beside the table says it all."""

    @property
    def items(self) -> Sequence[QGraphicsItem]:
        """The items that rest there now."""
        return tuple(self._items)

    def rest(self, events: Iterable[Animated]) -> None:
        """Light, where nothing moves, cards that count and lines in an ink."""
        self.clear()
        self._events = tuple(events)
        self.renew()

    def renew(self) -> None:
        """Lay the resting lights and sentences again, where the table is laid out again."""
        self.lift()
        inks = self.stage.pixmaps.inks
        counting = [
            event
            for event in self._events
            if isinstance(event, CountPage)
            or (
                isinstance(event, Said)
                and (is_scoring_page(event) or find_ink(inks, event.args.values()))
            )
        ]
        lights = [(said, make_light(self.stage, said)) for said in counting[-MAX_SENTENCES:]]
        lit = [(format_sentence(self.stage, said), light) for said, light in lights if light]
        while lit:
            slip = make_slip(self.stage, "\n".join(sentence for sentence, _ in lit))
            if (
                len(lit) == 1
                or slip.boundingRect().height() < MAX_HEIGHT_SHARE * self.stage.size[1]
            ):
                for _, light in lit:
                    self._add(light.item)
                if not self.silent:
                    self._add(slip)
                return
            del lit[0]

    def recall(self, said: Said) -> bool:
        """Light the cards and zones that a line of the log names, or if it names none that are
        seen, the players; return whether anything is lit."""
        self.clear()
        cards = make_card_light(self.stage, said, len(said.cards))
        zones = None if is_scoring_page(said) else make_light(self.stage, said)
        for light in (zones, cards) if zones or cards else (_make_player_light(self.stage, said),):
            if light is not None:
                self._add(light.item)
        return bool(self._items)

    def point(self, cards: Sequence[int], zones: Sequence[str], seats: Sequence[int]) -> None:
        """Light these cards and places, or where none of them is seen the plaques of these
        players."""
        self.clear()
        if not (cards or zones or seats):
            return
        accent = self.stage.pixmaps.theme.accent_2
        said = Said("", tuple(cards))
        lights = (
            _make_flash(self.stage, _visible_rects(self.stage, zones), accent, joined=False),
            make_card_light(self.stage, said, len(cards)),
        )
        seen = [light for light in lights if light is not None]
        if not seen and (
            light := _make_flash(self.stage, _plaques(self.stage, seats), accent, False)
        ):
            seen.append(light)
        for light in seen:
            self._add(light.item)

    def clear(self) -> None:
        """Take everything off for good."""
        self._events = ()
        self.lift()

    def lift(self) -> None:
        """Take everything off, to be laid again."""
        for item in self._items:
            if item.scene() is not None:
                self.stage.scene.removeItem(item)
        self._items = []

    def _add(self, item: QGraphicsItem) -> None:
        item.setZValue(MARK_Z + len(self._items) * 0.01)
        self.stage.scene.addItem(item)
        self._items.append(item)
