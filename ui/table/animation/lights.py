"""Highlights on zones, cards and plaques, each with a sentence on a slip of paper beside it."""

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
"""Anything the animator plays: an event, a page of the final count, or the pause before it."""

MARK_Z = 880.0
PROMPT_MARGIN_PX = 14.0
"""Height in pixels by which the prompt line may exceed its rectangle."""
MAX_SENTENCES = 8
"""Maximum number of sentences that stay on the table until the next action."""
MAX_HEIGHT_SHARE = 0.36
"""Maximum height of these sentences together, as a share of the table's height."""


class Light(NamedTuple):
    """A highlight's item, and the rectangles of the zones, cards or plaques it highlights."""

    item: QGraphicsItem
    rects: list[QRectF]


def is_scoring_page(event: Animated) -> bool:
    """Return whether `event` is a scoring page, which highlights the cards that count."""
    match event:
        case CountPage():
            return True
        case Said(cards=cards, args=args):
            return bool(cards) and "bright" in args
    return False


def make_light(stage: Stage, event: Said | CountPage) -> Light | None:
    """Return the highlight for a sentence or page, or None if nothing it names is visible.

    A scoring sentence highlights its cards, the first `bright` of them brightly. Any other sentence
    highlights the zones in its argument `lit`. A page of the final count highlights its zones, or
    its players' plaques if no zone is visible.
    """
    if isinstance(event, CountPage):
        rects = _visible_rects(stage, event.zones) or _plaques(stage, event.seats)
        return _make_flash(stage, rects, _seat_colour(stage, event.seats[0]), joined=False)
    if is_scoring_page(event):
        return make_card_light(stage, event, int(event.args["bright"]))
    zones = str(event.args.get("lit", "")).split()
    return _make_flash(stage, _visible_rects(stage, zones), _news_colour(stage, event))


def _visible_rects(stage: Stage, zones: Iterable[str]) -> list[QRectF]:
    """Return the rectangles of the `zones` that no overlay drawing covers, because a highlight
    would shine through it.
    """
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
    """Return a highlight on the visible cards of `said`, bright on the first `bright` cards; None
    if no card is visible.
    """
    items = [stage.item_of(card) for card in said.cards]
    shown = [item for item in items if item is not None and item.isVisible()]
    seen = [item for item in shown if not stage.is_covered(item.sceneBoundingRect())]
    if not seen:
        return None
    first = {stage.item_of(card) for card in said.cards[:bright]}
    glints = [
        (_uncovered_part(stage, item), item in first, _news_colour(stage, said, item.zone))
        for item in seen
    ]
    glint = CardGlintItem(glints, stage.pixmaps.theme)
    return Light(glint, [item.sceneBoundingRect() for item in seen])


def _make_player_light(stage: Stage, said: Said) -> Light | None:
    """Return a highlight on the plaques of the players that `said` names, or None."""
    named = _seats_in(said)
    return _make_flash(stage, _plaques(stage, named), _news_colour(stage, said), joined=False)


def make_slip(stage: Stage, sentence: str, rects: Sequence[QRectF] = ()) -> SlipItem:
    """Return a slip of paper with `sentence` beside `rects`, or where outcomes are listed if
    `rects` is empty.
    """
    assert stage.placed is not None
    room = QRectF(0, 0, *stage.size).adjusted(8, 8, -8, -8)
    size = max(13.0, 0.16 * stage.placed.unit)
    place = stage.placed.surface.outlook
    spare = stage.to_pixels(place) if place is not None else room
    line = stage.placed.surface.prompt
    kept = (
        stage.to_pixels(line).adjusted(0, -PROMPT_MARGIN_PX, 0, PROMPT_MARGIN_PX)
        if line
        else QRectF()
    )
    shown = [item.sceneBoundingRect() for lying in stage.zones.values() for item in lying]
    shown += [rect for _, rect in stage.plaques()]
    shown += [stage.to_pixels(text.rect) for text in stage.placed.texts]
    return SlipItem(sentence, rects, size, stage.pixmaps.theme, room, spare, kept, shown)


def format_sentence(stage: Stage, event: Said | CountPage) -> str:
    """Return the text of `event` in the viewer's language and from their point of view."""
    if isinstance(event, CountPage):
        return format_page(event, stage.pixmaps.words)
    viewer = stage.view.viewer if stage.view is not None else None
    return stage.pixmaps.words.log_line(event, viewer)


