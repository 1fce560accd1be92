"""Draws what a rulebook shows: cards, parts of the table, signs. Nothing before it is asked for."""

import logging
from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from tabletop.catalogue.catalogue import GameKit
from tabletop.catalogue.illustrations import (
    Example,
    Symbol,
    example_view,
    find_cards_by_name,
    read_illustrations,
)
from tabletop.games.layout import CARD_HEIGHT, Rect
from tabletop.language.words import Words
from tabletop.match.match import Reset
from tabletop.match.seat import Seat
from ui.style.art import CARD_MARGIN, Art
from ui.style.card_pictures import GamePicture, game_picture
from ui.style.photograph import UnreadableImage
from ui.style.theme import SMOOTH, Theme
from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.items.plaque_item import PlaqueItem
from ui.table.layout.geometry import lay
from ui.table.layout.placed_table import PlacedTable
from ui.table.scene import TableScene

log = logging.getLogger("tabletop")
LAID = (1280.0, 800.0)
"""The size of the table of which a part is shown, in pixels."""
ROUND = 0.12
"""Free round the part that is shown, in card widths."""
WIDEST, HIGHEST = 560.0, 380.0
"""The most that an example takes, in pixels."""
CARD = 116.0
"""Width of a card in a row, in pixels, where there is room."""
GAP = 8.0
TRIED = (64.0, 1.0)
"""The width and the device pixel ratio at which a picture is tried."""
FANNED, FAN, TILT = 3, 88.0, 9.0
"""The cards of the cover: the most, the width of each in pixels, the angle between two."""
FAN_SHARE = 0.42
"""The greatest share of the text's width that they take."""
SIGN = 30.0
"""Height of a sign, in pixels."""


class Plate(NamedTuple):
    """A picture of the book: its size in a given width, in pixels, and how it is drawn."""

    size: Callable[[float], tuple[float, float]]
    draw: Callable[[float, float], QPixmap]
    """Draw it at this width, with this device pixel ratio."""


