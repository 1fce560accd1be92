"""The table of a seat as a picture with places: drawn by the window's own scene, for a browser.

One scene serves every seat that reads one language in one theme: it is made equal to each view in
turn, which costs far less than a scene for each phone.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import is_face
from tabletop.language.words import Words
from tabletop.web.drawer import PictureOrder, Rect
from ui.style.art import Art
from ui.style.theme import SMOOTH_HINTS
from ui.style.theme import load_theme as theme_named
from ui.table.items.card_item import DIMMED_OPACITY
from ui.table.layout import geometry
from ui.table.scene import TableScene

LAID_OUT = 1000.0 * 625.0
"""The table is laid out for a viewport of this many pixels and drawn smaller: letters, which do not
shrink with a layout, then leave room for the cards."""
STEP = 60
"""Widths are rounded up to a multiple of this many pixels, so that phones of nearly the same size
share pictures."""
SHAPES = 6
"""Heights are rounded to this many parts of the width, so that phones of all sizes share a
layout."""
SHARPNESS = (0.5, 0.7, 1.0, 1.4, 1.7)
"""Device pixels a pixel with which things are drawn: of these the next above what the picture has
of the whole table, so that phones of nearly one size share what is drawn."""
LEAST, MOST = 240, 1680
"""A side of a picture, in pixels."""
EDGE, GRID = 10.0, 8
"""The margin round everything on the table is at least the first, up to the next multiple of the
second, in pixels as it is laid out: things that come and go move nothing else in the picture."""
SCENES = 6
"""The number of scenes kept: languages times themes times sharpness, of the games played."""


class Picture(Struct, frozen=True):
    """A picture, and where the zones and the known cards are in it."""

    image: QImage
    zones: dict[str, Rect]
    """The rectangles of zones by name; "" is the whole table, to which a card may be played."""
    cards: dict[int, Rect]


class TablePictures:
    """Draws tables, one after the other; in the thread of the QApplication."""

    def __init__(self, art: Mapping[tuple[str, str], Art]) -> None:
        """`art` draws the cards, for each theme and language."""
        self._art = art
        self._scenes: OrderedDict[tuple[str, str, str, float], TableScene] = OrderedDict()

    def draw(self, kit: GameKit, order: PictureOrder) -> Picture:
        """Draw a table of this kit, no larger than ordered: the empty space round it is left
        out."""
        size = drawn_size((order.width, order.height))
        scene = self._scene(kit, order)
        whole = _shown_of(size)
        scene.set_size(round(size[0] / whole), round(size[1] / whole))
        scene.stage.turned = order.angles
        scene.stage.show_view(order.view)
        for item in scene.stage.items:
            item.setOpacity(DIMMED_OPACITY if item.card in order.laid else 1.0)
        seen = _content_rect(scene)
        scale = min(size[0] / seen.width(), size[1] / seen.height())
        image = QImage(
            round(seen.width() * scale), round(seen.height() * scale), QImage.Format.Format_RGB32
        )
        with QPainter(image) as painter:
            painter.setRenderHints(SMOOTH_HINTS)
            scene.render(painter, QRectF(image.rect()), seen, Qt.AspectRatioMode.IgnoreAspectRatio)
        return Picture(image, *_places(scene, seen, scale))

    def _scene(self, kit: GameKit, order: PictureOrder) -> TableScene:
        whole = _shown_of(drawn_size((order.width, order.height)))
        sharpness = next((each for each in SHARPNESS if each >= whole), SHARPNESS[-1])
        key = (order.game, order.language, order.theme, sharpness)
        words = Words(order.language, kit, order.players)
        scene = self._scenes.get(key)
        if scene is None:
            art = self._art[order.theme, order.language]
            scene = TableScene(kit, art, words, theme_named(order.theme))
            scene.set_speed("off")
            scene.sharpen(sharpness)
            self._scenes[key] = scene
            while len(self._scenes) > SCENES:
                _, oldest = self._scenes.popitem(last=False)
                oldest.stage.clear()
                oldest.deleteLater()
        self._scenes.move_to_end(key)
        prints = scene.stage.pixmaps
        if tuple(prints.players) != order.players:
            prints.players, prints.words = order.players, words
            scene.stage.background.invalidate()
        return scene


def drawn_size(size: Sequence[int]) -> tuple[int, int]:
    """The size of the picture that is drawn where this one, in pixels, is ordered."""
    wide, high = (min(MOST, max(LEAST, side)) for side in size)
    part = math.ceil(wide / STEP) * STEP // SHAPES
    return part * SHAPES, part * max(1, round(SHAPES * high / wide))


def _shown_of(size: tuple[int, int]) -> float:
    """The pixels of a picture of this size for each of the table as it is laid out."""
    return math.sqrt(size[0] * size[1] / LAID_OUT)


def _content_rect(scene: TableScene) -> QRectF:
    """The part of the scene in which something is or may be."""
    setting = scene.stage.placed
    assert setting is not None
    rects = [*(spread.rect for spread in setting.zones.values())]
    for things in (setting.mats, setting.plaques, setting.drawings, setting.texts):
        rects += [thing.rect for thing in things]
    content = QRectF()
    for rect in rects:
        content |= scene.stage.to_pixels(rect)
    for item in scene.stage.items:
        if item.isVisible():
            content |= item.mapRectToScene(item.card_rect)
    content.adjust(-EDGE, -EDGE, EDGE, EDGE)
    left, top = (math.floor(each / GRID) * GRID for each in (content.left(), content.top()))
    right, bottom = (math.ceil(each / GRID) * GRID for each in (content.right(), content.bottom()))
    return QRectF(left, top, right - left, bottom - top) & scene.sceneRect()


def _places(
    scene: TableScene, seen: QRectF, scale: float
) -> tuple[dict[str, Rect], dict[int, Rect]]:
    """The places of zones and known cards in the picture of this part; "" is the whole table
    that a card is played to."""
    stage, setting = scene.stage, scene.stage.placed
    assert setting is not None

    def place(rect: QRectF) -> Rect:
        left, top = (rect.x() - seen.x()) * scale, (rect.y() - seen.y()) * scale
        wide, high = rect.width() * scale, rect.height() * scale
        return round(left, 1), round(top, 1), round(wide, 1), round(high, 1)

    zones = {"": place(stage.to_pixels(geometry.play_area(setting)))}
    for zone, spread in setting.zones.items():
        zones[zone] = place(stage.to_pixels(spread.rect))
    cards = {}
    for item in stage.items:
        if is_face(item.card) and item.isVisible():
            cards[item.card] = place(item.mapRectToScene(item.card_rect))
    return zones, cards
