"""Games as read from their folders: catalogue entries, and loaded games that are ready to play."""

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
    """A game as the shelf shows it: what is known without running its code."""

    id: str
    """The ID in records, on the wire and in commands."""
    box: GameInfo
    """General information about the game."""
    folder: Traversable
    """The game's folder."""
    deck: tuple[dict[str, Any], ...] = ()
    """The face of each card, indexed by card number; empty if only general information was read."""
    facts: FolderFacts | None = None
    """The identity of the folder on other computers; None for a game in the package."""
    received: ReceivedNote | None = None
    """The note on the game's origin; None if it wasn't received from a host."""
    is_old_version: bool = False
    """Whether the game is an older version, stored for matches that started with it."""
    translations: Mapping[str, Mapping[str, str]] = {}
    """Translations from the card sheet: language code to text to translation."""
    waits_for: str = ""
    """The digest that the user must agree to before the game's Python may run; "" if it may run."""

    @property
    def is_external(self) -> bool:
        """Whether the folder is outside the package, with pictures in its own `assets/`."""
        return self.facts is not None

    @property
    def digest(self) -> str:
        """The folder's digest; "" for a game in the package."""
        return self.facts.digest if self.facts else ""

    @property
    def is_draft(self) -> bool:
        """Whether the game is unfinished: without a tutorial, or without a Japanese translation."""
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
    """The names of the card backs, then one name for each die."""
    backs: tuple[int, ...]
    """The index in `back_names` of each card's back."""
    words: Wording
    """The game's texts."""
    meaning: GameSemantics
    """The roles of the game's values and questions."""
    layouts: tuple[Layout, ...]
    """The layouts of the table, the default one first."""
    rules: GameRules
    """The rules."""
    modules: FolderModules | None = None
    """The Python of a folder outside the package; None for other games."""
    gameplay_digest: str = ""
    """The digest of what affects the course of a match; "" for a game in the package."""

    @property
    def layout(self) -> Layout:
        """The default layout. Everything except geometry is the same in all layouts."""
        return self.layouts[0]

    def is_die(self, card: int) -> bool:
        """Return whether `card`, or the face of this hidden card, is a face of a die."""
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
