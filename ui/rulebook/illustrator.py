"""Draws the pictures of a rulebook on demand: cards, parts of the table, and symbols."""

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
from ui.style.art import CARD_MARGIN_PX, Art
from ui.style.card_pictures import GamePicture, load_game_picture
from ui.style.photograph import UnreadableImage
from ui.style.theme import SMOOTH_HINTS, Theme
from ui.table.items.card_pixmaps import CardPixmaps
from ui.table.items.plaque_item import PlaqueItem
from ui.table.layout.geometry import lay_out_table
from ui.table.layout.placed_table import PlacedTable
from ui.table.scene import TableScene

log = logging.getLogger("tabletop")
TABLE_SIZE_PX = (1280.0, 800.0)
"""The viewport size for which an example's table is laid out."""
EXAMPLE_MARGIN = 0.12
"""The margin around the visible part of an example's table, in card widths."""
MAX_EXAMPLE_WIDTH_PX = 560.0
"""The greatest width of an example or a game's own picture."""
MAX_EXAMPLE_HEIGHT_PX = 380.0
"""The greatest height of an example or a game's own picture."""
CARD_WIDTH_PX = 116.0
"""The preferred width of a card in a row."""
CARD_GAP_PX = 8.0
TEST_WIDTH_AND_RATIO = (64.0, 1.0)
"""The width in pixels and the pixel ratio at which pictures of untrusted games are test-drawn."""
MAX_COVER_CARDS = 3
"""The greatest number of cards on the cover."""
COVER_CARD_WIDTH_PX = 88.0
"""The width of a card on the cover."""
COVER_TILT_DEGREES = 9.0
"""The angle between two neighbouring cards on the cover."""
MAX_COVER_WIDTH_SHARE = 0.42
"""The greatest width of the cover picture, as a share of the text width."""
SYMBOL_HEIGHT_PX = 30.0
"""The height of a symbol."""


class Illustration(NamedTuple):
    """A picture in the rulebook. `size` returns its size in pixels for a text width in pixels."""

    size: Callable[[float], tuple[float, float]]
    draw: Callable[[float, float], QPixmap]
    """Draws the picture. The arguments are its width in pixels and the pixel ratio."""


