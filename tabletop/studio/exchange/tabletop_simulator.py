"""Importer for saves and saved objects of Tabletop Simulator.

Decks are in JSON, and their cards on picture sheets beside the file. URLs are never followed: only
the last part of each URL is used, as a file name.
"""

import re
from collections import ChainMap, deque
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from tabletop.files.errors import BadFile
from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.studio.exchange.untrusted_data import as_dict, as_list, number, text

TOOL = "Tabletop Simulator"
MAX_DEPTH, MAX_OBJECTS = 12, 20_000
DEFAULT_GRID = {"NumWidth": 10, "NumHeight": 7}
"""The default grid of a sheet. Old saves don't contain the numbers of columns and rows."""
DECKS, CARDS = ("DeckCustom", "Deck"), ("CardCustom", "Card")


def can_read(data: Any) -> bool:
    """Return whether the JSON value `data` is a Tabletop Simulator save."""
    return isinstance(as_dict(data).get("ObjectStates"), list)


def read(data: Any, source: Source, title: str) -> FoundGame:
    """Return the decks of a save.

    Raises:
        BadFile: The save has no cards, or too many objects.
    """
    pictures = FoundPictures(source)
    decks = DeckCollector(title)
    loose: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for thing in _objects(as_dict(data)["ObjectStates"], title):
        sheets = as_dict(thing.get("CustomDeck"))
        if thing.get("Name") in DECKS:
            named = _named_cards(thing, title)
            cards = (_card(each, ChainMap(own, sheets), pictures) for each, own in named)
            decks.add_deck(text(thing.get("Nickname")), cards)
        else:
            loose.append((thing, sheets))
    decks.add_deck("Cards", (_card(thing, sheets, pictures) for thing, sheets in loose))
    called = text(as_dict(data).get("SaveName")).strip() or title
    return FoundGame(TOOL, called, decks.finish(), pictures.kept, pictures.missing)


def _objects(states: Any, title: str) -> Iterator[dict[str, Any]]:
    """Yield the decks and the single cards of a save, in order.

    Raises:
        BadFile: The save has too many objects.
    """
    waiting = [(as_dict(each), 0) for each in reversed(as_list(states))]
    count = 0
    while waiting:
        thing, depth = waiting.pop()
        count += 1
        if count > MAX_OBJECTS:
            raise BadFile('"{file}" holds more than {n} objects.', file=title, n=MAX_OBJECTS)
        if thing.get("Name") in (*DECKS, *CARDS):
            yield thing
        elif depth < MAX_DEPTH:
            inside = [
                *as_list(thing.get("ContainedObjects")),
                *as_dict(thing.get("States")).values(),
            ]
            waiting.extend((as_dict(each), depth + 1) for each in reversed(inside))


def _named_cards(
    deck: dict[str, Any], title: str
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each card of `deck` with the sheets that the card itself refers to. Cards that the deck
    lists only by number have no name.
    """
    inside = [as_dict(each) for each in as_list(deck.get("ContainedObjects"))]
    numbers = [number(each) for each in as_list(deck.get("DeckIDs"))]
    if len(numbers) > MAX_OBJECTS:
        raise BadFile('"{file}" holds more than {n} objects.', file=title, n=MAX_OBJECTS)
    by_number: dict[int, deque[dict[str, Any]]] = {}
    for each in inside:
        by_number.setdefault(number(each.get("CardID")), deque()).append(each)
    for at in numbers or [number(card.get("CardID")) for card in inside]:
        known = by_number.get(at)
        card = (known.popleft() if len(known) > 1 else known[0]) if known else {"CardID": at}
        yield card, as_dict(card.get("CustomDeck"))


def _card(card: dict[str, Any], sheets: Mapping[str, Any], pictures: FoundPictures) -> FoundCard:
    sheet_number, place = divmod(number(card.get("CardID")), 100)
    sheet = as_dict(sheets.get(str(sheet_number)))
    columns, rows = (number(sheet.get(key), n) for key, n in DEFAULT_GRID.items())
    face, back = (_last_name(text(sheet.get(key))) for key in ("FaceURL", "BackURL"))
    unique = sheet.get("UniqueBack") is True
    return FoundCard(
        text(card.get("Nickname")),
        pictures.load_cell(face, columns, rows, place),
        pictures.load_cell(back, columns, rows, place) if unique else pictures.load(back),
        text(card.get("Description")),
    )


def _last_name(address: str) -> str:
    """Return the file name for a picture URL. For web addresses it is the name of Tabletop
    Simulator's cached copy in `Mods/Images`.
    """
    address = address.strip()
    if address.lower().startswith(("http://", "https://")):
        return re.sub(r"[^A-Za-z0-9]", "", address)
    return unquote(address.replace("\\", "/").rpartition("/")[2])
