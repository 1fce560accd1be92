"""Messages by which a guest downloads a table's game without Python from its host.

    guest   AskGame                      host   GameFiles, or Refused
    guest   AskGamePart, again and again host   GamePart, or Refused

The host describes the game to everybody at the table (`OutsideGame`, in `TableInfo`) unless it is
one of the program's own. A guest who has no game of that digest may request its files, if there is
no program code among them; such code never travels. The guest requests each part, so it may stop at
any time and go on after a lost line. `tabletop/games/data_game.py` defines which files belong to a
game, and how large they may be. A guest requests none of this from a host that has announced no
such game.
"""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.field_types import Secret, Short
from tabletop.protocol.message_tags import wire_tag

PIECE_BYTES = 2880
"""Bytes of one piece: as text it is no longer than any text of a message."""
PIECES_PER_PART = 64
"""The pieces of one part."""
PART_BYTES = PIECE_BYTES * PIECES_PER_PART
"""Bytes of every part but the last."""


FileName = Annotated[str, Meta(max_length=400)]


class OutsideGame(Struct, frozen=True):
    """A game from outside the program, as the host of a table has it."""

    title: Short
    """The title, plain and on one line."""
    rules: int
    """The version of its rules."""
    digest: Secret
    """The digest of everything in its folder: the same digest means the same game."""
    size: int = 0
    """Bytes of its files, where it may be taken from the host; 0: it has program code."""


class ListGameFiles(Struct, frozen=True, tag=wire_tag):
    """Request the list of files of the table's game."""


class FetchGamePart(Struct, frozen=True, tag=wire_tag):
    """Request the bytes of all files in a row."""

    at: Annotated[int, Meta(ge=0)]
    """The number of the first byte."""


class GameFiles(Struct, frozen=True, tag=wire_tag):
    """The files of the table's game, in the order in which their bytes are sent."""

    digest: Secret
    """The digest of the game (`OutsideGame`)."""
    sizes: tuple[tuple[FileName, int], ...]
    """Of each file the name, relative to the folder of the game, and the size in bytes."""


class GamePart(Struct, frozen=True, tag=wire_tag):
    """As many bytes as `PART_BYTES`, or all that are left."""

    at: int
    """The number of the first of them."""
    pieces: Annotated[tuple[bytes, ...], Meta(max_length=PIECES_PER_PART)]
    """The bytes, piece by piece."""


GameFileRequest = ListGameFiles | FetchGamePart
GameFileResponse = GameFiles | GamePart
