"""Exporters of a game's cards: as pictures, for Tabletop Simulator, and for Udonarium."""

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from msgspec import Struct

from tabletop.exchange.zip_archive import pack_zip
from tabletop.text.portable_name import make_portable

SHEET_GRID = (10, 7)
"""The number of columns and the number of rows of a Tabletop Simulator card sheet."""
CARDS_PER_SHEET = 69
"""The maximum number of cards on a sheet. Its last cell is what other
players see of a hidden hand.
"""
MAX_SHEET_PX = 4_096
"""The maximum width and height of a sheet, the texture size that every computer supports."""


class ExportedCard(Struct, frozen=True):
    """A drawn card. `face` and `back` are PNG images."""

    name: str
    text: str
    face: bytes
    back: bytes
    copies: int
    deck: int = 0
    """The number of the card's back. Cards with the same number form a deck."""


Cards = Sequence[ExportedCard]


def export_pictures(cards: Cards, title: str) -> bytes:
    """Return a ZIP archive of all card pictures, with one folder per back.

    File names contain the number of copies, so that `picture_folder` can import the archive again.
    """
    files: dict[str, bytes] = {}
    for number, deck in enumerate(_by_back(cards), 1):
        folder = f"{number:02}"
        files[f"{folder}/back.png"] = deck[0].back
        for place, card in enumerate(deck, 1):
            copies = f" x{card.copies}" if card.copies > 1 else ""
            name = make_portable(f"{place:03} {card.name}"[:60]) + copies
            files[f"{folder}/{name}.png"] = card.face
    return pack_zip(files)


def export_udonarium(cards: Cards, title: str) -> bytes:
    """Return a ZIP archive for dropping onto an Udonarium table, with one card stack per back."""
    files: dict[str, bytes] = {}

    def kept(picture: bytes) -> str:
        digest = sha256(picture).hexdigest()
        files[f"{digest}.png"] = picture
        return digest

    decks = _by_back(cards)
    for number, deck in enumerate(decks, 1):
        name = title if len(decks) == 1 else f"{title} {number}"
        inside = "".join(
            _udonarium_card(card, kept(card.face), kept(card.back)) * card.copies for card in deck
        )
        files[f"deck{number}.xml"] = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<card-stack location.name="table" location.x="{200 * number}" location.y="200" '
            'posZ="0" rotate="0" zindex="0" owner="" isShowTotal="true">'
            '<data name="card-stack"><data name="image">'
            '<data type="image" name="imageIdentifier"></data></data>'
            f'<data name="common"><data name="name">{escape(name)}</data></data>'
            '<data name="detail"></data></data>'
            f'<node name="cardRoot">{inside}</node></card-stack>\n'
        ).encode()
    return pack_zip(files)


def _udonarium_card(card: ExportedCard, face: str, back: str) -> str:
    note = f'<data type="note" name="text">{escape(card.text)}</data>' if card.text else ""
    return (
        '<card location.name="table" location.x="0" location.y="0" posZ="0" state="1" rotate="0" '
        'owner="" zindex="0"><data name="card"><data name="image">'
        '<data type="image" name="imageIdentifier"></data>'
        f'<data type="image" name="front">{face}</data>'
        f'<data type="image" name="back">{back}</data></data>'
        f'<data name="common"><data name="name">{escape(card.name)}</data>'
        f'<data name="size">2</data></data><data name="detail">{note}</data></data></card>'
    )


