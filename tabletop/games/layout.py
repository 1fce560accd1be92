"""The layout of a game's table, read from `table.toml`; docs/layout.md describes the format.

Lengths are in card widths (a card is `CARD_HEIGHT` high), angles in degrees clockwise. The position
of a card is that of its centre.
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
"""The height of a card, in card widths."""


class Rect(NamedTuple):
    """A rectangle, in card widths from the top left corner of the table or panel."""

    x: float
    """The position of the left edge."""
    y: float
    """The position of the top edge."""
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
        """Return the area, in square card widths, that the rectangle shares with `other`."""
        width = min(self.right, other.right) - max(self.x, other.x)
        height = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(width, 0.0) * max(height, 0.0)

    def contains(self, other: Rect, slack: float = 1e-6) -> bool:
        """Return whether `other` lies completely inside,
        with a tolerance of `slack` card widths.
        """
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

    Elements, panels and layouts are compared by identity, so that they can be cache keys.
    """

    at: Rect
    """The rectangle that the element fills on the table; for an element of a panel,
    on the panel.
    """
    repeat: SeatRepeat = ""
    """The players to repeat the element for, from the viewer's left on: "others" for all opponents,
    "seats" for all players, "" to draw the element once.
    """
    step: Pair = (0.0, 0.0)
    """The horizontal and vertical offset from one copy to the next."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """The element is shown only if these public values all match; a tuple lists alternatives."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """The element is hidden if these public values all match; a tuple lists alternatives."""


class Place(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where and how the cards of a zone, or of a grid of zones, are laid out."""

    zone: str
    """The name of the zone; for a grid, a pattern with {row}, {column} or {cell}."""
    form: PlaceForm = "row"
    """How the cards are arranged."""
    card: float = 1.0
    """The width of a card on this place, in card widths."""
    gap: float = 1 / 12
    """The space between two cards or two cells, in card widths."""
    rows: int = 1
    """The number of rows in a grid of zones."""
    columns: int = 1
    """The number of columns in a grid of zones."""
    first: int = 0
    """The number of the first row and of the first column."""
    points: tuple[Pair, ...] = ()
    """The centre of each card, if `form` is "points"."""
    caption: str = ""
    """The title that players see."""
    watched: str = ""
    """The title that spectators see."""
    label: str = ""
    """The title of each cell in a grid."""
    count: bool = False
    """Whether the number of cards is shown."""
    face: Literal["up", "chip", "down"] = "up"
    """How hidden cards look: "up" for their usual look, "chip" for backs with a chip for players
    who know the card, "down" for backs.
    """
    turn: str = ""
    """The public value or zone that decides which cards are rotated or upside down."""
    card_turn: str = ""
    """The public values with the angles of single face-up cards in degrees, with {card} as a
    placeholder for the card's number.
    """
    staggered: bool = False
    """Whether every second row of a grid is shifted by half a cell, as on a board of hexes."""
    down: str = ""
    """The public value that, while set, makes cards show their backs."""
    bare: bool = False
    """Whether `down` is ignored once the game is over."""
    lie: Literal["upright", "side", "square"] = "upright"
    """The shape and rotation of cards: "upright", "side" for a quarter turn,
    or "square" for dice.
    """
    mat: Literal["whole", "cells", "none"] = "whole"
    """The mat below the cards: one for the "whole" place, one for each of the "cells",
    or "none".
    """
    outline: bool = False
    """Whether the places where cards can lie are outlined."""
    outlines: tuple[int, ...] = ()
    """The number of outlines, first for one player, then for two, and so on; the last number also
    applies to more players. Empty for as many as cards that fit side by side.
    """
    folds: bool = False
    """Whether the mat shrinks to its caption while the place is empty."""
    align: Literal["left", "centre"] = "centre"
    """Where cards that don't fill the place are aligned."""
    across: bool = False
    """Whether a fan points towards the viewer, as if a player on the opposite side held it."""
    apart: bool = False
    """Whether the cards of a fan overlap only a little."""
    upward: bool = False
    """Whether a column grows upwards."""
    tilt: float = 0.0
    """The angle in degrees by which the cards are rotated."""
    board: bool = False
    """Whether the place is rotated with the board, which seat 1 sees from the opposite side."""

    @property
    def is_grid(self) -> bool:
        """Whether the place holds a grid of zones."""
        zone = self.zone
        return "{row}" in zone or "{column}" in zone or "{cell}" in zone


