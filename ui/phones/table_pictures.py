"""Renders the table seen from a seat as a picture, with the coordinates that a browser needs.

All seats with the same game, language and theme share one scene of the window's kind, which shows
their views in turn. That is much cheaper than a scene for each phone.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import is_face
from tabletop.language.words import Words
from tabletop.web.drawer import PictureOrder, Rect, TurnedRect
from ui.style.art import Art
from ui.style.theme import SMOOTH_HINTS
from ui.style.theme import load_theme as theme_named
from ui.table.items.card_item import DIMMED_OPACITY, CardItem
from ui.table.layout import geometry
from ui.table.scene import TableScene

LAYOUT_AREA_PX = 1000.0 * 625.0
"""The area in square pixels for which a table is laid out before it is scaled down.

Text doesn't shrink with the layout, so a larger layout leaves more space for the cards.
"""
WIDTH_STEP_PX = 60
"""Widths are rounded up to a multiple of this, so that phones of similar size share pictures."""
ASPECT_STEPS = 6
"""Heights are rounded to multiples of the width divided by this, so that phones share layouts."""
PIXEL_RATIOS = (0.5, 0.7, 1.0, 1.4, 1.7)
"""The pixel ratios at which items are drawn. The next one above the picture's scale is used.

This lets phones of similar size share the cached items.
"""
MIN_SIDE_PX = 240
"""The least width and height of a picture."""
MAX_SIDE_PX = 1680
"""The greatest width and height of a picture."""
MIN_MARGIN_PX = 10.0
"""The least margin around the content of the table, in layout pixels."""
MARGIN_GRID_PX = 8
"""The margin is extended so that the picture's edges are at multiples of this, in layout pixels.

