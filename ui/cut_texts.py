"""Texts of cards that do not fit where they are drawn: every face is drawn and measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from tabletop.games.catalogue import Kit
from tabletop.words import LANGUAGES, Words
from ui.shot import application
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.card_pictures import CardPictures, NoPicture, picture_file
from ui.style.fonts import text_width
from ui.style.theme import theme
from ui.table.items.prints import Prints

SVG = "{http://www.w3.org/2000/svg}"
SLACK = 1.02
_NUMBER = re.compile(r"-?[0-9.]+")


def cut_texts(kit: Kit) -> Iterator[str]:
    """A sentence for every card whose words are cut in a language, whose picture is not there, or
    that cannot be drawn."""
    application()
    art = Art()
    seen: set[tuple[str, str]] = set()
    for language in LANGUAGES:
        prints = Prints(kit, art, Words(language, kit), theme("light"))
        for card, face in enumerate(kit.deck):
            name = str(face.get("name", ""))
            if (name, language) in seen or kit.is_die(card):
                continue
            seen.add((name, language))
            try:
                drawn = prints.face_drawing(card)
            except BrokenDrawing as error:
                yield str(error)
                return
            for told in _cut(drawn, face.get("text", "")):
                yield f'"{name}" ({language}): {told}'
            if language == LANGUAGES[0] and face.get("picture"):
                yield from _missing(prints, name, str(face["picture"]))


def _missing(prints: Prints, name: str, picture: str) -> Iterator[str]:
    try:
        picture_file(prints.pictures, picture)
    except NoPicture as error:
        yield f'"{name}": {error}'
        return
    if not CardPictures(str(prints.pictures))(picture, 100, 100):
        yield f'"{name}": "{picture}" cannot be drawn'


def _cut(svg: bytes, text: object) -> Iterator[str]:
    """What of a drawing's words is left out, or stands over its edge."""
    root = ElementTree.fromstring(svg)
    _, _, width, _ = (float(part) for part in _NUMBER.findall(root.get("viewBox", "0 0 240 336")))
    for line in root.iterfind(f"{SVG}text"):  # those in groups may be turned
        said = "".join(line.itertext()).strip()
        if said.endswith("…") and "…" not in str(text):
            yield f'the text ends at "{said}": it is too long for the card'
            continue
        high = float((_NUMBER.findall(line.get("font-size", "")) or ["12"])[0])
        wide = text_width(said, high, line.get("font-weight") in ("700", "bold"))
        x = float((_NUMBER.findall(line.get("x", "")) or ["0"])[0])
        left = x - wide * {"middle": 0.5, "end": 1.0}.get(line.get("text-anchor", ""), 0.0)
        if left < -width * (SLACK - 1) or left + wide > width * SLACK:
            yield f'"{said}" stands over the edge of the card'
