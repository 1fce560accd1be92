"""The layout of a game's table: its `table.toml`, with the grammar of docs/layout.md.

Lengths are card widths (a card is `CARD_HEIGHT` high), angles degrees clockwise, and the point of
a card is its middle.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from tabletop.engine.model import Value
from tabletop.games.repetition import Written
from tabletop.games.sounds import GameSounds
from tabletop.games.typed_toml import TomlFile

CARD_HEIGHT = 1.4
"""Height of a card in card widths."""


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
Pair = tuple[float, float]


class LayoutElement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """The common part of places, plaques, drawings and labels.

    Elements are compared by identity, as panels and layouts are, so that what is computed from one
    can be cached.
    """

    at: Rect
    repeat: Repeat = ""
    step: Pair = (0.0, 0.0)
    when: dict[str, Value | tuple[Value, ...]] = {}
    unless: dict[str, Value | tuple[Value, ...]] = {}


class Place(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arrangement of a zone's cards, or of rows and columns of zones."""

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
    face: Literal["up", "chip", "down"] = "up"
    turn: str = ""
    down: str = ""
    bare: bool = False
    lie: Literal["upright", "side", "square"] = "upright"
    """Upright, turned by a quarter, or dice, which are as high as they are wide."""
    mat: Literal["whole", "cells", "none"] = "whole"
    outline: bool = False
    align: Literal["left", "centre"] = "centre"
    across: bool = False
    apart: bool = False
    upward: bool = False
    tilt: float = 0.0
    board: bool = False

    @property
    def many(self) -> bool:
        """Whether it holds rows or columns of zones."""
        zone = self.zone
        return "{row}" in zone or "{column}" in zone or "{cell}" in zone


class PlaqueFigure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number on a plaque: a zone's count of cards, or a value."""

    text: str
    hint: str = ""
    """The meaning of the number, shown when a plaque is pointed at."""
    zone: str = ""
    value: str = ""


class Plaque(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The name and figures of a player."""

    seat: str
    notes: tuple[str, ...] = ()
    figures: tuple[PlaqueFigure, ...] = ()


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    """The rotation of a piece: a number of degrees times a value."""

    value: str
    step: float = 45.0


class Layer(Struct, frozen=True, forbid_unknown_fields=True):
    """One drawing of a piece; `turns` with it or stays upright."""

    drawing: str
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    values: dict[str, str] = {}
    turns: bool = False


class Piece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece on a zone."""

    name: str
    zone: str
    layers: tuple[Layer, ...]
    size: float = 1.0
    shift: Pair = (0.0, 0.0)
    turn: Turn | None = None
    repeat: Repeat = ""
    board: bool = False
    when: dict[str, Value | tuple[Value, ...]] = {}
    unless: dict[str, Value | tuple[Value, ...]] = {}


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
    values: dict[str, str] = {}
    when: dict[str, Value | tuple[Value, ...]] = {}
    unless: dict[str, Value | tuple[Value, ...]] = {}


class Drawing(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture that may depend on values."""

    drawing: str
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    values: dict[str, str] = {}
    blank: Value = 0
    cards: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    named: dict[str, str] = {}
    over: bool = False
    under: bool = False
    aloft: bool = False
    foreseen: bool = False
    points: str = ""


class Label(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words that may depend on values."""

    text: str
    values: dict[str, str] = {}
    counts: dict[str, str] = {}
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    align: Literal["left", "centre", "right"] = "left"
    size: float = 0.125
    bold: bool = False


class Panel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A part of the layout that is repeated for several seats."""

    size: Pair
    at: Rect | None = None
    spots: tuple[Rect, ...] = ()
    sides: tuple[Rect, Rect] | None = None
    repeat: Literal["others", "seats"] = "others"
    of: tuple[str, ...] = ()
    place: tuple[Place, ...] = ()
    plaque: tuple[Plaque, ...] = ()
    label: tuple[Label, ...] = ()
    drawing: tuple[Drawing, ...] = ()
    when: dict[str, Value | tuple[Value, ...]] = {}
    unless: dict[str, Value | tuple[Value, ...]] = {}


class TableSurface(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The surface below everything."""

    size: Pair
    turned: bool = False
    prompt: Rect | None = None
    outlook: Rect | None = None
    play: Rect | None = None
    dice: Rect | None = None
    lingers: tuple[str, ...] = ()
    chip: str = ""
    signs: dict[str, str] = {}


class Badge(Struct, frozen=True, forbid_unknown_fields=True):
    """A sign beside a card that counts for something, if its face has all these fields."""

    text: str
    card: dict[str, Value]


class Gesture(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move's gesture on the table, and its look until all have answered."""

    chooser: Literal["list", "dial"] = "list"
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
    sounds: GameSounds = GameSounds()
    verbs: dict[str, Gesture] = {}
    badge: tuple[Badge, ...] = ()
    points: dict[str, tuple[Pair, ...]] = {}
    place: tuple[Place, ...] = ()
    panel: tuple[Panel, ...] = ()
    plaque: tuple[Plaque, ...] = ()
    piece: tuple[Piece, ...] = ()
    marker: tuple[Marker, ...] = ()
    drawing: tuple[Drawing, ...] = ()
    label: tuple[Label, ...] = ()

    @property
    def strides(self) -> tuple[str, ...]:
        """The beginnings of the values by which pieces and markers go."""
        moving = [piece.zone for piece in self.piece] + [marker.value for marker in self.marker]
        moving += [piece.turn.value for piece in self.piece if piece.turn is not None]
        return tuple(name.partition("{")[0] for name in moving)

    def gesture(self, verb: str) -> Gesture:
        """Return the gesture for moves of this verb."""
        return self.verbs.get(verb, Gesture())


def read(file: TomlFile) -> tuple[Layout, ...]:
    """The arrangements that a table.toml describes, the ordinary one first.

    Raises:
        BrokenFile: an entry is misspelt, or lacks something.
    """
    table = file.table.get("table", {}).items()
    others = [name for name, entry in table if isinstance(entry, dict) and "size" in entry]
    return tuple(file.read(Layout, _arranged(file.table, name, others)) for name in ("", *others))


def _arranged(table: Written, name: str, others: Collection[str]) -> Written:
    """The table of one arrangement: its own entries in place, those of the others left out."""
    arranged = Written(table.path)
    for key, part in table.items():
        if not (key in others and isinstance(part, Written)):
            arranged.put(key, _chosen(part, name, others), table.paths[key])
    if isinstance(own := table.get(name), Written):
        arranged.join(_arranged(own, name, others))
    return arranged


def _chosen(part: Any, name: str, others: Collection[str]) -> Any:
    match part:
        case Written():
            return _arranged(part, name, others)
        case list():
            return [_chosen(each, name, others) for each in part]
        case _:
            return part
