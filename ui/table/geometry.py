"""Where everything on a table lies: a game's layout, a view and a size, to rectangles. No Qt.

Lengths are card widths (a card is 1 wide and 1.4 high), angles degrees clockwise, and the point of
a card is its middle. A game's `layout.toml` says:

`[table]`
  `size = [w, h]`: the surface everything lies on. It is scaled to the viewport, centred, never cut.
  `turned = true`: for seat 1 whatever is marked `board` lies as seen from the other side.
  `prompt = [x, y, w, h]`: kept free for the prompt line. `outlook`: where the outcomes of a choice
  are listed. `play`: where a card is dropped that needs no target (left out: the whole surface).
  `chip = "sun/chip.svg"`: the drawing that names a card only its owner sees (`card`, `text`).
  `signs = {red = "◆"}`: the sign of each of the game's inks, for those who do not tell colours.
  `[table.narrow]` (or any other name) may hold another `size`, `prompt`, ...: the arrangement that
  shows the larger cards is taken. Any entry below may hold a table of the same name with what is
  different there.

`[[place]]`: the cards of a zone, or of a row of zones.
  `zone`: a name with gaps: {me} the viewer's seat, {other} the next one, {row} and {column}
  counted from `first` over `rows` and `columns`, {seat} where `repeat = "others"` or `"seats"` says
  so, each repetition moved by `step = [dx, dy]`.
  `at = [x, y, w, h]`, `card` the width of its cards, `gap` between them, `form`:
  fan (a hand; `across`: held by who sits opposite), row, column (`upward`: the first lies lowest),
  grid (as many rows as show the largest cards), cascade (columns of overlapping cards), stack (one
  such column), pile (one on the other), cell (one card), points (`points = [[x, y], ...]` from the
  top left of the place).
  `lie = "side"`: turned by a quarter. `tilt`: lying a little askew, in degrees.
  `face = "chip"`: a card that only the viewer sees lies as a back with a chip that names it.
  `caption` (with {seat}), `watched` (instead, for those who only watch), `count = true`; `label`
  (with {row}, {column}): of each cell.
  `mat`: "whole", "cells", "none". `outline = true`: dashed places where cards may come to lie.
  `align`: "left", "centre".
  `when = {key = value}`: only while all these values are so. `unless`: not while they are.

`[[panel]]`: the same for every other seat, or (`repeat = "seats"`) for all.
  `at`: the region the panels flow in; `size`: the surface of one, at which its cards have the width
  they say; `spots = [[...], ...]`: instead of a region, the rectangle of each.
  It holds `[[panel.place]]`, `[[panel.plaque]]`, `[[panel.label]]` and `[[panel.drawing]]`, with
  {seat}.

`[[plaque]]`: who sits there. `seat` ("{me}", "{other}", "{seat}"), `at`, `notes` (one for each
  seat), `figures = [{text = "hand {n}", zone = "hand/{seat}"}, {text = "score {n}", value = ...}]`.

`[[piece]]`: a drawing that stands on the zone a value names. `name`, `zone` (the value's key),
  `size`, `shift = [dx, dy]`, `turn = {value = "ghost/facing", step = 45}`, and `layers`:
  `{drawing = "sun/ghost.svg", with = {part = "gaze"}, values = {...}, turns = true}`, the lowest
  first. `repeat` as above. Pieces on one zone stand side by side.

`[[marker]]`: a drawing at the n-th of some points. `drawing`, `value` (n), `size`, `shift`,
  `points` (a list, or a name of `[points]`), `on` (the zone of a place that it turns with),
  `lap` (past the last point it goes on from this one; the drawing learns `lap`, how often).

`[[drawing]]`: a picture, drawn afresh when a value it names changes. `drawing`, `at`, `with`,
  `values = {name = "key"}`, `points`; it learns `w`, `h` and `points` in hundredths of a card.

`[[badge]]`: `text`, which stands beside a card that a preview lights up, if the card's entry in
  cards.toml holds all of `card = {turn = 0}`.

`[[label]]`: words. `text` with the names of `values = {name = "key"}`, `counts = {name = "zone"}`
  and `with` as gaps, `at`, `align`, `size` (of the letters), `bold`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from tabletop.engine.model import State, Value

CARD_HEIGHT = 1.4
FAN_ANGLE = 3.0
FAN_SPREAD = 28.0
FAN_STEP = 0.745
RISE = 0.12
"""How far a card of a fan is held up, in its widths."""
PAD = 0.1
CAPTION = 0.27
"""Height kept free for the caption of a mat."""
CAPTION_PIXELS = 20.0
"""The least height of a caption on the screen."""
PILE_SHOWN = 3
STRIP = 0.32
"""What stays visible of a card that another overlaps, in card widths."""


class Rect(NamedTuple):
    """A rectangle, in card widths."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    def overlap(self, other: Rect) -> float:
        """The area both cover."""
        w = min(self.right, other.right) - max(self.x, other.x)
        h = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(w, 0.0) * max(h, 0.0)

    def around(self, other: Rect, slack: float = 1e-6) -> bool:
        """Whether the other lies wholly inside."""
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )


