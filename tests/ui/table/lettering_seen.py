"""All texts on a table as it is drawn: the place and size of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from unittest.mock import patch
from xml.etree import ElementTree

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTransform
from PySide6.QtWidgets import QGraphicsSimpleTextItem, QGraphicsTextItem

from ui.style.fonts import text_width
from ui.table.items.piece_item import PictureItem
from ui.table.scene import TableScene

ALMOST = 0.97
"""Pixels are whole, lengths are not: by so much a letter may be smaller than meant."""
_CALL = re.compile(r"(translate|scale|rotate)\(([^)]*)\)")


class Lettering(NamedTuple):
    """A text as it is seen: its rectangle and the height of its letters, in pixels."""

    text: str
    rect: QRectF
    size: float
    stretch: int
    where: str


def on_items(scene: TableScene) -> Iterator[Lettering]:
    """The texts of mats, plaques and labels."""
    for item in scene.items():
        if isinstance(item, QGraphicsSimpleTextItem) and item.text() and item.isVisible():
            yield _seen(item, item.text())
        elif isinstance(item, QGraphicsTextItem) and item.toPlainText() and item.isVisible():
            yield _seen(item, item.toPlainText())


def _seen(item: QGraphicsSimpleTextItem | QGraphicsTextItem, text: str) -> Lettering:
    font = item.font()
    return Lettering(
        text,
        item.sceneBoundingRect(),
        font.pixelSize() * item.sceneTransform().m22(),
        font.stretch() or 100,
        type(item.parentItem()).__name__,
    )


def on_drawings(scene: TableScene) -> Iterator[Lettering]:
    """The texts of drawings that lie on the table; cards are pictures of cards."""
    stage = scene.stage
    prints, setting = stage.pixmaps, stage.placed
    for picture in setting.drawings:
        item = PictureItem(picture.name)
        with patch.object(prints, "drawing_pixmap", wraps=prints.drawing_pixmap) as drawing:
            item.show_drawing(picture, setting, prints, stage.turned)
        path, width, height = drawing.call_args.args
        svg = prints.art.render_svg(path, **prints.common_variables, **drawing.call_args.kwargs)
        root = ElementTree.fromstring(svg)
        box = [float(part) for part in root.attrib["viewBox"].split()]
        ways = QTransform.fromScale(width / box[2], height / box[3])
        ways *= QTransform.fromTranslate(item.pos().x(), item.pos().y())
        yield from _texts(root, ways, f"{path} {picture.name}")


def _texts(node: ElementTree.Element, ways: QTransform, where: str) -> Iterator[Lettering]:
    ways = _turned(node.attrib.get("transform", "")) * ways
    if node.tag.endswith("text") and (node.text or "").strip():
        yield _text(node, ways, where)
    for child in node:
        yield from _texts(child, ways, where)


def _text(node: ElementTree.Element, ways: QTransform, where: str) -> Lettering:
    words = (node.text or "").strip()
    size = float(node.attrib["font-size"])
    width = text_width(words, size, node.attrib.get("font-weight") == "700")
    x, y = float(node.attrib["x"]), float(node.attrib["y"])
    x -= {"middle": width / 2, "end": width}.get(node.attrib.get("text-anchor", ""), 0.0)
    rect = ways.mapRect(QRectF(x, y - 0.8 * size, width, 0.9 * size))
    foot, top = ways.map(QPointF(x, y)), ways.map(QPointF(x, y - size))
    return Lettering(words, rect, (foot - top).manhattanLength(), 100, where)


def _turned(text: str) -> QTransform:
    made = QTransform()
    for name, numbers in _CALL.findall(text):
        values = [float(number) for number in re.split(r"[ ,]+", numbers.strip())]
        match name:
            case "translate":
                made.translate(values[0], values[1] if len(values) > 1 else 0.0)
            case "scale":
                made.scale(values[0], values[-1])
            case _:
                made.rotate(values[0])
    return made
