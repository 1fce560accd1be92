"""The layout of a game's table: its `table.toml`, with the grammar of docs/layout.md.

Lengths are card widths (a card is `CARD_HEIGHT` high), angles degrees clockwise, and the point of
a card is its middle.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from tabletop.engine.model import State, Value
from tabletop.games import older_layout
from tabletop.games.films import GameFilms
from tabletop.games.repetition import Written
from tabletop.games.sounds import GameSounds
from tabletop.games.table_look import TableLook
from tabletop.games.typed_toml import TomlFile, unknown
from tabletop.text.phrases import fill_gaps

CARD_HEIGHT = 1.4
"""Height of a card in card widths."""


class Rect(NamedTuple):
    """A rectangle, in card widths."""

    x: float
    """The left edge."""
    y: float
    """The top edge."""
    w: float
    """The width."""
    h: float
    """The height."""

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
        (x, y, w, h), (left, top, wide, high) = self, other
        across = min(x + w, left + wide) - max(x, left)
        down = min(y + h, top + high) - max(y, top)
        return max(across, 0.0) * max(down, 0.0)

    def around(self, other: Rect, slack: float = 1e-6) -> bool:
        """Whether the other is wholly inside."""
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )


Form = Literal["fan", "row", "column", "grid", "cascade", "stack", "pile", "cell", "points"]
Repeat = Literal["", "others", "seats"]
Level = Literal["under", "table", "over", "aloft"]
Pair = tuple[float, float]


class LayoutElement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """The common part of places, plaques, drawings and labels.

    Elements are compared by identity, as panels and layouts are, so that what is computed from one
    can be cached.
    """

    at: Rect
    """The rectangle on the surface, or on the panel."""
    repeat: Repeat = ""
    """The seats for each of which it is repeated, from the viewer's left on; "" for none."""
    step: Pair = (0.0, 0.0)
    """The way from one repetition to the next."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """It is there while all these values are so; a tuple means any of them."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """It is not there while all these values are so."""


class Place(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arrangement of a zone's cards, or of rows and columns of zones."""

    zone: str
    """The zone; of several, their name with {row}, {column} or {cell}."""
    form: Form = "row"
    """How the cards lie."""
    card: float = 1.0
    """The width of a card."""
    gap: float = 1 / 12
    """The room between cards or cells."""
    rows: int = 1
    """The number of rows of zones."""
    columns: int = 1
    """The number of columns of zones."""
    first: int = 0
    """The number of the first row, and of the first column."""
    points: tuple[Pair, ...] = ()
    """The middles of the cards, where the form is `points`."""
    caption: str = ""
    """The title."""
    watched: str = ""
    """The title for those who only watch."""
    label: str = ""
    """The title of each cell."""
    count: bool = False
    """Whether the cards are counted."""
    face: Literal["up", "chip", "down"] = "up"
    """Hidden cards as they are, as backs with a chip for who knows them, or all as backs."""
    turn: str = ""
    """The value or zone by which cards lie upside down or turned."""
    down: str = ""
    """The value while which cards show their backs."""
    bare: bool = False
    """Whether they do so only until the game is over."""
    lie: Literal["upright", "side", "square"] = "upright"
    """Upright, turned by a quarter, or dice, which are as high as they are wide."""
    mat: Literal["whole", "cells", "none"] = "whole"
    """The mat below all of it, below each cell, or none."""
    outline: bool = False
    """Whether places for cards are printed."""
    folds: bool = False
    """Whether its mat shrinks to its caption while no card is there."""
    align: Literal["left", "centre"] = "centre"
    """Where fewer cards lie than there is room for."""
    across: bool = False
    """Whether a fan is that of somebody who sits across the table."""
    apart: bool = False
    """Whether the cards of a fan overlap little."""
    upward: bool = False
    """Whether a column grows upward."""
    tilt: float = 0.0
    """The angle in degrees by which cards lie askew."""
    board: bool = False
    """Whether it turns with a surface that seat 1 sees from the other side."""

    @property
    def many(self) -> bool:
        """Whether it holds rows or columns of zones."""
        zone = self.zone
        return "{row}" in zone or "{column}" in zone or "{cell}" in zone


class PlaqueFigure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number on a plaque: a zone's count of cards, or a value."""

    text: str
    """The words, with a gap for the number: "hand {n}"."""
    hint: str = ""
    """The meaning of the number, shown when a plaque is pointed at."""
    zone: str = ""
    """The zone whose cards are counted."""
    value: str = ""
    """The value that is shown, instead of a count."""

    def number(self, view: State, gaps: Mapping[str, object]) -> Value | None:
        """Its number at this table; None where the table has none."""
        zone = fill_gaps(self.zone, gaps)
        if zone in view.cards:
            return len(view.cards[zone])
        return view.values.get(fill_gaps(self.value, gaps))