class Slot(NamedTuple):
    """Where a card lies: its middle, angle and width; `seen` unless others cover it wholly."""

    x: float
    y: float
    angle: float
    width: float
    z: float
    seen: bool = True

    @property
    def bounds(self) -> Rect:
        """The upright rectangle around the card as it lies."""
        turn = math.radians(self.angle)
        across, down = abs(math.cos(turn)), abs(math.sin(turn))
        w = self.width * (across + CARD_HEIGHT * down)
        h = self.width * (down + CARD_HEIGHT * across)
        return Rect(self.x - w / 2, self.y - h / 2, w, h)


Form = Literal["fan", "row", "column", "grid", "cascade", "stack", "pile", "cell", "points"]
Repeat = Literal["", "others", "seats"]
Pair = tuple[float, float]


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What places, plaques, drawings and labels have in common."""

    at: Rect
    repeat: Repeat = ""
    step: Pair = (0.0, 0.0)
    when: dict[str, Value] = {}
    unless: dict[str, Value] = {}


class Place(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the cards of a zone, or of rows and columns of zones, lie."""

    zone: str
    form: Form = "row"
    card: float = 1.0
    gap: float = 1 / 12
    rows: int = 1
    columns: int = 1
    first: int = 0
    points: tuple[Pair, ...] = ()
    caption: str = ""
    watched: str = ""
    label: str = ""
    count: bool = False
    face: Literal["up", "chip"] = "up"
    lie: Literal["upright", "side"] = "upright"
    mat: Literal["whole", "cells", "none"] = "whole"
    outline: bool = False
    align: Literal["left", "centre"] = "centre"
    across: bool = False
    upward: bool = False
    tilt: float = 0.0
    board: bool = False

    @property
    def many(self) -> bool:
        """Whether it holds rows or columns of zones."""
        return "{row}" in self.zone or "{column}" in self.zone


def room_of(place: Place, caption: float) -> Rect:
    """The part of a place where cards lie, under a caption of this height."""
    if place.mat == "none" or place.form == "fan":
        pad, top = 0.0, 0.0
    else:
        pad, top = PAD, caption if place.caption or place.count else PAD
    top += caption if place.label and not place.many else 0.0
    x, y, w, h = place.at
    return Rect(x + pad, y + top, w - 2 * pad, h - top - pad)


class Figure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number on a plaque: a zone's count of cards, or a value."""

    text: str
    zone: str = ""
    value: str = ""