def export_simulator(cards: Cards, title: str) -> bytes:
    """Return a ZIP archive for Tabletop Simulator: card sheets, backs, and a saved object that
    refers to them.
    """
    files: dict[str, bytes] = {}
    decks: list[dict[str, Any]] = []
    number = 0
    for deck in _by_back(cards):
        sheets: dict[str, Any] = {}
        inside: list[dict[str, Any]] = []
        for start in range(0, len(deck), CARDS_PER_SHEET):
            number += 1
            some = deck[start : start + CARDS_PER_SHEET]
            files[f"sheet{number}.png"] = _sheet(some)
            files[f"back{number}.png"] = deck[0].back
            sheet = {
                "FaceURL": f"file:///sheet{number}.png",
                "BackURL": f"file:///back{number}.png",
                "NumWidth": SHEET_GRID[0],
                "NumHeight": SHEET_GRID[1],
                "BackIsHidden": True,
                "UniqueBack": False,
            }
            sheets[str(number)] = sheet
            for place, card in enumerate(some):
                told = {
                    "Name": "Card",
                    "Nickname": card.name,
                    "Description": card.text,
                    "CardID": 100 * number + place,
                    "CustomDeck": {str(number): sheet},
                    "Transform": _TRANSFORM,
                }
                inside += [told] * card.copies
        numbers = [each["CardID"] for each in inside]
        decks.append(_deck(title, inside, numbers, sheets, len(decks)))
    saved = {"SaveName": title, "ObjectStates": decks}
    content = json.dumps(saved, ensure_ascii=False, indent=1).encode()
    return pack_zip(files | {make_portable(f"{title}.json"): content})


_TRANSFORM = {
    "posX": 0,
    "posY": 1,
    "posZ": 0,
    "rotX": 0,
    "rotY": 180,
    "rotZ": 180,
    "scaleX": 1,
    "scaleY": 1,
    "scaleZ": 1,
}


def _deck(
    title: str, inside: list[dict[str, Any]], numbers: list[int], sheets: dict[str, Any], place: int
) -> dict[str, Any]:
    """Return the deck object at position `place`. If `inside` has a single card, return a card
    object, because Tabletop Simulator has no decks of one card.
    """
    at = _TRANSFORM | {"posX": 3 * place}
    if len(inside) == 1:
        return inside[0] | {"Transform": at}
    return {
        "Name": "DeckCustom",
        "Nickname": title,
        "Transform": at,
        "DeckIDs": numbers,
        "CustomDeck": sheets,
        "ContainedObjects": inside,
    }


def _sheet(cards: Cards) -> bytes:
    from PIL import Image

    faces = [Image.open(BytesIO(card.face), formats=("PNG",)).convert("RGB") for card in cards]
    width, height = faces[0].size
    scale = min(
        1.0, MAX_SHEET_PX / (width * SHEET_GRID[0]), MAX_SHEET_PX / (height * SHEET_GRID[1])
    )
    cell = int(width * scale), int(height * scale)
    sheet = Image.new("RGB", (cell[0] * SHEET_GRID[0], cell[1] * SHEET_GRID[1]), "white")
    for place, face in enumerate(faces):
        row, column = divmod(place, SHEET_GRID[0])
        sheet.paste(face.resize(cell, Image.Resampling.LANCZOS), (column * cell[0], row * cell[1]))
    out = BytesIO()
    sheet.save(out, "PNG")
    return out.getvalue()


def _by_back(cards: Cards) -> list[list[ExportedCard]]:
    """Return the cards grouped by back."""
    ordered = sorted(cards, key=lambda card: card.deck)
    return [list(deck) for _, deck in groupby(ordered, key=lambda card: card.deck)]


EXPORTERS: dict[str, Callable[[Cards, str], bytes]] = {
    "pictures": export_pictures,
    "simulator": export_simulator,
    "udonarium": export_udonarium,
}
"""The export function for each format, by the format's name."""


def count_equal_cards(faces: Sequence[object]) -> Iterator[tuple[int, int]]:
    """Yield the index of the first card of each kind and the number of its copies.

    Cards are of the same kind if their entries in `faces` have the same `repr`.
    """
    kinds: dict[str, list[int]] = {}
    for card, face in enumerate(faces):
        kinds.setdefault(repr(face), []).append(card)
    for same in kinds.values():
        yield same[0], len(same)
