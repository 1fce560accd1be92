"""Importer for room archives of ccfolia: decks, panels, characters and dice in `__data.json`, with
pictures beside it.
"""

from typing import Any

from tabletop.studio.exchange.found_components import ComponentCollector
from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.studio.exchange.untrusted_data import as_dict, as_list, decode_json, number, text

TOOL = "ccfolia"
DATA = "__data.json"
DEFAULT_SIDES = 6


def can_read(source: Source) -> bool:
    """Return whether `source` is a ccfolia room archive."""
    return DATA in source


def read(source: Source, title: str) -> FoundGame:
    """Return the room's decks, a deck of the cards that belong to no deck, and its components.

    The foreground is the table's picture, or else the background, or else the largest panel that is
    locked. Other panels and the characters are tokens.

    Raises:
        BadFile: `source` has no cards, or its data can't be read.
    """
    pictures = FoundPictures(source)
    there = as_dict(as_dict(decode_json(source.read(DATA), DATA)).get("entities"))
    room = as_dict(there.get("room"))
    parts = ComponentCollector(pictures)
    decks = DeckCollector(title)
    for each in _entities(there, "decks"):
        cover = text(each.get("coverImageUrl"))
        inside = map(as_dict, as_dict(each.get("items")).values())
        cards = (_card(one, cover, pictures) for one in inside)
        decks.add_deck(text(each.get("name")), cards)
    items = _entities(there, "items")
    loose = (_card(item, "", pictures) for item in items if text(item.get("coverImageUrl")))
    decks.add_deck("カード", loose)
    for key, name in (("foregroundUrl", "foreground"), ("backgroundUrl", "background")):
        parts.add_board(text(room.get(key)), name)
    panels = [item for item in items if not text(item.get("coverImageUrl"))]
    locked = max((each for each in panels if each.get("locked") is True), key=_area, default=None)
    if locked is not None and not parts.board:
        parts.add_board(text(locked.get("imageUrl")), text(locked.get("memo")))
        panels = [each for each in panels if each is not locked or not parts.board]
    tokens = decks.open_deck("駒", is_open=True)
    for panel in panels:
        tokens.add(_card(panel, "", pictures))
    for each in _entities(there, "characters"):
        tokens.add(_character(each, pictures))
        for status in map(as_dict, as_list(each.get("status"))):
            label, value = text(status.get("label")), status.get("value")
            parts.add_counter(label, number(value), of_seats=True)
    for die in _entities(there, "dices"):
        faces = die.get("faces")
        parts.add_die("", number(faces) or len(as_list(faces)) or DEFAULT_SIDES)
    for kind in there:
        if kind not in ("room", "decks", "items", "characters", "dices"):
            parts.leave_out_kind(kind, len(as_dict(there[kind])))
    called = text(room.get("name")).strip() or title
    return FoundGame(
        TOOL,
        called,
        decks.finish(),
        pictures.kept,
        pictures.missing,
        board=parts.board,
        dice=parts.dice(),
        counters=parts.counters(),
        left_out=parts.left_out(),
    )


def _entities(there: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [as_dict(each) for each in as_dict(there.get(kind)).values()]


def _area(panel: dict[str, Any]) -> int:
    return number(panel.get("width")) * number(panel.get("height"))


def _character(character: dict[str, Any], pictures: FoundPictures) -> FoundCard:
    values = [*as_list(character.get("status")), *as_list(character.get("params"))]
    fields = {
        text(value.get("label")): text(value.get("value"))
        for value in map(as_dict, values)
        if text(value.get("label")).strip()
    }
    return FoundCard(
        text(character.get("name")),
        pictures.load(text(character.get("iconUrl"))),
        text=text(character.get("memo")),
        fields=fields,
    )


def _card(card: dict[str, Any], cover: str, pictures: FoundPictures) -> FoundCard:
    first, _, more = text(card.get("memo")).strip().partition("\n")
    return FoundCard(
        first,
        pictures.load(text(card.get("imageUrl"))),
        pictures.load(text(card.get("coverImageUrl")) or cover),
        more.strip(),
    )
