"""A table as laid out for one view and size: what is to be drawn, and where. No Qt."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from tabletop.engine.model import Value
from tabletop.games.layout import Level, Pair, Place, Rect, TableSurface
from ui.table.layout.slots import Slot

MIN_CAPTION_HEIGHT = 0.27
"""Height kept free for the caption of a mat."""
MIN_TEXT_PX = 11
"""Letters are never smaller on the screen, in pixels."""
CAPTION_LINE_HEIGHT = 2.05
"""The least height of a caption on the screen, in sizes of its letters."""


class Spread(NamedTuple):
    """A zone on the table: the rectangle a card is dropped on, and a slot for each of its cards."""

    zone: str
    rect: Rect
    slots: tuple[Slot, ...]
    place: Place
    down: bool = False
    """Whether its cards lie as backs, known or not."""
    scale: float = 1.0
    """Its size as a share of the layout's: panels are fitted into their places."""


class Mat(NamedTuple):
    """A mat to be drawn: its place, the zones whose cards it counts, and the gaps of its words."""

    rect: Rect
    style: str
    caption: str
    zones: tuple[str, ...]
    counted: bool
    gaps: dict[str, int]


class Outline(NamedTuple):
    """The printed place of a card that may lie there, and its number among its like, from 1."""

    rect: Rect
    number: int = 1


class Sign(NamedTuple):
    """A plaque to be drawn: whose it is, its note, its figures as (text, number), the number of its
    team where anybody has a partner, whether it is the viewer's partner's, and what its figures
    are."""

    seat: int
    rect: Rect
    note: str
    figures: tuple[tuple[str, Value], ...]
    team: int | None = None
    partner: bool = False
    hints: tuple[str, ...] = ()


class Stand(NamedTuple):
    """A piece or a marker and its place. A layer is (drawing, variables, whether it turns)."""

    name: str
    x: float
    y: float
    size: float
    angle: float
    layers: tuple[tuple[str, dict[str, Any], bool], ...]
    zone: str = ""

    @property
    def turns(self) -> bool:
        """Whether it shows which way it is turned."""
        return any(turns for _, _, turns in self.layers)


class Lying(NamedTuple):
    """A card in a drawing, and its angle; None where no card is seen face-up."""

    card: int | None
    angle: float


class CardInDrawing(NamedTuple):
    """A card in a drawing: its number, and whether it is face up for all."""

    card: int
    open: bool


class PlacedDrawing(NamedTuple):
    """A drawing, its place and level, and the cards in it."""

    name: str
    rect: Rect
    drawing: str
    variables: dict[str, Any]
    cards: tuple[Lying, ...] = ()
    level: Level = "table"
    held: tuple[tuple[CardInDrawing, ...], ...] = ()
    named: tuple[tuple[str, int], ...] = ()


class Text(NamedTuple):
    """Words and their place."""

    rect: Rect
    text: str
    gaps: dict[str, Value]
    align: str
    size: float
    bold: bool


class PlacedTable(Struct, kw_only=True):
    """A table as laid out for one view and size."""

    surface: TableSurface
    unit: float
    """Pixels per card width."""
    left: float
    top: float
    """The corner of the surface, in pixels."""
    fan: float = 1.0
    """The size of fans' cards as a share of the layout's."""
    least: int = MIN_TEXT_PX
    """The least size of letters, in pixels."""
    caption: float = MIN_CAPTION_HEIGHT
    """Height of a caption, in card widths."""
    spreads: dict[str, Spread] = {}
    mats: list[Mat] = []
    outlines: list[Outline] = []
    signs: list[Sign] = []
    pieces: list[Stand] = []
    markers: list[Stand] = []
    pictures: list[PlacedDrawing] = []
    texts: list[Text] = []

    def __post_init__(self) -> None:
        self.caption = max(MIN_CAPTION_HEIGHT, CAPTION_LINE_HEIGHT * self.least / self.unit)

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
