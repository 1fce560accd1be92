"""Zips of Udonarium: card stacks in XML, pictures named by their SHA-256. A saved room is one as
well."""

from collections.abc import Iterator

from tabletop.exchange.found_game import FoundCard, FoundDeck, FoundGame, checked, gathered
from tabletop.exchange.pictures import FoundPictures
from tabletop.exchange.sources import Source
from tabletop.exchange.untrusted_data import Element, from_xml
from tabletop.text.phrases import phrase

TOOL = phrase("Udonarium")
_BESIDE = ("chat.xml", "summary.xml")


def is_one(source: Source) -> bool:
    """Whether it may be such a zip."""
    return any(name.endswith(".xml") and name not in _BESIDE for name in source)


def read(source: Source, title: str) -> FoundGame:
    """The decks of a zip.

    Raises:
        BadFile: there are none, or they can't be read.
    """
    pictures = FoundPictures(source)
    decks: list[FoundDeck] = []
    for name in source:
        if name.endswith(".xml") and name not in _BESIDE:
            decks.extend(_decks(from_xml(source.read(name), name), pictures, len(decks)))
    return FoundGame(TOOL, title, checked(title, decks), pictures.kept, pictures.missing)


def _decks(tree: Element, pictures: FoundPictures, before: int) -> Iterator[FoundDeck]:
    stacked: set[int] = set()
    for number, stack in enumerate(tree.all("card-stack"), before + 1):
        cards = [*stack.all("card")]
        stacked.update(map(id, cards))
        name = _text_of(stack, "card-stack", "common", "name")
        yield gathered(name, [_card(card, pictures) for card in cards], number)
    loose = [card for card in tree.all("card") if id(card) not in stacked]
    yield gathered("カード", [_card(card, pictures) for card in loose])


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
        pictures.named(front),
        pictures.named(_text_of(card, "card", "image", "back")),
        "\n".join(texts),
        fields,
    )


def _text_of(element: Element, *names: str) -> str:
    found = element.data(*names)
    return found.text.strip() if found is not None else ""
