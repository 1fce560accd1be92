"""The layout of a game's table, read from `table.toml`. docs/layout.md describes the format.

Lengths are in card widths (a card is `CARD_HEIGHT` high), angles in degrees clockwise. A card's
position is that of its centre.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from tabletop.engine.model import State, Value
from tabletop.games import older_layout
from tabletop.games.films import GameFilms
from tabletop.games.repetition import TomlTable
from tabletop.games.sounds import GameSounds
from tabletop.games.table_look import TableLook
from tabletop.games.typed_toml import TomlFile, unknown_word
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
    def centre(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    def overlap_area(self, other: Rect) -> float:
        """Return the area of the intersection with `other`, in square card widths."""
        width = min(self.right, other.right) - max(self.x, other.x)
        height = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(width, 0.0) * max(height, 0.0)

    def contains(self, other: Rect, slack: float = 1e-6) -> bool:
        """Return whether `other` lies completely inside, within a tolerance of `slack`."""
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )


PlaceForm = Literal["fan", "row", "column", "grid", "cascade", "stack", "pile", "cell", "points"]
SeatRepeat = Literal["", "others", "seats"]
DrawingLevel = Literal["under", "table", "over", "aloft"]
Pair = tuple[float, float]


class LayoutElement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """Base class of places, plaques, drawings and labels.

    Elements, panels and layouts compare by identity, so that they can be cache keys.
    """

    at: Rect
    """The element's rectangle on the table or, inside a panel, on the panel."""
    repeat: SeatRepeat = ""
    """The seats to repeat the element for, starting at the viewer's left; "" to draw it once."""
    step: Pair = (0.0, 0.0)
    """The offset from one copy to the next."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that must all match for the element to be shown; a tuple lists alternatives."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that hide the element if they all match."""


