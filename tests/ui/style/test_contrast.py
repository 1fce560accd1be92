"""All that is printed on cards and plates can be read, in every theme and on every stock.

Each text of a face is left out once: the pixels under its letters then are its ground.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.language.words import Words
from tabletop.match.seat import Seat
from tabletop.studio.laws.random_games import tables_of_game
from tests.net.loopback import LONG
from tests.ui.random_matches import some_answer, table
from tests.ui.style.contrast import contrast
from ui.style.art import Art
from ui.style.card_style import STOCKS, CardStyle
from ui.style.table_look import apply_table_look
from ui.style.theme import THEMES, load_theme
from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.scene import TableScene

SVG = "{http://www.w3.org/2000/svg}"
WIDE = 240
LARGE = 24.0
"""From so many pixels on, a text is large on a card as wide as that."""
LEAST = {"printed": (4.5, 3.0), "contrast": (4.5, 3.0), "dark": (3.3, 2.2)}
"""Of a text and of a large one, by stock: dimmed cards give up a quarter of it."""
STEP = {"light": 1 if LONG else 3, "dark": 7, "contrast": 7}
"""The how manyth cards are measured: on another theme only the stock is another white, and cards of
one kind are printed alike."""

OVER = {"royale/clash.svg"}
"""Drawings over other drawings: by themselves they cannot be read, nor are they meant to be."""
LONGEST = 240
"""So many answers of a game are played."""
EVERY = {"light": 12, "dark": 12 if LONG else 48, "contrast": 12 if LONG else 48}
"""After so many its table is looked at: on another theme the same drawings have other inks."""

PIXEL = 4
"""Bytes of one, as Qt draws it."""

Sort = tuple[str, bool, str]
"""The colour of a text, whether it is large, and its outline, if it has one."""


class Noting(Art):
    """Notes each SVG that it draws, and what of."""

    def __init__(self, tokens: str) -> None:
        super().__init__(load_theme(tokens))
        self.noted: dict[bytes, str] = {}

    def render_svg(self, path: str, **variables: object) -> bytes:
        made = super().render_svg(path, **variables)
        self.noted[made] = path
        return made


def faces(game: str, tokens: str) -> list[bytes]:
    """The faces of a game, the one for small cards and the other, each once."""
    kit = catalogue.load(game)
    art = Noting(tokens)
    prints = CardPixmaps(kit, art, Words("en", kit, ()), load_theme(tokens))
    seen = {str(sorted(face.items(), key=str)): n for n, face in enumerate(kit.deck)}
    for card in sorted(seen.values())[:: STEP[tokens]]:
        for simple in (False, True):
            prints.face_pixmap(card, WIDE, simple)
    return [svg for svg, path in art.noted.items() if path.endswith("face.svg")]


def plates(game: str, tokens: str) -> dict[bytes, str]:
    """The other drawings on the table of a random game that have a ground of their own, or the
    table's."""
    setting = tables_of_game(game)[0]
    kit, match, luck = catalogue.load(game), table(game, setting, "plates"), FastRng("plates")
    art = Noting(tokens)
    scene = TableScene(kit, art, Words("en", kit, match.players), load_theme(tokens))
    scene.set_speed("off")
    while match.state.result is None and match.state.ply < LONGEST:
        if match.state.ply % EVERY[tokens] == 0:
            seat = Seat.at_table(match, luck.below(setting.seats))
            scene.show_seat(seat)
            scene.clear_seat()
            seat.close()
        match.submit(*some_answer(match, luck))
    return {
        svg: path
        for svg, path in art.noted.items()
        if not path.endswith("face.svg") and path not in OVER
    }


def drawn(root: ElementTree.Element, ground: str) -> bytes:
    """The pixels of an SVG on this colour, PIXEL bytes each."""
    _, _, wide, high = map(float, root.get("viewBox", "").split())
    image = QImage(round(wide), round(high), QImage.Format.Format_RGB32)
    image.fill(QColor(ground))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        QSvgRenderer(QByteArray(ElementTree.tostring(root))).render(
            painter, QRectF(0, 0, wide, high)
        )
    return bytes(image.bits())


def places(pixel: bytes, pixels: bytes) -> Iterator[int]:
    """The positions of this pixel among others."""
    at = pixels.find(pixel)
    while at >= 0:
        if at % PIXEL == 0:
            yield at
        at = pixels.find(pixel, at + 1)


