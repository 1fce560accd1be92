"""Messages by which a guest downloads a table's game from its host.

    guest   ListGameFiles              host   GameFiles, or Refused
    guest   FetchGamePart, repeatedly  host   GamePart, or Refused

The host describes the game to everybody at the table (`OutsideGame` in `TableInfo`), unless the
program includes the game. A guest without a game of the same digest may download its files if they
hold no program code, because code is never sent. The guest requests each part, so it can stop at
any time and continue after a lost connection.

`tabletop/games/data_game.py` defines which files belong to a game, and how large they may be.
"""

from typing import Annotated

from msgspec import Meta, Struct

from tabletop.protocol.field_types import Secret, Short
from tabletop.protocol.message_tags import wire_tag

PIECE_BYTES = 2880
"""The size of a piece in bytes. Its Base64 text stays within the limit for texts in messages."""
PIECES_PER_PART = 64
PART_BYTES = PIECE_BYTES * PIECES_PER_PART
"""The size in bytes of every part except the last."""


FileName = Annotated[str, Meta(max_length=400)]


class OutsideGame(Struct, frozen=True):
    """The host's description of a game that the program doesn't include."""

    title: Short
    """The title, as one line of plain text."""
    rules: int
    """The version of the game's rules."""
    digest: Secret
    """The digest of all files in the game's folder. Equal digests mean equal games."""
    size: int = 0
    """The total size of the game's files in bytes if guests may download them; 0 if the game has
    program code.
    """


class ListGameFiles(Struct, frozen=True, tag=wire_tag):
    """A request for the list of files of the table's game."""


class FetchGamePart(Struct, frozen=True, tag=wire_tag):
    """A request for a part of the game's concatenated files."""

    at: Annotated[int, Meta(ge=0)]
    """The offset of the part's first byte."""


class GameFiles(Struct, frozen=True, tag=wire_tag):
    """The files of the table's game, in the order in which they are concatenated."""

    digest: Secret
    """The digest of the game, as in `OutsideGame`."""
    sizes: tuple[tuple[FileName, int], ...]
    """The name of each file, relative to the game's folder, and its size in bytes."""


class GamePart(Struct, frozen=True, tag=wire_tag):
    """A part of the concatenated files: `PART_BYTES` bytes, or the rest."""

    at: int
    """The offset of its first byte."""
    pieces: Annotated[tuple[bytes, ...], Meta(max_length=PIECES_PER_PART)]
    """The bytes in pieces of up to `PIECE_BYTES`."""


GameFileRequest = ListGameFiles | FetchGamePart
GameFileResponse = GameFiles | GamePart
