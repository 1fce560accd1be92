"""Locations of cards, texts and names in a game's files (file and line)."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tabletop.catalogue.catalogue import GameKit
from tabletop.games import card_sheet, game_info
from tabletop.games.references import fits
from tabletop.games.typed_toml import TomlFile
from tabletop.studio.translation import translation_check
from tabletop.text.phrases import GAP

PLACEHOLDER_PATTERN = "(.+)"
"""The regular expression for whatever fills a placeholder in a text."""


def locate_cards(kit: GameKit) -> Mapping[str, str]:
    """Return the location of the first card with each name, such as "cards.csv row 3"."""
    places: dict[str, str] = {}
    written = TomlFile(game_info.CARDS_TOML, kit.read_text(game_info.CARDS_TOML))
    for number, card in enumerate(written.table.get("card", ())):
        line = written.line_of(("card", number))
        places.setdefault(str(card.get("name", "")), f"{game_info.CARDS_TOML} line {line}")
    if sheet := card_sheet.find_sheet(kit.folder):
        for row in card_sheet.read_cards(sheet):
            places.setdefault(str(row.card["name"]), f"{sheet.file} row {row.number}")
    return places


def locate_text(kit: GameKit, text: str, language: str) -> str:
    """Return the location of a text that the window shows, or "" if no file
    of the game contains it.

    In `text`, placeholders may be filled in and the end may be cut off.
    """
    return _source(kit, text, language)[1]


def full_text(kit: GameKit, text: str, language: str) -> str:
    """Return the full version of a `text` that is cut off in the window. Return `text` itself if no
    file of the game contains it.
    """
    return _source(kit, text, language)[0] if text.endswith("…") else text


def _source(kit: GameKit, text: str, language: str) -> tuple[str, str]:
    """Return a text as it is written in the game's files, and its location."""
    shown = text.rstrip("…").strip()
    if len(shown) < 2:
        return text, ""
    whole, patterns = _written(Path(str(kit.folder)), language)
    if text in whole:
        return text, whole[text]
    for pattern, place in patterns:
        gap = PLACEHOLDER_PATTERN in pattern.pattern
        if (gap and pattern.match(text)) or (text != shown and _begins(pattern.pattern, shown)):
            return re.sub(r"\\(.)", r"\1", pattern.pattern.removesuffix(r"\Z")), place
    return text, ""


def _begins(pattern: str, shown: str) -> bool:
    """Return whether `pattern`, up to its first placeholder, can start with the text `shown`."""
    plain = re.sub(r"\\(.)", r"\1", pattern.partition(PLACEHOLDER_PATTERN)[0])
    return len(plain) > 2 and (plain.startswith(shown) or shown.startswith(plain))


@cache
def _written(
    folder: Path, language: str
) -> tuple[Mapping[str, str], tuple[tuple[re.Pattern[str], str], ...]]:
    """Return two collections, so that most texts are found by a fast lookup.

    The first contains the location of each text without placeholders, by text. The second contains
    the pattern and the location of every text, longest first.
    """
    whole: dict[str, str] = {}
    own = {} if language == "en" else translation_check.translated_texts(folder, language)
    patterns = []
    for text, place in translation_check.texts_in_folder(folder).items():
        wording = own.get(text, text)
        parts = [re.escape(part) for part in GAP.split(wording)[::2]]
        if any(map(str.isalpha, "".join(parts))):
            pattern = re.compile(PLACEHOLDER_PATTERN.join(parts) + r"\Z")
            patterns.append((pattern, format_location(place, folder)))
            if len(parts) == 1:
                whole.setdefault(wording, format_location(place, folder))
    return whole, tuple(sorted(patterns, key=lambda each: -len(each[0].pattern)))


def format_location(place: str, folder: Path) -> str:
    """Return a location such as "/home/ann/pond/free.toml:9" in the form "free.toml line 9"."""
    file, _, line = place.rpartition(":")
    path = Path(file)
    name = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name
    return f"{name} {'row' if name in card_sheet.CARD_FILES else 'line'} {line}"


def locate_name(kit: GameKit, file: str, section: str, name: str) -> str:
    """Return the location of `name` in a section of a TOML file. Falls back to the section, or the
    first line.
    """
    written = TomlFile(file, kit.read_text(file), max(kit.box.seats))
    named = getattr(written.table.get(section), "paths", {})
    path = next((path for each, path in named.items() if fits(name, each)), (section,))
    return f"{file} line {written.line_of(path)}"
