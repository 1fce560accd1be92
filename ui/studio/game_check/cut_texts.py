"""Check of card faces: draws every face and measures its texts."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from xml.etree.ElementTree import Element

from PySide6.QtGui import QRawFont

from tabletop.catalogue.catalogue import GameKit
from tabletop.games.typed_toml import unknown_word
from tabletop.language.languages import LANGUAGES, languages_of
from tabletop.language.words import Words
from tabletop.studio.workshop.source_lines import locate_cards
from tabletop.text.card_marks import COLOURS, ICON_NAMES, MARKUP, find_colour, find_icon
from ui.pictures.shot import ensure_application
from ui.style.art import Art
from ui.style.broken_drawing import BrokenDrawing
from ui.style.card_pictures import CardPictures
from ui.style.fonts import make_font, text_width
from ui.style.photograph import UnreadableImage
from ui.style.theme import load_theme
from ui.table.items.card_pixmaps import CardPixmaps

SVG = "{http://www.w3.org/2000/svg}"
CHECKED_FONT_PX = 32
WIDTH_TOLERANCE = 1.02
PRINTED_WIDTH_PT = 63 / 25.4 * 72
"""The width of a printed card in points."""
ENLARGED_WIDTH_PX, TABLE_WIDTH_PX = 232, 110
"""Width in pixels of a card enlarged in the sidebar of a 1024 x 600 window, and of a card on the
table."""
MIN_FONT_PT, MIN_FONT_PX = 4.95, 8.95
"""The minimum legible font sizes in print (5 points) and on a screen (9 pixels), less a rounding
tolerance."""
_SPACED = re.compile(r"[^\W\d_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\uffef]+")
"""Matches a word, or a part of one, in a script that separates words by spaces."""
_NUMBER = re.compile(r"-?[0-9.]+")
_TRANSFORM = re.compile(r"(scale|matrix)\s*\(([^)]*)\)")


def find_cut_texts(kit: GameKit) -> Iterator[str]:
    """Yield a message for every card whose text is cut off, breaks within a word or is too small,
    whose picture is missing or not shown, or that can't be drawn.
    """
    ensure_application()
    art = Art()
    places = locate_cards(kit)
    seen: set[str] = set()
    printed = {
        language: CardPixmaps(kit, art, Words(language, kit), load_theme("light"))
        for language in languages_of(kit)
    }
    for card, face in enumerate(kit.deck):
        name = str(face.get("name", ""))
        if name in seen or kit.is_die(card):
            continue
        seen.add(name)
        where = f"{places[name]}: " if name in places else ""
        for language, prints in printed.items():
            try:
                small, large = prints.small_face_drawing(card), prints.face_drawing(card)
            except BrokenDrawing as error:
                yield str(error)
                return
            words = prints.words.card(card), prints.words.face(card)
            complaints = dict.fromkeys(
                (
                    *_check_texts(large, words),
                    *_words_across_lines((small, large), words),
                    *_small_letters(small, large),
                )
            )
            yield from (f'{where}"{name}" ({language}): {each}' for each in complaints)
            if language == LANGUAGES[0]:
                texts = [str(value) for value in face.values()]
                for each in (
                    *_check_drawn(prints, face, small, large),
                    *_missing_letters(texts),
                ):
                    yield f'{where}"{name}": {each}'


def _check_drawn(
    prints: CardPixmaps, face: Mapping[str, object], small: Element, large: Element
) -> Iterator[str]:
    """Yield the faults of a card's picture or icon."""
    icon = str(face.get("icon", "")).strip()
    if picture := str(face.get("picture", "")) or (icon if "." in icon else ""):
        yield from _check_picture(prints, picture, small, large)
    elif icon and prints.uses_plain_faces and not find_icon(icon):
        yield unknown_word(icon, ICON_NAMES).replace(
            " is not known", " is no icon, and no picture's file"
        )
    colour = str(face.get("colour", "") or face.get("color", "")).strip()
    if colour and prints.uses_plain_faces and not find_colour(colour):
        yield unknown_word(colour, COLOURS).replace(" is not known", " is no colour")


def _missing_letters(texts: Iterable[str]) -> Iterator[str]:
    """Yield a message if the program's font lacks a sign in `texts`, such as an emoji that no icon
    replaces.
    """
    font = QRawFont.fromFont(make_font(CHECKED_FONT_PX))
    missing = dict.fromkeys(
        letter
        for text in texts
        for letter in MARKUP.sub("", text)
        if unicodedata.category(letter) in ("So", "Sk", "Co", "Cn")
        and not font.supportsCharacter(ord(letter))
    )
    if missing:
        shown = " ".join(f"{letter} (U+{ord(letter):04X})" for letter in missing)
        yield f"the program's font has no {shown}: other computers may show a box"


