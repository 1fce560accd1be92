"""Importer for room archives of ccfolia: decks in `__data.json`, with pictures beside it."""

from typing import Any

from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.studio.exchange.untrusted_data import as_dict, decode_json, text

TOOL = "ccfolia"
DATA = "__data.json"


def can_read(source: Source) -> bool:
    """Return whether `source` is a ccfolia room archive."""
    return DATA in source


def read(source: Source, title: str) -> FoundGame:
    """Return the room's decks, and a deck of the cards that belong to no deck.

    Raises:
        BadFile: `source` has no cards, or its data can't be read.
    """
    pictures = FoundPictures(source)
    there = as_dict(as_dict(decode_json(source.read(DATA), DATA)).get("entities"))
    decks = DeckCollector(title)
    for each in map(as_dict, as_dict(there.get("decks")).values()):
        cover = text(each.get("coverImageUrl"))
        inside = map(as_dict, as_dict(each.get("items")).values())
        cards = (_card(one, cover, pictures) for one in inside)
        decks.add_deck(text(each.get("name")), cards)
    loose = (
        _card(item, "", pictures)
        for item in map(as_dict, as_dict(there.get("items")).values())
        if text(item.get("coverImageUrl"))
    )
    decks.add_deck("カード", loose)
    called = text(as_dict(there.get("room")).get("name")).strip() or title
    return FoundGame(TOOL, called, decks.finish(), pictures.kept, pictures.missing)


def _card(card: dict[str, Any], cover: str, pictures: FoundPictures) -> FoundCard:
    first, _, more = text(card.get("memo")).strip().partition("\n")
    return FoundCard(
        first,
        pictures.load(text(card.get("imageUrl"))),
        pictures.load(text(card.get("coverImageUrl")) or cover),
        more.strip(),
    )
