"""The languages of the program, and those of a game."""

import re
from importlib.resources.abc import Traversable

from tabletop.games import card_sheet
from tabletop.games.game_kit import CatalogueEntry, GameKit
from tabletop.text.language_code import LANGUAGE_CODE

OWN_NAMES = {"en": "English", "ja": "日本語"}
"""The languages, each as its readers call it."""
LANGUAGES = tuple(OWN_NAMES)

_CODES = re.compile(rf"({LANGUAGE_CODE.pattern})\.po")


def languages_in(folder: Traversable) -> tuple[str, ...]:
    """The codes of the languages that a game can be read in: those of the program, and those of
    columns of its spreadsheet and of po files in its folder."""
    sheet = card_sheet.find_sheet(folder)
    columns = card_sheet.sheet_columns(sheet) if sheet else ()
    files = (match[1] for each in folder.iterdir() if (match := _CODES.fullmatch(each.name)))
    own = sorted({*files, *(each.language for each in columns if each.language)})
    return tuple(dict.fromkeys((*LANGUAGES, *own)))


def languages_of(game: CatalogueEntry) -> tuple[str, ...]:
    """The codes of the languages that a game has texts in, and those of the program."""
    files = {match[1] for each in game.folder.iterdir() if (match := _CODES.fullmatch(each.name))}
    return tuple(dict.fromkeys((*LANGUAGES, *sorted({*files, *game.translations}))))


def known_language(kit: GameKit, wished: str) -> str:
    """Return the wished language if a game has it, else English, in which its texts are then."""
    return wished if wished in languages_of(kit) else "en"
