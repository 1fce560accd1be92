"""Importer for Udonarium archives and saved rooms:
card stacks, characters, dice and tables in XML, and pictures named by their SHA-256.
"""

from tabletop.studio.exchange.found_components import ComponentCollector
from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.studio.exchange.untrusted_data import MAX_ELEMENTS, Element, decode_xml
from tabletop.text.phrases import phrase

TOOL = phrase("Udonarium")
_CHAT = "chat.xml"
_BESIDE = (_CHAT, "summary.xml")
_SCENERY = ("terrain", "table-mask")
_OBJECTS = ("card-stack", "card", "character", "dice-symbol", "game-table", "text-note", *_SCENERY)


def can_read(source: Source) -> bool:
    """Return whether `source` may be an Udonarium archive."""
    return any(name.endswith(".xml") and name not in _BESIDE for name in source)


def read(source: Source, title: str) -> FoundGame:
    """Return the decks and components of an archive. Characters are tokens, and the picture of the
    first table is the table's picture.

    Raises:
        BadFile: `source` has no cards, or an XML file can't be read.
    """
    pictures = FoundPictures(source)
    parts = ComponentCollector(pictures)
    decks = DeckCollector(title)
    elements_left = MAX_ELEMENTS
    for name in source:
        if name.endswith(".xml") and name not in _BESIDE:
            tree, count = decode_xml(source.read(name), name, elements_left)
            elements_left -= count
            _add_objects(tree, pictures, decks, parts)
    if _CHAT in source:
        parts.leave_out_kind(_CHAT)
    return FoundGame(
        TOOL,
        title,
        decks.finish(),
        pictures.kept,
        pictures.missing,
        board=parts.board,
        dice=parts.dice(),
        left_out=parts.left_out(),
    )


def _add_objects(
    tree: Element, pictures: FoundPictures, decks: DeckCollector, parts: ComponentCollector
) -> None:
    """Add a deck for each card stack of `tree`, decks for the cards outside any stack and for the
    characters, dice, and the table's picture. Nested stacks count as part of the outer one.
    """
    loose: list[Element] = []
    tokens: list[Element] = []
    for found in tree.outermost(*_OBJECTS):
        match found.name:
            case "card":
                loose.append(found)
            case "card-stack":
                name = _text_of(found, "card-stack", "common", "name")
                decks.add_deck(name, (_card(card, pictures) for card in found.all("card")))
            case "character":
                tokens.append(found)
            case "dice-symbol":
                name = _text_of(found, found.name, "common", "name")
                parts.add_die(name, _count_sides(found))
            case "game-table":
                name = found.attributes.get("name", "")
                parts.add_board(found.attributes.get("imageIdentifier", ""), name)
                for inside in found.outermost(*_SCENERY):
                    parts.leave_out_kind(inside.name)
            case kind:
                parts.leave_out_kind(kind)
    decks.add_deck("カード", (_card(card, pictures) for card in loose))
    decks.add_deck("駒", (_card(each, pictures) for each in tokens), is_open=True)


def _count_sides(die: Element) -> int:
    """Return the number of sides of a dice symbol, which has a picture for each of them."""
    faces = die.data(die.name, "image")
    inside = faces.inside if faces is not None else []
    return sum(each.attributes.get("name") != "imageIdentifier" for each in inside)


def _card(card: Element, pictures: FoundPictures) -> FoundCard:
    front = _text_of(card, card.name, "image", "front") or _text_of(
        card, card.name, "image", "imageIdentifier"
    )
    fields: dict[str, str] = {}
    texts: list[str] = []
    detail = card.data(card.name, "detail")
    for each in detail.all("data") if detail is not None else ():
        heading, said = each.attributes.get("name", "").strip(), each.text.strip()
        if not said or each.inside:
            continue
        if each.attributes.get("type") == "note":
            texts.append(said)
        elif heading:
            fields.setdefault(heading, said)
    return FoundCard(
        _text_of(card, card.name, "common", "name"),
        pictures.load(front),
        pictures.load(_text_of(card, card.name, "image", "back")),
        "\n".join(texts),
        fields,
    )


def _text_of(element: Element, *names: str) -> str:
    found = element.data(*names)
    return found.text.strip() if found is not None else ""
