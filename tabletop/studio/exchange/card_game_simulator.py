"""Importer for games of Card Game Simulator.

A game consists of `cgs.json`, its cards in `AllCards.json`, and their pictures in `sets/`.
"""

from pathlib import PurePosixPath
from typing import Any

from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame, OpenDeck
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.studio.exchange.untrusted_data import as_dict, as_list, decode_json, text

TOOL = "Card Game Simulator"
CARDS = "AllCards.json"
SPECIFICATION = "cgs.json"
BACK = "CardBack"
_TEXTS = ("text", "rules", "description", "effect")


def can_read(source: Source) -> bool:
    """Return whether `source` contains the cards of a Card Game Simulator game."""
    return bool(_find_file(source, CARDS))


def read(source: Source, title: str) -> FoundGame:
    """Return the game in `source`, with one deck per set and one copy of each card.

    Raises:
        BadFile: `source` has no cards, or a file can't be read.
    """
    pictures = FoundPictures(source)
    where = _find_file(source, CARDS)
    folder = PurePosixPath(where).parent
    about = _find_file(source, SPECIFICATION)
    told = as_dict(decode_json(source.read(about), about)) if about else {}
    keys = {
        key: text(told.get(f"card{key.title()}Identifier")) or key for key in ("id", "name", "set")
    }
    ending = text(told.get("cardImageFileType")) or "png"
    back = pictures.load(BACK) if _find_file(source, f"{BACK}.png", f"{BACK}.jpg") else ""
    called = text(told.get("name")).strip() or title
    decks = DeckCollector(title)
    sets: dict[str, OpenDeck] = {}
    for card in map(as_dict, as_list(decode_json(source.read(where), where))):
        number, name, group = (text(card.get(keys[key])).strip() for key in ("id", "name", "set"))
        file = (folder / "sets" / (group or "default") / f"{number}.{ending}").as_posix()
        face = pictures.load(file if file in source else f"{number}.{ending}") if number else ""
        if group not in sets:
            sets[group] = decks.open_deck(group or called)
        sets[group].add(FoundCard(name or number, face, back, _text(card), _fields(card, keys)))
    return FoundGame(TOOL, called, decks.finish(), pictures.kept, pictures.missing)


def _text(card: dict[str, Any]) -> str:
    return next((text(card[key]) for key in _TEXTS if text(card.get(key)).strip()), "")


def _fields(card: dict[str, Any], keys: dict[str, str]) -> dict[str, str]:
    return {
        key: text(value)
        for key, value in card.items()
        if key not in (*keys.values(), *_TEXTS) and text(value).strip()
    }


def _find_file(source: Source, *names: str) -> str:
    """Return the path of a file with one of these `names` in any folder, or "" if there is none."""
    wanted = {name.lower() for name in names}
    found = (each for each in source if PurePosixPath(each).name.lower() in wanted)
    return min(found, key=len, default="")