class Illustrator:
    """All pictures of one rulebook, addressed by name, in one language and theme."""

    def __init__(
        self, kit: GameKit, words: Words, theme: Theme, art: Art, on_paper: bool = False
    ) -> None:
        """Collect the pictures of the rulebook of `kit`.

        With `on_paper`, tables are drawn without their dark background, as needed in print.
        """
        self._kit, self._words, self._theme, self._art = kit, words, theme, art
        self._on_paper = on_paper
        self._illustrations: dict[str, Illustration] = {}
        self._pixmaps: dict[tuple[str, float, float], QPixmap] = {}
        shown = read_illustrations(kit)
        self.rows = {
            row.paragraph: f"cards-{row.paragraph}"
            for row in shown.cards
            if self._add_picture(f"cards-{row.paragraph}", self._card_row(row.names))
        }
        self.examples = {
            each.paragraph: f"example-{each.paragraph}"
            for each in shown.example
            if self._add_picture(f"example-{each.paragraph}", self._example(each))
        }
        first = next((row.names for row in shown.cards), ())[:MAX_COVER_CARDS]
        self.cover = "cover" if first and self._add_picture("cover", self._card_fan(first)) else ""
        """The name of the cover picture, or empty if the book names no cards."""
        self.symbols = [(f"sign-{n}", each.text) for n, each in enumerate(shown.symbol)]
        for (name, _), symbol in zip(self.symbols, shown.symbol, strict=True):
            self._illustrations[name] = self._symbol(symbol)

    def _add_picture(self, name: str, plate: Illustration) -> bool:
        """Add the picture `plate` as `name`. Return whether it can be drawn.

        Only untrusted games are tested, as these may refer to cards or zones that don't exist.
        """
        if self._kit.is_external:
            try:
                plate.draw(*TEST_WIDTH_AND_RATIO)
            except Exception as error:  # the game's own code may raise anything
                log.warning("a picture of the rules of %s can't be drawn: %r", self._kit.id, error)
                return False
        self._illustrations[name] = plate
        return True

    def picture_size(self, name: str, width: float) -> tuple[int, int]:
        """Return the width and height of picture `name` in pixels at a text width of `width`."""
        picture_width, picture_height = self._illustrations[name].size(width)
        return round(picture_width), round(picture_height)

    def pixmap(self, name: str, width: float, ratio: float) -> QPixmap:
        """Return picture `name` at a width of `width` pixels. It is drawn once and then cached."""
        key = (name, width, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = self._illustrations[name].draw(width, ratio)
        return self._pixmaps[key]

    def add_game_picture(self, name: str) -> str:
        """Load the picture file `name` from the game's folder.

        Return the picture's name in this rulebook, or an empty string if the file can't be read.
        """
        try:
            picture = load_game_picture(self._prints(1.0).picture_folder, name)
        except (UnreadableImage, OSError) as error:
            log.warning("%s", error)
            return ""
        called = f"own-{len(self._illustrations)}"
        self._illustrations[called] = _game_illustration(picture)
        return called

    def _prints(self, ratio: float) -> CardPixmaps:
        prints = CardPixmaps(self._kit, self._art, self._words, self._theme)
        prints.ratio = ratio
        return prints

    def _card_row(self, names: tuple[str, ...]) -> Illustration:
        count = len(names)

        def shape(width: float) -> float:
            return (width / count - CARD_GAP_PX) * CARD_HEIGHT + CARD_GAP_PX

        def draw(width: float, ratio: float) -> QPixmap:
            picture = _blank_pixmap(width, shape(width), ratio)
            prints, card_width = self._prints(ratio), width / count - CARD_GAP_PX
            with QPainter(picture) as painter:
                for place, card in enumerate(find_cards_by_name(self._kit, names)):
                    x = place * (card_width + CARD_GAP_PX) + CARD_GAP_PX / 2 - CARD_MARGIN_PX
                    face = prints.face_pixmap(card, card_width)
                    painter.drawPixmap(int(x), int(CARD_GAP_PX / 2 - CARD_MARGIN_PX), face)
            return picture

        most = count * (CARD_WIDTH_PX + CARD_GAP_PX)
        return Illustration(lambda width: (min(width, most), shape(min(width, most))), draw)

    def _card_fan(self, names: tuple[str, ...]) -> Illustration:
        """Return a picture of the named cards in a fan, with a margin at the left and below."""
        count = len(names)
        picture_width, picture_height = (
            1.3 + 0.62 * (count - 1),
            CARD_HEIGHT + 0.35,
        )  # in widths of a card

        def size(width: float) -> tuple[float, float]:
            card = min(COVER_CARD_WIDTH_PX, width * MAX_COVER_WIDTH_SHARE / picture_width)
            return card * picture_width, card * picture_height

        def draw(width: float, ratio: float) -> QPixmap:
            card = width / picture_width
            picture = _blank_pixmap(width, card * picture_height, ratio)
            prints = self._prints(ratio)
            with QPainter(picture) as painter:
                painter.setRenderHints(SMOOTH_HINTS)
                for place, number in enumerate(find_cards_by_name(self._kit, names)):
                    aside = place - (count - 1) / 2
                    painter.save()
                    middle = (picture_width + 0.14) / 2 + 0.62 * aside
                    painter.translate(
                        card * middle, card * (0.06 * aside**2 + picture_height / 2 - 0.06)
                    )
                    painter.rotate(COVER_TILT_DEGREES * aside)
                    corner = QPointF(
                        -card / 2 - CARD_MARGIN_PX, -card * CARD_HEIGHT / 2 - CARD_MARGIN_PX
                    )
                    painter.drawPixmap(corner, prints.face_pixmap(number, card))
                    painter.restore()
            return picture

        return Illustration(size, draw)

    def _example(self, example: Example) -> Illustration:
        kit = self._kit
        part: list[Rect] = []

        def visible_part() -> Rect:
            if not part:
                setting = lay_out_table(kit.layouts, example_view(kit, example), TABLE_SIZE_PX)
                rects = _shown_rects(setting, example)
                left, top = min(r.x for r in rects), min(r.y for r in rects)
                right, bottom = max(r.right for r in rects), max(r.bottom for r in rects)
                part.append(Rect(left, top, right - left, bottom - top))
            return part[0]

        def size(width: float) -> tuple[float, float]:
            picture_width = visible_part().w + 2 * EXAMPLE_MARGIN
            picture_height = visible_part().h + 2 * EXAMPLE_MARGIN
            ratio = picture_width / picture_height
            whole = _to_whole_pixels(
                min(width, MAX_EXAMPLE_WIDTH_PX, MAX_EXAMPLE_HEIGHT_PX * ratio)
            )
            return whole, whole * picture_height / picture_width

        def draw(width: float, ratio: float) -> QPixmap:
            return self._draw_table_part(example, visible_part(), width, ratio)

        return Illustration(size, draw)

    def _draw_table_part(self, example: Example, part: Rect, width: float, ratio: float) -> QPixmap:
        """Draw the part `part` of the table of `example`, as the program's window shows it."""
        kit = self._kit
        scene = TableScene(kit, self._art, self._words, self._theme)
        if self._on_paper:
            scene.set_print_theme(self._theme)
        scene.set_speed("off")
        scene.set_size(*TABLE_SIZE_PX)
        seat = Seat(example.seat, (), Reset(example_view(kit, example), ()))
        scene.show_seat(seat)
        setting = scene.stage.placed
        assert setting is not None
        margin = EXAMPLE_MARGIN * setting.unit
        rects = [scene.stage.to_pixels(rect) for rect in _shown_rects(setting, example)]
        source = reduce(QRectF.united, rects).adjusted(-margin, -margin, margin, margin)
        for item in scene.items(source):
            if isinstance(item, PlaqueItem) and not source.contains(item.path().boundingRect()):
                item.hide()  # don't show half a name
        scene.sharpen(max(1.0, ratio * width / source.width()))
        height = width * (part.h + 2 * EXAMPLE_MARGIN) / (part.w + 2 * EXAMPLE_MARGIN)
        picture = _blank_pixmap(width, height, ratio)
        with QPainter(picture) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            scene.render(painter, QRectF(0, 0, width, height), source)
        scene.clear_seat()
        seat.close()
        return picture

    def _symbol(self, symbol: Symbol) -> Illustration:
        def draw(width: float, ratio: float) -> QPixmap:
            return self._prints(ratio).drawing_pixmap(
                symbol.drawing, width, width / symbol.wide, **symbol.given
            )

        return Illustration(lambda width: (SYMBOL_HEIGHT_PX * symbol.wide, SYMBOL_HEIGHT_PX), draw)


def _game_illustration(picture: GamePicture) -> Illustration:
    picture_width, picture_height = max(picture.size.width(), 1.0), max(picture.size.height(), 1.0)

    def size(width: float) -> tuple[float, float]:
        max_width = MAX_EXAMPLE_HEIGHT_PX * picture_width / picture_height
        whole = _to_whole_pixels(min(picture_width, width, MAX_EXAMPLE_WIDTH_PX, max_width))
        return whole, max(whole * picture_height / picture_width, 1.0)

    def draw(width: float, ratio: float) -> QPixmap:
        place = QRectF(0, 0, width, width * picture_height / picture_width)
        drawn = _blank_pixmap(place.width(), max(place.height(), 1.0), ratio)
        with QPainter(drawn) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            picture.draw(painter, place)
        return drawn

    return Illustration(size, draw)


def _to_whole_pixels(width: float) -> int:
    """Round `width` down to whole pixels. Callers compute the height from the rounded width.

    Rounding both would change the proportions.
    """
    return max(int(width), 1)


def _shown_rects(setting: PlacedTable, example: Example) -> list[Rect]:
    """Return the rectangles of the zones and drawings that `example` shows, in card widths."""
    drawings = {picture.drawing: picture.rect for picture in setting.drawings}
    return [
        setting.zones[name].rect if name in setting.zones else drawings[name]
        for name in example.show
    ]


def _blank_pixmap(width: float, height: float, ratio: float) -> QPixmap:
    picture = QPixmap(round(width * ratio), round(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    return picture
