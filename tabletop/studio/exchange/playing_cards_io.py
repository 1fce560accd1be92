"""Importer for rooms of playingcards.io (`.pcio`): archives with decks and cards in `widgets.json`,
and their pictures.
"""

from collections import Counter
from typing import Any

from tabletop.studio.exchange.found_components import ComponentCollector
from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame, OpenDeck
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.studio.exchange.untrusted_data import as_dict, as_list, decode_json, number, text

TOOL = "playingcards.io"
DATA = "widgets.json"
PACKAGE_PREFIX = "package://"
"""The URL prefix of a picture in the archive."""
_DRAWN = ("face", "back", "image", "label")
DEFAULT_SIDES = 6
_MAX_LISTED = 8
_MAX_DRAWN = 100
"""The maximum number of template objects that are examined for each card."""


def can_read(source: Source) -> bool:
    """Return whether `source` is a playingcards.io room."""
    return DATA in source


def read(source: Source, title: str) -> FoundGame:
    """Return the decks and components of a room.

    A card has as many copies as lie on the table, or one copy if no card of its deck lies there.

    Raises:
        BadFile: `source` has no cards, or its data can't be read.
    """
    pictures = FoundPictures(source)
    widgets = [as_dict(each) for each in as_list(decode_json(source.read(DATA), DATA))]
    laid = Counter(
        (text(each.get("deck")), text(each.get("cardType")))
        for each in widgets
        if each.get("type") == "card"
    )
    parts = ComponentCollector(pictures)
    decks = DeckCollector(title)
    for deck in (each for each in widgets if each.get("type") == "cardDeck"):
        name, kinds = text(deck.get("id")), as_dict(deck.get("cardTypes"))
        any_laid = any((name, kind) in laid for kind in kinds)
        cards = (
            _card(deck, as_dict(kind), pictures, laid[name, key] if any_laid else 1)
            for key, kind in kinds.items()
            if not any_laid or laid[name, key]
        )
        label = text(deck.get("label")) or text(deck.get("name"))
        decks.add_deck(label, cards)
    tokens = decks.open_deck("Pieces", is_open=True)
    for widget in widgets:
        _add_component(widget, tokens, parts, pictures)
    return FoundGame(
        TOOL,
        title,
        decks.finish(),
        pictures.kept,
        pictures.missing,
        board=parts.board,
        dice=parts.dice(),
        counters=parts.counters(),
        left_out=parts.left_out(),
    )


def _add_component(
    widget: dict[str, Any], tokens: OpenDeck, parts: ComponentCollector, pictures: FoundPictures
) -> None:
    """Add a widget that isn't a card. Holders of cards are left out silently, because every free
    table has places for them.
    """
    label = text(widget.get("label")) or text(widget.get("name"))
    match kind := text(widget.get("type")):
        case "card" | "cardDeck" | "cardPile" | "hand":
            pass
        case "board":
            image = text(widget.get("boardImage")).removeprefix(PACKAGE_PREFIX)
            parts.add_board(image, label)
        case "counter":
            parts.add_counter(label, number(widget.get("counterValue")))
        case "spinner":
            options = as_list(widget.get("options"))
            parts.add_die(label, len(options) or DEFAULT_SIDES)
            if options and options != [*range(1, len(options) + 1)]:
                parts.leave_out_kind(f"spinner: {', '.join(map(text, options[:_MAX_LISTED]))}")
        case "gamePiece":
            image = _picture(widget, "image") or _picture(widget, "pieceImage")
            name = label or f"{text(widget.get('color'))} {text(widget.get('pieceType'))}".strip()
            tokens.add(FoundCard(name or kind, pictures.load(image)))
        case _:
            parts.leave_out_kind(kind)


def _card(
    deck: dict[str, Any], kind: dict[str, Any], pictures: FoundPictures, copies: int
) -> FoundCard:
    face = _picture(kind, "face") or _picture_address(deck.get("faceTemplate"), kind)
    back = _picture(kind, "back") or _picture_address(deck.get("backTemplate"), kind)
    fields = {
        key: text(value)
        for key, value in kind.items()
        if key not in _DRAWN and text(value).strip() and PACKAGE_PREFIX not in text(value)
    }
    return FoundCard(
        text(kind.get("label")) or text(kind.get("name")),
        pictures.load(face),
        pictures.load(back),
        fields=fields,
        copies=copies,
    )


def _picture(kind: dict[str, Any], key: str) -> str:
    """Return the picture address in the card's own property `key`, or "" if there is none."""
    return text(kind.get(key)).removeprefix(PACKAGE_PREFIX)


def _picture_address(template: Any, kind: dict[str, Any]) -> str:
    """Return the address of the first picture in `template`, or "" if there is none.

    The address is either fixed or taken from a property of the card.
    """
    for each in map(as_dict, as_list(as_dict(template).get("objects"))[:_MAX_DRAWN]):
        if each.get("type") != "image":
            continue
        value = text(each.get("value"))
        if each.get("valueType") == "dynamic":
            value = text(kind.get(value))
        if value:
            return value.removeprefix(PACKAGE_PREFIX)
    return ""