class Plaque(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name and figures of a player."""

    seat: str
    """The player: {me}, {other} or {seat}."""
    notes: tuple[str, ...] = ()
    """A word for each seat, such as its role."""
    figures: tuple[PlaqueFigure, ...] = ()
    """The numbers, from left to right."""


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    """The rotation of a piece: a number of degrees times a value."""

    value: str
    """The value."""
    step: float = 45.0
    """The degrees for each of its steps."""


class Layer(Struct, frozen=True, forbid_unknown_fields=True):
    """One drawing of a piece; `turns` with it or stays upright."""

    drawing: str
    """The drawing's name."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """The variables it is given, always the same."""
    values: dict[str, str] = {}
    """The variables it is given from the table: their names, and the values they hold."""
    turns: bool = False
    """Whether it turns with the piece."""


class Piece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece on a zone."""

    name: str
    """Its name, for words and lessons."""
    zone: str
    """The value that names its zone."""
    layers: tuple[Layer, ...]
    """Its drawings, the lowest first."""
    size: float = 1.0
    """Its width."""
    shift: Pair = (0.0, 0.0)
    """The way from the middle of the zone."""
    turn: Turn | None = None
    """How it is turned."""
    repeat: Repeat = ""
    """The seats for which it is repeated, as in a `LayoutElement`."""
    board: bool = False
    """Whether it turns with the surface, as in a `Place`."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """It is there while all these values are so, as in a `LayoutElement`."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """It is not there while all these values are so, as in a `LayoutElement`."""


class Marker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that moves along points."""

    drawing: str
    """The drawing."""
    value: str
    """The value with the number of its point."""
    points: tuple[Pair, ...] | str
    """The points, or their name in `Layout.points`."""
    size: float = 0.25
    """Its width."""
    shift: Pair = (0.0, 0.0)
    """The way from its point."""
    on: str = ""
    """The zone with whose place it turns."""
    lap: int | None = None
    """The point that follows the last one; None where the track ends there."""
    repeat: Repeat = ""
    """The seats for which it is repeated, as in a `LayoutElement`."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """The variables its drawing is given, always the same."""
    values: dict[str, str] = {}
    """The variables its drawing is given from the table: their names, and the values they hold."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """It is there while all these values are so, as in a `LayoutElement`."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """It is not there while all these values are so, as in a `LayoutElement`."""


class Drawing(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture that may depend on values."""

    drawing: str
    """The drawing."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """The variables it is given, always the same."""
    values: dict[str, str] = {}
    """The variables it is given from the table: their names, and the values they hold."""
    blank: Value = 0
    """The value it is given where the table lacks one."""
    cards: tuple[str, ...] = ()
    """Zones whose top card is passed to it."""
    held: tuple[str, ...] = ()
    """Zones whose cards are all passed to it."""
    named: dict[str, str] = {}
    """Values that are the number of a card, by the name it has in the drawing."""
    level: Level = "table"
    """Under everything, on the table below cards, over cards, or aloft: over everything, with a
    soft fade."""
    spare: bool = False
    """Whether it takes, at the public table, the place that an odd number of players leaves free
    among theirs."""
    foreseen: bool = False
    """Whether its values are those that the half-made move would bring."""
    points: str = ""
    """The name of the points that are passed to it."""


class Label(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words that may depend on values."""

    text: str
    """The words, with gaps."""
    values: dict[str, str] = {}
    """The values in the gaps."""
    counts: dict[str, str] = {}
    """The zones whose number of cards is in a gap."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """The texts in gaps that are always the same."""
    align: Literal["left", "centre", "right"] = "left"
    """Where they are in the rectangle."""
    size: float = 0.125
    """The height of the letters."""
    bold: bool = False
    """Whether they are bold."""


class Panel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A part of the layout that is repeated for several seats."""

    size: Pair
    """The surface of one panel."""
    at: Rect | None = None
    """The room in which they flow."""
    spots: tuple[Rect, ...] = ()
    """The place of each, instead of a room."""
    sides: tuple[Rect, Rect] | None = None
    """The rooms at the left and at the right, instead of one."""
    columns: int = 1
    """The number of columns in each of these two rooms."""
    repeat: Literal["others", "seats"] | tuple[str, ...] = "others"
    """The seats that have one, or the values that name them."""
    place: tuple[Place, ...] = ()
    """Its places."""
    plaque: tuple[Plaque, ...] = ()
    """Its plaques."""
    label: tuple[Label, ...] = ()
    """Its labels."""
    drawing: tuple[Drawing, ...] = ()
    """Its drawings."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """It is there while all these values are so, as in a `LayoutElement`."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """It is not there while all these values are so, as in a `LayoutElement`."""


class TableSurface(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The surface below everything."""

    size: Pair
    """The surface, scaled to the viewport."""
    seats: tuple[int, ...] = ()
    """The numbers of players for which the arrangement is made; none: all."""
    lowest: str | None = None
    """The arrangement of the same width whose highest form this one is; "" is the ordinary one."""
    turned: bool = False
    """Whether seat 1 sees what is marked `board` from the other side."""
    prompt: Rect | None = None
    """The room for the prompt."""
    outlook: Rect | None = None
    """Where the outcomes of a choice are listed."""
    play: Rect | None = None
    """Where a card without a target is dropped; None for anywhere."""
    dice: Rect | None = None
    """Where dice are thrown; None for the middle."""
    lingers: tuple[str, ...] = ()
    """Values whose change is given time to be read."""
    thrown: tuple[str, ...] = ()
    """Values that tell of the last throw: drawings show them empty while dice are thrown."""
    chip: str = ""
    """The drawing for a card that only its owner sees."""
    signs: dict[str, str] = {}
    """A sign for each ink, so that colour is never alone."""


class Badge(Struct, frozen=True, forbid_unknown_fields=True):
    """A sign beside a card that counts for something, if its face has all these fields."""

    text: str
    """The sign."""
    card: dict[str, Value]
    """The fields of a face, and what they must be."""


class Gesture(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move's gesture on the table, and its look until all have answered."""

    chooser: Literal["list", "dial"] = "list"
    """How a choice is made: from a list, or by turning a piece."""
    turns: dict[str, float] = {}
    """The angle in degrees by which a choice turns the placed card."""
    waits: dict[str, str] = {}
    """The zone where cards for a zone wait, if not there."""
    stays: bool = False
    """Whether the card is only named, and stays in place."""
    menu: bool = False
    """Whether a second press on the card offers it; no place lights up for it."""
    carries: bool = False
    """Whether the top card of the named place is carried to the place of its choice."""
    quiet: bool = False
    """Whether a place that it names without a card is lit only while pointer or focus is there."""
    button: bool = False
    """Whether it has a button although it names a card, for cards used right after a roll."""
    gives_up: bool = False
    """Whether it is a renunciation: its button never has the accent colour."""


class Layout(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """One arrangement of a game's table, as written."""

    table: TableSurface
    """The surface."""
    look: TableLook | None = None
    """Its colours; None for the program's own."""
    sounds: GameSounds = GameSounds()
    """The sounds, and their events."""
    films: GameFilms = GameFilms()
    """The films, and their events."""
    verbs: dict[str, Gesture] = {}
    """The gesture of each verb."""
    badge: tuple[Badge, ...] = ()
    """Signs beside previewed cards."""
    points: dict[str, tuple[Pair, ...]] = {}
    """Points by name, for markers and drawings."""
    place: tuple[Place, ...] = ()
    """Where cards are."""
    panel: tuple[Panel, ...] = ()
    """The panels, which several seats have."""
    plaque: tuple[Plaque, ...] = ()
    """The players."""
    piece: tuple[Piece, ...] = ()
    """The pieces."""
    marker: tuple[Marker, ...] = ()
    """The markers, which move along points."""
    drawing: tuple[Drawing, ...] = ()
    """The pictures."""
    label: tuple[Label, ...] = ()
    """The words."""

    @property
    def strides(self) -> tuple[str, ...]:
        """The beginnings of the values by which pieces and markers go."""
        moving = [piece.zone for piece in self.piece] + [marker.value for marker in self.marker]
        moving += [piece.turn.value for piece in self.piece if piece.turn is not None]
        return tuple(name.partition("{")[0] for name in moving)

    def gesture(self, verb: str) -> Gesture:
        """Return the gesture for moves of this verb."""
        return self.verbs.get(verb, Gesture())


class Manner(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of a table.toml that is no layout: alone in it, for a table laid out by the
    program."""

    look: TableLook | None = None
    """The colours, as in a `Layout`."""
    sounds: GameSounds = GameSounds()
    """The sounds, as in a `Layout`."""


def has_layout(file: TomlFile) -> bool:
    """Whether a file says more than the colours and sounds of a table."""
    return not set(file.table) <= set(Manner.__struct_fields__)


def in_manner(layouts: Sequence[Layout], file: TomlFile) -> tuple[Layout, ...]:
    """These arrangements with the colours and sounds that a file has.

    Raises:
        BrokenFile: an entry is misspelt, or lacks something.
    """
    manner = file.read(Manner)
    return tuple(replace(each, look=manner.look, sounds=manner.sounds) for each in layouts)


class RisingLayout(Layout, frozen=True, kw_only=True, eq=False):
    """An arrangement that is as high as the viewport has room, from its lowest form up to this."""

    low: Layout
    """Its lowest form."""


ONLY = "only"
"""The names of the arrangements that alone have an entry."""
PUBLIC = "public"
"""The name of the arrangement for everybody in the room."""


class PublicLayout(Layout, frozen=True, kw_only=True, eq=False):
    """The arrangement of the public table: it is nobody's, so what names {me} is not there."""


def layouts_for(layouts: Sequence[Layout], seats: int) -> tuple[Layout, ...]:
    """Return those of the arrangements that are made for so many players; all where none is."""
    made = (one for one in layouts if not one.table.seats or seats in one.table.seats)
    return tuple(made) or tuple(layouts)


def read(file: TomlFile) -> tuple[Layout, ...]:
    """The arrangements that a table.toml describes, the ordinary one first; its older entries are
    converted.

    Raises:
        BrokenFile: an entry is misspelt, or lacks something.
    """
    older_layout.convert(file)
    table = file.table.get("table", {}).items()
    others = [name for name, entry in table if isinstance(entry, dict) and "size" in entry]
    _check_only(file, file.table, ("", *others))
    made: dict[str, Layout] = {}
    for name in sorted(("", *others), key=lambda each: "lowest" in _surface(file, each)):
        made[name] = _read(file, name, others, made)
    return tuple(made[name] for name in ("", *others))


def _read(file: TomlFile, name: str, others: Collection[str], made: dict[str, Layout]) -> Layout:
    """One arrangement; `made` are those that it may be the highest form of."""
    lowest = _surface(file, name).get("lowest")
    if lowest is None:
        kind = PublicLayout if name == PUBLIC else Layout
        return file.read(kind, _arrange(file.table, (name,), others))
    path = ("table", name, "lowest") if name else ("table", "lowest")
    if lowest not in made:
        raise file.broken(path, unknown(str(lowest), made))
    layout, low = file.read(Layout, _arrange(file.table, (lowest, name), others)), made[lowest]
    if layout.table.size[0] != low.table.size[0] or layout.table.size[1] <= low.table.size[1]:
        raise file.broken(path, "this arrangement must be as wide as its lowest form, and higher")
    own = {field: getattr(layout, field) for field in Layout.__struct_fields__}
    return RisingLayout(**own, low=low)


def _check_only(file: TomlFile, part: Any, known: Collection[str]) -> None:
    """Refuse an entry for an arrangement that there isn't: it would be seen nowhere."""
    match part:
        case Written():
            for name in _only(part, ()):
                if name not in known:
                    raise file.broken(part.paths[ONLY], unknown(str(name), known))
            for entry in part.values():
                _check_only(file, entry, known)
        case list():
            for entry in part:
                _check_only(file, entry, known)


def _only(entry: Written, usual: Sequence[Any]) -> Sequence[Any]:
    """The arrangements that alone have an entry; the `usual` ones where it names none."""
    only = entry.get(ONLY, usual)
    return [only] if isinstance(only, str) else only


def _surface(file: TomlFile, name: str) -> Mapping[str, Any]:
    """What is written about the surface of an arrangement."""
    table: Mapping[str, Any] = file.table.get("table", {})
    own: Mapping[str, Any] = table[name] if name else table
    return own


def _arrange(table: Written, names: tuple[str, ...], others: Collection[str]) -> Written:
    """The table of one arrangement: its own entries in place, those of the others left out. The
    last of the names is its own, the first that of its lowest form."""
    arranged = Written(table.path)
    for key, part in table.items():
        if key != ONLY and not (key in others and (isinstance(part, Written) or part is False)):
            arranged.put(key, _choose(part, names, others), table.paths[key])
    for name in names:
        if isinstance(own := table.get(name), Written):
            arranged.join(_arrange(own, names, others))
    return arranged


def _choose(part: Any, names: tuple[str, ...], others: Collection[str]) -> Any:
    match part:
        case Written():
            return _arrange(part, names, others)
        case list():
            return [_choose(each, names, others) for each in part if not _left_out(each, names)]
        case _:
            return part


def _left_out(entry: Any, names: tuple[str, ...]) -> bool:
    """Whether an entry is not in this arrangement."""
    if not isinstance(entry, Written):
        return False
    left_out = any(entry.get(name) is False for name in names)
    return left_out or set(names).isdisjoint(_only(entry, names))
