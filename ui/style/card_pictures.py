"""The pictures that cards name: PNG, JPEG and SVG files of a game's folder, made fit for a face."""

from __future__ import annotations

import logging
from base64 import b64encode
from functools import lru_cache
from pathlib import Path

import msgspec
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter, QPainterPath
from PySide6.QtSvg import QSvgRenderer

from tabletop.files.regular_file import TooLarge, read_regular
from tabletop.games.data_game import PICTURE_PLACES
from ui.style.clean_svg import UncleanSvg, clean
from ui.style.photograph import NoPicture, photograph
from ui.style.theme import SMOOTH

log = logging.getLogger("tabletop")

DRAWING = ".svg"
PHOTOGRAPHS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg"}
"""The kind of picture by the end of the file's name."""
KINDS = (*PHOTOGRAPHS, DRAWING)
MOST_BYTES = 16 << 20
FINE = 2.5
"""Pixels of what is drawn to each unit of a face, which is 240 wide."""
CORNER = 10


class CardPictures(msgspec.Struct, frozen=True):
    """The `picture` of a template: gives the data of a picture of this folder."""

    folder: str

    def __call__(self, name: str, width: float, height: float, fill: bool = False) -> str:
        """A picture this large, in units of a face, as an address that an SVG can hold; empty where
        none can be shown. A drawing is shown whole, or with `fill` it covers the place."""
        try:
            return self.address(name, width, height, fill) if name else ""
        except (NoPicture, OSError) as error:
            log.warning("%s", error)
            return ""

    def address(self, name: str, width: float, height: float, fill: bool = False) -> str:
        """The address of a picture.

        Raises:
            NoPicture: there is none of this name, or it cannot be drawn.
            OSError: its file cannot be read.
        """
        file = picture_file(Path(self.folder), name)
        try:
            return _address(file, file.stat().st_mtime_ns, width, height, fill)
        except (NoPicture, UncleanSvg) as error:
            raise NoPicture(f'"{name}" cannot be drawn: {error}') from error


def picture_file(folder: Path, name: str) -> Path:
    """The file of a game's folder that a card names.

    Raises:
        NoPicture: there is none, or it is none that can be on a card.
    """
    if not name.lower().endswith(KINDS):
        raise NoPicture(f'"{name}" is no picture: it ends with none of {", ".join(KINDS)}')
    home = folder.resolve()
    for place in PICTURE_PLACES:
        file = (home / place / name).resolve()
        if file.is_relative_to(home) and file.is_file():
            return file
    raise NoPicture(f'there is no picture "{name}" in the folder of the game')


@lru_cache(maxsize=64)
def _address(file: Path, changed: int, width: float, height: float, fill: bool) -> str:
    try:
        content = read_regular(file, MOST_BYTES)
    except TooLarge as error:
        raise NoPicture(f"it is larger than {MOST_BYTES >> 20} MiB") from error
    size = QSize(round(width * FINE), round(height * FINE))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    whole = QRectF(0, 0, size.width(), size.height())
    with QPainter(image) as painter:
        painter.setRenderHints(SMOOTH)
        outline = QPainterPath()
        outline.addRoundedRect(whole, CORNER * FINE, CORNER * FINE)
        painter.setClipPath(outline)
        if file.suffix.lower() == DRAWING:
            _draw_svg(painter, content, whole, fill)
        else:
            shown = photograph(content, PHOTOGRAPHS[file.suffix.lower()])
            _draw_image(painter, shown, whole)
    png = QByteArray()
    buffer = QBuffer(png)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return "data:image/png;base64," + b64encode(png.data()).decode()


def _draw_svg(painter: QPainter, content: bytes, whole: QRectF, fill: bool) -> None:
    """A drawing, as large as it fits."""
    renderer = QSvgRenderer(QByteArray(clean(content)))
    if not renderer.isValid():
        raise NoPicture("it is no SVG that can be drawn")
    renderer.render(painter, _within(renderer.defaultSize(), whole, fill))


def _draw_image(painter: QPainter, image: QImage, whole: QRectF) -> None:
    """A photograph over the whole place, cut where it is too wide or high; what is transparent in
    places, as large as it fits."""
    if image.hasAlphaChannel():
        painter.drawImage(_within(image.size(), whole), image)
        return
    scale = max(whole.width() / image.width(), whole.height() / image.height())
    cut = QRectF(0, 0, whole.width() / scale, whole.height() / scale)
    cut.moveCenter(QRectF(image.rect()).center())
    painter.drawImage(whole, image, cut)


def _within(size: QSize, whole: QRectF, fill: bool = False) -> QRectF:
    """The largest rectangle of this shape in the middle of another; with `fill` the smallest one
    that covers it."""
    scale = (max if fill else min)(
        whole.width() / max(size.width(), 1), whole.height() / max(size.height(), 1)
    )
    place = QRectF(0, 0, size.width() * scale, size.height() * scale)
    place.moveCenter(whole.center())
    return place