def _check_picture(
    prints: CardPixmaps, picture: str, small: Element, large: Element
) -> Iterator[str]:
    try:
        CardPictures(str(prints.picture_folder)).data_url(picture, 100, 100)
    except (UnreadableImage, OSError) as error:
        yield str(error)
        return
    if not _has_image(small):
        yield f'its small face on the table does not show the picture "{picture}"'
    elif not _has_image(large):
        yield f'its large face and its print do not show the picture "{picture}"'


def _has_image(drawing: Element) -> bool:
    return next(drawing.iter(f"{SVG}image"), None) is not None


def _words_across_lines(drawings: Iterable[Element], texts: Iterable[str]) -> Iterator[str]:
    """Yield a message for each word that breaks across lines."""
    words = {word for text in texts for word in _SPACED.findall(text)}
    for drawing in drawings:
        lines = ["".join(line.itertext()).strip() for line in _text_lines(drawing)]
        whole = {word for line in lines for word in _SPACED.findall(line)}
        for upper, lower in pairwise(lines):
            ends, begins = _SPACED.findall(upper), _SPACED.findall(lower)
            if not (ends and begins):
                continue
            joined = ends[-1].rstrip("-\u2010\u00ad") + begins[0]
            touch = upper.endswith((ends[-1], "-", "\u2010", "\u00ad")) and lower.startswith(
                begins[0]
            )
            if touch and joined in words - whole:
                yield f'the word "{joined}" breaks after "{ends[-1]}"'


def _text_lines(root: Element) -> Iterator[Element]:
    """Yield the text elements of a drawing in order, one per line."""
    for text in root.iter(f"{SVG}text"):
        parts = list(text.iter(f"{SVG}tspan"))
        yield from parts or [text]


def _small_letters(small: Element, large: Element) -> Iterator[str]:
    """Yield a message if the smallest text of a card is illegible."""
    smallest = _smallest(large)
    points, pixels = (
        smallest * PRINTED_WIDTH_PT / _width(large),
        smallest * ENLARGED_WIDTH_PX / _width(large),
    )
    if points < MIN_FONT_PT:
        yield f"its smallest letters are {points:.1f} pt in print: nobody can read them"
    elif pixels < MIN_FONT_PX:
        yield f"its smallest letters are {pixels:.1f} pixels beside the table: nobody can read them"
    pixels = _smallest(small) * TABLE_WIDTH_PX / _width(small)
    if pixels < MIN_FONT_PX:
        yield f"its smallest letters are {pixels:.1f} pixels on the table: nobody can read them"


def _smallest(drawing: Element, scale: float = 1.0) -> float:
    """Return the smallest font size in `drawing`, including the scale of its groups."""
    scale *= _scale(drawing.get("transform", ""))
    own = _letters(drawing) * scale if drawing.tag == f"{SVG}text" else 0.0
    return min((own or math.inf, *(_smallest(part, scale) for part in drawing)))


def _scale(transform: str) -> float:
    """Return the factor by which an SVG `transform` changes heights."""
    factor = 1.0
    for kind, given in _TRANSFORM.findall(transform):
        numbers = [float(each) for each in _NUMBER.findall(given)]
        if kind == "scale" and numbers:
            factor *= abs(numbers[-1])
        elif kind == "matrix" and len(numbers) == 6:
            factor *= math.hypot(numbers[2], numbers[3])
    return factor


def _letters(text: Element) -> float:
    found = _NUMBER.findall(text.get("font-size", ""))
    return float(found[0]) if found and "".join(text.itertext()).strip() else 0.0


def _width(drawing: Element) -> float:
    return float(_NUMBER.findall(drawing.get("viewBox", "0 0 240 336"))[2])


def _check_texts(drawing: Element, texts: Sequence[str]) -> Iterator[str]:
    """Yield a message for each text of `drawing` that is cut off or crosses the card's edge."""
    viewed = drawing.get("viewBox", "0 0 240 336")
    _, _, width, _ = (float(part) for part in _NUMBER.findall(viewed))
    for line in drawing.iterfind(f"{SVG}text"):  # not those in groups, which may be rotated
        words = "".join(line.itertext()).strip()
        if words.endswith("…") and not any("…" in text for text in texts):
            whole = next((text for text in texts if words[:-1].strip() in text), texts[1])
            yield f'"{whole}" is too long for the card, and ends at "{words}"'
            continue
        font_size = float((_NUMBER.findall(line.get("font-size", "")) or ["12"])[0])
        length = text_width(words, font_size, line.get("font-weight") in ("700", "bold"))
        x = float((_NUMBER.findall(line.get("x", "")) or ["0"])[0])
        left = x - length * {"middle": 0.5, "end": 1.0}.get(line.get("text-anchor", ""), 0.0)
        if left < -width * (WIDTH_TOLERANCE - 1) or left + length > width * WIDTH_TOLERANCE:
            yield f'"{words}" runs over the edge of the card'