class Plaque(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tells who sits somewhere."""

    seat: str
    notes: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    """How far a piece is turned: so many degrees times a value."""

    value: str
    step: float = 45.0


class Layer(Struct, frozen=True, forbid_unknown_fields=True):
    """One drawing of a piece; `turns` with it or stays upright."""

    drawing: str
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    values: dict[str, str] = {}
    turns: bool = False


class Piece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that stands on a zone."""

    name: str
    zone: str
    layers: tuple[Layer, ...]
    size: float = 1.0
    shift: Pair = (0.0, 0.0)
    turn: Turn | None = None
    repeat: Repeat = ""
    board: bool = False
    when: dict[str, Value] = {}
    unless: dict[str, Value] = {}


class Marker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that moves along points."""

    drawing: str
    value: str
    points: tuple[Pair, ...] | str
    size: float = 0.25
    shift: Pair = (0.0, 0.0)
    on: str = ""
    lap: int | None = None
    repeat: Repeat = ""
    board: bool = False
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    when: dict[str, Value] = {}
    unless: dict[str, Value] = {}


class Drawing(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture that may depend on values."""

    drawing: str
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    values: dict[str, str] = {}
    points: str = ""


class Label(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words that may depend on values."""

    text: str
    values: dict[str, str] = {}
    counts: dict[str, str] = {}
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    align: Literal["left", "centre", "right"] = "left"
    size: float = 0.125
    bold: bool = False


class Panel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is laid out once for each of several seats."""

    size: Pair
    at: Rect | None = None
    spots: tuple[Rect, ...] = ()
    repeat: Literal["others", "seats"] = "others"
    place: tuple[Place, ...] = ()
    plaque: tuple[Plaque, ...] = ()
    label: tuple[Label, ...] = ()
    drawing: tuple[Drawing, ...] = ()


class Surface(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The surface everything lies on."""

    size: Pair
    turned: bool = False
    prompt: Rect | None = None
    outlook: Rect | None = None
    play: Rect | None = None
    chip: str = ""
    signs: dict[str, str] = {}


class Badge(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands beside a card that counts for something, if its face has all these fields."""

    text: str
    card: dict[str, Value]


class Layout(Struct, frozen=True, kw_only=True):
    """One arrangement of a game's table, as written."""

    table: Surface
    badge: tuple[Badge, ...] = ()
    points: dict[str, tuple[Pair, ...]] = {}
    place: tuple[Place, ...] = ()
    panel: tuple[Panel, ...] = ()
    plaque: tuple[Plaque, ...] = ()
    piece: tuple[Piece, ...] = ()
    marker: tuple[Marker, ...] = ()
    drawing: tuple[Drawing, ...] = ()
    label: tuple[Label, ...] = ()


class BrokenLayout(Exception):
    """A layout.toml that says something the grammar does not know."""


def read(written: Mapping[str, Any]) -> tuple[Layout, ...]:
    """The arrangements a layout.toml describes, the ordinary one first.

    Raises:
        BrokenLayout: an entry is misspelt, or lacks something.
    """
    table = written.get("table", {}).items()
    others = [name for name, entry in table if isinstance(entry, dict) and "size" in entry]
    parts = {name: written[name] for name in Layout.__struct_fields__ if name in written}
    try:
        return tuple(
            msgspec.convert(_chosen(parts, name, others), Layout) for name in ("", *others)
        )
    except msgspec.ValidationError as error:
        raise BrokenLayout(str(error)) from error


def _chosen(written: Any, name: str, others: Collection[str]) -> Any:
    """What is written, with what it says for one arrangement in its place and the rest left out."""
    if isinstance(written, list):
        return [_chosen(item, name, others) for item in written]
    if not isinstance(written, dict):
        return written
    chosen = {key: _chosen(item, name, others) for key, item in written.items()}
    own = chosen.get(name, {})
    for other in others:
        chosen.pop(other, None)
    return chosen | own


# What an arrangement comes to for one view


class Spread(NamedTuple):
    """A zone on the table: the rectangle a card is dropped on, and a slot for each of its cards."""

    zone: str
    rect: Rect
    slots: tuple[Slot, ...]
    place: Place


class Mat(NamedTuple):
    """A mat to be drawn: its place, the zones whose cards it counts, and the gaps of its words."""

    rect: Rect
    style: str
    caption: str
    zones: tuple[str, ...]
    counted: bool
    gaps: dict[str, int]


class Outline(NamedTuple):
    """The dashed place of a card that may lie there."""

    rect: Rect


class Sign(NamedTuple):
    """A plaque to be drawn: whose it is, its note, and its figures as (text, number)."""

    seat: int
    rect: Rect
    note: str
    figures: tuple[tuple[str, Value], ...]


class Stand(NamedTuple):
    """A piece or a marker where it stands. A layer is (drawing, variables, whether it turns)."""

    name: str
    x: float
    y: float
    size: float
    angle: float
    layers: tuple[tuple[str, dict[str, Any], bool], ...]
    zone: str = ""


class Picture(NamedTuple):
    """A drawing and where it lies."""

    name: str
    rect: Rect
    drawing: str
    variables: dict[str, Any]


class Text(NamedTuple):
    """Words and where they stand."""

    rect: Rect
    text: str
    gaps: dict[str, Value]
    align: str
    size: float
    bold: bool


class Setting(Struct, kw_only=True):
    """A table as laid out for one view and size."""

    surface: Surface
    unit: float
    """Pixels per card width."""
    left: float
    top: float
    """Where the surface begins, in pixels."""
    spreads: dict[str, Spread] = {}
    mats: list[Mat] = []
    outlines: list[Outline] = []
    signs: list[Sign] = []
    pieces: list[Stand] = []
    markers: list[Stand] = []
    pictures: list[Picture] = []
    texts: list[Text] = []

    @property
    def caption(self) -> float:
        """Height of a caption, in card widths."""
        return max(CAPTION, CAPTION_PIXELS / self.unit)

    @property
    def rect(self) -> Rect:
        """The whole surface."""
        return Rect(0.0, 0.0, *self.surface.size)

    def point(self, x: float, y: float) -> Pair:
        """A point of the surface in pixels."""
        return self.left + x * self.unit, self.top + y * self.unit

    def card_units(self, x: float, y: float) -> Pair:
        """A point in pixels as one of the surface."""
        return (x - self.left) / self.unit, (y - self.top) / self.unit


class _Part(NamedTuple):
    """A place of the arrangement with the gaps of its names filled for one seat."""

    place: Place
    gaps: dict[str, int]


def lay(
    layouts: Sequence[Layout],
    view: State,
    size: Pair,
    raised: Mapping[str, int] | None = None,
) -> Setting:
    """The table of this view in a viewport of this size, in pixels.

    `raised` names, for zones, the card (by its place) that is held up: a fan makes room for it.
    """
    layout = max(layouts, key=lambda one: _unit(one, size))
    unit = _unit(layout, size)
    w, h = layout.table.size
    setting = Setting(
        surface=layout.table,
        unit=unit,
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
    for number, drawing in enumerate(layout.drawing):
        for entry, seat_gaps in _entries(drawing, view.seats, gaps):
            _add_picture(setting, entry, f"drawing {number}", seat_gaps, view, layout)
    for label in layout.label:
        for entry, seat_gaps in _entries(label, view.seats, gaps):
            _add_words(setting, entry, seat_gaps, view)
    for number, panel in enumerate(layout.panel):
        _add_panel(setting, panel, number, layout, view, gaps, turned, raised or {})
    for piece in layout.piece:
        _add_piece(setting, piece, view, gaps, turned)
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
    values = view.values
    if any(values.get(key.format_map(gaps)) != value for key, value in entry.when.items()):
        return False
    unless = entry.unless
    return not unless or any(values.get(k.format_map(gaps)) != v for k, v in unless.items())


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
        slots = _slots(place, room, count, raised.get(zone))
        if turned:
            slots = tuple(_reflected(slot, room, place.lie == "side") for slot in slots)
        setting.spreads[zone] = Spread(zone, rect, slots, place)
        if place.label:
            at = Rect(cell.x, cell.y, cell.w, caption)
            size = 0.125
            setting.texts.append(Text(at, place.label, dict(cell_gaps), "centre", size, False))
        if place.mat == "cells":
            setting.mats.append(Mat(rect, "cells", "", (zone,), False, cell_gaps))
        if place.outline:
            capacity = _capacity(place, room)
            for slot in _slots(place, room, max(count, capacity), None)[:capacity]:
                outline = _reflected(slot, room, False) if turned else slot
                setting.outlines.append(Outline(outline.bounds))
    if place.mat == "whole" and place.form != "fan":
        zones = tuple(zone for zone, _, _ in cells)
        setting.mats.append(Mat(place.at, "whole", place.caption, zones, place.count, gaps))
    elif place.caption:
        at = Rect(place.at.x, place.at.y, place.at.w, caption)
        setting.texts.append(Text(at, place.caption, dict(gaps), "left", 0.125, False))


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
            cell = gaps | {"row": place.first + row, "column": place.first + column}
            yield place.zone.format_map(cell), at, cell


def _capacity(place: Place, inner: Rect) -> int:
    """How many places for cards are outlined: as many as lie side by side without overlapping."""
    if place.form == "points":
        return len(place.points)
    if place.form != "row":
        return 1
    w, _ = _extent(place.card, place.lie)
    return max(1, int((inner.w + place.gap + 1e-6) / (w + place.gap)))


def _reflected(slot: Slot, inner: Rect, lying: bool) -> Slot:
    """The slot as it lies for who sits on the other side."""
    x, y = inner.middle
    angle = slot.angle + 180 if lying else slot.angle
    return slot._replace(x=2 * x - slot.x, y=2 * y - slot.y, angle=angle)


def _extent(card: float, lie: str) -> Pair:
    """Width and height of a card as it lies."""
    return (card * CARD_HEIGHT, card) if lie == "side" else (card, card * CARD_HEIGHT)


def _slots(place: Place, inner: Rect, count: int, raised: int | None) -> tuple[Slot, ...]:
    if count == 0:
        return ()
    if place.form == "fan":
        return _fan(inner, count, place.card, place.across, raised)
    if place.form == "grid":
        slots = _wrapped(place, inner, count)
    elif place.form == "cascade":
        slots = _cascade(place, inner, count)
    elif place.form == "points":
        slots = [
            (inner.x + place.points[i % len(place.points)][0],
             inner.y + place.points[i % len(place.points)][1], place.card)
            for i in range(count)
        ]  # fmt: skip
    else:
        slots = _lined(place, inner, count)
    angle = place.tilt + (-90 if place.lie == "side" else 0)
    shown = PILE_SHOWN if place.form in ("pile", "cell") else count
    return tuple(
        Slot(x, y, angle, card, float(i), i >= count - shown)
        for i, (x, y, card) in enumerate(slots)
    )


def _fitted(place: Place, inner: Rect) -> float:
    """The card's width, smaller where the place has no room for it."""
    w, h = _extent(1.0, place.lie)
    return min(place.card, inner.w / w, inner.h / h)


def _lined(place: Place, inner: Rect, count: int) -> list[tuple[float, float, float]]:
    """The cards of a row, column, stack, pile or cell."""
    card = _fitted(place, inner)
    w, h = _extent(card, place.lie)
    x, y = inner.middle
    match place.form:
        case "row":
            step = _step(w + place.gap, inner.w - w, count)
            length = w + step * (count - 1)
            start = inner.x if place.align == "left" else x - length / 2
            return [(start + w / 2 + i * step, y, card) for i in range(count)]
        case "column" | "stack":
            step = _step(h + place.gap if place.form == "column" else STRIP, inner.h - h, count)
            length = h + step * (count - 1)
            start = inner.y if place.align == "left" or place.form == "stack" else y - length / 2
            rows = range(count - 1, -1, -1) if place.upward else range(count)
            return [(x, start + h / 2 + i * step, card) for i in rows]
        case _:
            levels = [max(0, i - (count - min(count, PILE_SHOWN))) for i in range(count)]
            top = min(count, PILE_SHOWN) - 1
            rise = 0.025 * card
            return [
                (x + (top / 2 - level) * rise, y + (top / 2 - level) * rise, card)
                for level in levels
            ]


def _step(wanted: float, room: float, count: int) -> float:
    """From card to card: as wanted, or less where there is too little room."""
    return min(wanted, max(room, 0.0) / (count - 1)) if count > 1 else 0.0


def _wrapped(place: Place, inner: Rect, count: int) -> list[tuple[float, float, float]]:
    """As many rows as show the largest cards."""
    best: tuple[float, int] = (0.0, 1)
    for rows in range(1, count + 1):
        columns = math.ceil(count / rows)
        w, h = _extent(1.0, place.lie)
        fit = min(
            place.card,
            (inner.w - (columns - 1) * place.gap) / columns / w,
            (inner.h - (rows - 1) * place.gap) / rows / h,
        )
        best = max(best, (fit, -rows))
    card, rows = best[0], -best[1]
    columns = math.ceil(count / rows)
    w, h = _extent(card, place.lie)
    x, y = inner.middle
    top = y - (rows * h + (rows - 1) * place.gap) / 2
    wide = columns * w + (columns - 1) * place.gap
    left = inner.x if place.align == "left" else x - wide / 2
    return [
        (
            left + w / 2 + i % columns * (w + place.gap),
            top + h / 2 + i // columns * (h + place.gap),
            card,
        )
        for i in range(count)
    ]


def _cascade(place: Place, inner: Rect, count: int) -> list[tuple[float, float, float]]:
    """Columns of overlapping cards, filled row by row."""
    card = _fitted(place, inner)
    w, h = _extent(card, place.lie)
    columns = max(1, int((inner.w + place.gap + 1e-6) / (w + place.gap)))
    rows = math.ceil(count / columns)
    step = _step(STRIP, inner.h - h, rows)
    wide = min(count, columns)
    length = wide * w + (wide - 1) * place.gap
    left = inner.x if place.align == "left" else inner.middle[0] - length / 2
    return [
        (
            left + w / 2 + i % columns * (w + place.gap),
            inner.y + h / 2 + i // columns * step,
            card,
        )
        for i in range(count)
    ]


def _fan(
    inner: Rect, count: int, card: float, across: bool, raised: int | None
) -> tuple[Slot, ...]:
    """A hand of cards: an arc, open towards who holds it, wholly inside the rectangle."""
    lift = 0.0 if across else RISE * card
    angle = min(FAN_ANGLE, FAN_SPREAD / max(count - 1, 1))
    card = min(card, (inner.h - lift) / CARD_HEIGHT, inner.w)
    while True:
        spots = _arc(inner, count, card, angle)
        high = max(slot.bounds.bottom for slot in spots) - min(slot.bounds.y for slot in spots)
        if high + lift <= inner.h + 1e-9:
            break
        angle = angle - 0.5 if angle > 0.5 else 0.0
        if angle == 0.0:
            spots = _arc(inner, count, card, 0.0)
            break
    first = min(slot.bounds.y for slot in spots)
    down = inner.y + lift + (inner.h - lift - high) / 2 - first
    spots = [slot._replace(y=slot.y + down) for slot in spots]
    if across:
        x, y = inner.middle
        spots = [s._replace(x=2 * x - s.x, y=2 * y - s.y, angle=s.angle + 180) for s in spots]
    elif raised is not None and raised < count:
        spots = _with_raised(inner, spots, raised, lift)
    return tuple(spots)


def _arc(inner: Rect, count: int, card: float, angle: float) -> list[Slot]:
    x, y = inner.middle
    outer = math.radians(angle * (count - 1) / 2)
    end = card * math.cos(outer) + card * CARD_HEIGHT * math.sin(outer)
    step = _step(card * FAN_STEP, inner.w - end, count)
    radius = step / math.sin(math.radians(angle)) if angle else 0.0
    slots = []
    for i in range(count):
        off = i - (count - 1) / 2
        turn = math.radians(off * angle)
        dx = radius * math.sin(turn) if angle else off * step
        slots.append(Slot(x + dx, y + radius * (1 - math.cos(turn)), off * angle, card, float(i)))
    return slots


def _with_raised(inner: Rect, spots: list[Slot], raised: int, lift: float) -> list[Slot]:
    """The card held up lies over the others, which move aside as far as there is room."""
    made = []
    for i, slot in enumerate(spots):
        if i == raised:
            made.append(slot._replace(y=slot.y - lift, z=len(spots) + 1.0))
            continue
        bounds = slot.bounds
        room = inner.right - bounds.right if i > raised else bounds.x - inner.x
        aside = min(0.16 * slot.width, max(room, 0.0))
        made.append(slot._replace(x=slot.x + (aside if i > raised else -aside)))
    return made


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
        variables[word] = view.values.get(key.format_map(gaps), 0)
    variables |= {"w": drawing.at.w * 100, "h": drawing.at.h * 100}
    if drawing.points:
        variables["points"] = [
            ((x - drawing.at.x) * 100, (y - drawing.at.y) * 100)
            for x, y in layout.points[drawing.points]
        ]
    if "seat" in gaps:
        name = f"{name} {gaps['seat']}"
        variables["seat"] = gaps["seat"]
    setting.pictures.append(Picture(name, drawing.at, drawing.drawing, variables))


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
    if not seats:
        return
    spots = panel.spots or _flow(panel.at or setting.rect, panel.size, len(seats))
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


def _flow(region: Rect, size: Pair, count: int) -> list[Rect]:
    """`count` panels of this shape in the region, in the rows that show them largest."""
    gap = 0.12
    best: tuple[float, int] = (0.0, 1)
    for columns in range(1, count + 1):
        rows = math.ceil(count / columns)
        scale = min(
            1.0,
            (region.w - (columns - 1) * gap) / columns / size[0],
            (region.h - (rows - 1) * gap) / rows / size[1],
        )
        best = max(best, (scale, columns))
    scale, columns = best
    rows = math.ceil(count / columns)
    w = (region.w - (columns - 1) * gap) / columns
    h = min((region.h - (rows - 1) * gap) / rows, size[1] * scale)
    return [
        Rect(region.x + i % columns * (w + gap), region.y + i // columns * (h + gap), w, h)
        for i in range(count)
    ]


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
                },
                layer.turns,
            )
            for layer in piece.layers
        )
        x, y = setting.spreads[zone].rect.middle
        there = sum(stand.zone == zone for stand in setting.pieces)
        x += piece.shift[0] + there * piece.size * 0.5
        name = piece.name if seat is None else f"{piece.name} {seat}"
        stand = Stand(name, x, y + piece.shift[1], piece.size, angle % 360, layers, zone)
        setting.pieces.append(stand)


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
        if seat is not None:
            variables["seat"] = seat
        layers = ((marker.drawing, variables, False),)
        setting.markers.append(Stand(f"marker {number} {order}", x, y, marker.size, 0.0, layers))
