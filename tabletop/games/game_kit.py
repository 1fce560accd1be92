"""Games read from their folders: catalogue entries, and loaded games that are ready to play."""

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
from tabletop.games.received_games import ReceivedNote
from tabletop.games.typed_toml import BrokenFile
from tabletop.games.wording import Wording


class CatalogueEntry(Struct, frozen=True, kw_only=True):
    """A game as listed on the shelf, with what is known without running its code."""

    id: str
    """The game's ID in saved matches, in network messages and in commands."""
    box: GameInfo
    """General information about the game."""
    folder: Traversable
    """The game's folder."""
    deck: tuple[dict[str, Any], ...] = ()
    """The fields of each card, indexed by card number; empty if the cards haven't been read."""
    facts: FolderFacts | None = None
    """The identity of the folder's content; None for a game in the package."""
    received: ReceivedNote | None = None
    """The note on where the game came from; None if it wasn't received from a host."""
    is_old_version: bool = False
    """Whether the game is an older version, kept for matches that started with it."""
    translations: Mapping[str, Mapping[str, str]] = {}
    """Translations from the card sheet, by language code and original text."""
    waits_for: str = ""
    """The digest that the user must approve before the game's Python may run;
    "" if it may already run.
    """

    @property
    def is_external(self) -> bool:
        """Whether the game's folder is outside the package."""
        return self.facts is not None

    @property
    def digest(self) -> str:
        """The digest of the folder's content; "" for a game in the package."""
        return self.facts.digest if self.facts else ""

    @property
    def is_draft(self) -> bool:
        """Whether the game lacks a tutorial or a Japanese translation."""
        parts = ("first.toml",) if self.box.language == "ja" else ("first.toml", "ja.po")
        return not all((self.folder / part).is_file() for part in parts)

    def read_text(self, name: str) -> str:
        """Return the text of a file in the game's folder; "" if it doesn't exist.

        Raises:
            BrokenFile: the file isn't valid text.
        """
        return read_text_file(self.folder, name)


class GameKit(CatalogueEntry, frozen=True, kw_only=True):
    """A loaded game: its texts, rules and layouts."""

    back_names: tuple[str, ...]
    """The names of the card backs, followed by a name for each die."""
    backs: tuple[int, ...]
    """The back of each card in the deck, as an index in `back_names`."""
    words: Wording
    """The game's texts."""
    meaning: GameSemantics
    """The roles that the game's values and questions have for the program."""
    layouts: tuple[Layout, ...]
    """The layouts of the game's table, the default one first."""
    rules: GameRules
    """The game's rules."""
    modules: FolderModules | None = None
    """The Python modules of a folder outside the package; None if there are none."""
    gameplay_digest: str = ""
    """The digest of everything that affects a match; "" for a game in the package."""

    @property
    def layout(self) -> Layout:
        """The default layout. Other layouts differ from it only in geometry."""
        return self.layouts[0]

    def is_die(self, card: int) -> bool:
        """Return whether `card`, which may be a hidden card, is part of a die."""
        back = self.backs[card] if is_face(card) else back_of(card)
        return back >= 0 and self.back_names[back] == DIE


def read_text_file(folder: Traversable, name: str) -> str:
    """Return the text of a file in `folder`; "" if it doesn't exist.

    Raises:
        BrokenFile: the file isn't valid text.
    """
    file = folder / name
    if name == card_sheet.CSV_FILE:
        return card_sheet.decode_sheet(file.read_bytes()) if file.is_file() else ""
    try:
        return file.read_text(encoding="utf-8-sig") if file.is_file() else ""
    except UnicodeDecodeError as error:
        raise BrokenFile(f"{name} isn't UTF-8 text") from error
