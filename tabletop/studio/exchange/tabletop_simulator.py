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
from tabletop.games.game_info import MAX_CARDS
from tabletop.studio.exchange.found_components import ComponentCollector
from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame, OpenDeck
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.studio.exchange.untrusted_data import as_dict, as_list, number, text

TOOL = "Tabletop Simulator"
MAX_DEPTH, MAX_OBJECTS = 12, 20_000
DEFAULT_GRID = {"NumWidth": 10, "NumHeight": 7}
"""The default grid of a sheet. Old saves don't contain the numbers of columns and rows."""
BAGS = ("Bag", "Infinite_Bag", "Custom_Model_Bag", "Custom_Model_Infinite_Bag")
PLACES = ("HandTrigger", "LayoutZone", "")
"""Objects that only mark places, which every free table has."""
TILES = ("Custom_Tile", "Custom_Token")
MODELS = ("Custom_Model", "Custom_Assetbundle")
PIECES = (
    "Custom_Tile", "Custom_Token", "Figurine", "PlayerPawn", "Checker_", "Chess_", "Block",
    "backgammon_piece", "go_game_piece", "Go_game_piece", "Domino", "Mahjong_", "Poker", "Chip_",
    "Quarter", "rpg_", "Metal Ball", "Piecepack_",
)  # fmt: skip
"""The beginnings of the names of tokens and pawns."""
DIE = re.compile(r"Die_([0-9]{1,3})(?![0-9])")
CUSTOM_DICE_SIDES = (4, 6, 8, 10, 12, 20)
"""The number of sides for each type of a custom die."""
MAX_SCALE = 1e6
DECKS, CARDS = ("DeckCustom", "Deck"), ("CardCustom", "Card")


def can_read(data: Any) -> bool:
    """Return whether the JSON value `data` is a Tabletop Simulator save."""
    return isinstance(as_dict(data).get("ObjectStates"), list)


def read(data: Any, source: Source, title: str) -> FoundGame:
    """Return the decks and components of a save. The picture of the first custom board covers the
    table, or else that of a custom table, or else that of the largest locked tile.

    Raises:
        BadFile: The save has no cards, or too many objects.
    """
    pictures = FoundPictures(source)
    parts = ComponentCollector(pictures)
    decks = DeckCollector(title)
    loose: list[tuple[dict[str, Any], dict[str, Any]]] = []
    others: list[dict[str, Any]] = []
    for thing in _objects(as_dict(data)["ObjectStates"], title):
        sheets = as_dict(thing.get("CustomDeck"))
        if thing.get("Name") in DECKS:
            named = _named_cards(thing, title)
            cards = (_card(each, ChainMap(own, sheets), pictures) for each, own in named)
            decks.add_deck(text(thing.get("Nickname")), cards)
        elif thing.get("Name") in CARDS:
            loose.append((thing, sheets))
        else:
            others.append(thing)
    decks.add_deck("Cards", (_card(thing, sheets, pictures) for thing, sheets in loose))
    tokens = decks.open_deck("Tokens", is_open=True)
    for each in _without_boards(others, text(as_dict(data).get("TableURL")), parts):
        _add_component(each, tokens, parts, pictures)
    if text(as_dict(data).get("LuaScript")).strip():
        parts.leave_out_kind("LuaScript")
    called = text(as_dict(data).get("SaveName")).strip() or title
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


def _without_boards(
    things: list[dict[str, Any]], table: str, parts: ComponentCollector
) -> list[dict[str, Any]]:
    """Add the boards among `things`, and the custom table's picture at the address `table`. Return
    the other things.
    """
    boards = [thing for thing in things if thing.get("Name") == "Custom_Board"]
    for board in boards:
        parts.add_board(_image(board), text(board.get("Nickname")))
    if table:
        parts.add_board(_last_name(table), "TableURL")
    locked = (each for each in things if each.get("Locked") is True and each.get("Name") in TILES)
    largest = max(locked, key=_scale, default=None)
    if largest is not None and not parts.board:
        parts.add_board(_image(largest), text(largest.get("Nickname")))
        boards += [largest] if parts.board else []
    taken = set(map(id, boards))
    return [thing for thing in things if id(thing) not in taken]


def _add_component(
    thing: dict[str, Any], tokens: OpenDeck, parts: ComponentCollector, pictures: FoundPictures
) -> None:
    """Add an object other than a card or a board."""
    kind, name = text(thing.get("Name")), text(thing.get("Nickname")).strip()
    image = as_dict(thing.get("CustomImage"))
    if kind == "Custom_Dice":
        shape = number(as_dict(image.get("CustomDice")).get("Type"), 1)
        sides = CUSTOM_DICE_SIDES[shape] if 0 <= shape < len(CUSTOM_DICE_SIDES) else 0
        parts.add_die(name or kind, sides)
    elif die := DIE.match(kind):
        parts.add_die(name, int(die[1]))
    elif kind == "Counter":
        parts.add_counter(name, number(as_dict(thing.get("Counter")).get("value")))
    elif image or (name and kind in MODELS) or kind.startswith(PIECES):
        back = _last_name(text(image.get("ImageSecondaryURL")))
        copies = min(max(number(thing.get("Number"), 1), 1), MAX_CARDS)
        tokens.add(
            FoundCard(
                name or kind.removeprefix("Custom_").replace("_", " "),
                pictures.load(_image(thing)),
                pictures.load(back),
                text(thing.get("Description")),
                copies=copies,
            )
        )
    elif kind not in PLACES:
        parts.leave_out_kind(kind)
    if text(thing.get("LuaScript")).strip():
        parts.leave_out_kind(f"LuaScript: {name or kind}")


def _image(thing: dict[str, Any]) -> str:
    return _last_name(text(as_dict(thing.get("CustomImage")).get("ImageURL")))


def _scale(thing: dict[str, Any]) -> float:
    scale = as_dict(thing.get("Transform")).get("scaleX")
    return float(scale) if isinstance(scale, int | float) and abs(scale) < MAX_SCALE else 0.0


def _objects(states: Any, title: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a save in order, the contents of a bag instead of the bag.

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
            continue
        if thing.get("Name") not in BAGS:
            yield thing
        if depth < MAX_DEPTH:
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