class Illustrator:
    """The pictures of one rulebook, by name, in one language and theme."""

    def __init__(
        self, kit: GameKit, words: Words, theme: Theme, art: Art, on_paper: bool = False
    ) -> None:
        """`on_paper`: it is printed, and shows no game's table, which may be dark."""
        self._kit, self._words, self._theme, self._art = kit, words, theme, art
        self._on_paper = on_paper
        self._plates: dict[str, Plate] = {}
        self._drawn: dict[tuple[str, float, float], QPixmap] = {}
        shown = read_illustrations(kit)
        self.rows = {
            row.paragraph: f"cards-{row.paragraph}"
            for row in shown.cards
            if self._add_picture(f"cards-{row.paragraph}", self._row(row.names))
        }
        self.examples = {
            each.paragraph: f"example-{each.paragraph}"
            for each in shown.example
            if self._add_picture(f"example-{each.paragraph}", self._example(each))
        }
        first = next((row.names for row in shown.cards), ())[:FANNED]
        self.cover = "cover" if first and self._add_picture("cover", self._fan(first)) else ""
        """A few cards of the game, if any are named."""
        self.symbols = [(f"sign-{n}", each.text) for n, each in enumerate(shown.symbol)]
        for (name, _), symbol in zip(self.symbols, shown.symbol, strict=True):
            self._plates[name] = self._symbol(symbol)

    def _add_picture(self, name: str, plate: Plate) -> bool:
        """Add a picture; return whether it can be drawn: a game from elsewhere may name cards
        or zones that the game lacks."""
        if self._kit.outside:
            try:
                plate.draw(*TRIED)
            except Exception as error:  # any seat: nobody has played this position
                log.warning("a picture of the rules of %s can't be drawn: %r", self._kit.id, error)
                return False
        self._plates[name] = plate
        return True

    def size(self, name: str, width: float) -> tuple[int, int]:
        """The size of a picture in this width, in pixels; nothing is drawn."""
        wide, high = self._plates[name].size(width)
        return round(wide), round(high)

    def pixmap(self, name: str, width: float, ratio: float) -> QPixmap:
        """The picture, so wide, with `ratio` device pixels a pixel."""
        key = (name, width, ratio)
        if key not in self._drawn:
            self._drawn[key] = self._plates[name].draw(width, ratio)
        return self._drawn[key]

    def add_picture(self, name: str) -> str:
        """Add a picture of the game's folder; returns what it is called here, or "" where there is
        none of this name that can be drawn."""
        try:
            picture = game_picture(self._prints(1.0).pictures, name)
        except (UnreadableImage, OSError) as error:
            log.warning("%s", error)
            return ""
        called = f"own-{len(self._plates)}"
        self._plates[called] = _own_picture(picture)
        return called

    def _prints(self, ratio: float) -> CardPixmaps:
        prints = CardPixmaps(self._kit, self._art, self._words, self._theme)
        prints.ratio = ratio
        return prints

    def _row(self, names: tuple[str, ...]) -> Plate:
        count = len(names)

        def shape(width: float) -> float:
            return (width / count - GAP) * CARD_HEIGHT + GAP

        def draw(width: float, ratio: float) -> QPixmap:
            picture = _blank_pixmap(width, shape(width), ratio)
            prints, card_width = self._prints(ratio), width / count - GAP
            with QPainter(picture) as painter:
                for place, card in enumerate(find_cards_by_name(self._kit, names)):
                    x = place * (card_width + GAP) + GAP / 2 - CARD_MARGIN
                    face = prints.face(card, card_width)
                    painter.drawPixmap(int(x), int(GAP / 2 - CARD_MARGIN), face)
            return picture

        most = count * (CARD + GAP)
        return Plate(lambda width: (min(width, most), shape(min(width, most))), draw)

    def _fan(self, names: tuple[str, ...]) -> Plate:
        """Some cards in a fan, with air at its left and below it."""
        count = len(names)
        wide, high = 1.3 + 0.62 * (count - 1), CARD_HEIGHT + 0.35  # in widths of a card

        def size(width: float) -> tuple[float, float]:
            card = min(FAN, width * FAN_SHARE / wide)
            return card * wide, card * high

        def draw(width: float, ratio: float) -> QPixmap:
            card = width / wide
            picture = _blank_pixmap(width, card * high, ratio)
            prints = self._prints(ratio)
            with QPainter(picture) as painter:
                painter.setRenderHints(SMOOTH)
                for place, number in enumerate(find_cards_by_name(self._kit, names)):
                    aside = place - (count - 1) / 2
                    painter.save()
                    middle = (wide + 0.14) / 2 + 0.62 * aside
                    painter.translate(card * middle, card * (0.06 * aside**2 + high / 2 - 0.06))
                    painter.rotate(TILT * aside)
                    corner = QPointF(-card / 2 - CARD_MARGIN, -card * CARD_HEIGHT / 2 - CARD_MARGIN)
                    painter.drawPixmap(corner, prints.face(number, card))
                    painter.restore()
            return picture

        return Plate(size, draw)

    def _example(self, example: Example) -> Plate:
        kit = self._kit
        part: list[Rect] = []

        def visible_part() -> Rect:
            if not part:
                setting = lay(kit.layouts, example_view(kit, example), LAID)
                rects = _shown_places(setting, example)
                left, top = min(r.x for r in rects), min(r.y for r in rects)
                right, bottom = max(r.right for r in rects), max(r.bottom for r in rects)
                part.append(Rect(left, top, right - left, bottom - top))
            return part[0]

        def size(width: float) -> tuple[float, float]:
            wide, high = visible_part().w + 2 * ROUND, visible_part().h + 2 * ROUND
            whole = _whole_pixels(min(width, WIDEST, HIGHEST * wide / high))
            return whole, whole * high / wide

        def draw(width: float, ratio: float) -> QPixmap:
            return self._draw_table_part(example, visible_part(), width, ratio)

        return Plate(size, draw)

    def _draw_table_part(self, example: Example, part: Rect, width: float, ratio: float) -> QPixmap:
        """The part of an example's table, as the window draws it."""
        kit = self._kit
        scene = TableScene(kit, self._art, self._words, self._theme)
        if self._on_paper:
            scene.print_on_paper(self._theme)
        scene.set_speed("off")
        scene.set_size(*LAID)
        seat = Seat(example.seat, (), Reset(example_view(kit, example), ()))
        scene.sit(seat)
        setting = scene.stage.setting
        assert setting is not None
        margin = ROUND * setting.unit
        rects = [scene.stage.pixels(rect) for rect in _shown_places(setting, example)]
        source = reduce(QRectF.united, rects).adjusted(-margin, -margin, margin, margin)
        for item in scene.items(source):
            if isinstance(item, PlaqueItem) and not source.contains(item.path().boundingRect()):
                item.hide()  # half a name is no use
        scene.sharpen(max(1.0, ratio * width / source.width()))
        height = width * (part.h + 2 * ROUND) / (part.w + 2 * ROUND)
        picture = _blank_pixmap(width, height, ratio)
        with QPainter(picture) as painter:
            painter.setRenderHints(SMOOTH)
            scene.render(painter, QRectF(0, 0, width, height), source)
        scene.leave()
        seat.close()
        return picture

    def _symbol(self, symbol: Symbol) -> Plate:
        def draw(width: float, ratio: float) -> QPixmap:
            return self._prints(ratio).drawing(
                symbol.drawing, width, width / symbol.wide, **symbol.given
            )

        return Plate(lambda width: (SIGN * symbol.wide, SIGN), draw)


def _own_picture(picture: GamePicture) -> Plate:
    wide, high = max(picture.size.width(), 1.0), max(picture.size.height(), 1.0)

    def size(width: float) -> tuple[float, float]:
        whole = _whole_pixels(min(wide, width, WIDEST, HIGHEST * wide / high))
        return whole, max(whole * high / wide, 1.0)

    def draw(width: float, ratio: float) -> QPixmap:
        place = QRectF(0, 0, width, width * high / wide)
        drawn = _blank_pixmap(place.width(), max(place.height(), 1.0), ratio)
        with QPainter(drawn) as painter:
            painter.setRenderHints(SMOOTH)
            picture.draw(painter, place)
        return drawn

    return Plate(size, draw)


def _whole_pixels(width: float) -> int:
    """The width in pixels, of which the height follows: rounded apart, they would disagree."""
    return max(int(width), 1)


def _shown_places(setting: PlacedTable, example: Example) -> list[Rect]:
    """The places of the zones and drawings that an example shows, on the surface."""
    drawings = {picture.drawing: picture.rect for picture in setting.pictures}
    return [
        setting.spreads[name].rect if name in setting.spreads else drawings[name]
        for name in example.show
    ]


def _blank_pixmap(width: float, height: float, ratio: float) -> QPixmap:
    picture = QPixmap(round(width * ratio), round(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    return picture
