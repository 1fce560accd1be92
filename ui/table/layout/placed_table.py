"""The result of a table layout: what is drawn at which position. No Qt."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from tabletop.engine.model import Value
from tabletop.games.layout import DrawingLevel, Pair, Place, Rect, TableSurface
from ui.table.layout.slots import Slot

MIN_CAPTION_HEIGHT = 0.27
"""The smallest height of a mat's caption, in card widths."""
MIN_TEXT_PX = 11
"""Smallest text height on the screen, in pixels."""
CAPTION_LINE_HEIGHT = 2.05
"""The smallest height of a caption, in text heights."""


class PlacedZone(NamedTuple):
    """A zone on the table: the rectangle onto which
    cards are dropped, and a slot for each card in it.
    """

    zone: str
    rect: Rect
    slots: tuple[Slot, ...]
    place: Place
    is_face_down: bool = False
    """Whether all cards of the zone show their backs, even if the viewer knows them."""
    scale: float = 1.0
    """The scale of the zone's panel."""


class PlacedMat(NamedTuple):
    """A mat: its rectangle, its caption with placeholder values, and the zones whose cards are
    counted on it.
    """

    rect: Rect
    style: str
    caption: str
    zones: tuple[str, ...]
    shows_count: bool
    gaps: dict[str, int]


class CardOutline(NamedTuple):
    """The printed outline of a card slot, and its number from 1."""

    rect: Rect
    number: int = 1


class PlacedPlaque(NamedTuple):
    """A player's plaque: its rectangle, its note, and its
    numbers as pairs of text and value, with explanations.

    `team` is the number of the player's team; None if nobody has a partner.
    """

    seat: int
    rect: Rect
    note: str
    figures: tuple[tuple[str, Value], ...]
    team: int | None = None
    is_partner: bool = False
    hints: tuple[str, ...] = ()


class PlacedPiece(NamedTuple):
    """A piece or marker: its position, size, angle and layers. A layer is (drawing, variables,
    whether it turns).
    """

    name: str
    x: float
    y: float
    size: float
    angle: float
    layers: tuple[tuple[str, dict[str, Any], bool], ...]
    zone: str = ""

    @property
    def is_directional(self) -> bool:
        """Whether the picture of the piece shows its direction."""
        return any(turns for _, _, turns in self.layers)


class TopCard(NamedTuple):
    """The top card of a zone in a drawing, and its angle; `top_card` is None unless the card is
    face up.
    """

    top_card: int | None
    angle: float


class CardInDrawing(NamedTuple):
    """A card shown in a drawing: its number, and whether everyone sees its face."""

    card: int
    is_open_to_all: bool


class PlacedDrawing(NamedTuple):
    """A drawing: its rectangle, level, variables, and the cards it shows."""

    name: str
    rect: Rect
    drawing: str
    variables: dict[str, Any]
    cards: tuple[TopCard, ...] = ()
    level: DrawingLevel = "table"
    held: tuple[tuple[CardInDrawing, ...], ...] = ()
    named: tuple[tuple[str, int], ...] = ()


class PlacedText(NamedTuple):
    """A text of the layout and its rectangle."""

    rect: Rect
    text: str
    gaps: dict[str, Value]
    align: str
    size: float
    is_bold: bool


class PlacedTable(Struct, kw_only=True):
    """A table laid out for one view and viewport size."""

    surface: TableSurface
    unit: float
    """The number of pixels per card width."""
    left: float
    top: float
    """The y coordinate of the table's top left corner in pixels; `left` is its x coordinate."""
    fan_scale: float = 1.0
    """The scale of cards in fans."""
    min_text_px: int = MIN_TEXT_PX
    """The smallest text height, in pixels."""
    caption_height: float = MIN_CAPTION_HEIGHT
    """The height of a caption, in card widths."""
    zones: dict[str, PlacedZone] = {}
    mats: list[PlacedMat] = []
    outlines: list[CardOutline] = []
    plaques: list[PlacedPlaque] = []
    pieces: list[PlacedPiece] = []
    markers: list[PlacedPiece] = []
    drawings: list[PlacedDrawing] = []
    texts: list[PlacedText] = []

    def __post_init__(self) -> None:
        self.caption_height = max(
            MIN_CAPTION_HEIGHT, CAPTION_LINE_HEIGHT * self.min_text_px / self.unit
        )

    @property
    def surface_rect(self) -> Rect:
        """The rectangle of the whole table, in card widths."""
        return Rect(0.0, 0.0, *self.surface.size)

    def to_pixels(self, x: float, y: float) -> Pair:
        """Convert a point from card widths to pixels."""
        return self.left + x * self.unit, self.top + y * self.unit

    def to_card_units(self, x: float, y: float) -> Pair:
        """Convert a point from pixels to card widths."""
        return (x - self.left) / self.unit, (y - self.top) / self.unit
