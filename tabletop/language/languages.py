"""Languages of the program and of games."""

import re
from importlib.resources.abc import Traversable

from tabletop.games import card_sheet
from tabletop.games.game_kit import CatalogueEntry, GameKit
from tabletop.text.language_code import LANGUAGE_CODE

OWN_NAMES = {"en": "English", "ja": "日本語"}
"""The languages of the program by code, each named in its own language."""
LANGUAGES = tuple(OWN_NAMES)

_CODES = re.compile(rf"({LANGUAGE_CODE.pattern})\.po")


def languages_in(folder: Traversable) -> tuple[str, ...]:
    """Return the codes of all languages available for the game in `folder`.

    They are the program's languages, the languages of columns in the game's card sheet, and those
    of its .po files.
    """
    sheet = card_sheet.find_sheet(folder)
    columns = card_sheet.sheet_columns(sheet) if sheet else ()
    files = (match[1] for each in folder.iterdir() if (match := _CODES.fullmatch(each.name)))
    own = sorted({*files, *(each.language for each in columns if each.language)})
    return tuple(dict.fromkeys((*LANGUAGES, *own)))


def languages_of(game: CatalogueEntry) -> tuple[str, ...]:
    """Return the codes of all languages available for `game`, starting with the program's."""
    files = {match[1] for each in game.folder.iterdir() if (match := _CODES.fullmatch(each.name))}
    return tuple(dict.fromkeys((*LANGUAGES, *sorted({*files, *game.translations}))))


def supported_language(kit: GameKit, wished: str) -> str:
    """Return `wished` if `kit` is available in that language, else "en"."""
    return wished if wished in languages_of(kit) else "en"
