"""How a game's `layout.toml` says where everything on its table lies: the grammar, and its reading.

Lengths are card widths (a card is 1 wide and 1.4 high), angles degrees clockwise, and the point of
a card is its middle. A game's `layout.toml` says:

`[table]`
  `size = [w, h]`: the surface everything lies on. It is scaled to the viewport, centred, never cut.
  `turned = true`: for seat 1 whatever is marked `board` lies as seen from the other side.
  `prompt = [x, y, w, h]`: kept free for the prompt line; on a small table it is given more height,
  and what begins below it moves down. `outlook`: where the outcomes of a choice
  are listed. `dice`: where they are thrown, as high as they are (left out: in the middle).
  `lingers = ["outcome"]`: the values whose change is given time to be read.
  `play`: where a card is dropped that needs no target (left out: the whole surface).
  `chip = "sun/chip.svg"`: the drawing that names a card only its owner sees (`card`, `text`).
  `score = "points/{seat}"`: the value that tells a player's points so far; else `score/{seat}`.
  `signs = {red = "◆"}`: the sign of each of the game's inks, for those who do not tell colours.
  `words = ["Deck {n}"]`: all that the game's drawings, faces and backs say by `t("Deck {n}", n=3)`.
  `[table.narrow]` (or any other name) may hold another `size`, `prompt`, ...: the arrangement that
  shows the larger cards is taken. Any entry below may hold a table of the same name with what is
  different there.

`[verbs.<verb>]` may say by `odds = "hit {percent} %"` how the chance that its preview names is told
  on its cards and places.

`[[place]]`: the cards of a zone, or of a row of zones.
  `zone`: a name with gaps: {me} the viewer's seat, {other} the next one, {row} and {column}
  counted from `first` over `rows` and `columns` ({cell}: row by row), {seat} where
  `repeat = "others"` or `"seats"` says so, each repetition moved by `step = [dx, dy]`.
  `at = [x, y, w, h]`, `card` the width of its cards, `gap` between them, `form`:
  fan (a hand; `across`: held by who sits opposite), row, column (`upward`: the first lies lowest),
  grid (as many rows as show the largest cards), cascade (columns of overlapping cards), stack (one
  such column), pile (one on the other), cell (one card), points (`points = [[x, y], ...]` from the
  top left of the place).
  `lie = "side"`: turned by a quarter. `tilt`: lying a little askew, in degrees.
  `turn`: what tells that the cards lie turned, with the gaps of `zone`: a value (so many degrees,
  where it is above 1; else upside down if it is anything but 0 and ""), or a zone (upside down
  unless its cards lie in rising order, as far as they are seen).
  `face = "chip"`: a card that not all see lies as a back with a chip that names it.
  `face = "down"`: every card lies as a back; `down`: only while this value is anything but 0 or "".
  `bare = true`: no longer once the game is over, as far as they are known.
  `caption` (with {seat}), `watched` (instead, for those who only watch), `count = true`; `label`
  (with {row}, {column}): of each cell.
  `mat`: "whole", "cells", "none". `outline = true`: dashed places where cards may come to lie.
  `align`: "left", "centre".
  `when = {key = value}`: only while all these values are so. `unless`: not while they are. The key
  `seats` is how many play, `asked` what the viewer is asked ("" for nothing); several values
  (`[2, 3]`) mean any of them.

`[[panel]]`: the same for every other seat, or (`repeat = "seats"`) for all.
  `at`: the region the panels flow in; `size`: the surface of one, at which its cards have the width
  they say; `spots = [[...], ...]`: instead of a region, the rectangle of each; `sides = [left,
  right]`: two columns, the first half upwards in the left one, the rest downwards in the right one.
  `when`, `unless`: as for a place, without {seat}.
  It holds `[[panel.place]]`, `[[panel.plaque]]`, `[[panel.label]]` and `[[panel.drawing]]`, with
  {seat}.

  `of = ["attacker", "target"]`, instead of `repeat`: for the seats that these values name, in this
  order.

`[[plaque]]`: who sits there. `seat` ("{me}", "{other}", "{seat}"), `at`, `notes` (one for each
  seat), `figures = [{text = "hand {n}", zone = "hand/{seat}"}, {text = "score {n}", value = ...}]`.

`[[piece]]`: a drawing that stands on the zone a value names. `name`, `zone` (the value's key),
  `size`, `shift = [dx, dy]`, `turn = {value = "ghost/facing", step = 45}`, and `layers`:
  `{drawing = "sun/ghost.svg", with = {part = "gaze"}, values = {...}, turns = true}`, the lowest
  first. `repeat` as above; then a layer learns `seat`. Pieces on one zone stand side by side, in
  rows in its middle, and are smaller where it has too little room.

`[[marker]]`: a drawing at the n-th of some points. `drawing`, `value` (n), `size`, `shift`,
  `points` (a list, or a name of `[points]`), `values` as a layer has them, `on` (the zone of a
  place that it turns with), `lap` (past the last point it goes on from this one; the drawing learns
  `lap`, how often).

`[[drawing]]`: a picture, drawn afresh when a value it names changes. `drawing`, `at`, `with`,
  `values = {name = "key"}` (`blank`, or 0, where there is no such value), `points`; it learns `w`,
  `h` and `points` in hundredths of a card. `cards = ["zone", ...]`: it learns `cards`, of each of
  these zones the uppermost card as cards.toml has it and whether it is `turned` (lies upside down),
  or nothing where none is seen face-up. `held = ["zone", ...]`: it learns `held`, of each of
  these zones all cards as cards.toml has them and whether they are `open` to all, or nothing for
  one that is not seen. `named = {name = "key"}`: it learns under this name the card whose number
  the value is, or nothing. `over = true`: it lies over the cards, not under them. `aloft = true`:
  over all that lies and stands there; it comes and goes softly.
  `foreseen = true`: its values are those that the cards put together so far would bring (not in a
  panel).
  Every drawing, face and back also finds `seats`, each with `colour`, `symbol` and `name` (those
  who sit there first, then the chairs that are left), and `t` for the `words` of the table.

`[[badge]]`: `text`, which stands beside a card that a preview lights up, if the card's entry in
  cards.toml holds all of `card = {turn = 0}`.

`[[label]]`: words. `text` with the names of `values = {name = "key"}`, `counts = {name = "zone"}`
  and `with` as gaps, `at`, `align`, `size` (of the letters), `bold`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct, field

from tabletop.engine.model import Value


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


Form = Literal["fan", "row", "column", "grid", "cascade", "stack", "pile", "cell", "points"]
Repeat = Literal["", "others", "seats"]
Pair = tuple[float, float]


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What places, plaques, drawings and labels have in common."""

    at: Rect
    repeat: Repeat = ""
    step: Pair = (0.0, 0.0)
    when: dict[str, Value | tuple[Value, ...]] = {}
    unless: dict[str, Value | tuple[Value, ...]] = {}


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
    face: Literal["up", "chip", "down"] = "up"
    turn: str = ""
    down: str = ""
    bare: bool = False
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
        return any(gap in self.zone for gap in ("{row}", "{column}", "{cell}"))


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


class Drawing(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture that may depend on values."""

    drawing: str
    fixed: dict[str, Any] = field(name="with", default_factory=dict)
    values: dict[str, str] = {}
    blank: Value = 0
    cards: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    named: dict[str, str] = {}
    over: bool = False
    aloft: bool = False
    foreseen: bool = False
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
    sides: tuple[Rect, Rect] | None = None
    repeat: Literal["others", "seats"] = "others"
    of: tuple[str, ...] = ()
    place: tuple[Place, ...] = ()
    plaque: tuple[Plaque, ...] = ()
    label: tuple[Label, ...] = ()
    drawing: tuple[Drawing, ...] = ()
    when: dict[str, Value | tuple[Value, ...]] = {}
    unless: dict[str, Value | tuple[Value, ...]] = {}


class Surface(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The surface everything lies on."""

    size: Pair
    turned: bool = False
    prompt: Rect | None = None
    outlook: Rect | None = None
    play: Rect | None = None
    dice: Rect | None = None
    lingers: tuple[str, ...] = ()
    chip: str = ""
    score: str = "score/{seat}"
    signs: dict[str, str] = {}
    words: tuple[str, ...] = ()


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