def find_ink(inks: dict[str, str], words: Iterable[object]) -> str:
    """Return the colour of the first word of `words` that names an ink, or "" if no word does."""
    return next((inks[word] for word in words if isinstance(word, str) and word in inks), "")


def zone_colour(stage: Stage, zone: str) -> str:
    """Return the colour of the owner of `zone`, or the neutral colour of news if it has none."""
    zones = stage.view.zones if stage.view is not None else {}
    owner = zones[zone].owner if zone in zones else None
    return stage.pixmaps.theme.table_ink if owner is None else _seat_colour(stage, owner)


def _news_colour(stage: Stage, said: Said, zone: str = "") -> str:
    """Return the colour in which the news `said` is shown at a card in `zone`.

    That is the ink that `said` names, else the colour of the owner of `zone`, else that of the only
    player whom `said` names.
    """
    if ink := find_ink(stage.pixmaps.inks, said.args.values()):
        return ink
    owned, named = zone_colour(stage, zone), _seats_in(said)
    is_shared = owned == stage.pixmaps.theme.table_ink
    return _seat_colour(stage, named[0]) if is_shared and len(named) == 1 else owned


def _seat_colour(stage: Stage, seat: int) -> str:
    return stage.pixmaps.seat_style(seat).colour


def _seats_in(said: Said) -> list[int]:
    """Return the players whom `said` names."""
    named = (value for name, value in said.args.items() if name.startswith("seat"))
    return [seat for seat in named if isinstance(seat, int) and seat >= 0]


def _uncovered_part(stage: Stage, item: CardItem) -> QPainterPath:
    path = item.mapToScene(item.outline)
    lying = stage.zones[item.zone]
    for other in lying[lying.index(item) + 1 :]:
        path = path.subtracted(other.mapToScene(other.outline))
    return path


class LightMarks:
    """The highlights and sentences that stay on the table until the next action."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._items: list[QGraphicsItem] = []
        self._events: tuple[Animated, ...] = ()
        self.lights_only = False
        """Whether sentences are omitted because another widget shows them."""

    @property
    def items(self) -> Sequence[QGraphicsItem]:
        """The items that are currently on the table."""
        return tuple(self._items)

    def show_events(self, events: Iterable[Animated]) -> None:
        """Replace the highlights by those of the scoring pages, and of sentences that name an ink,
        among `events`.
        """
        self.clear()
        self._events = tuple(events)
        self.redraw()

    def redraw(self) -> None:
        """Redraw the highlights and sentences of the same events after a layout change."""
        self.remove_items()
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
                if not self.lights_only:
                    self._add(slip)
                return
            del lit[0]

    def show_log_line(self, said: Said) -> bool:
        """Highlight the cards and zones of a log line, or its players if none is visible. Return
        whether anything is highlighted.
        """
        self.clear()
        cards = make_card_light(self.stage, said, len(said.cards))
        zones = None if is_scoring_page(said) else make_light(self.stage, said)
        for light in (zones, cards) if zones or cards else (_make_player_light(self.stage, said),):
            if light is not None:
                self._add(light.item)
        return bool(self._items)

    def highlight(self, cards: Sequence[int], zones: Sequence[str], seats: Sequence[int]) -> None:
        """Highlight `cards` and `zones`, or the plaques of `seats` if none of those is visible."""
        self.clear()
        if not (cards or zones or seats):
            return
        colour = zone_colour(self.stage, zones[0] if zones else "")
        said = Said("", tuple(cards), dict(zip(("seat",), seats, strict=False)))
        lights = (
            _make_flash(self.stage, _visible_rects(self.stage, zones), colour, joined=False),
            make_card_light(self.stage, said, len(cards)),
        )
        seen = [light for light in lights if light is not None]
        if not seen and (
            light := _make_flash(
                self.stage, _plaques(self.stage, seats), _seat_colour(self.stage, seats[0]), False
            )
        ):
            seen.append(light)
        for light in seen:
            self._add(light.item)

    def clear(self) -> None:
        """Remove all highlights, and forget the events they belong to."""
        self._events = ()
        self.remove_items()

    def remove_items(self) -> None:
        """Remove all highlights, but keep their events for `redraw`."""
        for item in self._items:
            if item.scene() is not None:
                self.stage.scene.removeItem(item)
        self._items = []

    def _add(self, item: QGraphicsItem) -> None:
        item.setZValue(MARK_Z + len(self._items) * 0.01)
        self.stage.scene.addItem(item)
        self._items.append(item)
