"""Rooms of playingcards.io (`.pcio`): decks and cards in `widgets.json`, pictures in the zip."""

from collections import Counter
from typing import Any

from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.studio.exchange.untrusted_data import from_json, items, mapping, text

TOOL = "playingcards.io"
DATA = "widgets.json"
PACKAGE = "package://"
"""How the address of a picture in the zip begins."""
_DRAWN = ("face", "back", "image", "label")
_MAX_DRAWN = 100
"""Objects of a template that are looked at, for each card again."""


def is_one(source: Source) -> bool:
    """Whether it is such a zip."""
    return DATA in source


def read(source: Source, title: str) -> FoundGame:
    """The decks of a room. A card is there as often as it lies on the table; where none of a deck
    does, each is there once.

    Raises:
        BadFile: there are none, or they can't be read.
    """
    pictures = FoundPictures(source)
    widgets = [mapping(each) for each in items(from_json(source.read(DATA), DATA))]
    laid = Counter(
        (text(each.get("deck")), text(each.get("cardType")))
        for each in widgets
        if each.get("type") == "card"
    )
    decks = DeckCollector(title)
    for deck in (each for each in widgets if each.get("type") == "cardDeck"):
        name, kinds = text(deck.get("id")), mapping(deck.get("cardTypes"))
        any_laid = any((name, kind) in laid for kind in kinds)
        cards = (
            _card(deck, mapping(kind), pictures, laid[name, key] if any_laid else 1)
            for key, kind in kinds.items()
            if not any_laid or laid[name, key]
        )
        label = text(deck.get("label")) or text(deck.get("name"))
        decks.add_deck(label, cards)
    return FoundGame(TOOL, title, decks.finish(), pictures.kept, pictures.missing)


def _card(
    deck: dict[str, Any], kind: dict[str, Any], pictures: FoundPictures, copies: int
) -> FoundCard:
    face = _picture(kind, "face") or _picture_address(deck.get("faceTemplate"), kind)
    back = _picture(kind, "back") or _picture_address(deck.get("backTemplate"), kind)
    fields = {
        key: text(value)
        for key, value in kind.items()
        if key not in _DRAWN and text(value).strip() and PACKAGE not in text(value)
    }
    return FoundCard(
        text(kind.get("label")) or text(kind.get("name")),
        pictures.named(face),
        pictures.named(back),
        fields=fields,
        copies=copies,
    )


def _picture(kind: dict[str, Any], key: str) -> str:
    """The address of a picture that a card names itself."""
    return text(kind.get(key)).removeprefix(PACKAGE)


def _picture_address(template: Any, kind: dict[str, Any]) -> str:
    """The address of the first picture of a template: its own, or a property of the card."""
    for each in map(mapping, items(mapping(template).get("objects"))[:_MAX_DRAWN]):
        if each.get("type") != "image":
            continue
        value = text(each.get("value"))
        if each.get("valueType") == "dynamic":
            value = text(kind.get(value))
        if value:
            return value.removeprefix(PACKAGE)
    return ""
