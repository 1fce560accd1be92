"""Importer for Udonarium archives and saved rooms:
card stacks in XML, and pictures named by their SHA-256.
"""

from tabletop.studio.exchange.found_game import DeckCollector, FoundCard, FoundGame
from tabletop.studio.exchange.pictures import FoundPictures
from tabletop.studio.exchange.sources import Source
from tabletop.studio.exchange.untrusted_data import MAX_ELEMENTS, Element, decode_xml
from tabletop.text.phrases import phrase

TOOL = phrase("Udonarium")
_BESIDE = ("chat.xml", "summary.xml")


def can_read(source: Source) -> bool:
    """Return whether `source` may be an Udonarium archive."""
    return any(name.endswith(".xml") and name not in _BESIDE for name in source)


def read(source: Source, title: str) -> FoundGame:
    """Return the decks of an archive.

    Raises:
        BadFile: `source` has no cards, or an XML file can't be read.
    """
    pictures = FoundPictures(source)
    decks = DeckCollector(title)
    elements_left = MAX_ELEMENTS
    for name in source:
        if name.endswith(".xml") and name not in _BESIDE:
            tree, count = decode_xml(source.read(name), name, elements_left)
            elements_left -= count
            _add_decks(tree, pictures, decks)
    return FoundGame(TOOL, title, decks.finish(), pictures.kept, pictures.missing)


def _add_decks(tree: Element, pictures: FoundPictures, decks: DeckCollector) -> None:
    """Add a deck for each card stack of `tree`, and a deck for the cards outside any stack. Nested
    stacks count as part of the outer one.
    """
    loose: list[Element] = []
    for found in tree.outermost("card-stack", "card"):
        if found.name == "card":
            loose.append(found)
            continue
        name = _text_of(found, "card-stack", "common", "name")
        decks.add_deck(name, (_card(card, pictures) for card in found.all("card")))
    decks.add_deck("カード", (_card(card, pictures) for card in loose))


def _card(card: Element, pictures: FoundPictures) -> FoundCard:
    front = _text_of(card, "card", "image", "front") or _text_of(
        card, "card", "image", "imageIdentifier"
    )
    fields: dict[str, str] = {}
    texts: list[str] = []
    detail = card.data("card", "detail")
    for each in detail.all("data") if detail is not None else ():
        heading, said = each.attributes.get("name", "").strip(), each.text.strip()
        if not said or each.inside:
            continue
        if each.attributes.get("type") == "note":
            texts.append(said)
        elif heading:
            fields.setdefault(heading, said)
    return FoundCard(
        _text_of(card, "card", "common", "name"),
        pictures.load(front),
        pictures.load(_text_of(card, "card", "image", "back")),
        "\n".join(texts),
        fields,
    )


def _text_of(element: Element, *names: str) -> str:
    found = element.data(*names)
    return found.text.strip() if found is not None else ""