Otherwise items that appear or disappear would shift everything else in the picture.
"""
MAX_SCENES = 6
"""The greatest number of cached scenes. Each is for one game, language, theme and pixel ratio."""


class RenderedTable(Struct, frozen=True):
    """A rendered table, with the rectangles of its zones and face-up cards in pixels."""

    image: QImage
    zones: dict[str, Rect]
    """Rectangles of zones by name. "" is the area where cards are played to the whole table."""
    cards: dict[int, TurnedRect]
    """The visible parts of cards by number."""


class TableRenderer:
    """Renders tables one at a time in the thread of the QApplication."""

    def __init__(self, art: Mapping[tuple[str, str], Art]) -> None:
        """`art`: the Art to draw with, by theme and language."""
        self._art = art
        self._scenes: OrderedDict[tuple[str, str, str, float], TableScene] = OrderedDict()

    def render(self, kit: GameKit, order: PictureOrder) -> RenderedTable:
        """Render the table of `order` without empty margins, at most about as large as ordered."""
        size = rounded_size((order.width, order.height))
        scene = self._scene_for(kit, order)
        whole = _layout_scale(size)
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
        return RenderedTable(image, *_find_rects(scene, seen, scale))

    def _scene_for(self, kit: GameKit, order: PictureOrder) -> TableScene:
        whole = _layout_scale(rounded_size((order.width, order.height)))
        sharpness = next((each for each in PIXEL_RATIOS if each >= whole), PIXEL_RATIOS[-1])
        key = (order.game, order.language, order.theme, sharpness)
        words = Words(order.language, kit, order.players)
        scene = self._scenes.get(key)
        if scene is None:
            art = self._art[order.theme, order.language]
            scene = TableScene(kit, art, words, theme_named(order.theme))
            scene.set_speed("off")
            scene.sharpen(sharpness)
            self._scenes[key] = scene
            while len(self._scenes) > MAX_SCENES:
                _, oldest = self._scenes.popitem(last=False)
                oldest.stage.clear()
                oldest.deleteLater()
        self._scenes.move_to_end(key)
        prints = scene.stage.pixmaps
        if tuple(prints.players) != order.players:
            prints.players, prints.words = order.players, words
            scene.stage.background.invalidate()
        return scene


def rounded_size(size: Sequence[int]) -> tuple[int, int]:
    """Return the picture size to use if `size` was ordered, both as width and height in pixels."""
    width, height = (min(MAX_SIDE_PX, max(MIN_SIDE_PX, side)) for side in size)
    part = math.ceil(width / WIDTH_STEP_PX) * WIDTH_STEP_PX // ASPECT_STEPS
    return part * ASPECT_STEPS, part * max(1, round(ASPECT_STEPS * height / width))


def _layout_scale(size: tuple[int, int]) -> float:
    """Return the scale factor from the layout to a picture of `size`."""
    return math.sqrt(size[0] * size[1] / LAYOUT_AREA_PX)


def _content_rect(scene: TableScene) -> QRectF:
    """Return the part of the scene that contains items or may do so later."""
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
    margin, grid = MIN_MARGIN_PX, MARGIN_GRID_PX
    content.adjust(-margin, -margin, margin, margin)
    left, top = (math.floor(each / grid) * grid for each in (content.left(), content.top()))
    right, bottom = (math.ceil(each / grid) * grid for each in (content.right(), content.bottom()))
    return QRectF(left, top, right - left, bottom - top) & scene.sceneRect()


def _find_rects(
    scene: TableScene, seen: QRectF, scale: float
) -> tuple[dict[str, Rect], dict[int, TurnedRect]]:
    """Return the rectangles of all zones and of the visible parts of face-up cards in the picture,
    in pixels.
    """
    stage, setting = scene.stage, scene.stage.placed
    assert setting is not None

    def place(rect: QRectF) -> Rect:
        left, top = (rect.x() - seen.x()) * scale, (rect.y() - seen.y()) * scale
        width, height = rect.width() * scale, rect.height() * scale
        return round(left, 1), round(top, 1), round(width, 1), round(height, 1)

    zones = {"": place(stage.to_pixels(geometry.play_area(setting)))}
    for zone, spread in setting.zones.items():
        zones[zone] = place(stage.to_pixels(spread.rect))
    cards: dict[int, TurnedRect] = {}
    lying = sorted((item for item in stage.items if item.isVisible()), key=CardItem.zValue)
    rects = [item.mapRectToScene(item.card_rect) for item in lying]
    for number, item in enumerate(lying):
        if is_face(item.card):
            above = (n for n in range(number + 1, len(lying)) if rects[n].intersects(rects[number]))
            part = _visible_part(item, [lying[n] for n in above])
            matrix = item.sceneTransform()
            size = matrix.map(QPointF(part.width(), 0)) - matrix.map(QPointF())
            turn = math.atan2(size.y(), size.x())
            stretch = math.hypot(size.x(), size.y()) / max(part.width(), 1.0)
            rect = QRectF(0, 0, part.width() * stretch, part.height() * stretch)
            rect.moveCenter(matrix.map(part.center()))
            cards[item.card] = (*place(rect), round(math.degrees(turn), 1))
    return zones, cards


def _visible_part(item: CardItem, above: Sequence[CardItem]) -> QRectF:
    """Return the part of a card, in its own coordinates, that the cards `above` don't cover.

    Only cards that cover a whole strip along one edge count, as those in fans and rows do.
    """
    whole = part = QRectF(item.card_rect)
    for other in above:
        over = item.mapRectFromItem(other, other.card_rect)
        wide = over.left() < whole.center().x() < over.right()
        high = over.top() < whole.center().y() < over.bottom()
        left, top, right, bottom = part.left(), part.top(), part.right(), part.bottom()
        if high and left < over.left() < right < over.right():
            right = over.left()
        elif high and over.left() < left < over.right() < right:
            left = over.right()
        elif wide and top < over.top() < bottom < over.bottom():
            bottom = over.top()
        elif wide and over.top() < top < over.bottom() < bottom:
            top = over.bottom()
        part = QRectF(QPointF(left, top), QPointF(right, bottom))
    return part
