"""Picture orders, and the interface of the drawers that carry them out.

The window's scene draws in this process. Without a drawer, pages have no
pictures but stay playable.
"""

from typing import Protocol

from msgspec import Struct

from tabletop import __version__
from tabletop.engine.model import State
from tabletop.match.match import Player

VERSION = __version__.replace(".", "-")
"""The program's version, as part of the URLs of card faces.
Faces look the same within one version.
"""
Rect = tuple[float, float, float, float]
"""Left, top, width and height in pixels of the picture."""
TurnedRect = tuple[float, float, float, float, float]
"""A `Rect`, and the clockwise angle in degrees by which it is turned about its centre."""
BOX_KEY = "x"
"""The key of a game's box in the names of pictures, beside those of card faces and backs."""
THEMES = ("light", "dark", "contrast")
CELL_PX = 32
"""The side length of a picture's cells in pixels. Only cells that differ from the previous picture
are sent.
"""


class FaceOrder(Struct, frozen=True):
    """An order for the picture of a card's face or back, or of the front of the game's box."""

    game: str
    card: int
    """The number of the card; -1 for a back or the box."""
    back: int
    """The index of the card back in the game; -1 for a face or the box."""
    language: str
    theme: str
    width: int
    """The width in pixels."""

    @property
    def is_box(self) -> bool:
        """Whether the order is for the game's box."""
        return self.card < 0 and self.back < 0


class PictureOrder(Struct, frozen=True):
    """An order for a picture of the table as one seat sees it, with its
    pending cards at their targets.
    """

    game: str
    view: State
    players: tuple[Player, ...]
    language: str
    theme: str
    width: int
    height: int
    """The maximum height in pixels."""
    laid: tuple[int, ...] = ()
    """The pending cards."""
    angles: dict[int, float] = {}
    """The rotation of each rotated pending card in degrees, by card number."""


class DrawnPicture(Struct, frozen=True):
    """An encoded picture."""

    content: bytes
    mime: str = "image/png"


class PictureCells(Struct, frozen=True):
    """A digest of each cell of a picture, column by column.
    Digests are comparable within one process.
    """

    width: int
    height: int
    marks: tuple[int, ...]


class DrawnTable(Struct, frozen=True):
    """A picture of a table, with the positions of its zones and cards."""

    content: bytes
    """The encoded picture, or its changed cells stacked vertically;
    empty if no cell has changed.
    """
    mime: str
    shown: PictureCells
    changed: tuple[tuple[int, int], ...] | None = None
    """The column and row of each changed cell; None for a complete picture."""
    zones: dict[str, Rect] = {}
    cards: dict[int, TurnedRect] = {}
    broken: str = ""
    """The error message if one of the game's drawings couldn't be rendered."""


class Drawer(Protocol):
    """Draws in the gateway's event loop without blocking it for long."""

    @property
    def version(self) -> str:
        """The version of the card faces. It changes when the faces change, and is empty if nothing
        is drawn.
        """
        ...

    async def face(self, order: FaceOrder) -> DrawnPicture | None:
        """Return the picture of a card's side or a box; None if the game has no such card."""
        ...

    async def picture(
        self, order: PictureOrder, had: PictureCells | None = None
    ) -> DrawnTable | None:
        """Return the picture of a table, or only its differences from `had`; None if the table
        can't be drawn.
        """
        ...


class NoDrawer:
    """A drawer without pictures."""

    version = ""

    async def face(self, order: FaceOrder) -> DrawnPicture | None:
        return None

    async def picture(
        self, order: PictureOrder, had: PictureCells | None = None
    ) -> DrawnTable | None:
        return None