class PlaqueFigure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number on a plaque: the number of cards in a zone, or the content of a public value."""

    text: str
    """The label, with {n} as a placeholder for the number, such as "hand {n}"."""
    hint: str = ""
    """The tooltip."""
    zone: str = ""
    """The zone whose cards are counted."""
    value: str = ""
    """The public value that is shown if `zone` is empty or unknown."""

    def number_in(self, view: State, placeholders: Mapping[str, object]) -> Value | None:
        """Return the number to show for `view`; None if `view` has neither the zone nor the value.

        `placeholders` gives the values of the placeholders in their names.
        """
        zone = fill_gaps(self.zone, placeholders)
        if zone in view.cards:
            return len(view.cards[zone])
        return view.values.get(fill_gaps(self.value, placeholders))


class Plaque(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plaque with a player's name and a few numbers."""

    seat: str
    """The placeholder for the player: {me}, {other} or {seat}."""
    notes: tuple[str, ...] = ()
    """A text for each seat, such as a player's role."""
    figures: tuple[PlaqueFigure, ...] = ()
    """The numbers on the plaque, from left to right."""


class PieceRotation(Struct, frozen=True, forbid_unknown_fields=True):
    """The rotation of a piece, as a multiple of a public value."""

    value: str
    """The name of the public value."""
    step: float = 45.0
    """The angle for each unit of the value, in degrees."""