def words_of(root: ElementTree.Element) -> dict[Sort, list[tuple[ElementTree.Element, ...]]]:
    """The texts with their containers, by sort; shadows of other texts are taken out."""
    lines: dict[Sort, list[tuple[ElementTree.Element, ...]]] = {}
    texts = [
        (within, text) for within in root.iter() for text in within if text.tag == SVG + "text"
    ]
    for number, (within, text) in enumerate(texts):
        if any(_is_shadow(text, other) for _, other in texts[number + 1 :]):
            within.remove(text)
            continue
        size, fill = float(text.get("font-size", "0")), text.get("fill", "#000000")
        if "".join(text.itertext()).strip():
            lines.setdefault((fill, size >= LARGE, text.get("stroke", "")), []).append(
                (within, text)
            )
    return lines


def _is_shadow(text: ElementTree.Element, other: ElementTree.Element) -> bool:
    """Whether the other one is the same text, laid over this one a little way off."""
    same = "".join(text.itertext()) == "".join(other.itertext())
    near = (abs(float(text.get(key, "0")) - float(other.get(key, "0"))) < 6 for key in "xy")
    return same and all(near)


def grounds(svg: bytes, ground: str = "white") -> Iterator[tuple[Sort, list[int]]]:
    """Under the texts of each sort: the colour of every pixel that one of them covers wholly."""
    root = ElementTree.fromstring(svg)
    if not (sorts := words_of(root)):
        return
    whole = drawn(root, ground)
    for (fill, large, outline), texts in sorts.items():
        stood = [(within, text, list(within).index(text)) for within, text in texts]
        for within, text, _ in stood:
            within.remove(text)
        bare = drawn(root, ground)
        for within, text, place in reversed(stood):
            within.insert(place, text)
        ink = QColor(fill).rgb().to_bytes(PIXEL, sys.byteorder)
        pixels = (bare[at : at + PIXEL] for at in places(ink, whole))
        under = [int.from_bytes(each, sys.byteorder) for each in pixels if each != ink]
        yield (fill, large, outline), [QColor(outline).rgb()] if outline else under


@cache
def finished(colour: int, stock: str) -> str:
    """A colour as it looks on this stock."""
    sheet = QPixmap(21, 21)
    sheet.fill(QColor.fromRgb(colour))
    CardStyle(stock).apply_stock(sheet, QRectF(0, 0, 21, 21), 0)
    return sheet.toImage().pixelColor(10, 10).name()


def read(fill: str, under: list[int], stock: str) -> float:
    """The contrast that nine of ten pixels have at least."""
    ink = finished(QColor(fill).rgb(), stock)
    counted: Mapping[int, float] = {each: contrast(ink, finished(each, stock)) for each in {*under}}
    return sorted(counted[each] for each in under)[len(under) // 10]


@pytest.mark.parametrize("tokens", THEMES)
@pytest.mark.parametrize("game", [kit.id for kit in catalogue.shelf()])
def test_all_that_is_printed_on_cards_can_be_read(
    game: str, tokens: str, qapp: QApplication
) -> None:
    poor, measured = set(), 0
    for svg in faces(game, tokens):
        for (fill, large, _), under in grounds(svg):
            for stock, least in LEAST.items() if under else ():
                measured += 1
                ratio = read(fill, under, stock)
                if ratio < least[large]:
                    poor.add((fill, "large" if large else "small", stock, round(ratio, 2)))
    assert measured
    assert sorted(poor) == []


@pytest.mark.parametrize("tokens", THEMES)
@pytest.mark.parametrize("game", [kit.id for kit in catalogue.shelf()])
def test_all_that_stands_on_plates_can_be_read(game: str, tokens: str, qapp: QApplication) -> None:
    poor, look = set(), apply_table_look(load_theme(tokens), catalogue.load(game).layout.look)
    for svg, path in plates(game, tokens).items():
        for (fill, large, _), under in grounds(svg, look.table):
            ratio = read(fill, under, "printed") if under else 21.0
            if ratio < LEAST["printed"][large]:
                poor.add((path, fill, "large" if large else "small", round(ratio, 2)))
    assert sorted(poor) == []


@pytest.mark.parametrize("stock", STOCKS)
@pytest.mark.parametrize("tokens", THEMES)
def test_the_numbers_of_chains_stand_out_from_their_dye(
    tokens: str, stock: str, qapp: QApplication
) -> None:
    art = Art(load_theme(tokens))
    for number in (9, 10):
        for simple in (False, True):
            svg = art.render_svg("chains/face.svg", card={"number": number}, simple=simple)
            for (fill, large, _), under in grounds(svg):
                assert not large or read(fill, under, stock) >= 4.5, (number, fill)
