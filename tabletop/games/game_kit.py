"""A game as it was read: its entry in the catalogue, or all of it, ready to be played."""

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any

from msgspec import Struct

from tabletop.engine.model import back_of, is_face
from tabletop.engine.play import GameRules
from tabletop.games import card_sheet
from tabletop.games.folder_content import FolderFacts, FolderModules
from tabletop.games.game_info import DIE, GameInfo
from tabletop.games.game_semantics import GameSemantics
from tabletop.games.layout import Layout
from tabletop.games.received_games import Received
from tabletop.games.typed_toml import BrokenFile
from tabletop.games.wording import Wording


class CatalogueEntry(Struct, frozen=True, kw_only=True):
    """A game as the shelf shows it: what is known without running its code."""

    id: str
    """The game's name in records, on the wire and in commands."""
    box: GameInfo
    """The facts about the game that are known before it is opened."""
    folder: Traversable
    """Its files."""
    deck: tuple[dict[str, Any], ...] = ()
    """The face of each card, as written in cards.toml; a card's number is its index. Empty if only
    the box was read."""
    facts: FolderFacts | None = None
    """The identity on other computers of a folder outside the package."""
    received: Received | None = None
    """The giver, where a table's host has given it."""
    kept: bool = False
    """Whether it is an earlier version, kept for matches that were begun with it."""
    translations: Mapping[str, Mapping[str, str]] = {}
    """By the code of a language what the columns of its spreadsheet say in it, by the text."""
    waits_for: str = ""
    """The digest that its owner has to agree to before its Python runs; "" if it may run."""

    @property
    def outside(self) -> bool:
        """Whether it is outside the package, with its pictures in `assets/` of its own folder."""
        return self.facts is not None

    @property
    def digest(self) -> str:
        """The digest of its folder outside the package; "" for the program's own games."""
        return self.facts.digest if self.facts else ""

    @property
    def draft(self) -> bool:
        """Whether it is on the shelf unfinished: without a first game, or without Japanese."""
        parts = ("first.toml",) if self.box.language == "ja" else ("first.toml", "ja.po")
        return not all((self.folder / part).is_file() for part in parts)

    def text(self, name: str) -> str:
        """The text of a file of the game's folder; empty where there is none."""
        return file_text(self.folder, name)


class GameKit(CatalogueEntry, frozen=True, kw_only=True):
    """A game ready to be played: with its words and rules, and how its table is laid out."""

    back_names: tuple[str, ...]
    """The names of the backs, each once."""
    backs: tuple[int, ...]
    """The index of each card's back in `back_names`."""
    words: Wording
    """Its sentences, by their purpose."""
    meaning: GameSemantics
    """The roles of its values and questions."""
    layouts: tuple[Layout, ...]
    """The arrangements of its table, the ordinary one first."""
    rules: GameRules
    """Its rules."""
    modules: FolderModules | None = None
    """The Python of a folder outside the package."""
    decides: str = ""
    """The digest of everything that decides a match of a folder outside the package."""

    @property
    def layout(self) -> Layout:
        """The ordinary arrangement: what is not geometry is the same in all of them."""
        return self.layouts[0]

    def is_die(self, card: int) -> bool:
        """Whether this card, or the face behind this hidden card, is a face of a die."""
        back = self.backs[card] if is_face(card) else back_of(card)
        return back >= 0 and self.back_names[back] == DIE


def file_text(folder: Traversable, name: str) -> str:
    """The text of a file; empty where there is none.

    Raises:
        BrokenFile: it is no text.
    """
    file = folder / name
    if name == card_sheet.FILE:
        return card_sheet.decode_sheet(file.read_bytes()) if file.is_file() else ""
    try:
        return file.read_text(encoding="utf-8-sig") if file.is_file() else ""
    except UnicodeDecodeError as error:
        raise BrokenFile(f"{name} isn't UTF-8 text") from error