class Layer(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the drawings that are stacked to form a piece."""

    drawing: str
    """The name of the drawing."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """Constant variables for the drawing's template."""
    values: dict[str, str] = {}
    """Variables for the drawing's template that are read from the table: the public value,
    by variable name.
    """
    turns: bool = False
    """Whether the drawing rotates with the piece; otherwise it stays upright."""


class Piece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A playing piece that stands on a zone."""

    name: str
    """The piece's name for screen readers and lessons."""
    zone: str
    """The name of the public value that contains the zone the piece stands on."""
    layers: tuple[Layer, ...]
    """The stacked drawings, from bottom to top."""
    size: float = 1.0
    """The width, in card widths."""
    shift: Pair = (0.0, 0.0)
    """The horizontal and vertical offset from the zone's centre, in card widths."""
    turn: PieceRotation | None = None
    """The rotation; None for a piece that never rotates."""
    repeat: SeatRepeat = ""
    """The players to repeat the piece for, as in `LayoutElement`."""
    board: bool = False
    """Whether the piece is rotated with the board, as in `Place`."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """The piece is shown only if these public values all match, as in `LayoutElement`."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """The piece is hidden if these public values all match, as in `LayoutElement`."""


class Marker(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A marker that moves along a track of points."""

    drawing: str
    """The name of the drawing."""
    value: str
    """The name of the public value that contains the index of the marker's point."""
    points: tuple[Pair, ...] | str
    """The points of the track, or the name of the track in `Layout.points`."""
    size: float = 0.25
    """The width, in card widths."""
    shift: Pair = (0.0, 0.0)
    """The offset from the point, in card widths.

    Each copy is offset once more than the one before.
    """
    on: str = ""
    """The zone whose place the marker lies on and rotates with."""
    lap: int | None = None
    """The index of the point where the marker continues after the last one;
    None if the track ends there.
    """
    repeat: SeatRepeat = ""
    """The players to repeat the marker for, as in `LayoutElement`."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """Constant variables for the drawing's template."""
    values: dict[str, str] = {}
    """Variables for the drawing's template that are read from the table: the public value,
    by variable name.
    """
    when: dict[str, Value | tuple[Value, ...]] = {}
    """The marker is shown only if these public values all match, as in `LayoutElement`."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """The marker is hidden if these public values all match, as in `LayoutElement`."""


class Drawing(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture on the table, which may change with public values."""

    drawing: str
    """The name of the drawing."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """Constant variables for the drawing's template."""
    values: dict[str, str] = {}
    """Variables for the drawing's template that are read from the table: the public value,
    by variable name.
    """
    blank: Value = 0
    """The content to use for public values that the table doesn't have."""
    cards: tuple[str, ...] = ()
    """The zones whose top card is passed to the template."""
    held: tuple[str, ...] = ()
    """The zones whose cards are all passed to the template."""
    named: dict[str, str] = {}
    """Variables for cards whose number is in a public value: the public value, by variable name."""
    level: DrawingLevel = "table"
    """The stacking order: "under" everything, on the "table" below cards, "over" cards, or "aloft"
    over everything with a soft fade.
    """
    below_caption: bool = False
    """Whether the drawing leaves the height of a caption free at its top, because it fills a place
    with a caption.
    """
    spare: bool = False
    """Whether the drawing fills the area on the public table that is left over
    by an odd number of players.
    """
    foreseen: bool = False
    """Whether the values are those that a preview expects after the selected move."""
    points: str = ""
    """The name of the list in `Layout.points` that is passed to the template."""


class Label(LayoutElement, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text on the table, which may change with public values."""

    text: str
    """The text, with placeholders."""
    values: dict[str, str] = {}
    """Placeholders that are read from the table: the public value, by placeholder."""
    counts: dict[str, str] = {}
    """Placeholders for numbers of cards: the zone, by placeholder."""
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    """Placeholders with a constant text: the text, by placeholder."""
    align: Literal["left", "centre", "right"] = "left"
    """The horizontal alignment in the rectangle."""
    size: float = 0.125
    """The text size, in card widths."""
    bold: bool = False
    """Whether the text is bold."""


class Panel(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A group of elements that is repeated for several players."""

    size: Pair
    """The width and height of one panel, in the units of its elements' coordinates."""
    at: Rect | None = None
    """The area of the table that is divided among the panels."""
    spots: tuple[Rect, ...] = ()
    """The rectangle of each panel, if the panels don't divide an area."""
    sides: tuple[Rect, Rect] | None = None
    """The areas at the left and at the right that are divided among the panels, instead of `at`."""
    columns: int = 1
    """The number of columns in each of the areas in `sides`."""
    repeat: Literal["others", "seats"] | tuple[str, ...] = "others"
    """The players to show a panel for: "others", "seats",
    or the public values that contain seat numbers.
    """
    place: tuple[Place, ...] = ()
    """The places for cards in each panel."""
    plaque: tuple[Plaque, ...] = ()
    """The plaques in each panel."""
    label: tuple[Label, ...] = ()
    """The texts in each panel."""
    drawing: tuple[Drawing, ...] = ()
    """The pictures in each panel."""
    when: dict[str, Value | tuple[Value, ...]] = {}
    """The panels are shown only if these public values all match, as in `LayoutElement`."""
    unless: dict[str, Value | tuple[Value, ...]] = {}
    """The panels are hidden if these public values all match, as in `LayoutElement`."""


class TableSurface(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The size and the general settings of a table's surface."""

    size: Pair
    """The width and height in card widths; they are scaled to fit the viewport."""
    seats: tuple[int, ...] = ()
    """The numbers of players that the layout is designed for; empty for all."""
    lowest: str | None = None
    """The name of the layout to use at the minimum height, "" for the default layout. The layout
    then stretches between the two heights; None if it doesn't.
    """
    turned: bool = False
    """Whether seat 1 sees elements with `board` from the opposite side."""
    prompt: Rect | None = None
    """The area for the prompt."""
    outlook: Rect | None = None
    """The area where the outcomes of a choice are listed."""
    play: Rect | None = None
    """The area where cards without a target can be dropped; None to accept them anywhere."""
    dice: Rect | None = None
    """The area onto which dice are thrown; None for the centre of the table."""
    lingers: tuple[str, ...] = ()
    """The public values after whose changes the animation pauses, so that players can read them."""
    thrown: tuple[str, ...] = ()
    """The public values of the latest roll. Drawings show them as unset while the dice roll."""
    chip: str = ""
    """The name of the drawing on cards that only their owner can see."""
    signs: dict[str, str] = {}
    """The symbol for each ink colour, so that colour is never the only cue."""


class Badge(Struct, frozen=True, forbid_unknown_fields=True):
    """A symbol beside previewed cards that have certain fields."""

    text: str
    """The symbol."""
    card: dict[str, Value]
    """The fields that a card must have, with their contents."""


class Gesture(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How users make moves of a verb, and how such moves look while other players still answer."""

    chooser: Literal["list", "dial"] = "list"
    """The widget for choices: a "list", or a "dial" around a piece."""
    turns: dict[str, float] = {}
    """The rotation of the placed card in degrees, by choice."""
    waits: dict[str, str] = {}
    """The zone where a played card waits for the other players, by the move's target zone."""
    stays: bool = False
    """Whether the card of the move stays where it is."""
    menu: bool = False
    """Whether the move is offered by a second press on the card, without highlighted targets."""
    carries: bool = False
    """Whether the move takes the top card of its zone to the zone of its choice."""
    quiet: bool = False
    """Whether the zone of a move without a card is highlighted only under the pointer
    or keyboard focus.
    """
    button: bool = False
    """Whether the move has a button even though it names a card,
    such as one used right after a roll.
    """
    gives_up: bool = False
    """Whether the move gives something up. Its button never has the accent colour."""


class Layout(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """One layout of a game's table, as written in `table.toml`."""

    table: TableSurface
    """The size and settings of the surface."""
    look: TableLook | None = None
    """The colours; None for the program's default colours."""
    sounds: GameSounds = GameSounds()
    """The sounds that events start."""
    films: GameFilms = GameFilms()
    """The animations that events start."""
    verbs: dict[str, Gesture] = {}
    """The gesture for moves, by verb."""
    badge: tuple[Badge, ...] = ()
    """The symbols beside previewed cards."""
    points: dict[str, tuple[Pair, ...]] = {}
    """Lists of points for markers and drawings, by name."""
    place: tuple[Place, ...] = ()
    """The places for cards that aren't part of a panel."""
    panel: tuple[Panel, ...] = ()
    """The groups of elements that are repeated for several players."""
    plaque: tuple[Plaque, ...] = ()
    """The players' plaques that aren't part of a panel."""
    piece: tuple[Piece, ...] = ()
    """The pieces that stand on zones."""
    marker: tuple[Marker, ...] = ()
    """The markers that move along tracks."""
    drawing: tuple[Drawing, ...] = ()
    """The pictures that aren't part of a panel."""
    label: tuple[Label, ...] = ()
    """The texts that aren't part of a panel."""

    @property
    def movement_prefixes(self) -> tuple[str, ...]:
        """The prefixes of the public values that move or rotate pieces and markers."""
        moving = [piece.zone for piece in self.piece] + [marker.value for marker in self.marker]
        moving += [piece.turn.value for piece in self.piece if piece.turn is not None]
        return tuple(name.partition("{")[0] for name in moving)

    def gesture(self, verb: str) -> Gesture:
        """Return the gesture for moves with this verb, or the default gesture."""
        return self.verbs.get(verb, Gesture())


class LookAndSounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The colours and sounds in a `table.toml` that contains nothing else."""

    look: TableLook | None = None
    """The colours; None for the program's default colours."""
    sounds: GameSounds = GameSounds()
    """The sounds that events start."""


def has_layout(file: TomlFile) -> bool:
    """Return whether `file` contains more than colours and sounds, and so defines a layout."""
    return not set(file.table) <= set(LookAndSounds.__struct_fields__)


def with_look_and_sounds(layouts: Sequence[Layout], file: TomlFile) -> tuple[Layout, ...]:
    """Return `layouts` with the colours and sounds from `file`.

    Raises:
        BrokenFile: an entry in `file` is unknown, missing or invalid.
    """
    manner = file.read(LookAndSounds)
    return tuple(replace(each, look=manner.look, sounds=manner.sounds) for each in layouts)


class StretchableLayout(Layout, frozen=True, kw_only=True, eq=False):
    """A layout that stretches with the viewport, from the height of `low` up to its own height."""

    low: Layout
    """The layout to use at the minimum height."""


ONLY_KEY = "only"
"""The key by which an entry lists the only layouts that it is part of."""
PUBLIC_LAYOUT = "public"
"""The name of the layout for the public table."""
UPRIGHT_PUBLIC_LAYOUT = "public_upright"
"""The name of the layout for the public table on an upright screen. It starts from the entries of
PUBLIC_LAYOUT.
"""


class PublicLayout(Layout, frozen=True, kw_only=True, eq=False):
    """The layout of the public table. It has no viewer, so elements with {me} are left out."""


class UprightPublicLayout(PublicLayout, frozen=True, kw_only=True, eq=False):
    """The layout of the public table on an upright screen."""


def layouts_for(layouts: Sequence[Layout], seats: int) -> tuple[Layout, ...]:
    """Return the layouts designed for `seats` players; all of `layouts` if there are none."""
    made = (one for one in layouts if not one.table.seats or seats in one.table.seats)
    return tuple(made) or tuple(layouts)


def read_layouts(file: TomlFile) -> tuple[Layout, ...]:
    """Return the layouts described by a `table.toml`, the default one first.

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
    """Read the layout called `name`. `made` contains the layouts that `lowest` may refer to."""
    lowest = _surface_entry(file, name).get("lowest")
    if lowest is None:
        if name == UPRIGHT_PUBLIC_LAYOUT:
            names = (PUBLIC_LAYOUT, name)
            return file.read(UprightPublicLayout, _select_layout(file.table, names, others))
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
    """Check that `only` entries name existing layouts.

    Otherwise, their element would never be shown.

    Raises:
        BrokenFile: a layout is unknown.
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
    """Return the layout names in the `only` entry of `entry`; `usual` if there is none."""
    only = entry.get(ONLY_KEY, usual)
    return [only] if isinstance(only, str) else only


def _surface_entry(file: TomlFile, name: str) -> Mapping[str, Any]:
    """Return the `[table]` entry of the layout called `name`, as written in the file."""
    table: Mapping[str, Any] = file.table.get("table", {})
    own: Mapping[str, Any] = table[name] if name else table
    return own


def _select_layout(table: TomlTable, names: tuple[str, ...], others: Collection[str]) -> TomlTable:
    """Return the part of `table` for one layout: shared entries, overridden by the layout's own.

    `names` contains the layout's name, preceded by that of the layout it stretches, if any.
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
    """Return whether `entry` isn't part of the layout with these names."""
    if not isinstance(entry, TomlTable):
        return False
    left_out = any(entry.get(name) is False for name in names)
    return left_out or set(names).isdisjoint(_only_layouts(entry, names))