class Place(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arrangement of the cards of one zone, or of a grid of zones."""

    zone: str
    """The zone's name; for a grid, a pattern with {row}, {column} or {cell}."""
    form: PlaceForm = "row"
    """The arrangement of the cards."""
    card: float = 1.0
    """The width of a card."""
    gap: float = 1 / 12
    """The space between cards or cells."""
    rows: int = 1
    """The number of rows of zones."""
    columns: int = 1
    """The number of columns of zones."""
    first: int = 0
    """The number of the first row and the first column."""
    points: tuple[Pair, ...] = ()
    """The centres of the cards, if `form` is "points"."""
    caption: str = ""
    """The title for players."""
    watched: str = ""
    """The title for spectators."""
    label: str = ""
    """The title of each cell of a grid."""
    count: bool = False
    """Whether the number of cards is shown."""
    face: Literal["up", "chip", "down"] = "up"
    """The look of hidden cards: "up" as they are, "chip" as backs with a chip for players who know
    the card, "down" always as backs.
    """
    turn: str = ""
    """The value or zone that decides which cards lie rotated or upside down."""
    down: str = ""
    """The value that makes cards show their backs while it is set."""
    bare: bool = False
    """Whether `down` stops applying when the game is over."""
    lie: Literal["upright", "side", "square"] = "upright"
    """The shape and rotation of cards: "upright", "side" for a quarter turn, "square" for dice."""
    mat: Literal["whole", "cells", "none"] = "whole"
    """The mat below the cards: one for the whole place, one for each cell, or none."""
    outline: bool = False
    """Whether outlines are printed where cards can lie."""
    folds: bool = False
    """Whether the mat shrinks to its caption while the place is empty."""
    align: Literal["left", "centre"] = "centre"
    """The alignment of cards that don't fill the place."""
    across: bool = False
    """Whether a fan is drawn as that of a player on the opposite side of the table."""
    apart: bool = False
    """Whether the cards of a fan overlap only a little."""
    upward: bool = False
    """Whether a column grows upwards."""
    tilt: float = 0.0
    """The angle in degrees by which cards lie askew."""
    board: bool = False
    """Whether the place rotates with the board, which seat 1 sees from the opposite side."""

    @property
    def is_grid(self) -> bool:
        """Whether the place holds a grid of zones."""
        zone = self.zone
        return "{row}" in zone or "{column}" in zone or "{cell}" in zone


class PlaqueFigure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number on a plaque: the number of cards in a zone, or a public value."""

    text: str
    """The label, with a placeholder for the number: "hand {n}"."""
    hint: str = ""
    """The explanation shown when the pointer is over the number."""
    zone: str = ""
    """The zone whose cards are counted."""
    value: str = ""
    """The public value to show instead of a count."""

    def number_in(self, view: State, placeholders: Mapping[str, object]) -> Value | None:
        """Return the number to show for `view`; None if `view` has no such zone and no such value.

        `placeholders` gives the values of the placeholders in the names.
        """
        zone = fill_gaps(self.zone, placeholders)
        if zone in view.cards:
            return len(view.cards[zone])
        return view.values.get(fill_gaps(self.value, placeholders))


class Plaque(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plaque with the name and figures of a player."""

    seat: str
    """The player's placeholder: {me}, {other} or {seat}."""
    notes: tuple[str, ...] = ()
    """A text for each seat, such as the player's role."""
    figures: tuple[PlaqueFigure, ...] = ()
    """The numbers, left to right."""


class PieceRotation(Struct, frozen=True, forbid_unknown_fields=True):
    """The rotation of a piece, as a public value times an angle."""

    value: str
    """The name of the public value."""
    step: float = 45.0
    """Degrees for each unit of the value."""


class Layer(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the stacked drawings that make up a piece."""

    drawing: str
    """The name of the drawing."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """Constant variables for the drawing's template."""
    values: dict[str, str] = {}
    """Template variables that are read from the table: variable name to public value."""
    turns: bool = False
    """Whether the drawing rotates with the piece instead of staying upright."""


class Piece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece that stands on a zone."""

    name: str
    """The name that screen readers and lessons use."""
    zone: str
    """The public value that contains the name of the piece's zone."""
    layers: tuple[Layer, ...]
    """The drawings, bottom to top."""
    size: float = 1.0
    """The width."""
    shift: Pair = (0.0, 0.0)
    """The offset from the zone's centre."""
    turn: PieceRotation | None = None
    """The rotation; None for a piece that doesn't turn."""
    repeat: SeatRepeat = ""
    """The seats to repeat the piece for, as in `LayoutElement`."""
    board: bool = False
    """Whether the piece rotates with the board, as in `Place`."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that must all match for the piece to be shown, as in `LayoutElement`."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that hide the piece if they all match, as in `LayoutElement`."""


class Marker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A marker that moves along a track of points."""

    drawing: str
    """The name of the drawing."""
    value: str
    """The public value that contains the index of the marker's point."""
    points: tuple[Pair, ...] | str
    """The points of the track, or their name in `Layout.points`."""
    size: float = 0.25
    """The width."""
    shift: Pair = (0.0, 0.0)
    """The offset from the point."""
    on: str = ""
    """The zone whose place the marker rotates with."""
    lap: int | None = None
    """The index of the point after the last one on a circular track; None for a track that ends."""
    repeat: SeatRepeat = ""
    """The seats to repeat the marker for, as in `LayoutElement`."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """Constant variables for the drawing's template."""
    values: dict[str, str] = {}
    """Template variables that are read from the table: variable name to public value."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that must all match for the marker to be shown, as in `LayoutElement`."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that hide the marker if they all match, as in `LayoutElement`."""


class Drawing(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture on the table; public values may change it."""

    drawing: str
    """The name of the drawing."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """Constant variables for the drawing's template."""
    values: dict[str, str] = {}
    """Template variables that are read from the table: variable name to public value."""
    blank: Value = 0
    """The default for public values that the table doesn't have."""
    cards: tuple[str, ...] = ()
    """Zones whose top card is passed to the template."""
    held: tuple[str, ...] = ()
    """Zones whose cards are all passed to the template."""
    named: dict[str, str] = {}
    """Public values that contain a card number: name in the template to public value."""
    level: DrawingLevel = "table"
    """The stacking order: "under" everything, on the "table" below cards, "over" cards, or "aloft":
    over everything, with a soft fade.
    """
    spare: bool = False
    """Whether, on the public table, the drawing fills the place that an odd number of players
    leaves free.
    """
    foreseen: bool = False
    """Whether the values are those expected after the selected move."""
    points: str = ""
    """The name of the points in `Layout.points` that are passed to the template."""


class Label(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text on the table; public values may change it."""

    text: str
    """The text, with placeholders."""
    values: dict[str, str] = {}
    """Placeholders that are read from the table: placeholder to public value."""
    counts: dict[str, str] = {}
    """Placeholders for numbers of cards: placeholder to zone."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """Constant texts for placeholders."""
    align: Literal["left", "centre", "right"] = "left"
    """The horizontal alignment in the rectangle."""
    size: float = 0.125
    """The text size, in card widths."""
    bold: bool = False
    """Whether the text is bold."""


class Panel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A group of elements that is repeated for several seats."""

    size: Pair
    """The width and height of the coordinate space of one panel."""
    at: Rect | None = None
    """The area that the panels share."""
    spots: tuple[Rect, ...] = ()
    """The rectangle of each panel, instead of a shared area."""
    sides: tuple[Rect, Rect] | None = None
    """The areas at the left and right that the panels share, instead of one area."""
    columns: int = 1
    """The number of columns in each of the areas in `sides`."""
    repeat: Literal["others", "seats"] | tuple[str, ...] = "others"
    """The seats to show a panel for, or the public values that contain their numbers."""
    place: tuple[Place, ...] = ()
    """The panel's places."""
    plaque: tuple[Plaque, ...] = ()
    """The panel's plaques."""
    label: tuple[Label, ...] = ()
    """The panel's labels."""
    drawing: tuple[Drawing, ...] = ()
    """The panel's drawings."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that must all match for the panels to be shown, as in `LayoutElement`."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """Public values that hide the panels if they all match, as in `LayoutElement`."""


class TableSurface(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Size and general settings of a table's surface."""

    size: Pair
    """The width and height, which are scaled to the viewport."""
    seats: tuple[int, ...] = ()
    """The numbers of players that the layout is for; empty for all."""
    lowest: str | None = None
    """The name of the layout that is this one at its minimum height; "" for the default layout."""
    turned: bool = False
    """Whether seat 1 sees elements marked `board` from the opposite side."""
    prompt: Rect | None = None
    """The area of the prompt."""
    outlook: Rect | None = None
    """The area that lists the outcomes of a choice."""
    play: Rect | None = None
    """The drop area for cards without a target; None to accept them anywhere."""
    dice: Rect | None = None
    """The area where dice are thrown; None for the centre of the table."""
    lingers: tuple[str, ...] = ()
    """Public values whose changes pause the animation so that players can read them."""
    thrown: tuple[str, ...] = ()
    """Public values of the latest roll. Drawings leave them empty while the dice roll."""
    chip: str = ""
    """The drawing on a card that only its owner can see."""
    signs: dict[str, str] = {}
    """A symbol for each ink colour, so that colour is never the only cue."""


class Badge(Struct, frozen=True, forbid_unknown_fields=True):
    """A symbol beside previewed cards whose face has certain fields."""

    text: str
    """The symbol."""
    card: dict[str, Value]
    """The fields that a face must have, with their values."""


class Gesture(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The interaction for moves of one verb, and their appearance while other players still
    answer.
    """

    chooser: Literal["list", "dial"] = "list"
    """The widget for choices: a list, or a dial around a piece."""
    turns: dict[str, float] = {}
    """The rotation in degrees of the placed card, by choice."""
    waits: dict[str, str] = {}
    """The zones where a played card waits, by its target zone."""
    stays: bool = False
    """Whether the move only names its card, which stays in place."""
    menu: bool = False
    """Whether a second press on the card offers the move and no target is highlighted."""
    carries: bool = False
    """Whether the top card of the named zone moves to the zone of the choice."""
    quiet: bool = False
    """Whether a zone that the move names without a card is highlighted only under pointer or
    focus.
    """
    button: bool = False
    """Whether the move has a button although it names a card, as for cards used right after a
    roll.
    """
    gives_up: bool = False
    """Whether the move gives something up, so that its button never has the accent colour."""


class Layout(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """One layout of a game's table, as written in `table.toml`."""

    table: TableSurface
    """The surface's size and settings."""
    look: TableLook | None = None
    """The colours; None for the program's default colours."""
    sounds: GameSounds = GameSounds()
    """The sounds of events."""
    films: GameFilms = GameFilms()
    """The animations of events."""
    verbs: dict[str, Gesture] = {}
    """The gesture of each verb."""
    badge: tuple[Badge, ...] = ()
    """The badges of previewed cards."""
    points: dict[str, tuple[Pair, ...]] = {}
    """Named lists of points, for markers and drawings."""
    place: tuple[Place, ...] = ()
    """The places for cards."""
    panel: tuple[Panel, ...] = ()
    """The panels, each repeated for several seats."""
    plaque: tuple[Plaque, ...] = ()
    """The players' plaques."""
    piece: tuple[Piece, ...] = ()
    """The pieces on zones."""
    marker: tuple[Marker, ...] = ()
    """The markers on tracks of points."""
    drawing: tuple[Drawing, ...] = ()
    """The pictures on the table."""
    label: tuple[Label, ...] = ()
    """The texts on the table."""

    @property
    def movement_prefixes(self) -> tuple[str, ...]:
        """The prefixes of the public values that move or rotate pieces and markers."""
        moving = [piece.zone for piece in self.piece] + [marker.value for marker in self.marker]
        moving += [piece.turn.value for piece in self.piece if piece.turn is not None]
        return tuple(name.partition("{")[0] for name in moving)

    def gesture(self, verb: str) -> Gesture:
        """Return the gesture for moves of this verb; the default gesture if none is defined."""
        return self.verbs.get(verb, Gesture())


class LookAndSounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Colours and sounds: the only entries of a `table.toml` that leaves the layout to the
    program.
    """

    look: TableLook | None = None
    """The colours; None for the program's default colours."""
    sounds: GameSounds = GameSounds()
    """The sounds of events."""


def has_layout(file: TomlFile) -> bool:
    """Return whether `file` contains more than colours and sounds."""
    return not set(file.table) <= set(LookAndSounds.__struct_fields__)


def with_look_and_sounds(layouts: Sequence[Layout], file: TomlFile) -> tuple[Layout, ...]:
    """Return `layouts` with the colours and sounds from `file`.

    Raises:
        BrokenFile: an entry in `file` is unknown, missing or invalid.
    """
    manner = file.read(LookAndSounds)
    return tuple(replace(each, look=manner.look, sounds=manner.sounds) for each in layouts)


class StretchableLayout(Layout, frozen=True, kw_only=True, eq=False):
    """A layout that stretches to the viewport's height, from that of `low` up to its own."""

    low: Layout
    """The layout at the minimum height."""


ONLY_KEY = "only"
"""The key of an entry that names the only layouts the entry is part of."""
PUBLIC_LAYOUT = "public"
"""The name of the layout for the public table."""


class PublicLayout(Layout, frozen=True, kw_only=True, eq=False):
    """The layout of the public table, which has no viewer: elements that name {me} are left out."""


def layouts_for(layouts: Sequence[Layout], seats: int) -> tuple[Layout, ...]:
    """Return the layouts designed for `seats` players; all of `layouts` if none is."""
    made = (one for one in layouts if not one.table.seats or seats in one.table.seats)
    return tuple(made) or tuple(layouts)


def read_layouts(file: TomlFile) -> tuple[Layout, ...]:
    """Return the layouts that a `table.toml` describes, the default one first.

    Entries in older formats are converted first.

    Raises:
        BrokenFile: an entry is unknown, missing or invalid.
    """
    older_layout.convert_older_entries(file)
    table = file.table.get("table", {}).items()
    others = [name for name, entry in table if isinstance(entry, dict) and "size" in entry]
    _check_only(file, file.table, ("", *others))
    made: dict[str, Layout] = {}
    for name in sorted(("", *others), key=lambda each: "lowest" in _surface_entry(file, each)):
        made[name] = _read_layout(file, name, others, made)
    return tuple(made[name] for name in ("", *others))


def _read_layout(
    file: TomlFile, name: str, others: Collection[str], made: dict[str, Layout]
) -> Layout:
    """Read one layout. `made` contains the layouts that its `lowest` entry may name."""
    lowest = _surface_entry(file, name).get("lowest")
    if lowest is None:
        kind = PublicLayout if name == PUBLIC_LAYOUT else Layout
        return file.read(kind, _select_layout(file.table, (name,), others))
    path = ("table", name, "lowest") if name else ("table", "lowest")
    if lowest not in made:
        raise file.entry_error(path, unknown_word(str(lowest), made))
    layout, low = (
        file.read(Layout, _select_layout(file.table, (lowest, name), others)),
        made[lowest],
    )
    if layout.table.size[0] != low.table.size[0] or layout.table.size[1] <= low.table.size[1]:
        raise file.entry_error(
            path, "this arrangement must be as wide as its lowest form, and higher"
        )
    own = {field: getattr(layout, field) for field in Layout.__struct_fields__}
    return StretchableLayout(**own, low=low)


def _check_only(file: TomlFile, part: Any, known: Collection[str]) -> None:
    """Refuse an `only` entry that names an unknown layout, as nothing would ever show its
    element.
    """
    match part:
        case TomlTable():
            for name in _only_layouts(part, ()):
                if name not in known:
                    raise file.entry_error(part.paths[ONLY_KEY], unknown_word(str(name), known))
            for entry in part.values():
                _check_only(file, entry, known)
        case list():
            for entry in part:
                _check_only(file, entry, known)


def _only_layouts(entry: TomlTable, usual: Sequence[Any]) -> Sequence[Any]:
    """Return the names in an `only` entry; `usual` if there is none."""
    only = entry.get(ONLY_KEY, usual)
    return [only] if isinstance(only, str) else only


def _surface_entry(file: TomlFile, name: str) -> Mapping[str, Any]:
    """Return the `[table]` entry of a layout as written."""
    table: Mapping[str, Any] = file.table.get("table", {})
    own: Mapping[str, Any] = table[name] if name else table
    return own


def _select_layout(table: TomlTable, names: tuple[str, ...], others: Collection[str]) -> TomlTable:
    """Return the part of `table` for one layout: shared entries, overridden by the layout's own.

    `names` are those of the layout and, before it, of the layout that it stretches.
    """
    arranged = TomlTable(table.path)
    for key, part in table.items():
        if key != ONLY_KEY and not (
            key in others and (isinstance(part, TomlTable) or part is False)
        ):
            arranged.add_entry(key, _select_entry(part, names, others), table.paths[key])
    for name in names:
        if isinstance(own := table.get(name), TomlTable):
            arranged.merge_entries(_select_layout(own, names, others))
    return arranged


def _select_entry(part: Any, names: tuple[str, ...], others: Collection[str]) -> Any:
    match part:
        case TomlTable():
            return _select_layout(part, names, others)
        case list():
            return [
                _select_entry(each, names, others) for each in part if not _is_left_out(each, names)
            ]
        case _:
            return part


def _is_left_out(entry: Any, names: tuple[str, ...]) -> bool:
    """Return whether `entry` isn't part of the layout called `names`."""
    if not isinstance(entry, TomlTable):
        return False
    left_out = any(entry.get(name) is False for name in names)
    return left_out or set(names).isdisjoint(_only_layouts(entry, names))
