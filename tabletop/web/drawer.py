"""Pictures for browsers: their orders, and what draws them. The window's own scene does, in this
process; without it pages have no pictures, and everything can be played all the same."""

from typing import Protocol

from msgspec import Struct

from tabletop import __version__
from tabletop.engine.model import State
from tabletop.match.match import Player

VERSION = __version__.replace(".", "-")
"""Faces look the same as long as the program is the same."""
Rect = tuple[float, float, float, float]
"""Left, top, width, height; in pixels of the picture."""
THEMES = ("light", "dark", "contrast")
CELL_PX = 32
"""The side of a picture's cells, in pixels; of the next picture those are sent that differ."""


class FaceOrder(Struct, frozen=True):
    """The face of a card, or a back; all in one language and theme."""

    game: str
    card: int
    """The number of the card; -1 where a back is wanted."""
    back: int
    """Which of the game's backs; -1 where a face is wanted."""
    language: str
    theme: str
    width: int
    """Pixels."""


class PictureOrder(Struct, frozen=True):
    """A table as one seat sees it, its own cards where they wait to be opened."""

    game: str
    view: State
    players: tuple[Player, ...]
    language: str
    theme: str
    width: int
    height: int
    """Pixels, at most."""
    laid: tuple[int, ...] = ()
    """The cards that wait."""
    angles: dict[int, float] = {}
    """The degrees by which these cards lie turned, for those that do."""


class DrawnPicture(Struct, frozen=True):
    """A picture."""

    content: bytes
    mime: str = "image/png"


class PictureCells(Struct, frozen=True):
    """A picture's content, as one process knows it: a mark for each cell, column by column."""

    width: int
    height: int
    marks: tuple[int, ...]


class DrawnTable(Struct, frozen=True):
    """A picture of a table, and where everything is in it."""

    content: bytes
    """The picture; or the cells alone that differ, one below the other; empty: none does."""
    mime: str
    shown: PictureCells
    changed: tuple[tuple[int, int], ...] | None = None
    """The positions of these cells, from the left and from above; None: it is the whole picture."""
    zones: dict[str, Rect] = {}
    cards: dict[int, Rect] = {}
    broken: str = ""
    """The error of a drawing of the game that could not be drawn."""


class Drawer(Protocol):
    """Draws in the gateway's loop without holding it up for long."""

    @property
    def version(self) -> str:
        """Another one whenever faces would look different; empty: nothing is drawn at all."""
        ...

    async def face(self, order: FaceOrder) -> DrawnPicture | None:
        """The picture of a face; None where there is no such card."""
        ...

    async def picture(
        self, order: PictureOrder, had: PictureCells | None = None
    ) -> DrawnTable | None:
        """The picture of a table, or how it differs from `had`; None where it cannot be drawn."""
        ...


class NoDrawer:
    """Draws nothing."""

    version = ""

    async def face(self, order: FaceOrder) -> DrawnPicture | None:
        return None

    async def picture(
        self, order: PictureOrder, had: PictureCells | None = None
    ) -> DrawnTable | None:
        return None
